"""Named columns must be there, and a message about them names row and column, but quotes no data.

The first line of a headerless file looks like a header to a reader, so a list of "the columns there are"
could be a list of somebody's values. Only a name close to the one the user typed is repeated, unless
whoever read the table is sure that its first line names columns.
"""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import TYPE_CHECKING

from kakurenbo.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import polars as pl

_MOST_SHOWN = 5
_MOST_LISTED = 12
_MOST_LETTERS = 60  # to compare two names takes the product of their lengths
_MOST_COMPARED = 1000


def require(
    wanted: Sequence[str], present: Sequence[str], *, listed: Callable[[], bool] = lambda: False
) -> None:
    """Raise if a wanted column is not present, or is wanted twice; `listed` says if names may be repeated."""
    there = set(present)
    for name in wanted:
        if name not in there:
            raise InputError(_missing(name, present, listed=listed()), code="column-missing")
    if len(set(wanted)) < len(wanted):
        raise InputError("One column was given two roles; each role needs a column of its own.", code="roles")


def _missing(name: str, present: Sequence[str], *, listed: bool) -> str:
    twins = [other for other in present if re.fullmatch(re.escape(name) + r" \(\d+\)", other)]
    if len(twins) > 1:
        shown = ", ".join(map(repr, twins[:_MOST_SHOWN])) + (" ..." if len(twins) > _MOST_SHOWN else "")
        return f"More than one column is called {name!r}; say which: {shown}."
    comparable = [other for other in present if len(other) <= _MOST_LETTERS][:_MOST_COMPARED]
    close = get_close_matches(name[:_MOST_LETTERS], comparable, n=1, cutoff=0.75)
    hint = f"did you mean {close[0]!r}?" if close else f"the table has {len(present)} others."
    if not listed:
        return f"There is no column {name!r}; {hint}"
    more = f" and {len(present) - _MOST_LISTED} more" if len(present) > _MOST_LISTED else ""
    there = f"{', '.join(map(repr, present[:_MOST_LISTED]))}{more}"
    return f"There is no column {name!r}{f'; {hint}' if close else '.'} The columns are {there}."


def refuse_rows(
    faulty: pl.Series, message: str, *, code: str, column: str, parameter: str | None = None
) -> None:
    """Raise if any row is marked as faulty, naming the first of them and the column."""
    rows = faulty.arg_true()
    if len(rows):
        raise InputError(message, code=code, row=int(rows[0]) + 1, column=column, parameter=parameter)


def chosen(names: Sequence[str], there: Sequence[str]) -> list[str]:
    """Return the columns named, or all there are; a name that is not there is refused."""
    require(names, there)
    return list(names) or list(there)
