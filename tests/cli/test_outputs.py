"""Outputs of commands: nothing destroyed, signals end cleanly, names printed as they are."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
import time

import pytest

import kakurenbo as kb
from kakurenbo.cli.main import run
from kakurenbo.files.interrupts import Terminated, held, listening
from proving import audited_once
from stopping import LONG

ROLES = ("--customer", "customer", "--goods", "goods")
HIDE = ("deidentify", "pseudonymize", "shop.csv", *ROLES)


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    kb.demo.shop(20, seed=1).records.select("customer", "goods").write_csv("shop.csv")
    return tmp_path


def refused(capsys, *words):
    assert run([*words]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    return said.err


def test_overwriting_removes_neither_the_input_nor_a_strangers_folder(place, capsys):
    data = place / "data"
    data.mkdir()
    (place / "shop.csv").rename(data / "transactions.csv")
    words = ("deidentify", "pseudonymize", "data", *ROLES, "--secret", "s.csv", "--overwrite", "--out")
    before = (data / "transactions.csv").read_bytes()
    assert "[output-place]" in refused(capsys, *words, "data")
    assert "[output-place]" in refused(capsys, *words, "data/../data")
    (place / "mine").mkdir()
    (place / "mine" / "notes.txt").write_text("keep")
    assert "[exists]" in refused(capsys, *words, "mine")
    assert (data / "transactions.csv").read_bytes() == before
    assert (place / "mine" / "notes.txt").read_text() == "keep"


def test_an_attack_overwrites_neither_the_original_nor_the_secret(place, capsys):
    assert run([*HIDE, "--out", "out", "--secret", "secret.csv", "-q"]) == 0
    capsys.readouterr()
    attack = ("attack", "chance", "shop.csv", "out", *ROLES, "--out")
    before = [(place / name).read_bytes() for name in ("secret.csv", "shop.csv")]
    assert "[exists]" in refused(capsys, *attack, "secret.csv")
    assert "[output-place]" in refused(capsys, *attack, "shop.csv")
    assert "[secret-place]" in refused(capsys, *attack, "out/guess.csv")
    assert [(place / name).read_bytes() for name in ("secret.csv", "shop.csv")] == before
    assert run([*attack, "guess.csv"]) == 0
    assert run([*attack, "guess.csv"]) == 0
    assert stat.S_IMODE((place / "guess.csv").stat().st_mode) == 0o600


def test_a_secret_in_a_work_tree_needs_consent(place, capsys):
    (place / ".git").mkdir()
    said = refused(capsys, *HIDE, "--out", "out", "--secret", "secret.csv")
    assert "--allow-exposed" in said
    assert "[secret-place]" in said
    assert run([*HIDE, "--out", "out", "--secret", "secret.csv", "--allow-exposed", "-q"]) == 0


@pytest.mark.campaign
def test_a_report_is_replaced_when_asked_until_somebody_writes_into_it(place, capsys):
    kb.demo.households_frame(30, seed=1).write_csv("people.csv")
    named = ("--qi", ",".join(kb.demo.QUASI_IDENTIFIERS), "--sa", ",".join(kb.demo.SENSITIVE), "-q")
    assert run(["deidentify", "pseudonymize", "people.csv", *named, "--out", "out", "--secret", "s.csv"]) == 0
    audit = ("audit", "people.csv", "out", "--secret", "s.csv", *named)
    reports = ("--report", "a.md", "--report", "a.json")
    with audited_once():
        assert run([*audit, *reports]) == 1
        capsys.readouterr()
        said = refused(capsys, *audit, *reports)
        assert "--overwrite" in said
        assert "[exists]" in said
        audit = (*audit, "--overwrite")
        assert run([*audit, *reports]) == 1
    capsys.readouterr()
    with (place / "a.md").open("a") as file:
        file.write("\nour own note\n")
    assert "changed since" in refused(capsys, *audit, "--report", "a.md")
    document = json.loads((place / "a.json").read_text())
    (place / "a.json").write_text(json.dumps({**document, "note": "ours"}))
    assert "changed since" in refused(capsys, *audit, "--report", "a.json")
    assert "[output-place]" in refused(capsys, *audit, "--report", "out/a.html")


def test_names_are_printed_as_they_are(place, capsys):
    assert run([*HIDE, "--out", "out", "--secret", "secret.csv", "-q"]) == 0
    capsys.readouterr()
    assert run(["attack", "chance", "shop.csv", "out", *ROLES, "--out", "[red]:smile:.csv"]) == 0
    assert "The guess is in [red]:smile:.csv." in capsys.readouterr().out


SLOW = """
import sys, time
from kakurenbo.cli import main as _
from kakurenbo.cli.main import run
from kakurenbo.files import release_folder
whole = release_folder.seal
def seal(*given, **named):
    print("sealing", flush=True)
    time.sleep(600)
    whole(*given, **named)
release_folder.seal = seal
sys.exit(run(sys.argv[1:]))
"""


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_a_signal_ends_a_run_and_leaves_nothing(place, number, code):
    words = [sys.executable, "-c", SLOW, *HIDE, "--out", "out", "--secret", "secret.csv"]
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        signal.signal(signal.SIGHUP, before)
        assert child.stdout.readline() == b"sealing\n"
        child.send_signal(number)
        _, said = child.communicate(timeout=LONG)
    assert child.returncode == code
    assert said == b"kakurenbo: ended by a signal\n"
    assert [path.name for path in place.iterdir()] == ["shop.csv"]


def test_a_signal_waits_while_names_change_hands():
    begun, done = signal.getsignal(signal.SIGTERM), []

    def step():
        with listening(), held():
            os.kill(os.getpid(), signal.SIGTERM)
            time.sleep(0.01)
            done.append("the step")

    with pytest.raises(Terminated) as ended:
        step()
    assert done
    assert ended.value.exit_code == 143
    assert signal.getsignal(signal.SIGTERM) == begun


def test_the_note_stays_until_the_answer_is_told(place, capsys, monkeypatch):
    class Closed:
        encoding = "utf-8"

        def write(self, _text):
            raise OSError(28, "No space left on device")

        def flush(self):
            raise OSError(28, "No space left on device")

        def isatty(self):
            return False

    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", Closed())
        assert run([*HIDE, "--out", "out", "--secret", "secret.csv", "--json"]) == 74
    assert (place / ".secret.csv.pending").exists()
    assert run([*HIDE, "--out", "out", "--secret", "secret.csv", "--json"]) == 0
    assert sorted(path.name for path in place.iterdir()) == ["out", "secret.csv", "shop.csv"]
