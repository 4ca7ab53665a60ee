import os
import random
from functools import cache
from pathlib import Path

# Every worker has a processor: threads of its own would only wait for those of the others. Read at import.
os.environ |= {f"{pool}_THREADS": "1" for pool in ("POLARS_MAX", "OMP_NUM", "OPENBLAS_NUM")}

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
def _a_cache_of_the_session(tmp_path_factory):
    """Keep what audits remember out of the home: all workers share it, and it is gone afterwards.

    A test that weakens an attacker needs no other: what was remembered of him is not found again.
    """
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KAKURENBO_CACHE", str(shared / "cache"))
        yield


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
