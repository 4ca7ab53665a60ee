"""The chained file: whatever is done to it is told, and a killed writer leaves what was there before."""

import json
import subprocess
import sys

import pytest

from kakurenbo.errors import InputError, WriteError
from kakurenbo.files import chain


@pytest.fixture
def path(tmp_path):
    place = tmp_path / "ledger.jsonl"
    chain.begun(place, {"kind": "test"})
    for number in range(3):
        chain.append(place, {"number": number})
    return place


def fault(path):
    with pytest.raises(InputError) as refused:
        chain.read(path)
    assert refused.value.code == "ledger"
    return str(refused.value)


def test_what_was_written_is_read(path):
    found = chain.read(path)
    assert [line.get("number") for line in found.lines] == [None, 0, 1, 2]
    assert not found.half
    assert path.stat().st_mode & 0o777 == 0o600


def test_it_is_begun_only_once(path):
    before = path.read_bytes()
    assert len(chain.begun(path, {"kind": "other"}).lines) == 4
    assert path.read_bytes() == before


@pytest.mark.parametrize("line", range(4))
def test_a_changed_line_is_told(path, line):
    lines = path.read_bytes().splitlines(keepends=True)
    lines[line] = lines[line].replace(b'"number": ', b'"number": 9').replace(b"test", b"tesd")
    path.write_bytes(b"".join(lines))
    assert "changed" in fault(path)


@pytest.mark.parametrize("line", range(3))
def test_a_dropped_line_is_told(path, line):
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:line] + lines[line + 1 :]))
    assert "dropped" in fault(path)


def test_two_lines_that_changed_places_are_told(path):
    first, one, two, three = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(first + two + one + three)
    assert "changed" in fault(path)


def test_a_cut_tail_is_told_by_the_head(path):
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:-2]))
    assert "2 of its last lines were cut off" in fault(path)
    with pytest.raises(InputError, match="cut off"):
        chain.append(path, {"number": 9})


@pytest.mark.parametrize("kept", [1, 10, -1])
def test_a_half_written_line_is_no_line_and_gives_way_to_the_next(path, kept):
    whole = path.read_bytes()
    path.write_bytes(whole + json.dumps({"number": 3, "before": "x"}).encode()[:kept])
    found = chain.read(path)
    assert len(found.lines) == 4
    assert found.half
    assert len(chain.append(path, {"number": 4}).lines) == 5
    assert path.read_bytes().startswith(whole)
    assert [line.get("number") for line in chain.read(path).lines] == [None, 0, 1, 2, 4]


@pytest.mark.parametrize("step", ["os.fsync", "os.ftruncate", "pathlib.Path.replace"])
def test_a_run_killed_at_any_step_leaves_a_chain_that_is_whole(path, step):
    """Killed between writing and syncing, and before the head is put in place: one line more or none."""
    with path.open("ab") as file:
        file.write(b'{"half')
    killed = (
        "import os, pathlib, sys\nfrom kakurenbo.files import chain\n"
        f"def stop(*_): os._exit(9)\n{step} = stop\n"
        "chain.append(pathlib.Path(sys.argv[1]), {'number': 7})\n"
    )
    assert subprocess.run([sys.executable, "-c", killed, str(path)], check=False).returncode == 9
    numbers = [line.get("number") for line in chain.read(path).lines]
    assert numbers in ([None, 0, 1, 2], [None, 0, 1, 2, 7])
    assert chain.append(path, {"number": 8}).lines[-1] == {"number": 8}
    assert chain.read(path).lines[-1] == {"number": 8}


def test_two_writers_at_once_wait_for_each_other(tmp_path):
    place = tmp_path / "ledger.jsonl"
    many = (
        "import pathlib, sys\nfrom kakurenbo.files import chain\nplace = pathlib.Path(sys.argv[1])\n"
        "chain.begun(place, {'kind': sys.argv[2]})\n"
        "for number in range(40): chain.append(place, {'who': sys.argv[2], 'number': number})\n"
    )
    writers = [subprocess.Popen([sys.executable, "-c", many, str(place), name]) for name in "ab"]
    assert [writer.wait() for writer in writers] == [0, 0]
    lines = chain.read(place).lines
    assert len(lines) == 81
    assert {name: [line["number"] for line in lines[1:] if line["who"] == name] for name in "ab"} == {
        "a": list(range(40)),
        "b": list(range(40)),
    }


def test_what_is_no_plain_file_is_refused(tmp_path):
    target = tmp_path / "elsewhere"
    target.write_text("mine")
    link = tmp_path / "ledger.jsonl"
    link.symlink_to(target)
    with pytest.raises(WriteError):
        chain.begun(link, {"kind": "test"})
    assert target.read_text() == "mine"


def test_somebody_elses_file_is_left_alone(tmp_path):
    place = tmp_path / "notes.txt"
    place.write_text("one\ntwo\n")
    with pytest.raises(InputError, match="cannot be relied on"):
        chain.begun(place, {"kind": "test"})
    assert place.read_text() == "one\ntwo\n"
