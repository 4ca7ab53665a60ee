"""Extreme tables through everything in the catalogue, as the command line runs it.

Every shape meets every method, attack and measure, audit, profile and the rest: the answer is a result or a
refusal with its code. A later round does the same on releases by other methods, with other parameters.
"""

from __future__ import annotations

import json
import math
import os
import re
import shutil
import traceback
import warnings
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import typer.main

from kakurenbo.catalogue import entries
from kakurenbo.cli import options
from kakurenbo.cli.main import DEBUG, run
from kakurenbo.files.pairings import read_secret
from soak.part import Part
from soak.shapes import MICRODATA, PURCHASES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from random import Random

    from kakurenbo.about import Kind
    from kakurenbo.catalogue import Entry
    from soak.shapes import Shape

_COMMANDS = ("audit", "profile", "excess", "guess-method")
_REFUSAL = re.compile(r"kakurenbo: .+ \[[a-z-]+\]\n", re.DOTALL)
_BUILT = cache(typer.main.get_command)
_NAMES: list[tuple[Kind, str]] = [("purchases", name) for name in PURCHASES]
_NAMES += [("microdata", name) for name in MICRODATA]


class Trial(NamedTuple):
    """One case of a round: a shape, and what it meets."""

    kind: Kind
    shape: str
    what: Entry | str


def _trials() -> Iterator[Trial]:
    for kind, name in _NAMES:
        things: list[Entry | str] = [*entries(None, kind), *_COMMANDS]
        for what in things:
            if what != "guess-method" or kind == "microdata":
                yield Trial(kind, name, what)


TRIALS = tuple(_trials())


@dataclass(frozen=True)
class Answer:
    """What a command came to."""

    code: int
    out: str
    err: str
    fault: str | None = None

    def wrong(self) -> str | None:
        """Say what no command may do."""
        if self.fault is not None:
            return self.fault
        if self.code not in {0, 1, 2}:
            return f"exit {self.code}: {self.err.strip()}"
        if self.code == 2:
            fine = not self.out and _REFUSAL.fullmatch(self.err)
            return None if fine else f"a refusal without its code, or with an answer: {self.err[-300:]!r}"
        return self._wrong_answer()

    def _wrong_answer(self) -> str | None:
        if self.err:
            return f"an answer with a complaint: {self.err[-300:]!r}"
        try:
            document = json.loads(self.out, parse_constant=_no_number)
        except ValueError as error:
            return f"the answer is no JSON: {error}"
        return None if _finite(document) else "the answer holds an infinite number"

    @cached_property
    def document(self) -> Any:  # noqa: ANN401 - any JSON
        """The answer."""
        return json.loads(self.out)


class Extremes(Part):
    """Extremes times the catalogue."""

    name: ClassVar[str] = "extremes"
    promise: ClassVar[str] = "extreme tables get an answer or a refusal: no fault, no warning, no NaN"
    share: ClassVar[float] = 2.0
    enough: ClassVar[int] = 1_630
    patience: ClassVar[float] = 60.0

    def __init__(self, place: Path, seed: int) -> None:
        super().__init__(place, seed)
        os.environ[DEBUG] = "1"
        typer.main.get_command = _BUILT  # once, not at every call as in a program that makes one
        self._made: tuple[object, Shape, Path, Path, Path] | None = None

    def case(self, number: int) -> str | None:
        """Try one shape with one thing."""
        turn, place = divmod(number, len(TRIALS))
        trial = TRIALS[place]
        try:
            why = self._tried(trial, turn, self.chance(number))
        except Exception:  # noqa: BLE001 - of reading a release again
            why = traceback.format_exc(limit=-4)
        return None if why is None else f"{_called(trial)}, round {turn}: {why}"

    def _tried(self, trial: Trial, turn: int, chance: Random) -> str | None:
        shape, data, release, secret = self._prepared(trial, turn)
        seed = ["--seed", str(chance.randrange(1000)), "--json"]
        if not isinstance(trial.what, str):
            words = self._words(trial.what, data, release, secret, chance)
        elif trial.what == "profile":
            words = ["profile", str(data)]
        else:
            words = [trial.what, str(data), str(release), "--secret", str(secret)]
        answer = self.asked([*words, *shape.reading, *seed])
        self.counts["answered" if answer.code < 2 else "refused"] += 1
        why = answer.wrong()
        if why is None and answer.code == 0 and words[0] == "deidentify":
            why = self._read_again(shape, data, answer)
        self._tidy()
        return why

    def _words(self, entry: Entry, data: Path, release: Path, secret: Path, chance: Random) -> list[str]:
        parameters = dict(entry.example)
        knobs = getattr(entry.what.about, "knobs", ())
        if knobs and chance.random() < 0.5:
            drawn = {knob.name: chance.choice([knob.first, knob.middle]) for knob in knobs}
            tuned = entry.what.tuned(drawn, 6).items()
            parameters |= {name: value for name, value in tuned if value is not None}
        given = [word for name, value in parameters.items() for word in (_flag(name), _text(value))]
        if entry.family == "method":
            targets = ["--out", str(self.place / "out"), "--secret", str(self.place / "out.csv")]
            return ["deidentify", entry.name, str(data), *given, *targets]
        end = ["--out", str(self.place / "guess")] if entry.family == "attack" else ["--secret", str(secret)]
        return [entry.family, entry.name, str(data), str(release), *given, *end]

    def _prepared(self, trial: Trial, turn: int) -> tuple[Shape, Path, Path, Path]:
        """Return the shape, its file, a release of it and the secret; made once for all that it meets."""
        key = (trial.kind, trial.shape, turn)
        if self._made is None or self._made[0] != key:
            made = PURCHASES if trial.kind == "purchases" else MICRODATA
            folder = self.place / "shape"
            shutil.rmtree(folder, ignore_errors=True)
            shape = made[trial.shape]()
            data = shape.write(folder / "data")
            self._made = (key, shape, data, *self._released(shape, data, turn))
        return self._made[1:]

    def _released(self, shape: Shape, data: Path, turn: int) -> tuple[Path, Path]:
        """Release by the method of this round; where it refuses, the table stands for its own release."""
        folder = self.place / "shape"
        methods = entries("method", shape.kind)
        first = next(entry for entry in methods if entry.name == "pseudonymize")
        entry = first if not turn else methods[turn % len(methods)]
        given = [word for name, value in entry.example.items() for word in (_flag(name), _text(value))]
        targets = ["--out", str(folder / "out"), "--secret", str(folder / "secret.csv"), "--seed", "1"]
        self.asked(["deidentify", entry.name, str(data), *given, *targets, *shape.reading])
        if not (folder / "out").exists():
            (folder / "secret.csv").write_text("released,original\na,a\n")
            return data, folder / "secret.csv"
        release = folder / "out"
        return release / "microdata.csv" if shape.kind == "microdata" else release, folder / "secret.csv"

    def _read_again(self, shape: Shape, data: Path, answer: Answer) -> str | None:
        """Read a release as its reader would; it must hold what the answer says, and its secret everybody."""
        out = self.place / "out"
        given: dict[str, Any] = dict(shape.options)
        given |= {"no_header": "--no-header" in shape.flags}
        if "--separator" in shape.flags:
            given["separator"] = shape.separator
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            again = options.read(out, given, like=data)
            secret = read_secret(self.place / "out.csv")
        if len(again) != answer.document["records"]:
            return f"{answer.document['records']} records were released, {len(again)} are read"
        same = sorted(again.people.cast(str).to_list()) == secret.released.to_list()
        return None if same else "the secret does not speak of the people released"

    def asked(self, words: list[str]) -> Answer:
        """Run a command in this process, where a warning is a fault."""
        with (self.place / "stdout").open("w+") as out, (self.place / "stderr").open("w+") as err:
            code, fault = 0, None
            with redirect_stdout(out), redirect_stderr(err), warnings.catch_warnings():
                warnings.simplefilter("error")
                try:
                    code = run(words)
                except Exception:  # noqa: BLE001 - a fault of the program, which DEBUG lets through
                    fault = traceback.format_exc(limit=-5)
            for stream in (out, err):
                stream.seek(0)
            return Answer(code, out.read(), err.read(), fault)

    def _tidy(self) -> None:
        shutil.rmtree(self.place / "out", ignore_errors=True)
        for name in ("out.csv", "guess"):
            (self.place / name).unlink(missing_ok=True)


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _text(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, tuple | list) else str(value)


def _called(trial: Trial) -> str:
    what = trial.what if isinstance(trial.what, str) else f"{trial.what.family} {trial.what.name}"
    return f"{trial.kind}, {trial.shape}: {what}"


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is no number")


def _finite(document: Any) -> bool:  # noqa: ANN401 - any JSON
    if isinstance(document, dict):
        return all(_finite(value) for value in document.values())
    if isinstance(document, list):
        return all(_finite(value) for value in document)
    return not isinstance(document, float) or math.isfinite(document)
