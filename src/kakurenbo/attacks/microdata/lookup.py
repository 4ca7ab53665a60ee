"""Looking people up: which released rows may be those of somebody I know?

The attacks of 001 go through the release and name an original for every row. Who wants to learn something of
a person goes the other way: he knows the quasi-identifiers, perhaps a sensitive attribute or two, and looks
for the rows that fit best. Three ways are tried, since a release may be exact, coarse or wrong:

| way | takes the rows | is held up by |
|---|---|---|
| `identify-rand` | with equal quasi-identifiers | any change of them |
| `within` | that hold the most of the quasi-identifiers, reading ranges, sets and stars | changed values |
| `nearest` | at the least distance over everything known | nothing but large changes |

What else is known of sensitive attributes decides among the rows of the first two, and counts like a
quasi-identifier in the third. Targets go through in blocks, so that memory does not grow with targets x rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from scipy import sparse

from kakurenbo.data.generalised.cells import Cells, coded, spread
from kakurenbo.data.generalised.forms import Known, read
from kakurenbo.data.groups import group_codes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    import polars as pl
    from numpy.typing import NDArray

    from kakurenbo.data.hierarchy import Hierarchy

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]
    Mask = NDArray[np.bool_]

_ROOM = 2**21  # pairs of targets and rows looked at together
_EQUAL = 1e-9  # scores that differ by less are equal


@dataclass(frozen=True, eq=False)
class Seen:
    """Some targets beside all released rows; every array but the last is targets x rows.

    Attributes:
        equal: whether all quasi-identifiers are equal.
        fits: how many quasi-identifiers lie inside the released ones.
        far: the sum of how far each quasi-identifier lies outside, from 0 to 1.
        apart: the same of the sensitive attributes that are known.
        known: how many of these there are, at most.
    """

    equal: Mask
    fits: Floats
    far: Floats
    apart: Floats
    known: int


@dataclass(frozen=True)
class Lookup:
    """A way to look people up: its name, what it does, and how well each row fits (minus infinity: not)."""

    name: str
    story: str
    score: Callable[[Seen], Floats]

    def rows(self, seen: Seen) -> tuple[Mask, Floats]:
        """Return which rows fit each target best, and how well; who has no row at all fits worst."""
        score = self.score(seen)
        best = score.max(axis=1)
        tied: Mask = (score >= best[:, None] - _EQUAL) & np.isfinite(best)[:, None]
        return tied, best


def _among_equals(seen: Seen) -> Floats:
    return np.where(seen.equal, -seen.apart, -np.inf)


def _inside(seen: Seen) -> Floats:
    return seen.fits - seen.apart / (seen.known + 1)  # one more that fits is worth all that lies apart


def _near(seen: Seen) -> Floats:
    return -(seen.far + seen.apart)


LOOKUPS = (
    Lookup("identify-rand", "Takes the rows with equal quasi-identifiers", _among_equals),
    Lookup("within", "Takes the rows that hold the most of the quasi-identifiers", _inside),
    Lookup("nearest", "Takes the rows nearest in everything known", _near),
)


@dataclass(frozen=True, eq=False)
class Sought:
    """Targets and released rows, ready to be compared.

    Attributes:
        columns: the quasi-identifiers.
        mine: the combination of quasi-identifiers of each target.
        theirs: of each released row; equal ones have one number.
        targets: the number of each target among the known people.
        attributes: the sensitive attributes of all known people, and of the released rows.
        unit: the spread of each of them.
    """

    columns: tuple[_Column, ...]
    mine: Ints
    theirs: Ints
    targets: Ints
    attributes: Cells
    unit: Floats

    room: ClassVar[int] = _ROOM

    @classmethod
    def of(
        cls,
        known: pl.DataFrame,
        targets: Ints,
        released: pl.DataFrame,
        scale: pl.DataFrame,
        *,
        qi: Sequence[str],
        sa: Sequence[str],
        trees: Mapping[str, Hierarchy] | None = None,
    ) -> Sought:
        """Return targets beside released rows, over these columns.

        Args:
            known: one row for everybody who is known.
            targets: the numbers of those who are looked up.
            released: the release.
            scale: the table whose spread is the unit of every distance.
            qi: the quasi-identifiers that both have.
            sa: the sensitive attributes that both have.
            trees: what the words of columns stand for.
        """
        words = trees or {}
        mine, theirs = group_codes([known[targets], released], list(qi))
        columns = tuple(
            _Column.of(known[targets], released, name, float(unit), words)
            for name, unit in zip(qi, spread(scale, qi), strict=True)
        )
        return cls(columns, mine, theirs, targets, Cells.of(known, released, sa, words), spread(scale, sa))

    @property
    def truth(self) -> Floats:
        """The sensitive attributes of the targets."""
        return self.attributes.known[self.targets]

    def blocks(self, known: Sequence[Mask]) -> Iterator[tuple[slice, list[Seen]]]:
        """Yield some targets at a time, once for everything that may be known.

        Args:
            known: targets x attributes, which sensitive attributes are known; several times.
        """
        distinct, place = np.unique(self.theirs, return_index=True)
        whose = np.searchsorted(distinct, self.theirs)
        step = max(1, self.room // max(len(self.theirs), 1))
        for start in range(0, len(self.mine), step):
            here = slice(start, min(start + step, len(self.mine)))
            fits, far = self._compared(here, place)
            equal = self.mine[here, None] == self.theirs
            yield (
                here,
                [
                    Seen(equal, fits[:, whose], far[:, whose], self._apart(here, of), int(of.sum(1).max()))
                    for of in known
                ],
            )

    def _compared(self, here: slice, place: Ints) -> tuple[Floats, Floats]:
        fits, far = (np.zeros((here.stop - here.start, len(place))) for _ in range(2))
        for column in self.columns:
            inside, outside = column.compared(here, place)
            fits += inside
            far += outside
        return fits, far

    def _apart(self, here: slice, known: Mask) -> Floats:
        apart = np.zeros((here.stop - here.start, len(self.theirs)))
        for column in np.flatnonzero(known[here].any(axis=0)):
            rows = np.flatnonzero(known[here, column])
            apart[rows] += self.attributes.gap(
                self.targets[here][rows], int(column), float(self.unit[column])
            )
        return apart


@dataclass(frozen=True, eq=False)
class _Column:
    """One quasi-identifier: which known value lies in which released one, by code, and numbers as numbers."""

    inside: sparse.csr_array[np.bool_]
    mine: Ints
    theirs: Ints
    cells: Cells | None
    unit: float

    @classmethod
    def of(
        cls,
        targets: pl.DataFrame,
        released: pl.DataFrame,
        name: str,
        unit: float,
        trees: Mapping[str, Hierarchy],
    ) -> _Column:
        (values, mine), (texts, theirs) = coded(targets[name]), coded(released[name])
        known = Known(values, trees.get(name))
        held = [np.flatnonzero(read(text).holds(known)) for text in texts]
        indptr = np.concatenate([[0], np.cumsum([len(places) for places in held])])
        indices = np.concatenate(held)
        shape = len(texts), len(values)
        inside = sparse.csr_array((np.ones(len(indices), np.bool_), indices, indptr), shape=shape)
        number = targets[name].dtype.is_numeric()
        cells = Cells.of(targets, released, [name], trees) if number else None
        return cls(sparse.csr_array(inside.T), mine, theirs, cells, unit)

    def compared(self, here: slice, place: Ints) -> tuple[Floats, Floats]:
        """Return targets x released combinations: whether it lies inside, and how far outside."""
        codes, back = np.unique(self.mine[here], return_inverse=True)
        fits: Floats = self.inside[codes].toarray().astype(np.float64)[:, self.theirs[place]][back]
        if self.cells is None:
            return fits, 1 - fits
        few = Cells(self.cells.known, self.cells.low[place], self.cells.high[place])
        said = np.isfinite(few.low[:, 0]) | np.isfinite(few.high[:, 0])
        return fits, np.where(said, few.gap(here, 0, self.unit), 1 - fits)
