"""Recognise the original in what nobody read: its ids, plain or thinly disguised, its receipts and values.

An unread column or a file that holds the customers' ids undoes a release however well its records are hidden.
Ids are also looked for backwards, hashed without a salt and in base64, since that is what people do who mean
well. Everything is compared as text, one column or one piece of a file at a time.
"""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import polars as pl

from kakurenbo.data.checks.values import as_text
from kakurenbo.data.table import ByKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from kakurenbo.data.microdata import Microdata
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.data.table import Table

SHORTEST = 4  # characters of an id that is not found in other text by accident
_PATTERNS = 20_000  # ids looked for inside other text
_MOST, _SOME = 0.5, 0.01
_FEW = 3  # ids in a piece of text that may be an accident
_LONG_VALUE = 6
_SPLIT = re.compile(r"[\s,;|\"'<>=]+")


class Recognised(NamedTuple):
    """What of the original a column holds, and in which share of its rows."""

    holds: str
    share: float


DISGUISES: dict[str, Callable[[str], str]] = {
    "": lambda name: name,
    " backwards": lambda name: name[::-1],
    " hashed with MD5": lambda name: hashlib.md5(name.encode(), usedforsecurity=False).hexdigest(),
    " hashed with SHA-1": lambda name: hashlib.sha1(name.encode(), usedforsecurity=False).hexdigest(),
    " hashed with SHA-256": lambda name: hashlib.sha256(name.encode()).hexdigest(),
    " in base64": lambda name: base64.b64encode(name.encode()).decode().rstrip("="),
    " in hexadecimal": lambda name: name.encode().hex(),
}


def disguised(ids: pl.Series, disguise: str) -> pl.Series:
    """Return ids in one of the disguises, in lower case."""
    change = DISGUISES[disguise]
    return pl.Series([change(name).lower() for name in ids.cast(pl.String)], dtype=pl.String)


class Original:
    """What is looked for: the ids and values of one original, made ready when first asked for."""

    def __init__(self, data: Table) -> None:
        self._data = data
        self.people = data.people.cast(pl.String)
        self.word = _WORD(data)

    @cached_property
    def _lookup(self) -> pl.DataFrame:
        """Everything by its text: (text, place of what it is among `_kinds`)."""
        kinds = [(f"{self.word}{name}", disguised(self.people, name)) for name in DISGUISES]
        kinds += [(name, _normal(values)) for name, values in _VALUES(self._data)]
        tables = [
            texts.drop_nulls().unique().to_frame("text").with_columns(kind=pl.lit(place, dtype=pl.UInt16))
            for place, (_, texts) in enumerate(kinds)
        ]
        return pl.concat(tables).filter(pl.col("text") != "")

    @cached_property
    def _kinds(self) -> list[str]:
        """What the numbers of the lookup stand for, the most telling first."""
        return [*(f"{self.word}{name}" for name in DISGUISES), *(name for name, _ in _VALUES(self._data))]

    @cached_property
    def _patterns(self) -> list[str]:
        names = self.people.str.to_lowercase()
        return names.filter(names.str.len_chars() >= SHORTEST).head(_PATTERNS).to_list()

    @cached_property
    def _ids(self) -> frozenset[str]:
        plain = [disguised(self.people, name) for name in DISGUISES]
        return frozenset(name for names in plain for name in names if len(name) >= SHORTEST - 1)

    @cached_property
    def _telling(self) -> list[str]:
        """Text that says who somebody is: ids, and long values of the master that one person alone has."""
        values = [
            texts.filter(texts.is_unique() & (texts.str.len_chars() >= _LONG_VALUE))
            for _, values in _VALUES(self._data)
            for texts in [_normal(values).drop_nulls()]
        ]
        return [*self._patterns, *pl.concat(values).head(_PATTERNS)] if values else self._patterns

    def within(self, column: pl.Series) -> Recognised:
        """Return what a column holds of the original; nothing, where it is too little to speak of."""
        texts = _normal(column)
        counts = texts.drop_nulls().value_counts(name="count")
        counts.columns = ["text", "count"]
        lookup = self._lookup
        found = counts.join(lookup, on="text").group_by("kind").agg(pl.col("count").sum())
        held = {self._kinds[kind]: count / len(texts) for kind, count in found.sort("kind").iter_rows()}
        if self._patterns and max(held.values(), default=0) < _MOST:
            inside = counts.filter(counts["text"].str.contains_any(self._patterns))["count"].sum()
            held[f"{self.word} within other text"] = inside / len(texts)
        named = [name for name, share in held.items() if share >= _MOST]
        best = named[0] if named else max(held, key=held.__getitem__, default="")
        return Recognised(best, held[best]) if best and held[best] >= _SOME else Recognised("", 0.0)

    def named_in(self, name: str) -> bool:
        """Tell whether the name of a column or file tells of a person."""
        text = name.lower()
        words = [text, *_SPLIT.split(text), *re.findall(r"\w+", text)]
        return not self._ids.isdisjoint(words) or any(
            pl.Series([text]).str.contains_any(self._telling) if self._telling else ()
        )

    def count(self, texts: Iterable[str]) -> int:
        """Return how many of the ids stand in pieces of text; a few may be there by accident."""
        found: set[str] = set()
        for text in texts:
            lower = text.lower()
            found.update(self._ids.intersection(_SPLIT.split(lower)))
            found.update(self._ids.intersection(re.findall(r"\w+", lower)))
        return len(found) if len(found) >= min(_FEW, len(self.people)) else 0


def _normal(values: pl.Series) -> pl.Series:
    return as_text(values).str.to_lowercase().str.strip_chars_end("=").alias("text")


def _of_purchases(data: Purchases) -> Iterator[tuple[str, pl.Series]]:
    if "receipt" in data.roles:
        yield "the original's receipts", data.records["receipt"]
    for column in () if data.master is None else data.master.drop("customer"):
        yield f"values of the original master's {column.name}", column
    for role in data.roles:
        if role not in {"customer", "receipt"}:
            yield f"values of the original's {role}", data.records[role]


def _of_microdata(data: Microdata) -> Iterator[tuple[str, pl.Series]]:
    for column in data.records:
        yield f"values of the original's {column.name}", column


_VALUES: ByKind[Iterator[tuple[str, pl.Series]]] = ByKind(purchases=_of_purchases, microdata=_of_microdata)
_WORD: ByKind[str] = ByKind(
    purchases=lambda _: "the original's customer ids", microdata=lambda _: "the original's ids"
)
