import os
import random
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


def pytest_addoption(parser):
    parser.addoption("--file-order", type=int, metavar="SEED", help="run the files in a random order")


def _stay_on_one_processor(worker):
    """Keep a worker to a processor of its own.

    Threads on two processors that hand Python's lock to one another take three times as long on little data.
    The program still sees all processors, and shares work out to as many threads as on its own.
    """
    processors = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {processors[int(worker.removeprefix("gw")) % len(processors)]})
    os.sched_getaffinity = lambda _: set(processors)


def pytest_configure(config):
    worker = os.environ.get("PYTEST_XDIST_WORKER")
    if worker and hasattr(os, "sched_setaffinity"):
        _stay_on_one_processor(worker)
    config.pluginmanager.register(Counting(config))


def pytest_collection_modifyitems(config, items):
    """Put the files in the order that was asked for; the tests of one stay together, as they stand."""
    seed = config.getoption("--file-order")
    if seed is not None:
        files = sorted({item.path for item in items})
        random.Random(seed).shuffle(files)
        places = {path: place for place, path in enumerate(files)}
        items.sort(key=lambda item: places[item.path])


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
    """Sets proofs of attackers aside around whatever it changes of the program, and takes them up again.

    What was proved before the change says nothing of a changed attacker, and is true again once it is undone;
    what was proved meanwhile is forgotten. Folders, the environment and what belongs to Python itself change
    no attacker, and leave proofs alone.
    """

    aside = None

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
        if self.aside is not None:
            self.aside.take_up()
            self.aside = None

    def _changing(self, target):
        if target is os.environ or target is sys.modules or _home(target) in _PYTHONS:
            return
        if self.aside is None:
            self.aside = Aside()
        self.aside.forget()


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
    """Return pytest's own, which sets proofs aside where it changes what they speak of."""
    patching = Patching()
    yield patching
    patching.undo()


class Aside:
    """The memories of proofs as they stood: what attackers are tried by, as long as nobody changes them."""

    def __init__(self):
        self.remembered, self.disguises = (
            sys.modules.get(f"kakurenbo.auditing.proof.{name}") for name in ("remembered", "disguises")
        )
        self.proofs = dict(self.remembered._made) if self.remembered else {}
        self.tried = {name: getattr(self.disguises, name) for name in _TRIED} if self.disguises else {}

    def forget(self):
        """Start without any, also in modules that were loaded after the first change."""
        for name in ("remembered", "disguises"):
            module = sys.modules.get(f"kakurenbo.auditing.proof.{name}")
            if module is None:
                continue
            if name == "disguises":  # what was remembered stays with the old functions
                for function in _TRIED:
                    setattr(module, function, cache(getattr(module, function).__wrapped__))
            else:
                module.forget()

    def take_up(self):
        """Forget what was proved meanwhile, and remember what was proved before."""
        self.forget()
        if self.remembered:
            self.remembered._made.update(self.proofs)
        for name, function in self.tried.items():
            setattr(self.disguises, name, function)


_TRIED = ("_tried", "_through")
