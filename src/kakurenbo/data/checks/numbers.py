"""How a column writes its numbers: marks, signs and currencies, told from all of its values together.

`1,234` is a thousand in one country and little more than one in the next, so no value is read by itself. A
column is taken apart, every reading that fits all of its values is kept, and where two of them give other
numbers something else has to decide: a parameter, another column, the separator of the file. Nothing is
guessed. What was found is kept as a `NumberForm`, so that a release is written as its original was.

```
number   = [ "(" ] [sign] [currency] [sign] figures [currency] [ "-" ] [ ")" ]
figures  = digits in groups of three with one mark between, or without; then a decimal mark and digits
marks    = "." or "," before decimals; "," "." blank or "'" between thousands, and never one for both
```

Full-width figures and signs are read as their ASCII twins, any blank as a blank. A number in brackets, before
a minus or after a triangle (as Japanese accounts write it) is negative.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import polars as pl

if TYPE_CHECKING:
    from collections.abc import Iterable

Decimal = Literal[".", ","]
Thousands = Literal["", ",", ".", " ", "'"]
DECIMALS: tuple[Decimal, ...] = (".", ",")
_GROUPING: dict[Decimal, tuple[Thousands, ...]] = {".": ("", ",", " ", "'"), ",": ("", ".", " ", "'")}

_BLANKS = "\u00a0\u202f\u2009\u2007\u3000"
_MINUS = "\u2212\uff0d\u2010"
_APOSTROPHES = "\u2019\u02bc\uff07"
_WIDE = {chr(code): chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}
_TWINS = {
    **_WIDE,
    **dict.fromkeys(_BLANKS, " "),
    **dict.fromkeys(_MINUS, "-"),
    **dict.fromkeys(_APOSTROPHES, "'"),
    "\uffe5": "\u00a5",
    "\uffe1": "\u00a3",
}
_WIDE_FIGURES = str.maketrans("0123456789", "".join(chr(0xFF10 + figure) for figure in range(10)))
_CURRENCY = r"[A-Z]{0,2}\p{Sc}|\\|円|元|kr\.?|Kr\.?|Fr\.|CHF|EUR|USD|JPY|GBP|SEK|NOK|DKK|AUD|CAD|CNY|zł|Kč|Ft"
_SIGN = "[-+▲△]"
_FIGURES = r"[0-9](?:[0-9.,' ]*[0-9])?[.,]?(?:[eE][+-]?[0-9]+)?|[.,][0-9]+(?:[eE][+-]?[0-9]+)?"
_PARTS = (
    rf"^(?P<open>\()?\s*(?P<first>{_SIGN})?\s*(?P<before>(?:{_CURRENCY})\s*)?(?P<second>{_SIGN})?\s*"
    rf"(?P<figures>{_FIGURES})(?P<after>\s*(?:{_CURRENCY}))?\s*(?P<last>-)?\s*(?P<close>\))?$"
)
_PLAIN = r"^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$"
_SEVERAL = 3
_WHOLE_MONEY = ("¥", "\\", "円", "JPY", "₩", "元")  # currencies that are hardly written with three decimals
_EITHER = r"^[+-]?[1-9][0-9]{0,2}\.[0-9]{3}$"  # little more than one, or a thousand


@dataclass(frozen=True, slots=True)
class Marks:
    """What is known of a column's marks from elsewhere.

    Attributes:
        decimal: the mark before decimals, as declared.
        thousands: the mark between thousands, as declared; empty for none.
        likely: the decimal mark that other columns have, or that goes with the file's separator.
    """

    decimal: Decimal | None = None
    thousands: Thousands | None = None
    likely: Decimal | None = None

    def allows(self, decimal: Decimal, thousands: Thousands) -> bool:
        """Tell whether what is declared leaves this reading."""
        return self.decimal in {None, decimal} and self.thousands in {None, thousands}


@dataclass(frozen=True, slots=True)
class NumberForm:
    """How numbers are written: enough to write others alike, and no value of anybody.

    Attributes:
        decimal: the mark before decimals.
        thousands: the mark between thousands, empty for none.
        decimals: the most digits after the mark; None where numbers have exponents.
        fixed: whether every number that has a mark has all of these digits (2.50, not 2.5).
        bare: whether whole numbers stand without a mark.
        before: the currency before the figures, with its blank.
        after: the currency after them.
        negative: how a negative number is written, around the figures.
        wide: whether the figures are full-width.
    """

    decimal: Decimal = "."
    thousands: str = ""
    decimals: int | None = None
    fixed: bool = False
    bare: bool = True
    before: str = ""
    after: str = ""
    negative: str = "-{}"
    wide: bool = False

    @property
    def plain(self) -> bool:
        """Whether only the number of decimals may differ from how programs write numbers."""
        return self == NumberForm(decimals=self.decimals)

    def write(self, numbers: pl.Series, *, positive: bool = False) -> pl.Series:
        """Return numbers as text of this form.

        Args:
            numbers: floats or whole numbers.
            positive: of numbers above zero none becomes zero by rounding.
        """
        rounded = self.rounded(numbers, positive=positive)
        if self.plain:
            return rounded.cast(pl.String).str.strip_suffix(".0")
        distinct = rounded.unique()
        texts = [None if number is None else self._one(number) for number in distinct]
        return rounded.replace_strict(distinct, pl.Series(texts, dtype=pl.String), return_dtype=pl.String)

    def joined(self, other: NumberForm) -> NumberForm:
        """Return how a column is written of which two parts are written so."""
        if self == other:
            return self
        few = None if self.decimals is None or other.decimals is None else max(self.decimals, other.decimals)
        fixed = self.fixed and other.fixed and self.decimals == other.decimals
        return NumberForm(
            self.decimal if self.decimals != 0 or self.thousands else other.decimal,
            self.thousands or other.thousands, few, fixed, (self.bare or other.bare) if fixed else True,
            self.before if self.before == other.before else "",
            self.after if self.after == other.after else "",
            other.negative if self.negative == "-{}" else self.negative,
            self.wide and other.wide,
        )  # fmt: skip

    def rounded(self, numbers: pl.Series, *, positive: bool = False) -> pl.Series:
        """Return numbers with no more decimals than the form has."""
        if self.decimals is None or not numbers.dtype.is_float():
            return numbers
        short = numbers.round(self.decimals)
        vanished = (short == 0) & (numbers > 0)
        return short.set(vanished, 10.0**-self.decimals) if positive and vanished.any() else short

    def _one(self, number: float) -> str:
        decimals = self.decimals if self.decimals is not None else 6
        text = f"{abs(number):,.{decimals}f}"
        whole, _, fraction = text.partition(".")
        if not self.fixed or (self.bare and not fraction.strip("0")):
            fraction = fraction.rstrip("0")
        mark = self.decimal if fraction else ""
        figures = f"{whole.replace(',', self.thousands)}{mark}{fraction}"
        if self.wide:
            figures = figures.translate(_WIDE_FIGURES)
        written = f"{self.before}{figures}{self.after}"
        return self.negative.format(written) if number < 0 else written


class Numerals:
    """The distinct values of a column taken apart, and the readings that all of them allow."""

    def __init__(self, text: pl.Series) -> None:
        self.distinct = text.drop_nulls().unique()
        self._plain = bool(self.distinct.str.contains(_PLAIN).all())

    @cached_property
    def undecided(self) -> bool:
        """Whether the two decimal marks would make other numbers of the same column."""
        return len(self._readings) > 1

    @property
    def decimal(self) -> Decimal | None:
        """The decimal mark that the column alone decides for; None if none, or if it has no marks."""
        decided = {decimal for decimal, _ in self._readings}
        return self._readings[0][0] if len(decided) == 1 and self._marked else None

    @cached_property
    def _marked(self) -> bool:
        return bool(self._figures.str.contains(r"[.,]").any())

    @cached_property
    def parts(self) -> pl.DataFrame:
        """The distinct values in pieces: all null where a value is no number."""
        return self.narrow.str.extract_groups(_PARTS).struct.unnest()

    @cached_property
    def narrow(self) -> pl.Series:
        """The distinct values with ASCII figures, signs and blanks."""
        if not self.distinct.str.contains(r"[^\x00-\x7F]").any():
            return self.distinct
        return self.distinct.str.replace_many(list(_TWINS), list(_TWINS.values()))

    @cached_property
    def _figures(self) -> pl.Series:
        return self.distinct if self._plain else self.parts["figures"].fill_null("?")

    @cached_property
    def _readings(self) -> list[tuple[Decimal, Thousands]]:
        """The readings that fit all values, one a decimal mark; one alone where both come to the same."""
        if self._plain and not self._dots_could_be_thousands():
            return [(".", "")]
        found = [reading for decimal in DECIMALS for reading in self.fitting(decimal, Marks())[:1]]
        if len(found) > 1 and self.plain_text(found[0]).equals(self.plain_text(found[1])):
            return found[:1]
        grouped = [reading for reading in found if reading[1]]
        return grouped if len(found) > 1 and self.currencies.is_in(_WHOLE_MONEY).any() else found

    def _dots_could_be_thousands(self) -> bool:
        dotted = self.distinct.filter(self.distinct.str.contains(".", literal=True))
        return len(dotted) > 0 and bool(dotted.str.contains(_EITHER).all())

    def fitting(self, decimal: Decimal, marks: Marks) -> list[tuple[Decimal, Thousands]]:
        """Return the readings with this decimal mark that fit all values, the plainest first."""
        return [
            (decimal, thousands)
            for thousands in _GROUPING[decimal]
            if marks.allows(decimal, thousands) and self._fits((decimal, thousands)).all()
        ]

    def most_fitting(self, marks: Marks) -> pl.Series:
        """Return which of the distinct values fit that reading, of those allowed, that most of them fit."""
        allowed = [
            self._fits((decimal, thousands))
            for decimal in DECIMALS
            for thousands in _GROUPING[decimal]
            if marks.allows(decimal, thousands)
        ]
        return max(allowed, key=lambda fits: int(fits.sum()))

    def _fits(self, reading: tuple[Decimal, Thousands]) -> pl.Series:
        decimal, thousands = (re.escape(mark) for mark in reading)
        whole = rf"[0-9]{{1,3}}(?:{thousands}[0-9]{{3}})+|[0-9]+" if thousands else "[0-9]+"
        exponent = "(?:[eE][+-]?[0-9]+)?"
        sign = "[+-]?" if self._plain else ""
        pattern = rf"^{sign}(?:(?:{whole})(?:{decimal}[0-9]*)?|{decimal}[0-9]+){exponent}$"
        fits = self._figures.str.contains(pattern)
        return fits if self._plain else fits & self._well_signed

    @cached_property
    def _well_signed(self) -> pl.Series:
        """Which values have one sign at most, and both brackets or none."""
        opened, closed = self.parts["open"].is_not_null(), self.parts["close"].is_not_null()
        signs = sum(
            (self.parts[name].is_not_null().cast(pl.Int8) for name in ("open", "first", "second", "last")),
            pl.repeat(0, len(opened), dtype=pl.Int8, eager=True),
        )
        return (opened == closed) & (signs <= 1)

    def decided(self, marks: Marks, *, whole: bool = False) -> tuple[Decimal, Thousands] | None:
        """Return the one reading, with what is known from elsewhere; None where there is none or a doubt.

        Numbers with points alone are read as programs write them, where nothing speaks for commas.

        Args:
            marks: what is known.
            whole: whether all are whole numbers; of two readings that which makes them so is meant.
        """
        if marks.decimal is None and marks.thousands is None and len(self._readings) == 1:
            return self._readings[0]
        found = [reading for decimal in DECIMALS for reading in self.fitting(decimal, marks)[:1]]
        if len(found) < 2 or self.plain_text(found[0]).equals(self.plain_text(found[1])):
            return found[0] if found else None
        if whole:
            found = [reading for reading in found if self._whole(reading)] or found
            if len(found) == 1:
                return found[0]
        likely = marks.likely or ("." if self._plain else self._grouped(found))
        if likely == "," and (self._plain or self._grouped(found)):
            return None
        return next((reading for reading in found if reading[0] == likely), None)

    def _whole(self, reading: tuple[Decimal, Thousands]) -> bool:
        return not self.plain_text(reading).str.contains(r"\.[0-9]*[1-9]").any()

    def _grouped(self, readings: list[tuple[Decimal, Thousands]]) -> Decimal | None:
        """Return the decimal mark of the reading in thousands, if the column is written as only they are.

        Of numbers with decimals some end in a zero only if all have as many: then none stands without a mark.
        """
        marked = self._figures.str.contains(r"[.,]")
        bare = self._figures.filter(~marked)
        ends = self._figures.filter(marked).str.ends_with("0")
        if len(bare) < _SEVERAL or not ends.any():
            return None
        return next((decimal for decimal, thousands in readings if thousands), None)

    def plain_text(self, reading: tuple[Decimal, Thousands]) -> pl.Series:
        """Return the distinct values as programs write numbers: -1234.5."""
        decimal, thousands = reading
        if self._plain and reading == (".", ""):
            return self.distinct
        figures = self._figures.str.replace_all(thousands, "", literal=True) if thousands else self._figures
        bare = figures.str.replace(decimal, ".", literal=True)
        if self._plain:
            return bare
        signs = [
            self.parts[name].is_in(["-", "▲", "△"]).fill_null(value=False) for name in ("first", "second")
        ]
        below = signs[0] | signs[1] | self.parts["last"].is_not_null() | self.parts["open"].is_not_null()
        return pl.select(pl.when(below).then(pl.lit("-") + bare).otherwise(bare)).to_series()

    @cached_property
    def currencies(self) -> pl.Series:
        """The currency of each distinct value, empty where there is none, of either side."""
        if self._plain:
            return pl.repeat("", len(self.distinct), dtype=pl.String, eager=True)
        return (self.parts["before"].fill_null("") + self.parts["after"].fill_null("")).str.strip_chars()

    def form(self, reading: tuple[Decimal, Thousands]) -> NumberForm:
        """Return how the column writes its numbers, so read."""
        decimal, thousands = reading
        figures = self._figures
        if figures.str.contains("[eE]").any():
            decimals, fixed, bare = None, False, True
        else:
            fractions = figures.str.extract(rf"{re.escape(decimal)}([0-9]*)$")
            bare = bool(fractions.is_null().any()) or not len(figures)
            lengths = fractions.str.len_chars().drop_nulls()
            decimals = int(lengths.max() or 0)  # type: ignore[arg-type] # lengths are whole numbers
            zeroes = not bare or bool(fractions.str.ends_with("0").any())
            fixed = decimals > 0 and lengths.n_unique() == 1 and zeroes
        if self._plain:
            return (
                NumberForm(decimals=decimals, fixed=fixed, bare=bare)
                if fixed
                else NumberForm(decimal, thousands, decimals)
            )
        return NumberForm(
            decimal, self._mark(thousands), decimals, fixed, bare if fixed else True,
            self._usual("before"), self._usual("after"), self._negative(), self._wide(),
        )  # fmt: skip

    def _mark(self, thousands: Thousands) -> str:
        """Return the mark between thousands as it was written, of which there may be twins."""
        there = (twin for twin in _written_as(thousands)[1:] if thousands in {" ", "'"})
        return next((t for t in there if self.distinct.str.contains(t, literal=True).any()), thousands)

    def _usual(self, side: str) -> str:
        """Return the currency on one side as it was written, if every value has it."""
        parts = self.parts[side]
        if parts.null_count():
            return ""
        part: str = parts[0]
        sign, written = part.strip(), str(self.distinct[0])
        twin = next((twin for twin in _written_as(sign) if twin in written), sign)
        return part.replace(sign, twin)

    def _negative(self) -> str:
        parts = self.parts
        for name, sign in (("open", "({})"), ("last", "{}-")):
            if parts[name].is_not_null().any():
                return sign
        signs = pl.concat([parts["first"], parts["second"]]).drop_nulls()
        return next((f"{sign}{{}}" for sign in "▲△" if (signs == sign).any()), "-{}")

    def _wide(self) -> bool:
        return bool((~self.distinct.str.contains("[0-9]")).all()) and len(self.distinct) > 0


def _written_as(sign: str) -> list[str]:
    """Return a sign and the twins that are read as it."""
    return [sign, *(twin for twin, plain in _TWINS.items() if plain == sign)]


def likely_decimal(columns: Iterable[pl.Series]) -> Decimal | None:
    """Return the decimal mark that those of these columns have that decide for themselves, if they agree."""
    texts = (column.str.strip_chars().replace("", None) for column in columns if column.dtype == pl.String)
    found = {Numerals(text).decimal for text in texts} - {None}
    return found.pop() if len(found) == 1 else None
