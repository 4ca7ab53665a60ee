"""Benchmarks are run by hand: they stand on the program as it is, and none has been forgotten."""

import importlib

import pytest


def named(root):
    return sorted(path.stem for path in (root / "bench").glob("*.py") if not path.stem.startswith("__"))


def test_every_benchmark_is_loaded_with_the_program_as_it_is(root):
    names = named(root)
    assert len(names) > 10
    for name in names:
        try:
            importlib.import_module(f"bench.{name}")
        except ModuleNotFoundError as error:  # a peer that is installed for benchmarks alone
            if str(error.name).startswith(("kakurenbo", "bench")):
                pytest.fail(f"bench.{name}: {error}")
