"""The controller's ledger: what was released of whom, when, by which plan, and what audits said.

Two releases that are harmless each by itself may give everybody away together, and nobody remembers what was
handed out two years ago. So every release is written down here before it appears, and every verdict after it.
No id, no value and no name of anybody stands in it: tables are told by their fingerprints, and people by a
sketch, the smallest few of the keyed hashes of their ids. Two sketches that have a hash in common are about
some of the same people. Whoever has both the ledger and an id can ask whether its hash is among them, so the
file is its owner's alone (docs/decisions/0027-ledger.md).

Code that keeps the accounts of a search is `tuning/ledger.py`, and another thing.
"""

from __future__ import annotations

import hmac
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime
from heapq import nsmallest
from itertools import chain as chained
from typing import TYPE_CHECKING, Any, Final

from kakurenbo.data.blocks import Blocks
from kakurenbo.errors import ParameterError
from kakurenbo.files import chain
from kakurenbo.files.fingerprints import fingerprint
from kakurenbo.provenance import versions

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from pathlib import Path

    from kakurenbo.data.purchases import Purchases
    from kakurenbo.data.table import Table
    from kakurenbo.files.chain import Chain

_KIND: Final = "kakurenbo ledger"
_LAYOUT: Final = 1
SKETCH: Final = 256  # hashes: of a thousand people, fifty in common are missed once in a hundred thousand
_BYTES: Final = 8


@dataclass(frozen=True)
class Known:
    """A release that the ledger knows: the number of its line, when, its fingerprint, how many people."""

    number: int
    date: str
    release: str
    people: int


@dataclass(frozen=True)
class Register:
    """A ledger as it was read.

    Attributes:
        path: its file.
        chain: what stands there.
        key: of the hashes in its sketches.
    """

    path: Path
    chain: Chain
    key: bytes

    @classmethod
    def opened(cls, path: Path) -> Register:
        """Read a ledger, or begin one where there is no file."""
        first = {
            "kind": _KIND, "layout": _LAYOUT, "key": secrets.token_hex(32), "date": _now(),
            "program": versions()["kakurenbo"],
        }  # fmt: skip
        return cls._of(path, chain.begun(path, first))

    @classmethod
    def read(cls, path: Path) -> Register:
        """Read a ledger that must be there."""
        return cls._of(path, chain.read(path))

    @classmethod
    def _of(cls, path: Path, found: Chain) -> Register:
        match found.lines[:1]:
            case ({"kind": kind, "layout": layout, "key": str(key)},) if (kind, layout) == (_KIND, _LAYOUT):
                return cls(path, found, bytes.fromhex(key))
        raise chain.broken("it is none of this program's, or of another version of it")

    @property
    def entries(self) -> tuple[Mapping[str, Any], ...]:
        """What was written down, without the first line, which begins the file."""
        return self.chain.lines[1:]

    def about(self, data: Table | Blocks) -> dict[str, Any]:
        """Return how a table of people is written down: its fingerprint, how many, and their sketch."""
        if isinstance(data, Blocks):
            sketches = data.map(_Sketch(self), doing="sketching people")
            smallest = nsmallest(SKETCH, chained.from_iterable(sketches))
            return {
                "data": fingerprint(data), "people": data.whole.counts["customers"], "sketch": smallest,
            }  # fmt: skip
        named = getattr(data, "id_column", "") is not None  # rows that are only numbered are nobody's
        sketch = self.sketch(data.people) if named else []
        return {"data": data.fingerprint(), "people": len(data.people), "sketch": sketch}

    def sketch(self, people: Iterable[str]) -> list[str]:
        """Return the smallest of the keyed hashes of these ids: the same for the same people."""
        hashes = (hmac.digest(self.key, str(one).encode(), "sha256")[:_BYTES].hex() for one in people)
        return nsmallest(SKETCH, hashes)

    def releases_of(self, about: Mapping[str, Any]) -> tuple[Known, ...]:
        """Return the releases of some of the same people, each once, those withdrawn left out."""
        mine, known = set(about["sketch"]), dict[str, Known]()
        gone = {entry["of"] for entry in self.entries if entry["what"] == "withdrawn"}
        for number, entry in enumerate(self.entries, 1):
            same = entry.get("data") == about["data"] or mine & set(entry.get("sketch", ()))
            if "release" in entry and same and entry["release"] not in gone:
                one = Known(number, entry["date"], entry["release"], entry["people"])
                known.setdefault(entry["release"], one)
        return tuple(known.values())

    def overlooked(self, about: Mapping[str, Any], given: Collection[str]) -> tuple[Known, ...]:
        """Return the releases of the same people whose fingerprints are not among those given."""
        return tuple(one for one in self.releases_of(about) if one.release not in given)

    def add(self, what: str, **fields: Any) -> Register:  # noqa: ANN401 - any JSON
        """Write something down, durably; return the ledger with it."""
        return self._of(self.path, chain.append(self.path, {"what": what, "date": _now(), **fields}))

    def withdraw(self, number: int, reason: str) -> Register:
        """Write down that the release of an entry was never handed out, or is nobody's any more."""
        named = self.entries[number - 1].get("release") if 0 < number <= len(self.entries) else None
        if named is None:
            raise ParameterError("There is no release of this number in the ledger.", code="unknown-name")
        return self.add("withdrawn", of=named, reason=reason)


@dataclass(frozen=True)
class _Sketch:
    """Work: the sketch of the people of a block."""

    register: Register

    def __call__(self, block: Purchases) -> list[str]:
        return self.register.sketch(block.customers)


def refuse_overlooking(known: Sequence[Known], *, parameter: str) -> None:
    """Refuse to go on while a release of the same people would be overlooked."""
    if not known:
        return
    which = ", ".join(f"number {one.number} of {one.date[:10]}" for one in known[:5])
    more = f" and {len(known) - 5} more" if len(known) > 5 else ""
    give = "give them as earlier releases, or " if parameter == "earlier" else ""
    raise ParameterError(
        f"The ledger knows other releases of the same people ({which}{more}), which would be overlooked; "
        f"{give}say why they may be.",
        code="earlier-release",
        parameter=parameter,
    )


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
