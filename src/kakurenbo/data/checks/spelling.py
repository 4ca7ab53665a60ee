"""Ids that are written in two ways: one customer must not become two, nor two become one, unseen.

Exports write the same id differently: an accent as one character or two, full-width figures, a character
nobody can see, `17850.0` where a spreadsheet took an id for a number, `NA` or `null` where there is none.
What is done about it is declared:

- `refuse` (the default): whole numbers lose their `.0`, spelled-out missing values are missing ids, which the
  policy refuses or drops with a count. Ids that differ only in Unicode form or invisible characters are
  refused with their number, and so are ids ending in `.0` beside others with a fraction (versions, perhaps).
- `merge`: every id is read in its plainest form, so that such ids become one.
- `keep`: every id is what it is, blanks around it apart: a customer called None, goods NA, `1.0` beside `1`.

Each id is judged by itself, so an original and its release agree when they are read as two files. Leading
zeroes count: 007 is not 7, and 007.0 stays as it is.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Literal, get_args

import polars as pl

from kakurenbo.data.checks.columns import refuse_rows
from kakurenbo.errors import ParameterError

Spelling = Literal["refuse", "merge", "keep"]

_MISSING = "nan|nat|null|none|nil|na|n/a|#n/a|<na>"
_NONE = re.compile(_MISSING, re.IGNORECASE)
_WHOLE = re.compile(r"(-?[1-9][0-9]*|0)\.0+")
_WORTH_A_LOOK = rf"(?i)^(?:{_MISSING})$|[^ -~]|^-?[0-9]+\.0+$"
_FRACTION = r"^-?[0-9]+\.[0-9]*[1-9][0-9]*$"
_UNSEEN = {"Cc", "Cf"}  # control and format characters
_BLANK = {*"\u034f\u115f\u1160\u2800", *map(chr, range(0xFE00, 0xFE10))}  # shown as nothing, though no format


def settled(ids: pl.Series, *, column: str, spelling: Spelling) -> pl.Series:
    """Return ids as they are to be read, or raise where they differ only in how they are written."""
    if spelling not in get_args(Spelling):
        raise ParameterError("The spelling must be refuse, merge or keep.", code="parameter")
    if spelling == "keep":
        return ids
    odd = ids.filter(ids.str.contains(_WORTH_A_LOOK)).unique()
    if not len(odd):
        return ids
    plain = {text: _read(plainest(text)) for text in odd}
    if spelling == "merge":
        return _replaced(ids, plain)
    _refuse_versions(ids, column)
    read = _replaced(ids, {text: None if plain[text] is None else _read(text) for text in odd})
    refuse_twins(read, column=column)
    return read


def refuse_twins(ids: pl.Series, *, column: str) -> None:
    """Raise if ids differ from one another only in Unicode form or characters that nobody sees."""
    alike = twins(ids)
    if not len(alike):
        return
    message = (
        f"{len(alike)} ids differ from another only in how they are written (Unicode form, characters that "
        'nobody sees); read such ids as one with spelling="merge", or apart with spelling="keep".'
    )
    twin = ids.is_in(alike.implode())
    refuse_rows(twin, message, code="spelling", column=column, parameter="spelling")


def twins(ids: pl.Series) -> pl.Series:
    """Return the distinct ids that differ from another only in how they are written."""
    distinct = ids.unique().drop_nulls()
    odd = distinct.filter(distinct.str.contains(_WORTH_A_LOOK))
    if not len(odd):
        return odd
    plain = _replaced(distinct, {text: _read(plainest(text)) for text in odd})
    return distinct.filter(plain.is_duplicated())


def refuse_apart(original: pl.Series, released: pl.Series, *, column: str) -> None:
    """Raise if ids of a release differ from those of the original only in how they are written."""
    refuse_twins(pl.concat([original, released]).unique().sort(), column=column)


def plainest(text: str) -> str:
    """Return the compatibility form (NFKC) without control and format characters, and blanks as blanks."""
    if unicodedata.is_normalized("NFKC", text) and text.isprintable() and _BLANK.isdisjoint(text):
        return text.strip()
    for _ in range(2):  # what stood on both sides of an unseen character may compose once it is gone
        letters = (" " if letter.isspace() else letter for letter in text if not _unseen(letter))
        text = unicodedata.normalize("NFKC", "".join(letters))
    return text.strip()


def _unseen(letter: str) -> bool:
    return letter in _BLANK or (unicodedata.category(letter) in _UNSEEN and not letter.isspace())


def _read(text: str) -> str | None:
    """Return an id without the `.0` of a whole number; None where it says that there is none."""
    if not text or _NONE.fullmatch(text):
        return None
    whole = _WHOLE.fullmatch(text)
    return whole[1] if whole else text


def _refuse_versions(ids: pl.Series, column: str) -> None:
    if has_fractions(ids):
        refuse_whole(ids, column=column)


def has_fractions(ids: pl.Series) -> bool:
    """Tell whether an id looks like a number with a fraction."""
    return bool(ids.str.contains(_FRACTION).any())


def refuse_whole(ids: pl.Series, *, column: str) -> None:
    """Raise if ids end in .0, for others have a fraction."""
    whole = ids.str.contains(rf"^(?:{_WHOLE.pattern})$")
    message = (
        f"{ids.filter(whole).n_unique()} ids end in .0 beside ids with a fraction, so they may be no whole "
        'numbers; keep them as they are with spelling="keep", or drop the .0 with spelling="merge".'
    )
    refuse_rows(whole, message, code="spelling", column=column, parameter="spelling")


def _replaced(ids: pl.Series, by: dict[str, str | None]) -> pl.Series:
    by = {text: read for text, read in by.items() if read != text}
    if not by:
        return ids
    old, new = pl.Series(list(by), dtype=pl.String), pl.Series(list(by.values()), dtype=pl.String)
    return ids.replace_strict(old, new, default=ids)
