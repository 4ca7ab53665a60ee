"""Commands that write, each on a stage of its own: what is there before, what must be there after.

A stage is a folder with inputs, a bystander's file, and whatever an earlier run has left. After a command,
and after one that was killed or refused, it is looked at in plain Python: every release that can be seen is
whole and has its secret, nobody else's file has changed, and what names people is private.
"""

from __future__ import annotations

import csv
import hashlib
import shutil
import stat
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kakurenbo.files import manifest
from soak.forks import forked

if TYPE_CHECKING:
    from pathlib import Path

_SHOP = ("--customer", "who", "--goods", "what", "--time", "day")
_PEOPLE = ("--qi", "age,town", "--sa", "pay")
_NAMES = ("secret.csv", "old.csv", "guess.csv", "who.csv")


@dataclass(frozen=True)
class Command:
    """A command that writes.

    Attributes:
        name: what it is called here.
        words: what is typed; `@name` is a path on the stage.
        makes: what it puts there.
        earlier: commands given before, whose results are there already.
        replaces: whether it may be given again and replaces what it made.
    """

    name: str
    words: tuple[str, ...]
    makes: frozenset[str]
    earlier: tuple[tuple[str, ...], ...] = ()
    replaces: bool = False

    def typed(self, place: Path) -> list[str]:
        """Return the words with the paths of a stage."""
        return typed(self.words, place)


def typed(words: tuple[str, ...], place: Path) -> list[str]:
    """Return words with the paths of a stage."""
    return [str(place / word[1:]) if word.startswith("@") else word for word in words]


def _hiding(data: str, secret: str, *more: str) -> tuple[str, ...]:
    roles = _PEOPLE if data == "@people.csv" else _SHOP
    return ("deidentify", "pseudonymize", data, "--out", "@out", "--secret", secret, *roles, *more)


_OLD = _hiding("@shop.csv", "@old.csv")
_SEEK = ("attack", "jaccard", "@shop.csv", "@out", "--out", "@guess.csv", *_SHOP)
_AUDIT = (
    "audit",
    "@people.csv",
    "@out",
    "--secret",
    "@old.csv",
    "--people",
    "@who.csv",
    "--report",
    "@a.json",
)
_PARQUET = _hiding("@shop.parquet", "@secret.csv")

COMMANDS: tuple[Command, ...] = (
    Command("hide", _hiding("@shop.csv", "@secret.csv"), frozenset({"out", "secret.csv"})),
    Command("parquet", _PARQUET, frozenset({"out", "secret.csv"})),
    Command("microdata", _hiding("@people.csv", "@secret.csv"), frozenset({"out", "secret.csv"})),
    Command(
        "overwrite",
        _hiding("@shop.csv", "@secret.csv", "--overwrite"),
        frozenset({"out", "secret.csv"}),
        (_OLD,),
    ),
    Command("seek", _SEEK, frozenset({"guess.csv"}), (_OLD,), replaces=True),
    Command("seek again", _SEEK, frozenset({"guess.csv"}), (_OLD, _SEEK), replaces=True),
    Command("shop", ("demo", "--shop-only", "--customers", "9", "--out", "@out"), frozenset({"out"})),
)
SLOW: tuple[Command, ...] = (
    Command(
        "audit", (*_AUDIT, *_PEOPLE), frozenset({"who.csv", "a.json"}), (_hiding("@people.csv", "@old.csv"),)
    ),
)


class Stages:
    """Stages for commands, made once and copied for every case."""

    def __init__(self, place: Path) -> None:
        self._models = place / "models"
        self._models.mkdir()
        self._count = 0
        self._place = place
        self._inputs = self._models / "inputs"
        self._inputs.mkdir()
        write_inputs(self._inputs)

    def fresh(self, command: Command) -> Path:
        """Return a stage as it is before the command."""
        model = self._models / command.name
        if not model.exists():
            shutil.copytree(self._inputs, model)
            for words in command.earlier:
                ended = forked(typed(words, model), model, log=self._place / "model.log")
                if ended.code not in {0, 1}:
                    raise RuntimeError(f"{command.name} cannot be staged: {ended.said}")
        self._count += 1
        stage = self._place / f"stage{self._count}"
        shutil.copytree(model, stage)
        return stage


def digests(folder: Path) -> dict[str, str]:
    """Return every file under a folder with its SHA-256."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def wrong_with(stage: Path, before: dict[str, str], command: Command) -> str | None:
    """Return what is wrong with a stage on which a command was given, whatever became of it."""
    now = digests(stage)
    touched = {name.split("/")[0] for name, digest in before.items() if now.get(name) != digest}
    if touched - command.makes:
        return f"changed or lost: {sorted(touched - command.makes)}"
    for path in stage.iterdir():
        names_people = any(path.name.startswith((name, f".{name}")) for name in _NAMES)
        if names_people and path.is_file() and stat.S_IMODE(path.stat().st_mode) != 0o600:
            return f"{path.name} can be read by others"
    if "secret.csv" in command.makes and (stage / "out").exists():
        return _wrong_with_release(stage)
    return None


def _wrong_with_release(stage: Path) -> str | None:
    out = stage / "out"
    if not manifest.is_release(out):
        return f"a release that is not whole: {sorted(path.name for path in out.iterdir())}"
    people = _released(out)
    secrets = [stage / name for name in ("secret.csv", "old.csv") if (stage / name).exists()]
    if people is None:
        return None if secrets else "a release without any secret"
    return None if any(_paired(path) == people for path in secrets) else "a release without its secret"


def _released(out: Path) -> set[str] | None:
    """Return the people of a release; None where only polars could read it."""
    for name, column in (("transactions.csv", "who"), ("microdata.csv", "id")):
        if (out / name).exists():
            with (out / name).open(encoding="utf-8", newline="") as file:
                rows = list(csv.DictReader(file))
            return {row[column] for row in rows} if rows and column in rows[0] else None
    return None


def _paired(path: Path) -> set[str]:
    with path.open(encoding="utf-8", newline="") as file:
        return {row["released"] for row in csv.DictReader(file)}


def left_over(stage: Path) -> list[str]:
    """Return the hidden names that a run has left."""
    return sorted(path.name for path in stage.rglob(".*"))


def write_inputs(place: Path) -> None:
    """Write a shop as CSV and Parquet, people, and a bystander's file."""
    rows = [f"c{i % 12:02},g{i * 7 % 19},2024-01-{1 + i % 28:02}" for i in range(120)]
    (place / "shop.csv").write_text("who,what,day\n" + "\n".join(dict.fromkeys(rows)) + "\n")
    people = [f"{20 + i % 50},t{i % 5},{1000 + i * 37 % 900}" for i in range(40)]
    (place / "people.csv").write_text("age,town,pay\n" + "\n".join(people) + "\n")
    (place / "precious.txt").write_text("somebody else's")
    _write_parquet(place)


def _write_parquet(place: Path) -> None:
    import subprocess  # noqa: PLC0415 - once
    import sys  # noqa: PLC0415 - once

    code = "import polars, sys; polars.read_csv(sys.argv[1]).write_parquet(sys.argv[2])"
    paths = [str(place / "shop.csv"), str(place / "shop.parquet")]
    subprocess.run([sys.executable, "-c", code, *paths], check=True)  # polars may not run in this process
