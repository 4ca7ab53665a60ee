"""A contest's folder, its key, and its database from version to version."""

import hashlib
import stat
from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import inspect, text

from contest import cups
from contest.cups import on_both_databases
from kakurenbo.contest import keys
from kakurenbo.contest.contest import Contest, now
from kakurenbo.contest.database.engine import Database
from kakurenbo.contest.database.migrate import config, upgrade
from kakurenbo.contest.database.models import Table
from kakurenbo.contest.rules import Rules
from kakurenbo.errors import InputError, KakurenboError, ParameterError


def refused(call, *arguments, code="contest", **options):
    with pytest.raises(KakurenboError) as caught:
        call(*arguments, **options)
    assert caught.value.code == code
    return str(caught.value)


def test_a_new_folder_shows_its_data_and_nobody_its_secrets(tmp_path):
    folder = cups.make_folder(tmp_path / "cup")
    assert sorted(path.name for path in folder.iterdir()) == ["contest.toml", "data", "private"]
    assert (folder / "data" / "transactions.csv").read_text() == cups.TRANSACTIONS
    modes = {
        name: stat.S_IMODE((folder / name).stat().st_mode)
        for name in ("private", "private/storage", "private/key")
    }
    assert modes == {"private": 0o700, "private/storage": 0o700, "private/key": 0o600}
    assert stat.S_IMODE((folder / "private" / "contest.sqlite").stat().st_mode) == 0o600


def test_a_folder_that_exists_is_left_alone(tmp_path):
    (tmp_path / "cup").mkdir()
    (tmp_path / "T.csv").write_text("a,b\n")
    assert "cup" in refused(Contest.create, tmp_path / "cup", cups.RULES, tmp_path / "T.csv", code="exists")
    assert list((tmp_path / "cup").iterdir()) == []


def test_nothing_is_made_of_bad_rules_or_without_data(tmp_path):
    (tmp_path / "T.csv").write_text("a,b\n")
    (tmp_path / "empty").mkdir()
    for rules, data in (("title = ", "T.csv"), ('title = "x"\nformat = "none"', "T.csv")):
        with pytest.raises(InputError):
            Contest.create(tmp_path / "cup", rules, tmp_path / data)
    refused(Contest.create, tmp_path / "cup", cups.RULES, tmp_path / "empty", code="no-table")
    refused(Contest.create, tmp_path / "cup", cups.RULES, tmp_path / "gone", code="no-table")
    assert not (tmp_path / "cup").exists()


@pytest.mark.parametrize("share", ["hide.keep_share", "seek.share", "scoring.utility_weight"])
def test_a_share_of_the_rules_is_at_most_all(share):
    rules = 'title = "Little cup"\nformat = "purchases"\n'
    assert Rules.parse(f"{rules}{share} = 1.0")
    with pytest.raises(InputError, match=share.split(".")[1]):
        Rules.parse(f"{rules}{share} = 1.01")


def test_only_plain_files_become_data(tmp_path):
    data = tmp_path / "data"
    data.mkdir()
    (data / "T.csv").write_text("a,b\n")
    (data / ".hidden").write_text("x")
    (data / "secret.csv").symlink_to(tmp_path / "T.csv")
    (data / "folder").mkdir()
    Contest.create(tmp_path / "cup", cups.RULES, data).close()
    assert [path.name for path in (tmp_path / "cup" / "data").iterdir()] == ["T.csv"]


@pytest.mark.parametrize(
    "key",
    [
        "",
        "00" * 32,
        "0123456789abcdef" * 4,
        hashlib.sha512(b"short").hexdigest()[:62],
        hashlib.sha512(b"long").hexdigest()[:66],
        "no hex",
        "é" * 64,
        bytes(range(32)).hex(),
        hashlib.sha256(b"kakurenbo").hexdigest(),
        hashlib.sha256(b"").hexdigest(),
    ],
)
def test_a_key_that_can_be_guessed_opens_nothing(folder, key, monkeypatch):
    path = folder / "private" / "key"
    path.write_text(key)
    told = refused(Contest.open, folder)
    monkeypatch.setenv(keys.VARIABLE, key)
    assert refused(Contest.open, folder) == told
    assert not key or key not in told


def test_a_key_that_others_can_read_or_that_is_missing_opens_nothing(folder):
    path = folder / "private" / "key"
    for mode in (0o640, 0o604, 0o660):
        path.chmod(mode)
        assert "chmod 600" in refused(Contest.open, folder)
    path.unlink()
    assert keys.VARIABLE in refused(Contest.open, folder)


def test_the_key_may_come_from_the_environment_but_must_be_the_one_it_began_with(folder, monkeypatch):
    path = folder / "private" / "key"
    key = path.read_text()
    path.unlink()
    monkeypatch.setenv(keys.VARIABLE, key)
    Contest.open(folder).close()
    monkeypatch.setenv(keys.VARIABLE, keys.new_key())
    assert "another key" in refused(Contest.open, folder)


def test_a_folder_that_is_no_contest_is_refused(folder, tmp_path):
    refused(Contest.open, tmp_path / "nowhere", code="path-missing")
    (folder / "private" / "storage").rmdir()
    assert "storage" in refused(Contest.open, folder)


@pytest.mark.parametrize("url", ["mysql://x/y", "sqlite://", "no address at all", "oracle:///x"])
def test_a_database_of_another_kind_is_refused(folder, url):
    refused(Contest.open, folder, database=url)


@pytest.mark.parametrize("url", ["sqlite:////nowhere/x", "postgresql://taro:secret@127.0.0.1:1/none"])
def test_a_database_that_is_away_is_said_so_without_its_address(folder, url):
    told = refused(Contest.open, folder, database=url)
    assert "secret" not in told
    assert "taro" not in told


def test_a_file_that_is_no_database_is_refused(folder):
    (folder / "private" / "contest.sqlite").write_bytes(b"x" * 5000)
    refused(Contest.open, folder)


@on_both_databases
def test_migrations_make_what_the_models_say_and_can_be_taken_back(database_url):
    database = Database(database_url)
    upgrade(database)
    with database.engine.begin() as connection:
        assert compare_metadata(MigrationContext.configure(connection), Table.metadata) == []
    scripts = str(files("kakurenbo.contest.database") / "migrations")
    with database.engine.begin() as connection:
        from alembic import command  # noqa: PLC0415

        command.downgrade(config(scripts, connection), "base")
        assert set(inspect(connection).get_table_names()) == {"alembic_version"}
    with database.engine.connect() as connection:
        assert len(ScriptDirectory.from_config(config(scripts, connection)).get_heads()) == 1
    database.close()


@on_both_databases
def test_many_who_open_a_new_database_at_once_make_it_once(folder, database_url):
    with ThreadPoolExecutor(6) as pool:
        opened = list(pool.map(lambda _: Contest.open(folder, database=database_url), range(6)))
    with opened[0].database.reading() as session:
        assert session.execute(text("SELECT count(*) FROM phases")).scalar() == 5
        assert session.execute(text("SELECT count(*) FROM alembic_version")).scalar() == 1
    for contest in opened:
        contest.close()


@on_both_databases
def test_a_transaction_that_fails_leaves_nothing_and_tells_no_value(contest):
    cups.person(contest, "Taro Tanaka")
    with pytest.raises(Exception, match=r"(?i)unique") as caught:
        cups.person(contest, "Taro Tanaka")
    assert "INSERT" in str(caught.value)
    assert "[SQL parameters hidden" in str(caught.value)
    with contest.database.reading() as session:
        assert session.execute(text("SELECT count(*) FROM users")).scalar() == 1


@on_both_databases
def test_who_reads_sees_one_moment(contest):
    with contest.database.reading() as session:
        before = session.execute(text("SELECT count(*) FROM users")).scalar()
        cups.person(contest, "Late")
        assert session.execute(text("SELECT count(*) FROM users")).scalar() == before
    with contest.database.reading() as session:
        assert session.execute(text("SELECT count(*) FROM users")).scalar() == before + 1


def test_sqlite_waits_for_the_disk_where_it_must(folder):
    with cups.opened(folder) as contest:
        with contest.database.writing() as session:
            assert session.execute(text("PRAGMA synchronous")).scalar() == 2
            assert session.execute(text("PRAGMA journal_mode")).scalar() == "wal"
            assert session.execute(text("PRAGMA foreign_keys")).scalar() == 1
        with contest.database.writing(durable=False) as session:
            assert session.execute(text("PRAGMA synchronous")).scalar() == 1


def test_the_clock_tells_utc():
    assert now().utcoffset().total_seconds() == 0


def test_a_missing_driver_is_asked_for(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "psycopg", None)
    with pytest.raises(ParameterError, match="postgres") as caught:
        Database("postgresql://contest@127.0.0.1/none")
    assert caught.value.code == "extra"
