"""Mutated files, read by ours and by a strict reference: the same records, or refused, and never a fault.

Each case makes a small good file, lets things happen to it, and reads it on the command line's own path
(`kakurenbo.cli.options.read` with the command line's own explanation of errors). A difference that nobody is
told of, a fault (exit 70), a warning, a value of the data in a message, or more than five seconds is a
failure.
"""

from __future__ import annotations

import json
import time
import tomllib
import warnings
from typing import TYPE_CHECKING, Any

from polars.exceptions import PanicException

from kakurenbo.cli import options
from kakurenbo.cli.main import FAULT, _explain
from kakurenbo.files.options import options_for
from kakurenbo.files.pairings import read_pairing
from kakurenbo.plan import Plan
from soak import mutate, reference
from soak.part import Part

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from random import Random

_SLOWEST = 5.0


class Mutations(Part):
    """Endless mutated files."""

    name = "mutations"
    promise = "a mutated file is read to the same records as by a strict reader, or refused with exit 2"
    share = 2.0
    enough = 200_000
    patience = 20.0

    def __init__(self, place: Path, seed: int) -> None:
        super().__init__(place, seed)
        content, dialect = mutate.purchases(self.chance(-1))
        self._purchases_of(content, dialect)  # whatever is slow the first time

    def case(self, number: int) -> str | None:
        """Make one file and read it twice."""
        chance = self.chance(number)
        kinds: list[tuple[float, Callable[[Random], str | None]]] = [
            (0.72, self.purchases), (0.08, self.pairing), (0.06, self.settings), (0.05, self.plan),
            (0.04, self.folder), (0.03, self.parquet), (0.02, self.workbook),
        ]  # fmt: skip
        kind = chance.choices([kind for _, kind in kinds], [share for share, _ in kinds])[0]
        began = time.monotonic()
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            why = kind(chance)
        if why is None and warned:
            why = f"a warning: {warned[0].message}"
        if why is None and time.monotonic() - began > _SLOWEST:
            why = "it took more than 5 s"
        return why and f"{kind.__name__}: {why}"

    def purchases(self, chance: Random) -> str | None:
        """A table of purchases in text."""
        content, dialect = mutate.purchases(chance)
        return self._purchases_of(mutate.mutated(chance, content), dialect)

    def folder(self, chance: Random) -> str | None:
        """A table and a master in a folder, one of them mutated."""
        for old in self.place.iterdir():
            old.unlink()
        content, dialect = mutate.purchases(chance)
        master = "who,sex\n" + "\n".join(f"{name},f" for name in mutate.PEOPLE) + "\n"
        files = {"transactions.csv": content, "master.csv": master.encode()}
        chosen = chance.choice([*files, "T.csv", "master.txt", "notes.md"])
        files[chosen] = mutate.mutated(chance, files.get(chosen, content))
        for name, text in files.items():
            (self.place / name).write_bytes(text)
        return _judged(_outcome(lambda: options.read(self.place, _given(dialect))))

    def pairing(self, chance: Random) -> str | None:
        """A pairing."""
        content = mutate.mutated(chance, mutate.pairing(chance))
        path = self._written("pairs.csv", content)
        ours = _outcome(
            lambda: {k: v and reference.canonical(v) for k, v in read_pairing(path).to_dict().items()}
        )
        return self._compared(ours, _reference(lambda: reference.read_pairing(content)), content)

    def settings(self, chance: Random) -> str | None:
        """Settings beside a table."""
        content = mutate.mutated(chance, mutate.settings(chance))
        self._written("kakurenbo.toml", content)
        ours = _outcome(lambda: options_for(self.place, {}).model_dump(exclude_unset=True))
        (self.place / "kakurenbo.toml").unlink()
        if ours.refused:
            return _judged(ours)
        try:
            told = tomllib.loads(content.removeprefix(b"\xef\xbb\xbf").decode())
        except ValueError:
            return f"no TOML, and yet read: {content!r}"
        same = {name: str(value).strip() for name, value in ours.value.items()}
        expected = {name: str(value).strip() for name, value in told.items()}
        return None if _alike(same, expected) else f"settings {same} from {content!r}"

    def plan(self, chance: Random) -> str | None:
        """A plan."""
        content = mutate.mutated(chance, mutate.plan(chance))
        path = self._written("plan", content)
        ours = _outcome(lambda: Plan.read(path).to_dict())
        if ours.refused:
            return _judged(ours)
        text = content.decode("utf-8-sig")
        told = (
            json.loads(text) if text.lstrip().startswith("{") else tomllib.loads(text.replace("\r\n", "\n"))
        )
        steps = [step for step in told["steps"] if step != {"method": "pseudonymize"}]
        told_steps = json.dumps(steps or [{"method": "pseudonymize"}], sort_keys=True)
        same = json.dumps(ours.value["steps"], sort_keys=True) == told_steps
        return None if same else f"another plan than {content!r}"

    def parquet(self, chance: Random) -> str | None:
        """Bytes of a Parquet file: nothing tells a changed value there, so it only must not break."""
        return self._packed(chance, "parquet")

    def workbook(self, chance: Random) -> str | None:
        """Bytes of a workbook, whose members have checksums."""
        return self._packed(chance, "xlsx")

    def _packed(self, chance: Random, ending: str) -> str | None:
        good = mutate.packed(ending)
        path = self._written(f"shop.{ending}", mutate.mutated(chance, good))
        given = {"customer": "who", "goods": "what", "price": "cost", "quantity": "pieces"}
        return _judged(_outcome(lambda: options.read(path, given)))

    def _written(self, name: str, content: bytes) -> Path:
        path = self.place / name
        path.write_bytes(content)
        return path

    def _purchases_of(self, content: bytes, dialect: reference.Dialect) -> str | None:
        path = self._written("shop.csv", content)
        ours = _outcome(lambda: _records(options.read(path, _given(dialect))))
        return self._compared(ours, _reference(lambda: reference.read(content, dialect)), content)

    def _compared(self, ours: Outcome, theirs: Any, content: bytes) -> str | None:  # noqa: ANN401 - of any kind
        why = _judged(ours)
        if why is not None:
            return f"{why} from {content!r}"
        touchy: set[str] = getattr(theirs, "touchy", set())
        expected = getattr(theirs, "records", theirs)
        self.counts[
            "refused by both"
            if theirs is None and ours.refused
            else "read"
            if not ours.refused
            else "refused by ours"
        ] += 1
        if ours.refused:
            strict = theirs is None or touchy
            return None if strict else f"refused, and good for the reference: {ours.said} from {content!r}"
        if theirs is None:
            return f"read, and refused by the reference ({_why_refused[-1]}): {content!r}"
        return None if ours.value == expected else f"{ours.value} is not {expected} from {content!r}"


class Outcome:
    """How a reading ended: with a value, or an exit code and a sentence."""

    def __init__(self, value: Any = None, code: int = 0, said: str = "") -> None:  # noqa: ANN401 - any value
        self.value = value
        self.code = code
        self.said = said

    @property
    def refused(self) -> bool:
        """Whether it was."""
        return self.code != 0


_why_refused = [""]


def _outcome(read: Callable[[], Any]) -> Outcome:
    try:
        return Outcome(read())
    except (Exception, PanicException) as error:  # noqa: BLE001 - just what the command line catches
        code, said = _explain(error)
        return Outcome(None, code, f"{said} ({type(error).__name__})" if code == FAULT else said)


def _reference(read: Callable[[], Any]) -> Any:  # noqa: ANN401 - of any kind
    try:
        return read()
    except reference.RefusedError as error:
        _why_refused[-1] = str(error)
        return None


def _judged(ours: Outcome) -> str | None:
    """Return what is wrong with a refusal."""
    if not ours.refused:
        return None
    if ours.code != 2:
        return f"exit code {ours.code}: {ours.said}"
    leaks = [word for word in mutate.SECRETS if word in ours.said]
    return f"a value of the data in: {ours.said}" if leaks else None


def _given(dialect: reference.Dialect) -> dict[str, Any]:
    separator = None if dialect.separator == "," else dialect.separator
    return {
        **dict(dialect.roles), "policy": dialect.policy, "encoding": dialect.encoding, "separator": separator,
        "no_header": not dialect.header, "time_format": dialect.time_format,
    }  # fmt: skip


def _records(data: Any) -> list[tuple[object, ...]]:  # noqa: ANN401 - purchases
    plain = data.under(None)
    columns = [
        plain[role].to_list() if role in plain.columns else [None] * plain.height for role in reference.ROLES
    ]
    ids = [[value and reference.canonical(value) for value in column] for column in columns[:3]]
    return list(zip(*ids, *columns[3:], strict=True))


def _alike(ours: dict[str, str], told: dict[str, str]) -> bool:
    """Return whether settings say the same, whatever the type of a value was."""
    return ours.keys() == told.keys() and all(
        ours[name].lower() == told[name].lower()
        or name in {"header", "separator", "qi", "sa"}
        or (name.startswith("max_") and float(told[name]) == int(ours[name]))
        for name in ours
    )
