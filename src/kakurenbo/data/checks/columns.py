"""Named columns must be there, and a message about them names row and column, but quotes no data.

The first line of a headerless file looks like a header to a reader, so a list of "the columns there are"
could be a list of somebody's values. Only a name close to the one the user typed is ever repeated.
"""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

from kakurenbo.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl


def require(wanted: Sequence[str], present: Sequence[str]) -> None:
    """Raise if a wanted column is not present, or is wanted twice."""
    for name in wanted:
        if name not in present:
            close = get_close_matches(name, present, n=1, cutoff=0.75)
            hint = f"did you mean {close[0]!r}?" if close else f"the table has {len(present)} others."
            raise InputError(f"There is no column {name!r}; {hint}", code="column-missing")
    if len(set(wanted)) < len(wanted):
        raise InputError("One column was given two roles; each role needs a column of its own.", code="roles")


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
