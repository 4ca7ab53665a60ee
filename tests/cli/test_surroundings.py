"""Streams that are closed, full or not Unicode, names that are markup, and a system that gives little."""

import json
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

import kakurenbo as kb
from kakurenbo import door
from kakurenbo.cli import output
from kakurenbo.cli.main import run
from kakurenbo.kernels.compiled import compiled

CANNOT_WRITE = 74
SOURCES = str(Path(kb.__file__).parent.parent)
SHELL = "/bin/sh"
# Without libraries that others load into the process, such as another clock: they take the place of streams.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
ENVIRONMENT |= {"PYTHONPATH": SOURCES, "PYTHONDONTWRITEBYTECODE": "1"}


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("surroundings")
    (folder / "shop.csv").write_text("customer,goods\n" + "".join(f"c{i % 9},g{i % 7}\n" for i in range(40)))
    (folder / "pairs.csv").write_text("released,original\né,a\nb,c\n", encoding="utf-8")
    return folder


def program(place, words, **environment):
    line = f"{sys.executable} -m kakurenbo {words}"
    return subprocess.run(
        [SHELL, "-c", line], cwd=place, capture_output=True, check=False, env={**ENVIRONMENT, **environment}
    )


PROFILE = "profile shop.csv --customer customer --goods goods"
SCORE = "score --secret pairs.csv --guess pairs.csv"


STREAMS = [  # each in a process of its own: three of them in every run
    (f"{SCORE} >&-", CANNOT_WRITE, b"bad file descriptor"),
    *(
        pytest.param(*case, marks=pytest.mark.campaign)
        for case in (
            (f"{SCORE} --json >/dev/full 2>/dev/full", CANNOT_WRITE, b""),
            ("score --secret nowhere --guess pairs.csv 2>&-", 2, b""),
            (f"{SCORE} >/dev/full", CANNOT_WRITE, b"no space left"),
            (f"{SCORE} --json >&- 2>&-", CANNOT_WRITE, b""),
            (f"{SCORE} >/dev/full 2>/dev/full", CANNOT_WRITE, b""),
        )
    ),
]


@pytest.mark.parametrize(("words", "code", "said"), STREAMS)
def test_a_stream_that_takes_nothing_is_a_refusal_of_the_system(place, words, code, said):
    done = program(place, words)
    assert (done.returncode, done.stdout) == (code, b"")
    assert said in done.stderr
    assert done.stderr.count(b"\n") == bool(said)


@pytest.mark.campaign
def test_an_output_without_unicode_gets_the_same_answer(place):
    plain, ascii_only = (
        program(place, f"{PROFILE} --seed 1", PYTHONIOENCODING=code) for code in ("utf-8", "ascii")
    )
    assert (plain.returncode, ascii_only.returncode, ascii_only.stderr) == (0, 0, b"")
    assert plain.stdout.decode().replace("█", "#").replace("±", "+-") == ascii_only.stdout.decode("ascii")


def test_json_is_json_in_every_encoding(monkeypatch, tmp_path):
    document = {"name": "é隠\U0001f600 \udcff", "row": [1.5, None]}
    for code in ("ascii", "latin-1", "cp932", "utf-8", "utf-16"):
        with (tmp_path / code).open("w", encoding=code, errors="backslashreplace") as stream:
            monkeypatch.setattr(sys, "stdout", stream)
            output.print_json(document)
        assert json.loads((tmp_path / code).read_bytes().decode(code)) == document


ODD = [
    "[red]",
    "[/]",
    "[link=file:///etc]x",
    ":smile:",
    "\x1b[31mred",
    "a\rb",
    "x\nkakurenbo: all is well",
    "y" * 9000,
]


@pytest.mark.parametrize("name", ODD)
def test_names_are_shown_and_never_obeyed(name, capsys):
    shown = output.table(name, ["", name], [[name, name]])
    output.console().print(shown)
    output.console().print(f"The guess is in {name}.")
    told = capsys.readouterr().out
    assert "\x1b" not in told
    assert "\r" not in told
    if len(name) < 20:
        assert told.count(output.visible(name)) >= 4 or "\n" in name


@pytest.mark.parametrize("name", ODD)
def test_an_error_is_one_line_whatever_the_names_in_it(name, tmp_path, capsys):
    (tmp_path / "t.csv").write_text("customer,goods\na,b\n")
    assert run(["profile", str(tmp_path / "t.csv"), "--customer", name, "--goods", "goods"]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert len(said) < 1000
    assert "\x1b" not in said
    assert "\r" not in said


def test_a_little_address_space_is_refused_before_anything_is_loaded(monkeypatch, capsys):
    monkeypatch.setattr(resource, "getrlimit", lambda _: (door.LEAST - 1, door.LEAST))
    monkeypatch.setitem(sys.modules, "kakurenbo.cli.main", None)  # importing it would fail
    with pytest.raises(SystemExit) as ended:
        door.enter()
    assert ended.value.code == 2
    assert "2,047 MiB, and at least 2,048 MiB" in capsys.readouterr().err


@pytest.mark.parametrize("broken", ["docstrings", "a library"])
def test_a_program_without_its_parts_says_so(tmp_path, broken):
    (tmp_path / "typer.py").write_text("raise ImportError")
    given = {"docstrings": {"PYTHONOPTIMIZE": "2"}, "a library": {"PYTHONPATH": f"{tmp_path}:{SOURCES}"}}
    done = program(tmp_path, "methods", **given[broken])
    assert (done.returncode, done.stdout) == (2, b"")
    assert (done.stderr.count(b"\n"), b"[limit]" in done.stderr) == (1, True)


@pytest.mark.parametrize(
    "error",
    [
        MemoryError(),
        OSError(12, "no memory"),
        OSError(24, "no files", "shop.csv"),
        RuntimeError("can't start new thread"),
        ImportError("x.so: failed to map segment from shared object"),
    ],
)
def test_what_the_system_does_not_give_is_a_limit(monkeypatch, capsys, error):
    def starve(*_, **__):
        raise error

    monkeypatch.setattr("kakurenbo.cli.methods.entries", starve)
    assert run(["methods"]) == 2
    assert "[limit]" in capsys.readouterr().err


def test_a_panic_below_is_a_fault_and_never_the_answer_no(monkeypatch, capsys):
    class PanicException(BaseException):  # as polars raises it
        pass

    def panic(*_, **__):
        raise PanicException("a value")

    monkeypatch.setattr("kakurenbo.cli.methods.entries", panic)
    assert run(["methods"]) == 70
    assert "a value" not in capsys.readouterr().err


def double(x):
    return x + x


def test_compiled_code_needs_no_folder_for_its_cache(monkeypatch):
    def refuse(_):
        raise PermissionError

    monkeypatch.setattr("numba.core.caching._CacheLocator.ensure_cache_path", refuse)
    made = compiled(double)
    assert made._cache.cache_path is None
    assert made(21) == 42


@pytest.mark.parametrize("verb", ["load", "save"])
def test_a_damaged_cache_or_a_full_disk_only_costs_time(tmp_path, monkeypatch, verb):
    monkeypatch.setattr("numba.core.config.CACHE_DIR", str(tmp_path))
    made = compiled(double)
    monkeypatch.setattr(type(made._cache._cache_file), verb, lambda *_: 1 / 0)
    assert made(21) == 42
