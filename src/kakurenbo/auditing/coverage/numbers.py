"""Whether prices or quantities lie where none of the original's do."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kakurenbo.data.layout import Role
    from kakurenbo.data.purchases import Purchases

_MANY = 20  # records, of which it can be told where they lie
_ALL = 0.95  # of them


def beyond(original: Purchases, released: Purchases, role: Role) -> str:
    """Return on which side of all the original's numbers nearly all of many released ones lie, if any."""
    mine, theirs = original.records[role].to_numpy(), released.records[role].to_numpy()
    if len(theirs) < _MANY:
        return ""
    if (theirs > mine.max()).mean() >= _ALL:
        return "above"
    return "below" if (theirs < mine.min()).mean() >= _ALL else ""
