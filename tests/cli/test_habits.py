"""Habits of a command line: it starts at once, completes words, tells steps, helps with typing errors."""

import subprocess
import sys
from itertools import pairwise

import pytest

from kakurenbo.cli.lazy import COMMANDS
from kakurenbo.cli.main import commands, run

HEAVY = ("numpy", "polars", "scipy", "sklearn", "numba", "altair", "optuna", "kakurenbo.catalogue")


def first_sentence(text):
    return " ".join(text.split("\n\n")[0].split())


def test_the_line_of_every_command_is_its_own_first_sentence():
    for name, line in COMMANDS.items():
        assert first_sentence(commands().commands[name].help).startswith(line), name


@pytest.mark.parametrize("words", [["--version"], ["--help"]])
def test_who_only_asks_what_there_is_waits_for_nothing_heavy(words):
    program = (
        "import sys\nfrom kakurenbo.__main__ import main\ntry:\n    main()\nfinally:\n    "
        f"print([name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", program, *words], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[]"
    assert done.stdout


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("kakurenbo guess", {"guess-method"}),
        ("kakurenbo deidentify bal", {"balanced"}),
        ("kakurenbo attack jac", {"jaccard"}),
        ("kakurenbo audit a b --knowledge 2", {"2 records"}),
        ("kakurenbo tune a --knowledge goods+m", {"goods+method", "goods+month"}),
    ],
)
def test_a_shell_completes_commands_methods_and_rungs(monkeypatch, capsys, typed, offered):
    words = typed.split()
    monkeypatch.setenv("_KAKURENBO_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", typed)
    monkeypatch.setenv("COMP_CWORD", str(len(words) - 1))
    assert run([]) == 0
    assert offered <= set(capsys.readouterr().out.splitlines())


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (["prfile", "x"], "profile"),
        (["deidentify", "balancd", "x"], "balanced"),
        (["profile", "x", "--custmer", "who"], "--customer"),
    ],
)
def test_a_typing_error_is_told_with_what_was_meant(capsys, words, meant):
    assert run(words) == 2
    assert meant in capsys.readouterr().err


def test_who_asks_for_it_is_told_every_step_with_its_time(tmp_path, capsys):
    path = tmp_path / "shop.csv"
    path.write_text("who,what\nann,tea\nbob,tea\n")
    words = ["profile", str(path), "--customer", "who", "--goods", "what"]
    assert run([*words, "-v"]) == 0
    said = capsys.readouterr()
    assert [line.split(" s  ")[1] for line in said.err.splitlines()][:2] == ["reading", "counting baskets"]
    assert "customers" in said.out
    assert run(words) == 0
    assert capsys.readouterr().err == ""


PAGES = [[], ["audit"], ["tune"], ["deidentify"], ["deidentify", "generalize"], ["attack", "jaccard"]]


@pytest.mark.parametrize("words", PAGES, ids=" ".join)
def test_a_page_of_help_is_readable_in_eighty_columns(monkeypatch, capsys, words):
    monkeypatch.setenv("COLUMNS", "80")
    assert run([*words, "--help"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    told = [line.strip() for line in lines[: next(i for i, line in enumerate(lines) if "\u256d" in line)]]
    short = [line for line, after in pairwise(told) if after and 0 < len(line) < 50]
    assert short == [], "paragraphs flow, and are not broken where the source breaks them"
    assert not any("\u2026" in line for line in lines), "nothing is cut"
