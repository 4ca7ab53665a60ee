"""Reading: which of the values I know lie inside what was released?

A word of a hierarchy holds all that stands under it there, values and words.

A text that is one of the known values stands for that value alone, whatever it looks like: a category
`10-20` is a category. Only stars mean all even then, and a quoted set is a set.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

import numpy as np
import polars as pl

from kakurenbo.data.generalised.intervals import Interval, interval

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from kakurenbo.data.hierarchy import Hierarchy

    Mask = NDArray[np.bool_]

_BETWEEN = re.compile(r"\s*[,;|]\s*")
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)
_ALL_QUOTED = re.compile(rf"\{{{_QUOTED.pattern}(?:{_BETWEEN.pattern}{_QUOTED.pattern})*\}}", re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


@dataclass(frozen=True, eq=False)
class Known:
    """The distinct values of a column that the attacker knows; masks are parallel to them.

    Attributes:
        texts: as sorted text.
        tree: what the words of the column stand for, where that is known.
    """

    texts: Sequence[str]
    tree: Hierarchy | None = None

    @cached_property
    def under(self) -> Mapping[str, Sequence[int]]:
        """Where the values stand that each word of the hierarchy holds; of words that hold none, nothing."""
        if self.tree is None:
            return {}
        known = pl.DataFrame({"part": self.texts, "place": range(len(self.texts))})
        held = self.tree.parts.join(known, on="part").group_by("word").agg("place")
        return dict(held.iter_rows())

    @cached_property
    def places(self) -> dict[str, int]:
        """Where each value stands."""
        return {text: place for place, text in enumerate(self.texts)}

    @cached_property
    def numbers(self) -> NDArray[np.float64]:
        """Low and high end (two rows) of the values that are numbers or ranges of them; NaN elsewhere."""
        return self._ends(dates=False)

    @cached_property
    def dates(self) -> NDArray[np.float64]:
        """The first second of each date, in two equal rows; NaN elsewhere."""
        return self._ends(dates=True)[[0, 0]]

    @cached_property
    def compound(self) -> list[tuple[int, str]]:
        """The values with a comma or the like of their own, as they stand in a set."""
        return [(place, _plain(text)) for place, text in enumerate(self.texts) if _BETWEEN.search(text)]

    def mask(self, *places: int) -> Mask:
        """Return a mask of these places alone."""
        made = np.zeros(len(self.texts), dtype=np.bool_)
        made[list(places)] = True
        return made

    def _ends(self, *, dates: bool) -> NDArray[np.float64]:
        intervals = (interval(text) for text in self.texts)
        ends = [
            (span.low, span.high) if span is not None and span.dates == dates else (np.nan, np.nan)
            for span in intervals
        ]
        return np.array(ends, dtype=np.float64).reshape(-1, 2).T


class Form(Protocol):
    """What a released text means where it is not simply a known value."""

    def holds(self, known: Known) -> Mask:
        """Return which of the known values lie inside."""


@dataclass(frozen=True)
class Released:
    """One released text, read once."""

    text: str
    form: Form

    def holds(self, known: Known) -> Mask:
        """Return which of the known values it may stand for."""
        if self.text in known.under:
            return known.mask(*known.under[self.text])
        place = None if isinstance(self.form, Stars | Quoted) else known.places.get(self.text)
        return self.form.holds(known) if place is None else known.mask(place)


def read(text: str) -> Released:
    """Read one released text; of no known form, it stands for itself alone."""
    text = text.strip()
    if _ALL_QUOTED.fullmatch(text):
        return Released(text, Quoted(text))
    if text.startswith("{") and text.endswith("}"):
        return Released(text, Parts(_plain(text[1:-1].strip())))
    if _BETWEEN.search(text) and interval(text) is None:
        return Released(text, Parts(_plain(text)))
    return Released(text, _form(text))


def _plain(text: str) -> str:
    return _BETWEEN.sub(",", text)


def _form(text: str) -> Form:
    """Return the form of a text that is no set."""
    if not text.strip("*"):
        return Stars()
    if text.casefold() == "any":
        return Anything()
    if (ends := interval(text)) is not None:
        return Between(ends)
    return Masked(text)


class Anything:
    """Holds whatever there is."""

    def holds(self, known: Known) -> Mask:
        """Return everything."""
        return ~known.mask()


class Stars(Anything):
    """Nothing but stars: all, even where a known value is written so."""


@dataclass(frozen=True)
class Between:
    """A range, or a number or date in another writing; a known range must lie inside as a whole."""

    ends: Interval

    def holds(self, known: Known) -> Mask:
        """Return what lies between the ends; numbers may also be the years of dates."""
        if self.ends.dates:
            return _inside(self.ends, known.dates)
        return _inside(self.ends, known.numbers) | _inside(self.ends.years, known.dates)


def _inside(ends: Interval, values: NDArray[np.float64]) -> Mask:
    inside: Mask = (values[0] >= ends.low) & (values[1] <= ends.high)
    return inside


@dataclass(frozen=True)
class Parts:
    """A set, by its parts; a known value with a comma of its own is some of them side by side."""

    row: str

    def holds(self, known: Known) -> Mask:
        """Return what is in the set, or inside one of its parts."""
        parts = [part for part in self.row.split(",") if part]
        mask = known.mask(*(known.places[part] for part in parts if part in known.places))
        for part in parts:
            mask[known.under.get(part, [])] = True
            if part not in known.places:
                mask |= _form(part).holds(known)
        mask[[place for place, text in known.compound if f",{text}," in f",{self.row},"]] = True
        return mask


@dataclass(frozen=True)
class Quoted:
    """A quoted set: values that are themselves alone; the text itself where it holds none of the known."""

    text: str

    def holds(self, known: Known) -> Mask:
        """Return what is in the set."""
        values = {_ESCAPED.sub(r"\1", value) for value in _QUOTED.findall(self.text)}
        here = values & known.places.keys() or {self.text} & known.places.keys()
        return known.mask(*(known.places[value] for value in here))


@dataclass(frozen=True)
class Masked:
    """Text with some of it masked; a text without a star is equal to itself alone, so it holds nothing."""

    text: str

    def holds(self, known: Known) -> Mask:
        """Return what agrees in all that is not masked."""
        if "*" not in self.text:
            return known.mask()
        shown = self.text.partition("*")[0]
        start = bisect_left(known.texts, shown)
        end = bisect_left(known.texts, f"{shown}\U0010ffff", start)
        return known.mask(
            *(place for place in range(start, end) if self._shape.fullmatch(known.texts[place]))
        )

    @cached_property
    def _shape(self) -> re.Pattern[str]:
        stem, _, rest = self.text.partition("*")
        if not rest:
            return re.compile(f"{re.escape(stem)}.*", re.DOTALL)
        return re.compile(re.escape(self.text).replace(r"\*", "."), re.DOTALL)
