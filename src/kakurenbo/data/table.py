"""What both kinds of data share: people with ids, a content that can be shown, compared and fingerprinted.

Purchases and microdata are two tables with one protocol. A method, an attack or a measure is written for
`Data`, one of the two; where the kinds differ, a verb has an implementation for each (`ByKind`), and nobody
else asks which kind it is.
"""

from __future__ import annotations

import hashlib
import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, Self, TypeVar

from kakurenbo.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    import numpy as np
    import polars as pl
    from numpy.typing import NDArray

    from kakurenbo.about import Kind
    from kakurenbo.data.hierarchy import Hierarchy
    from kakurenbo.data.source import Source

_WORDS = {
    "master": "a master (one row a customer)",
    "sa": "a sensitive attribute",
    "numbers": "a sensitive attribute that is a number",
}


class OfAKind(Protocol):
    """Data of one of the two kinds: a table, or purchases in blocks."""

    kind: ClassVar[Kind]


class Table(Protocol):
    """A table of people."""

    kind: ClassVar[Kind]

    def __len__(self) -> int: ...

    @property
    def people(self) -> pl.Series:
        """The ids of the people, distinct."""

    @property
    def attributes(self) -> pl.DataFrame:
        """One row a person, in the order of `people`: what is said of each beside the records."""

    @property
    def records_each(self) -> NDArray[np.int64]:
        """How many records everybody has, in the order of `people`."""

    @property
    def shown(self) -> frozenset[str]:
        """What there is to see: roles and `master`, or `qi` and `sa`."""

    @property
    def left_out(self) -> Mapping[str, int]:
        """How many rows were not read, by reason."""

    @property
    def source(self) -> Source | None:
        """The file or folder it was read from, None for a table that was made."""

    @property
    def counts(self) -> Mapping[str, int]:
        """What there is, and how much of it."""

    @property
    def hierarchies(self) -> Mapping[str, Hierarchy]:
        """What the words of the table stand for, by column or `goods`."""

    def of(self, people: pl.Series) -> Self:
        """Return the part of the table that is about these people."""

    def common_with(self, released: Self) -> tuple[Self, int]:
        """Return the table as far as a release can be compared with it, and how many columns are left out."""

    def require_columns_of(self, released: Self) -> None:
        """Refuse a release that lacks a column which has to be compared."""

    def summarised(self, values: Iterable[pl.Expr]) -> pl.DataFrame:
        """Return one row a person with these values of his records."""

    def fingerprint(self) -> str:
        """Return the SHA-256 of the content: the same for the same rows, in any order and kind of file."""


Data = TypeVar("Data", bound=Table)
Returned = TypeVar("Returned")


@dataclass(frozen=True)
class ByKind(Generic[Returned]):
    """One verb for both kinds of data: the kind of the table it is called with chooses the implementation."""

    purchases: Callable[..., Returned]
    microdata: Callable[..., Returned]

    def __call__(self, data: OfAKind, *others: Any, **named: Any) -> Returned:  # noqa: ANN401 - as implemented
        """Run the implementation for this kind of data."""
        verb = self.purchases if data.kind == "purchases" else self.microdata
        return verb(data, *others, **named)


def fingerprint(*tables: pl.DataFrame) -> str:
    """Return the SHA-256 of the tables' content, the order of rows and columns aside."""
    digest = hashlib.sha256()
    for table in tables:
        named = table.select(sorted(table.columns))
        written = io.BytesIO()
        named.sort(named.columns).write_csv(written)
        digest.update(written.getvalue())
    return digest.hexdigest()


def require_tables(who: str, **given: object) -> None:
    """Refuse what is no table of ours, such as a dataframe, and say how to make it one."""
    for name, table in given.items():
        if hasattr(table, "pairing") and hasattr(table, "data"):
            raise InputError(f"{who} takes data, but {name} is a Release; give its .data.", code="frame")
        if getattr(table, "kind", None) not in {"purchases", "microdata"}:
            raise InputError(
                f"{who} takes Purchases or Microdata, but {name} is a {type(table).__name__}. Make it one: "
                "kb.Purchases.from_frame(frame, customer=..., goods=...) or "
                "kb.Microdata.from_frame(frame, qi=[...]), or read it with kb.read_purchases(path).",
                code="frame",
            )


def require_shown(who: str, needs: Iterable[str], *tables: Table) -> None:
    """Refuse tables that do not show what somebody needs."""
    for table in tables:
        missing = next((name for name in needs if name not in table.shown), None)
        if missing is not None:
            what = _WORDS.get(missing, f"the role {missing}")
            option = {"master": None, "numbers": "sa"}.get(
                missing, missing
            )  # a master is a file, not an option
            raise InputError(f"{who} needs {what}, which the data lacks.", code="roles", parameter=option)
