"""What a column looks like: its form in words, never its values, and how it hangs together with another.

It says enough to see that the right column was taken, and nothing about anybody.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import polars as pl

from kakurenbo.files.forms import form_of

if TYPE_CHECKING:
    from collections.abc import Sequence

Kind = Literal["time", "clock", "whole", "number", "text", "empty"]

_SAMPLE = 1000
_NEARLY_ALL = 0.95
_MISSING = r"(?i)^(nan|nat|null|none|nil|na|n/a|#n/a|<na>|-)?$"
_CLOCK = r"^\d{1,2}(:\d{2}){1,2}(\.\d+)?( ?[AaPp][Mm])?$|^\d{1,2}時\d{1,2}分?$"
_TIME = (
    r"^\d{4}[-/.年]\d{1,2}([-/.月](\d{1,2}日?)?)?([T ]+\S.*)?$"
    r"|^\d{1,2}[-/.]\d{1,2}[-/.]\d{2}(\d{2})?([T ]+\S.*)?$"
    r"|^\d{1,2}[- ][A-Za-z]{3,9}[- ]\d{2,4}( \S.*)?$"
    r"|^(19|20)\d{2}(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])$"
)
_WHOLE = r"^[-+]?\d+(\.0+)?$"
_NUMBER = r"^[-+(]?\s?[¥$€£￥\\]?\s?[-+]?\d[\d.,' \u00a0]*\s?(円|€|EUR|[eE][-+]?\d+)?\)?$"
_NOT_DIGITS = re.compile(r"[^0-9.,\-]")


@dataclass(frozen=True)
class Look:
    """A column as it looks.

    Attributes:
        name: what it is called.
        values: its values as text without blanks around them, null where there is none.
        kind: what most of them are.
    """

    name: str
    values: pl.Series
    kind: Kind

    @cached_property
    def present(self) -> pl.Series:
        """The values that are there."""
        return self.values.drop_nulls()

    @cached_property
    def distinct(self) -> int:
        """How many different values there are."""
        return self.present.n_unique()

    @property
    def filled(self) -> float:
        """The share of rows that have a value."""
        return len(self.present) / max(len(self.values), 1)

    @property
    def repeats(self) -> bool:
        """Whether values stand in several rows, as those of people and goods do."""
        return 1 < self.distinct <= _NEARLY_ALL * len(self.present)

    @cached_property
    def numbers(self) -> pl.Series:
        """The values as numbers, whichever marks they are written with; null where they are none."""
        return pl.Series(_numbers(self.values.to_list()), dtype=pl.Float64)

    @cached_property
    def form(self) -> str:
        """The form of the first rows, in words."""
        return form_of(self.present.head(_SAMPLE)) if self.kind != "empty" else "empty"


def look(column: pl.Series) -> Look:
    """Look at a column, typed or text."""
    kind, dtype = _typed(column.dtype), column.dtype
    if dtype.is_float():
        whole = column.fill_nan(None).drop_nulls()
        kind = "whole" if bool((whole == whole.round(0)).all()) else "number"
        column = column.cast(pl.Int64, strict=False) if kind == "whole" else column.fill_nan(None)
    text = column.cast(pl.String, strict=False).str.strip_chars()
    text = text.to_frame("t").select(pl.when(~pl.col("t").str.contains(_MISSING)).then("t"))["t"]
    if not len(text.drop_nulls()):
        kind = "empty"
    kind = kind or _kind_of(text.drop_nulls().head(10 * _SAMPLE).unique().head(_SAMPLE))
    if kind == "whole":  # 17850 and 17850.0 are one
        text = text.str.replace(r"\.0+$", "")
    return Look(column.name, text, kind)


def _typed(dtype: pl.DataType) -> Kind | None:
    if dtype in (pl.Date, pl.Datetime):
        return "time"
    if dtype == pl.Time:
        return "clock"
    return "whole" if dtype.is_integer() else "number" if dtype.is_decimal() else None


def _kind_of(sample: pl.Series) -> Kind:
    kinds: tuple[tuple[Kind, str], ...] = (
        ("clock", _CLOCK), ("time", _TIME), ("whole", _WHOLE), ("number", _NUMBER)
    )  # fmt: skip
    for kind, pattern in kinds:
        if sample.str.contains(pattern).mean() >= _NEARLY_ALL:  # type: ignore[operator] # a share of booleans
            return kind
    return "text"


def _numbers(texts: Sequence[str | None]) -> list[float | None]:
    """Return texts as numbers; the mark that is not followed by three digits each time is the decimal one."""
    bare = [None if text is None else _NOT_DIGITS.sub("", text) for text in texts]
    comma = any(text and re.search(r",(\d{1,2}|\d{4,})$", text) for text in bare[:_SAMPLE])
    both = any(text and re.search(r"\.\d{3},", text) for text in bare[:_SAMPLE])
    thousands, decimal = (".", ",") if comma or both else (",", ".")
    return [_number(text, thousands, decimal) for text in bare]


def _number(text: str | None, thousands: str, decimal: str) -> float | None:
    try:
        return None if text is None else float(text.replace(thousands, "").replace(decimal, "."))
    except ValueError:
        return None


def spread(first: Look, second: Look) -> float:
    """Return how many values of the second stand beside one value of the first, on the average."""
    pairs = pl.DataFrame({"a": first.values, "b": second.values}).drop_nulls().unique()
    return pairs.height / max(pairs["a"].n_unique(), 1)
