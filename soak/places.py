"""Where the program may be run: locales, streams, limits and homes that are not what one hopes.

Every surrounding meets every command, each in a process of its own. A surrounding that takes nothing away
must change nothing: the command ends with its usual code. One that takes something away must be told in a
sentence and a documented code. Nowhere is there a traceback, a fault, half an output or broken JSON.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import shutil
import signal
import stat
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from soak.part import Part

if TYPE_CHECKING:
    from collections.abc import Mapping

_SOURCES = Path(__file__).resolve().parent.parent / "src"
_DROP_CAPABILITY, _OVERRIDE_MODES = 24, 1  # of Linux: root is held to the modes of files like anybody
_DOCUMENTED = frozenset({0, 1, 2, 74})
_LIMIT, _WRITE = frozenset({2}), frozenset({74})
_BAD = (b"Traceback", b"panicked", b"Exception ignored", b"Warning", b"fault of kakurenbo", b"jemalloc")
_GIB = 2**30
_ROLES = ["--customer", "[red]客", "--goods", "goods"]


@dataclass(frozen=True)
class Command:
    """A command in its usual words; OUT is a folder of its own."""

    name: str
    words: tuple[str, ...]
    json: bool = True
    writes: bool = False
    outputs: tuple[str, ...] = ()


@dataclass(frozen=True)
class Place:
    """A surrounding: what is set, what is taken away, and which exit codes it may lead to."""

    name: str
    environment: Mapping[str, str | None] = field(default_factory=dict)
    limits: Mapping[int, int] = field(default_factory=dict)
    closed: tuple[int, ...] = ()
    full: tuple[int, ...] = ()
    terminal: bool = False
    umask: int = 0o022
    read_only: tuple[str, ...] = ()
    no_folder: bool = False
    codes: frozenset[int] = frozenset({0})
    writing: frozenset[int] | None = None  # where other codes hold for commands that write files
    encoding: str = "utf-8"
    signals: frozenset[int] = frozenset()  # that may end it


COMMANDS = (
    Command("methods", ("methods", "--json")),
    Command("profile", ("profile", "shop.csv", *_ROLES, "--json")),
    Command("profile for people", ("profile", "shop.csv", *_ROLES), json=False),
    Command(
        "deidentify",
        ("deidentify", "balanced", "shop.csv", *_ROLES, "--clusters", "3", "--min-size", "4",
         "--out", "OUT/new", "--secret", "OUT/secret.csv", "--json"),
        writes=True, outputs=("new", "secret.csv"),
    ),
    Command(
        "attack", ("attack", "jaccard", "shop.csv", "release", *_ROLES, "--out", "OUT/guess.csv", "--json"),
        writes=True, outputs=("guess.csv",),
    ),
    Command("score", ("score", "--secret", "secret.csv", "--guess", "secret.csv"), json=False),
    Command(
        "audit",
        ("audit", "shop.csv", "release", *_ROLES, "--secret", "secret.csv", "--max-risk", "1",
         "--trust-pairing", "--json"),
    ),
    Command(
        "tune",
        ("tune", "shop.csv", *_ROLES, "--max-risk", "1", "--knowledge", "goods", "--trials", "2",
         "--jobs", "1", "--study", "OUT/study.sqlite", "--json"),
        writes=True, outputs=("study.sqlite",),
    ),
)  # fmt: skip


def _set(name: str, **environment: str | None) -> Place:
    """Return a surrounding that only sets variables and must change nothing."""
    return Place(name, environment)


_SMALL = {resource.RLIMIT_AS: 256 * 2**20}
PLACES = (
    Place("as usual"),
    _set("the locale C", LANG="C", LC_ALL="C"),
    _set("a locale that does not exist", LANG="xx_YY.EUC-JP", LC_ALL="xx_YY.EUC-JP"),
    _set("no locale", LANG=None, LC_ALL=None, LC_CTYPE=None),
    Place(
        "the locale C, and Python obeys",
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        codes=frozenset({0, 2}),  # a column whose name is not ASCII cannot be typed there
        encoding="ascii",
    ),
    *(Place(f"output in {code}", {"PYTHONIOENCODING": code}, encoding=code)
      for code in ("ascii", "latin-1", "cp932", "utf-16", "ascii:strict", "utf-8:strict")),
    Place("standard output closed", closed=(1,), codes=_WRITE),
    Place("standard error closed", closed=(2,)),
    Place("standard input closed", closed=(0,)),
    Place("all streams closed", closed=(0, 1, 2), codes=_WRITE),
    Place("standard output full", full=(1,), codes=_WRITE),
    Place("standard error full", full=(2,)),
    Place("both outputs full", full=(1, 2), codes=_WRITE),
    Place("a terminal", {"TERM": "xterm-256color"}, terminal=True),
    Place("a dumb terminal", {"TERM": "dumb"}, terminal=True),
    Place("a terminal without a name", {"TERM": None}, terminal=True),
    Place("a terminal one column wide", {"TERM": "vt100", "COLUMNS": "1", "LINES": "1"}, terminal=True),
    Place("a terminal in ASCII", {"PYTHONIOENCODING": "ascii"}, terminal=True, encoding="ascii"),
    _set("columns that are no number", COLUMNS="many", LINES="-3"),
    _set("colours forced", FORCE_COLOR="1", CLICOLOR_FORCE="1"),
    _set("no colours", NO_COLOR="1"),
    Place("an installation that is read-only", read_only=("install",)),
    Place("a home that is read-only", read_only=("home",)),
    Place("a read-only installation and home", read_only=("install", "home")),
    Place("a working folder that is read-only", read_only=("out",), writing=_WRITE),
    _set("no home", HOME=None),
    _set("a home that does not exist", HOME="/nonexistent"),
    _set("no folder for temporary files", TMPDIR="/nonexistent"),
    Place("a working folder that was removed", no_folder=True),
    Place("umask 000", umask=0o000),
    Place("umask 077", umask=0o077),
    Place("256 MiB of addresses", limits=_SMALL, codes=_LIMIT),
    Place("1 GiB of addresses", limits={resource.RLIMIT_AS: _GIB}, codes=_LIMIT),
    Place("2.2 GiB of addresses", limits={resource.RLIMIT_AS: 22 * _GIB // 10}),
    Place("6 GiB of addresses", limits={resource.RLIMIT_AS: 6 * _GIB}),
    *(Place(f"files of at most {size} bytes", limits={resource.RLIMIT_FSIZE: size}, writing=codes)
      for size, codes in ((0, _WRITE), (100, _WRITE), (5000, frozenset({0, 74})))),
    *(Place(f"{count} open files", limits={resource.RLIMIT_NOFILE: count}, codes=_DOCUMENTED - {1})
      for count in (6, 9, 12, 20)),
    Place("64 open files", limits={resource.RLIMIT_NOFILE: 64}),
    *(Place(f"{seconds} s of the processor", limits={resource.RLIMIT_CPU: seconds},
            signals=frozenset({signal.SIGXCPU, signal.SIGKILL})) for seconds in (1, 2)),
    _set("Tokyo", TZ="Asia/Tokyo"),
    _set("a time zone that does not exist", TZ="Nowhere/Never+99"),
    _set("an environment of 1.5 MB", **{f"LARGE_{i}": "x" * 100_000 for i in range(15)}),
    _set("Python without assertions", PYTHONOPTIMIZE="1"),
    Place("Python without docstrings", {"PYTHONOPTIMIZE": "2"}, codes=_LIMIT),
    _set("Python unbuffered", PYTHONUNBUFFERED="1"),
    _set("no PATH", PATH=None),
)  # fmt: skip

_UNWRITTEN = 74


class Places(Part):
    """Every surrounding with every command."""

    name = "places"
    promise = "wherever it runs: a documented code, no traceback, nothing half written, JSON that is JSON"
    share = 0.6
    total = len(PLACES) * len(COMMANDS)
    enough = total
    patience = 120.0
    program: ClassVar[tuple[str, ...]] = (sys.executable, "-m", "kakurenbo")

    def __init__(self, place: Path, seed: int) -> None:
        super().__init__(place, seed)
        (place / "home").mkdir()
        rows = "".join(f"é{i % 12}隠,g{i * i % 17}\n" for i in range(90))
        (place / "shop.csv").write_text(f"[red]客,goods\n{rows}", encoding="utf-8")
        shutil.copytree(
            _SOURCES / "kakurenbo",
            place / "install" / "kakurenbo",
            ignore=shutil.ignore_patterns("__pycache__"),
        )
        made = "deidentify", "balanced", "shop.csv", *_ROLES, "--clusters", "3", "--min-size", "4", "--quiet"
        subprocess.run(
            [sys.executable, "-m", "kakurenbo", *made, "--out", "release", "--secret", "secret.csv"],
            cwd=place, env=self._environment(Place("as usual"), _SOURCES), check=True, capture_output=True,
        )  # fmt: skip

    def case(self, number: int) -> str | None:
        """Run one command in one surrounding."""
        which, what = divmod(number, len(COMMANDS))
        place, command = PLACES[which], COMMANDS[what]
        out = self.place / f"out-{number}"
        out.mkdir()
        try:
            why = self._tried(place, command, out)
        finally:
            self._set_modes(place, out, writable=True)
            shutil.rmtree(out)
        return why and f"{command.name}, {place.name}: {why}"

    def _tried(self, place: Place, command: Command, out: Path) -> str | None:
        self._set_modes(place, out, writable=False)
        code, said, complaint = self._run(place, command, out)
        return (
            _code(place, command, code, complaint)
            or _words(place, said, complaint)
            or _document(place, command, code, said)
            or _halves(command, out, code)
        )

    def _run(self, place: Place, command: Command, out: Path) -> tuple[int, bytes, bytes]:
        words = [word.replace("OUT", str(out)) for word in command.words]
        words = [str(self.place / word) if (self.place / word).exists() else word for word in words]
        sources = self.place / "install" if "install" in place.read_only else _SOURCES
        leader, follower = os.openpty() if place.terminal else (None, None)
        streams = {
            number: subprocess.PIPE if follower is None or number == 1 else follower for number in (1, 2)
        }
        streams |= {number: os.open("/dev/full", os.O_WRONLY) for number in place.full}
        gone = self.place / f"{out.name}-gone"

        def prepare() -> None:
            os.umask(place.umask)
            if place.read_only:
                ctypes.CDLL(None).prctl(_DROP_CAPABILITY, _OVERRIDE_MODES, 0, 0, 0)
            if place.no_folder:
                gone.mkdir()
                os.chdir(gone)
                gone.rmdir()
            for number in place.closed:
                os.close(number)
            for kind, limit in place.limits.items():
                resource.setrlimit(kind, (limit, limit))

        done = subprocess.run(
            [*self.program, *words], cwd=self.place, env=self._environment(place, sources),
            preexec_fn=prepare, stdin=subprocess.DEVNULL, stdout=streams[1], stderr=streams[2],
            check=False, timeout=self.patience,
        )  # fmt: skip
        for number in (*place.full, *((2,) if place.terminal else ())):
            os.close(streams[number])
        if leader is not None:
            os.close(leader)
        return done.returncode, done.stdout or b"", done.stderr or b""

    def _environment(self, place: Place, sources: Path) -> dict[str, str]:
        usual = {
            "PATH": os.environ.get("PATH", ""), "HOME": str(self.place / "home"), "LANG": "C.UTF-8",
            "PYTHONPATH": str(sources), "POLARS_MAX_THREADS": "1", "NUMBA_NUM_THREADS": "1",
        }  # fmt: skip
        merged: dict[str, str | None] = {**usual, **place.environment}
        return {name: value for name, value in merged.items() if value is not None}

    def _set_modes(self, place: Place, out: Path, *, writable: bool) -> None:
        targets = {"install": self.place / "install", "home": self.place / "home", "out": out}
        for name in place.read_only:
            for folder in (targets[name], *filter(Path.is_dir, targets[name].rglob("*"))):
                folder.chmod(0o755 if writable else 0o555)


def _code(place: Place, command: Command, code: int, complaint: bytes) -> str | None:
    """Say what is wrong with an exit code."""
    allowed = place.writing if place.writing is not None and command.writes else place.codes
    if code in allowed or (code < 0 and -code in place.signals):
        return None
    return (
        f"ended with {code} instead of {sorted(allowed)}: {complaint[-300:].decode(errors='replace').strip()}"
    )


def _words(place: Place, said: bytes, complaint: bytes) -> str | None:
    for bad in _BAD:
        if bad in complaint or bad in said:
            return f"said {bad.decode()}: {complaint[-300:].decode(errors='replace')}"
    encoded = place.encoding.startswith("utf-16")
    if not encoded and complaint.count(b"\n") > 1:
        return (
            f"complained in {complaint.count(bytes([10]))} lines: {complaint[:300].decode(errors='replace')}"
        )
    return None


def _document(place: Place, command: Command, code: int, said: bytes) -> str | None:
    """Say what is wrong with the answer: text in the stream's encoding, and JSON where it was asked for."""
    if 1 in (*place.closed, *place.full) or code < 0:
        return None
    try:
        answer = said.decode(place.encoding.partition(":")[0])
        if command.json and code in {0, 1}:
            json.loads(answer)
    except ValueError as error:
        return f"the answer is not what it should be: {error}"
    if code in {0, 1} and not answer:
        return "no answer"
    return "an answer in spite of a refusal" if code == 2 and answer else None


def _halves(command: Command, out: Path, code: int) -> str | None:
    """Say what is half written, or open to others."""
    left = {path.name for path in out.iterdir()}
    if "new" in left and "secret.csv" not in left:
        return "a release without its secret"
    hidden = [name for name in left if name.startswith(".")]
    if code == _UNWRITTEN:  # a note stays until the answer was told, so that the command can be given again
        hidden = [name for name in hidden if not name.endswith(".pending") or name[1:-8] not in left]
    if code >= 0 and hidden:
        return f"left behind {sorted(hidden)}"
    if code == 0 and left != set(command.outputs):
        return f"wrote {sorted(left)}"
    for name in {"secret.csv", "study.sqlite"} & left:
        if stat.S_IMODE((out / name).stat().st_mode) & 0o077:
            return f"{name} can be read by others"
    if (out / "new").is_dir() and not list((out / "new").iterdir()):
        return "an empty release"
    return None
