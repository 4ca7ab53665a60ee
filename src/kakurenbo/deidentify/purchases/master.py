"""Coarsen the master: age bands, the first characters of a postcode, the year of a birth.

Who somebody is stands in few columns: born on this day, living at that postcode, hardly anybody is like him.
Where nobody wrote down what values are called in coarser words, their own form says it: a number becomes the
range it lies in, a code its first characters, a date its year or month. Nothing is carried along: each value
says itself what it stands for.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

import polars as pl
from pydantic import Field, model_validator

from kakurenbo.about import MethodAbout
from kakurenbo.data.checks import times
from kakurenbo.data.groups import as_text
from kakurenbo.data.release import Changed
from kakurenbo.deidentify.base import OverTable
from kakurenbo.deidentify.fitted import Fitted
from kakurenbo.deidentify.levels import rewritten
from kakurenbo.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kakurenbo.chance import Chance
    from kakurenbo.data.blocks import Blocks
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.progress import Progress

_PATTERN = {"year": "%Y", "month": "%Y-%m"}


class CoarsenMaster(OverTable):
    """Write columns of the master more coarsely: numbers in ranges, codes by first characters, dates by year.

    With `width` 10 an age of 27 becomes `[20..29]` (`[20, 30)` where there are decimals); with `characters` 3
    a postcode 1300011 becomes `130*`; with `dates` a birth on 1985-07-21 becomes 1985 or 1985-07. One way at
    a time: chain the method for columns of other forms. A missing value stays missing, and records stay as
    they are. Whoever knows the column maps up what he knows: people are hidden as far as what is left is
    shared.
    """

    about: ClassVar = MethodAbout(
        name="coarsen-master", kind="purchases", reach="table",
        source="common practice", promises=("keeps-records",),
        needs=("master",), example={"characters": 2},
        untuned="which columns of a master are numbers, codes or dates, whoever knows them has to say",
    )  # fmt: skip

    columns: tuple[str, ...] = Field(
        (), description="columns of the master to coarsen; none given means all numbers, codes or dates"
    )
    width: float | None = Field(None, gt=0, le=1e9, description="numbers: the width of a range")
    characters: int | None = Field(None, ge=0, le=100, description="codes: how many first characters stay")
    dates: Literal["year", "month"] | None = Field(None, description="dates: what is left of them")

    @model_validator(mode="after")
    def _one_way(self) -> CoarsenMaster:
        if sum(way is not None for way in (self.width, self.characters, self.dates)) != 1:
            raise ValueError("choose one of width, characters and dates")
        return self

    def fitted(self, blocks: Blocks, chance: Chance, progress: Progress | None = None) -> Fitted:  # noqa: ARG002
        """Gather the values there are, and write each of them more coarsely: one form for a whole column."""
        there: dict[str, list[pl.Series]] = {}
        for part in blocks.map(_Values(self), progress=progress, doing="gathering values of the master"):
            for column in part:
                there.setdefault(column.name, []).append(column)
        words = {}
        for name, parts in there.items():
            values = pl.concat(parts).unique().sort()
            words[name] = (values, self.coarser(values))
        return Fitted(blocks, _Written(self, words))

    def chosen(self, master: pl.DataFrame | None) -> list[str]:
        """Return the columns to coarsen: those named, or all of the kind that is meant."""
        there = () if master is None else master.columns[1:]
        missing = [name for name in self.columns if name not in there]
        if missing:
            raise InputError(
                f"The master has no column {missing[0]}; it has: {', '.join(there) or 'none'}.",
                code="column-missing", parameter="columns",
            )  # fmt: skip
        if master is None:
            return []
        return [*self.columns] or [name for name in there if self._fits(master[name])]

    def _fits(self, column: pl.Series) -> bool:
        """Whether a column that nobody named is of the kind that is to be coarsened."""
        kind = column.dtype
        if self.characters is not None:
            return not (kind.is_numeric() or kind.is_temporal())
        return kind.is_numeric() if self.width is not None else kind.is_temporal()

    def coarser(self, values: pl.Series) -> pl.Series:
        """Return what these values become, each for itself but for the form that they share."""
        try:
            if self.characters is not None:
                return first_characters(values, self.characters)
            return in_ranges(values, self.width) if self.width is not None else by_date(values, self.dates)
        except InputError as error:
            error.row = None  # of the values, not of the file
            raise


@dataclass(frozen=True, eq=False)
class _Values:
    """The pass that gathers the values of the chosen columns, each once."""

    method: CoarsenMaster

    def __call__(self, data: Purchases) -> list[pl.Series]:
        master = data.master_of_buyers
        names = self.method.chosen(master)
        return [] if master is None else [master[name].drop_nulls().unique() for name in names]


@dataclass(frozen=True, eq=False)
class _Written:
    """A block with columns of its master in coarser words.

    Attributes:
        method: for values that only people without purchases have, who are never released.
        words: of every column its values, and what each becomes.
    """

    method: CoarsenMaster
    words: Mapping[str, tuple[pl.Series, pl.Series]]

    def __call__(self, data: Purchases) -> Changed[Purchases]:
        master = data.master
        if master is None:
            return Changed(data)
        return rewritten(data, master, [self._written(master[name]) for name in self.words])

    def _written(self, column: pl.Series) -> pl.Series:
        old, new = self.words[column.name]
        others = column.filter(~column.is_in(old.implode())).drop_nulls().unique()
        if len(others):
            old, new = pl.concat([old, others]), pl.concat([new, self.method.coarser(others)])
        return column.replace_strict(old, new, default=None, return_dtype=pl.String).alias(column.name)


def in_ranges(column: pl.Series, width: float) -> pl.Series:
    """Return numbers as the ranges they lie in, which begin at multiples of the width."""
    numbers = as_text(column).cast(pl.Float64, strict=False)
    _refuse(column, numbers, "numbers", "not-number")
    low = (numbers / width).floor() * width
    whole = float(width).is_integer() and bool((numbers.drop_nulls() % 1 == 0).all())
    if whole:
        ends = pl.DataFrame({"low": low.cast(pl.Int64), "high": (low + width - 1).cast(pl.Int64)})
        form = "[{}..{}]" if width > 1 else "{}"
        text = pl.format(form, *(["low", "high"] if width > 1 else ["low"]))
    else:
        digits = max(0, 6 - math.floor(math.log10(width)))
        ends = pl.DataFrame({"low": low.round(digits), "high": (low + width).round(digits)})
        text = pl.format("[{}, {})", "low", "high")
    return ends.select(pl.when(pl.col("low").is_not_null()).then(text).alias(column.name)).to_series()


def first_characters(column: pl.Series, characters: int) -> pl.Series:
    """Return codes by their first characters, and a star where anything was cut."""
    text = pl.col("text")
    cut = pl.when(text.str.len_chars() > characters).then(text.str.slice(0, characters) + "*").otherwise(text)
    return as_text(column).to_frame("text").select(cut.alias(column.name)).to_series()


def by_date(column: pl.Series, left: Literal["year", "month"] | None) -> pl.Series:
    """Return dates as their year, or their year and month."""
    if column.dtype.is_temporal():
        return column.dt.strftime(_PATTERN[left or "year"])
    moments, _ = times.as_times(as_text(column), column=column.name)
    return moments.dt.strftime(_PATTERN[left or "year"]).alias(column.name)


def _refuse(column: pl.Series, read: pl.Series, what: str, code: str) -> None:
    lost = read.null_count() - column.null_count()
    if lost:
        raise InputError(
            f"{lost} values of the column are no {what}; choose another way, or leave it out.", code=code,
            column=column.name,
        )  # fmt: skip
