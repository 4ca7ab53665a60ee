import os
from functools import cache
from pathlib import Path
from types import ModuleType

# Every worker has a processor: threads of its own would only wait for those of the others. Read at import.
os.environ |= {f"{pool}_THREADS": "1" for pool in ("POLARS_MAX", "OMP_NUM", "OPENBLAS_NUM")}

import sys

import polars as pl
import pytest
import typer.main
from hypothesis import HealthCheck, settings

import kakurenbo as kb
from counting import Counting

# ci: the same examples in every run, so that a red build can be repeated, and few of them, since every entry
# of the catalogue meets every promise; dev: fresh ones each time, and many.
settings.register_profile(
    "ci", deadline=None, derandomize=True, max_examples=14, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("dev", deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "dev"))


def pytest_configure(config):
    config.pluginmanager.register(Counting(config))


ROOT = Path(__file__).resolve().parent.parent
REAL = Path(os.environ.get("KAKURENBO_DATA", ROOT.parent / "shared" / "data"))


def listing():
    return {path.name for path in ROOT.iterdir() if not path.name.startswith(".")}


SEEN = listing()


@pytest.fixture(autouse=True)
def _nothing_new_beside_the_sources():
    """What a test writes belongs into its own folder; hidden names are the tools' caches."""
    yield
    new = listing() - SEEN
    SEEN.update(new)
    assert not new, f"written into the repository: {new}"


@pytest.fixture(scope="session")
def real():
    """Return a function that gives the path of real data, or skips the test where it is not to be had."""

    def path(name):
        if not (REAL / name).exists():
            pytest.skip(f"real data not found: {name} (set KAKURENBO_DATA to the folder that holds it)")
        return REAL / name

    return path


@pytest.fixture(scope="session")
def root():
    return ROOT


@pytest.fixture(scope="session", autouse=True)
def commands_built_once():
    """Build the command line once: typer does so at every call, which is once in a program, not here."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(typer.main, "get_command", cache(typer.main.get_command))
        yield


@pytest.fixture
def one_process(monkeypatch):
    """Let a search use this process alone: on little data, starting others costs more than they do."""
    for count in ("cpu_count", "process_cpu_count"):
        monkeypatch.setattr(os, count, lambda: 1, raising=False)


@pytest.fixture
def small_frame():
    return pl.DataFrame({
        "who": ["ann", "ann", "bob", "cem", "cem", "cem"],
        "what": ["milk", "tea", "milk", "tea", "rice", "milk"],
        "slip": ["r1", "r1", "r2", "r3", "r3", "r4"],
        "when": ["2024-01-05", "2024-01-05", "2024-02-01", "2024-02-03", "2024-02-03", "2024-03-09"],
        "cost": [1.5, 3.0, 1.5, 3.0, 2.25, 1.5],
        "pieces": [1, 2, 1, 1, 4, 2],
    })  # fmt: skip


ROLES = {
    "customer": "who", "goods": "what", "receipt": "slip",
    "time": "when", "price": "cost", "quantity": "pieces",
}  # fmt: skip


@pytest.fixture
def roles():
    return dict(ROLES)


@pytest.fixture
def small(small_frame):
    return kb.Purchases.from_frame(small_frame, **ROLES)


class Patching(pytest.MonkeyPatch):
    """Has attackers proved and tried on their disguises again around whatever it changes of the program.

    Folders, the environment and what belongs to Python itself change no attacker, and leave proofs alone.
    """

    changed = False

    def setattr(self, target, *arguments, **options):
        self._changing(target)
        super().setattr(target, *arguments, **options)

    def delattr(self, target, *arguments, **options):
        self._changing(target)
        super().delattr(target, *arguments, **options)

    def setitem(self, dic, name, value):
        self._changing(dic)
        super().setitem(dic, name, value)

    def delitem(self, dic, *arguments, **options):
        self._changing(dic)
        super().delitem(dic, *arguments, **options)

    def undo(self):
        super().undo()
        if self.changed:
            _forget_proofs()

    def _changing(self, target):
        if target is os.environ or target is sys.modules or _home(target) in _PYTHONS:
            return
        self.changed = True
        _forget_proofs()


_PYTHONS = sys.stdlib_module_names - {"builtins"}  # a dictionary is a builtin, and may be anybody's


def _home(target):
    """Return the package that something belongs to."""
    if isinstance(target, str):
        named = target
    elif isinstance(target, ModuleType):
        named = target.__name__
    else:
        named = (target if isinstance(target, type) else type(target)).__module__
    return named.partition(".")[0]


@pytest.fixture
def monkeypatch():
    """Return pytest's own, which forgets proofs where it changes what they speak of."""
    patching = Patching()
    yield patching
    patching.undo()


def _forget_proofs():
    for name in ("disguises", "remembered"):
        module = sys.modules.get(f"kakurenbo.auditing.proof.{name}")
        if module is not None:
            module.forget()
