"""The file of a search: whose it is, who is at it, and what happens to it when the system refuses."""

import os
import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest

import kakurenbo as kb
from kakurenbo.cli.main import run
from kakurenbo.plan import Plan, Step
from kakurenbo.tuning.aim import Aim
from kakurenbo.tuning.results import Outcome, Trial
from kakurenbo.tuning.space import Space
from kakurenbo.tuning.study import Settings, Study
from shops import light_shop

ODD = [
    "ledger?x",
    "a%20b",
    "a#b c",
    "file:x?mode=memory",
    "隠れん坊 é",
    "a'b\"c",
    "%3f",
    "x\udcff",
    "-q",
    ":memory:",
]
STOPPED = 74


@pytest.fixture(scope="module")
def search():
    shop = light_shop(30, seed=1)
    space = Space.of(shop)
    return space, Settings.of(shop, space, (0.2, 0.2), "goods", Aim.of(shop))


def trial(number, loss=0.5):
    outcome = Outcome(0.1, "jaccard", loss, measures={"delta-m": (3.0, loss)})
    plan = Plan("purchases", (Step("compact", {"min_size": 8}),))
    return Trial(number, "search", {"groups": "compact"}, plan, outcome, float(number))


def written(path, search, trials=3):
    with Study.opened(path, *search, 5) as study:
        for number in range(trials):
            study.add(trial(number))
        study.add_check(0, 1, trial(0).outcome, 2.0)
    return path


def everything(folder):
    return {path.name: (path.read_bytes(), path.stat().st_mode) for path in folder.iterdir()}


@pytest.mark.parametrize("name", ODD)
def test_a_name_is_a_name_whatever_it_holds(tmp_path, search, name):
    written(tmp_path / name, search)
    assert [path.name for path in tmp_path.iterdir()] == [name]
    with Study.opened(tmp_path / name, *search, None) as study:
        assert (study.seed, study.resumed) == (5, 3)
        assert study.trials == [trial(number) for number in range(3)]
        assert study.checks == {(0, 1): trial(0).outcome}


def test_ledger_and_ledger_x_are_two(tmp_path, search):
    written(tmp_path / "ledger", search)
    before = everything(tmp_path)
    written(tmp_path / "ledger?x", search, trials=1)
    assert everything(tmp_path).keys() == {"ledger", "ledger?x"}
    assert everything(tmp_path)["ledger"] == before["ledger"]


def strangers(folder):
    with closing(sqlite3.connect(folder / "plain.sqlite")) as other, other:
        other.execute("CREATE TABLE trials (number INTEGER)")
    with closing(sqlite3.connect(folder / "wal.sqlite")) as other, other:
        other.execute("PRAGMA journal_mode = WAL")
        other.execute("CREATE TABLE t (x)")
    script = "import os, sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute('INSERT INTO t VALUES (1)'); c.commit(); os._exit(0)"  # noqa: E501
    subprocess.run([sys.executable, "-c", script, folder / "wal.sqlite"], check=True)
    assert (folder / "wal.sqlite-wal").stat().st_size
    (folder / "text.sqlite").write_text("not a study, but quite a long text all the same")
    (folder / "short.sqlite").write_bytes(b"SQLite format 3\0")
    return [folder / f"{name}.sqlite" for name in ("plain", "wal", "text", "short")]


def test_what_another_program_made_stays_as_it_is(tmp_path, search):
    for path in strangers(tmp_path):
        before = everything(tmp_path)
        with pytest.raises(kb.ParameterError, match=r"another name|damaged"):
            Study.opened(path, *search, 5)
        assert everything(tmp_path) == before


def test_no_file_of_another_kind_is_opened(tmp_path, search):
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "folder", tmp_path / "pipe", "/dev/full"):
        with pytest.raises(kb.ParameterError, match="plain file"):
            Study.opened(tmp_path / path, *search, 5)


@pytest.mark.parametrize("umask", [0o000, 0o077])
def test_a_study_is_for_its_owner_alone(tmp_path, search, umask):
    before = os.umask(umask)
    try:
        with Study.opened(tmp_path / "s", *search, 5) as study:
            study.add(trial(0))
            assert {path.stat().st_mode & 0o777 for path in tmp_path.iterdir()} == {0o600}
        (tmp_path / "empty").touch(0o666)
        written(tmp_path / "empty", search)
    finally:
        os.umask(before)
    assert (tmp_path / "empty").stat().st_mode & 0o777 == 0o600


def test_the_second_at_a_study_is_told_who_the_first_is(tmp_path, search):
    path = tmp_path / "s"
    with Study.opened(path, *search, 5) as first:
        with pytest.raises(kb.WriteError, match=rf"process {os.getpid()} \(since 20.* UTC\) is at") as told:
            Study.opened(path, *search, None)
        assert (told.value.code, told.value.exit_code) == ("busy", STOPPED)
        first.add(trial(0))
    with Study.opened(path, *search, None) as second:
        assert second.resumed == 1
    assert [path.name for path in tmp_path.iterdir()] == ["s"]


HOLD = """
import sys
from pathlib import Path
from kakurenbo.tuning.ledger import Ledger
Ledger.opened(Path(sys.argv[1]))
print("held", flush=True)
sys.stdin.read()
"""


def test_the_lock_of_a_killed_run_is_taken_over(tmp_path, search):
    path = tmp_path / "s"
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", HOLD, path], stdin=pipe, stdout=pipe) as other:
        assert other.stdout.readline() == b"held\n"
        with pytest.raises(kb.WriteError, match=rf"process {other.pid} "):
            Study.opened(path, *search, 5)
        other.kill()
    written(path, search)
    assert [path.name for path in tmp_path.iterdir()] == ["s"]


def test_a_lock_that_is_not_ours_is_left_alone(tmp_path, search):
    (tmp_path / ".s.lock").write_text("somebody's notes")
    with pytest.raises(kb.ParameterError, match="move it away"):
        Study.opened(tmp_path / "s", *search, 5)
    assert (tmp_path / ".s.lock").read_text() == "somebody's notes"


def test_a_disk_too_full_for_the_lock_keeps_nothing(tmp_path, search, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "pwrite", full)
    with pytest.raises(kb.WriteError, match="no space left"):
        Study.opened(tmp_path / "s", *search, 5)
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_stops_the_search_and_keeps_what_is_there(tmp_path, search):
    path = written(tmp_path / "s", search)
    with Study.opened(path, *search, 5) as study:
        pages = study._file.connection.execute("PRAGMA page_count").fetchone()[0]
        study._file.connection.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(kb.WriteError, match="resumed") as told:
            [study.add(trial(number)) for number in range(3, 500)]
        kept = len(study.trials)
    assert told.value.code == "write"
    with Study.opened(path, *search, 5) as study:
        assert study.resumed == kept >= 3
        study.add(trial(kept))


@pytest.mark.parametrize("place", ["/proc/self/s", "nowhere/s", "x" * 300])
def test_where_nothing_can_be_written_it_says_so(tmp_path, search, place):
    with pytest.raises(kb.WriteError) as told:
        Study.opened(tmp_path / place, *search, 5)
    assert (told.value.code, told.value.exit_code) == ("write", STOPPED)


@pytest.mark.campaign
def test_every_damage_is_told_or_harmless(tmp_path, search):
    """Whichever byte changes and wherever the file ends: the trials come back as they were, or not at all."""
    whole = written(tmp_path / "s", search).read_bytes()
    trials = [trial(number) for number in range(3)]
    path, outcomes = tmp_path / "d", {"told": 0, "harmless": 0}
    flips = [(place, bit) for place in (*range(100), *range(100, len(whole), 89)) for bit in (0x01, 0x80)]
    damaged = [whole[:p] + bytes([whole[p] ^ bit]) + whole[p + 1 :] for p, bit in flips]
    damaged += [whole[:size] for size in (1, 15, 16, 99, 100, 511, 4095, 4096, len(whole) - 4096)]
    for content in damaged:
        path.write_bytes(content)
        try:
            with Study.opened(path, *search, 5) as study:
                assert study.trials == trials[: len(study.trials)]
                outcomes["harmless"] += 1
        except kb.ParameterError:
            outcomes["told"] += 1
    assert outcomes["told"] > 100
    assert outcomes["harmless"] > 10


@pytest.mark.parametrize(
    "script",
    [
        "PRAGMA user_version = 2",
        "CREATE TABLE more (x)",
        "DROP TABLE checks",
        "CREATE TRIGGER t AFTER INSERT ON trials BEGIN DELETE FROM trials; END",
        "UPDATE trials SET content = replace(content, '0.5', '0.4')",
        "UPDATE trials SET content = x'00'",
        "UPDATE trials SET number = number + 1 WHERE number = 2",
        "DELETE FROM trials WHERE number = 1",
        "UPDATE study SET content = '{}'",
    ],
)
def test_what_another_hand_changed_is_refused(tmp_path, search, script):
    path = written(tmp_path / "s", search)
    with closing(sqlite3.connect(path)) as other, other:
        other.execute(script)
    before = path.read_bytes()
    with pytest.raises(kb.ParameterError, match="another"):
        Study.opened(path, *search, 5)
    assert path.read_bytes() == before


def test_a_study_half_begun_when_killed_is_begun_again(tmp_path, search):
    """A hot journal beside the first pages: what SQLite leaves when the first commit is cut short."""
    path = tmp_path / "s"
    script = """
import os, sqlite3, sys
c = sqlite3.connect(sys.argv[1])
c.executescript("PRAGMA cache_size = 1; PRAGMA cache_spill = 1; BEGIN; CREATE TABLE t (x)")
c.executemany("INSERT INTO t VALUES (?)", [["x" * 90]] * 2000)
os._exit(0)
"""
    subprocess.run([sys.executable, "-c", script, path], check=True)
    assert (tmp_path / "s-journal").stat().st_size
    first = written(tmp_path / "other", search).read_bytes()[:4096]
    path.write_bytes(first + path.read_bytes()[4096:])
    written(path, search)
    assert {path.name for path in tmp_path.iterdir()} == {"s", "other"}


def test_the_command_line_ends_with_the_codes(tmp_path, capsys):
    shop = tmp_path / "shop.csv"
    shop.write_text("customer,goods\n" + "".join(f"c{i % 9},g{i % 7}\n" for i in range(40)))
    (tmp_path / "text").write_text("a text")
    given = ["tune", str(shop), "--trials", "1", "--jobs", "1", "--customer", "customer", "--goods", "goods"]
    for study, code, word in (("text", 2, "[exists]"), ("nowhere/s", STOPPED, "[write]")):
        assert run([*given, "--study", str(tmp_path / study)]) == code
        said = capsys.readouterr()
        assert (said.out, said.err.count("\n")) == ("", 1)
        assert word in said.err
