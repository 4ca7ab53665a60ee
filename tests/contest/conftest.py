"""A contest for every test. It lies in SQLite; what speaks SQL is tried on a real PostgreSQL, too.

A test of queries, locks or races says so by `cups.on_both_databases`; the others meet PostgreSQL in the
campaign only, where nothing that passes on SQLite is taken for granted.
"""

import shutil
from pathlib import Path

import pytest
from argon2 import PasswordHasher

from contest import cups
from kakurenbo.contest import accounts
from kakurenbo.web import passwords
from pages_once import templates_compiled_once
from soak import postgres

__all__ = ["templates_compiled_once"]


@pytest.fixture(scope="session")
def postgres_server():
    """Start a PostgreSQL server; where that cannot be, skip and say why."""
    why = postgres.why_not()
    if why:
        pytest.skip(why)
    with postgres.Server() as server:
        yield server


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.campaign)])
def database_url(request, tmp_path):
    """Return the address of an empty database of this test's own."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'contest.sqlite'}"
    return request.getfixturevalue("postgres_server").url()


@pytest.fixture(scope="module", autouse=True)
def quick_hashes():
    """Hash passwords with argon2 as always, but with little memory and time."""
    quick = PasswordHasher(time_cost=1, memory_cost=64, parallelism=1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passwords, "_HASHER", quick)
        accounts._nobody.cache_clear()
        yield
    accounts._nobody.cache_clear()


@pytest.fixture
def clock():
    """Return a clock that stands still until it is set."""
    return cups.StandingClock(cups.START)


@pytest.fixture(scope="session")
def new_folder(tmp_path_factory):
    """Return the folder of a contest as it is made, to be copied."""
    return cups.make_folder(tmp_path_factory.mktemp("new") / "cup")


@pytest.fixture
def folder(new_folder, tmp_path):
    """Return the folder of a new contest, with rules that are cheap to judge."""
    return Path(shutil.copytree(new_folder, tmp_path / "cup"))


@pytest.fixture
def contest(folder, database_url, clock):
    """Return an open contest in the phase sign-up."""
    if database_url.startswith("sqlite"):  # its tables are there already
        shutil.copy(folder / "private" / "contest.sqlite", database_url.removeprefix("sqlite:///"))
    with cups.opened(folder, database=database_url, clock=clock) as contest:
        yield contest
