"""How a release writes one column of what is known of people: an age, a postcode, a country.

Masters and quasi-identifiers are generalised like anything else: `34` becomes `30-39` or 30, `75011` becomes
`75`, Norway becomes Europe. Where a hierarchy is known (Norway, Northern Europe, Europe) its
words are read, if they explain the column better than the plain values do. Four other ways are read, each
only if it accounts for nearly everybody:

- texts that say themselves what they hold (ranges, sets, masks, stars), if every value lies in one of them
  alone; where they overlap, a value has no one place, and nothing is mapped;
- values cut to their first characters, or with a text before or after;
- numbers rounded or in bands, dates rounded down;
- coarser words, where another column of the original gives them (country beside region), or where people who
  are alone in all that was kept show which value became which word.

Words that neither a column nor the people tell are left as they are.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from kakurenbo.data.generalised.cells import coded
from kakurenbo.data.generalised.forms import Known, read
from kakurenbo.data.groups import as_text
from kakurenbo.mappings.clock import period_of
from kakurenbo.mappings.goods import covers, overlap, spelling_of
from kakurenbo.mappings.numbers import scale_of
from kakurenbo.mappings.periods import Period, rounded
from kakurenbo.mappings.spread import Spread

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from kakurenbo.data.hierarchy import Hierarchy

    Rule = Callable[[pl.Series], pl.Series]

_NEARLY = 0.95  # of the people, who must lie in one released text alone, or agree on a word
_ALIKE = 0.5  # of the people, whom the mapped original must have in the same places
_LEFT = 0.25  # of those whom the commonest word would not fit, who may not agree
_FEW = 20  # people who are alone in all else


@dataclass(frozen=True)
class Written:
    """How a release writes a column.

    Attributes:
        column: its name.
        words: what was done to it.
        rule: does it to other values.
    """

    column: str
    words: str
    rule: Rule

    def apply(self, table: pl.DataFrame) -> pl.DataFrame:
        """Return a table with the column so written."""
        return table.with_columns(self.rule(table[self.column]).alias(self.column))

    def __str__(self) -> str:
        return f"{self.column} {self.words}"


def written(mine: pl.DataFrame, theirs: pl.DataFrame, name: str, *, ranges: bool = True) -> Written | None:
    """Return how a release writes a column of people, None where it is kept or nothing tells.

    Args:
        mine: what is known, one row a person; it may have columns that the release has not.
        theirs: what was released.
        name: the column.
        ranges: whether texts that say what they hold are read too.
    """
    if _kept(mine[name], theirs[name]):
        return None
    for words, rule in _ways(mine, theirs, name, ranges=ranges):
        if overlap(_counts(rule(mine[name])), _counts(theirs[name])) >= _ALIKE:
            return Written(name, words, rule)
    return None


def written_by_tree(mine: pl.Series, theirs: pl.Series, tree: Hierarchy | None) -> Written | None:
    """Return how a release writes a column in words of a hierarchy, None where that explains it no better.

    Where words of several levels stand beside each other, of a value the finest of its names.
    """
    if tree is None:
        return None
    known, shown = _counts(mine), _counts(theirs)
    words = tree.up_to(shown).drop_nulls()
    changed = words.filter(pl.col("value") != pl.col("word"))
    rule = _by_value(partial(_named, dict(changed.iter_rows())))
    common = overlap(_counts(rule(mine)), shown)
    if common < _ALIKE or common <= overlap(known, shown):
        return None
    return Written(mine.name, f"generalised to {words['word'].n_unique():,} words", rule)


def says_itself(mine: pl.Series, theirs: pl.Series) -> bool:
    """Whether nearly all that is not one of the original's values is a text that holds some of them."""
    known, shown = Known(coded(mine)[0]), _counts(theirs)
    other = {text: count for text, count in shown.items() if text not in known.places}
    held = sum(count for text, count in other.items() if read(text).holds(known).any())
    return bool(other) and held >= _NEARLY * sum(other.values())


def _kept(mine: pl.Series, theirs: pl.Series) -> bool:
    """Whether the released values are the original's, as often."""
    known, shown = _counts(mine), _counts(theirs)
    return covers(set(known), shown) and overlap(known, shown) >= _ALIKE


def _counts(column: pl.Series) -> Mapping[str, int]:
    """Return how many people have each value, as text."""
    texts, codes = coded(column)
    return dict(zip(texts, np.bincount(codes, minlength=len(texts)).tolist(), strict=True))


def _ways(mine: pl.DataFrame, theirs: pl.DataFrame, name: str, *, ranges: bool) -> Iterator[tuple[str, Rule]]:
    """Yield what may have been done to a column, in words and as it is done."""
    known, shown = mine[name], theirs[name]
    if known.dtype.is_numeric() and shown.dtype.is_numeric():
        yield from _as_numbers(known, shown)
    elif known.dtype.is_temporal() and shown.dtype.is_temporal():
        yield from _as_dates(known, shown)
    if ranges:
        yield from _in_ranges(known, shown)
    spelling = spelling_of(_counts(known), _counts(shown))
    if spelling is not None:
        yield spelling.words, _by_value(lambda texts: {text: spelling.of(text) for text in texts})
    yield from _by_another(mine, name, shown)
    yield from _by_people(mine, theirs, name)


def _as_numbers(known: pl.Series, shown: pl.Series) -> Iterator[tuple[str, Rule]]:
    scale = scale_of(Spread.counted(known), Spread.counted(shown), len(shown), len(shown))
    if scale is not None:
        yield (
            scale.words,
            lambda column: pl.Series(scale.of(column.to_numpy().astype(np.float64))).cast(shown.dtype),
        )


def _as_dates(known: pl.Series, shown: pl.Series) -> Iterator[tuple[str, Rule]]:
    moments = [column.cast(pl.Datetime("us")).alias("time").to_frame() for column in (known, shown)]
    period = period_of(*(table.group_by("time").len() for table in moments))
    if period is not None:
        yield f"by {period}", lambda column: column.to_frame().select(_down(column, period)).to_series()


def _down(column: pl.Series, period: Period) -> pl.Expr:
    """Return a column of dates or times rounded down, as what it is."""
    return rounded(pl.col(column.name).cast(pl.Datetime("us")), period).cast(column.dtype)


def _in_ranges(known: pl.Series, shown: pl.Series) -> Iterator[tuple[str, Rule]]:
    """Yield the texts that hold the values, where nearly everybody's lies in one of them alone."""
    (texts, _), counts = coded(shown), _counts(known)
    values = Known(list(counts))
    held = np.sum([read(text).holds(values) for text in texts], axis=0)
    alone = float(np.array(list(counts.values())) @ (held == 1)) / sum(counts.values())

    def hold(values: Sequence[str]) -> Mapping[str, str]:
        places = Known(values)
        return {
            values[at]: text for text in texts for at in np.flatnonzero(read(text).holds(places)).tolist()
        }

    if alone >= _NEARLY:
        yield "in ranges or sets", _by_value(hold)


def _by_another(mine: pl.DataFrame, name: str, shown: pl.Series) -> Iterator[tuple[str, Rule]]:
    """Yield the words of another column of the original, where each value has one and they are released."""
    released = _counts(shown)
    for other in mine.columns:
        pairs = mine.select(value=as_text(mine[name]), word=as_text(mine[other])).drop_nulls().unique()
        if other != name and pairs["value"].is_unique().all() and covers(set(pairs["word"]), released):
            yield f"by the words of {other}", _by_value(partial(_named, dict(pairs.iter_rows())))


def _by_people(mine: pl.DataFrame, theirs: pl.DataFrame, name: str) -> Iterator[tuple[str, Rule]]:
    """Yield which value became which word, by people who are alone in all the columns that were kept."""
    kept = [
        other
        for other in mine.columns
        if other != name and other in theirs.columns and _kept(mine[other], theirs[other])
    ]
    if not kept:
        return
    alone = [
        table.select(*(as_text(table[other]) for other in kept), value=as_text(table[name])).filter(
            pl.struct(kept).is_unique()
        )
        for table in (mine, theirs)
    ]
    pairs = alone[0].join(alone[1], on=kept).select("value", word="value_right")
    votes = pairs.group_by("value", "word").len().sort("len", "word", descending=[True, False])
    most = votes.group_by("value", maintain_order=True).first()
    further = pairs.height - most.height  # the first of every value agrees with itself
    agreed = float(most["len"].sum() or 0) - most.height
    common = max(Counter(pairs["word"]).values(), default=0) / max(pairs.height, 1)
    if further >= _FEW and further - agreed <= _LEFT * further * (1 - common):
        named = dict(most.select("value", "word").iter_rows())
        yield "by other words, as people show who are alone in all else", _by_value(partial(_named, named))


def _named(named: Mapping[str, str], values: Sequence[str]) -> Mapping[str, str]:  # noqa: ARG001 - whatever is asked
    return named


def _by_value(name: Callable[[Sequence[str]], Mapping[str, str]]) -> Rule:
    """Return the rule that writes each distinct value as it is named, and others as they are."""

    def rule(column: pl.Series) -> pl.Series:
        texts, codes = coded(column)
        named = name(texts)
        return pl.Series(column.name, [named.get(text, text) for text in texts], dtype=pl.String).gather(
            codes
        )

    return rule
