"""What the methods on microdata share: columns chosen by name, groups of equals, a k that can be kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kakurenbo.data.checks import columns
from kakurenbo.data.groups import groups
from kakurenbo.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from kakurenbo.data.microdata import Microdata


def chosen(names: Sequence[str], there: Sequence[str]) -> list[str]:
    """Return the columns named, or all there are; a name that is not there is refused."""
    columns.require(names, there)
    return list(names) or list(there)


def groups_of(microdata: Microdata, q: Sequence[str]) -> NDArray[np.int64]:
    """Return the number of each row's group of equal quasi-identifiers, all of them where none are named."""
    return groups(microdata, chosen(q, microdata.qi))


def enough_rows(microdata: Microdata, k: int, name: str) -> None:
    """Refuse a k that no table of this size can keep."""
    if k > len(microdata):
        raise ParameterError(
            f"{name}: k is {k}, but the table has only {len(microdata)} rows.", code="parameter"
        )
