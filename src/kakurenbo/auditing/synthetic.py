"""Rows that are nobody's: a release without a pairing, as of synthetic data, asked what it gives away.

A generator hands out rows that pair with no person, and as many as it likes. Nobody can be found among them,
but they may copy people, single them out, tell their attributes or that they were used (Giomi et al. 2023).
Much of that is true of anybody of the same population, and only people who were **not** used can tell how
much: a part of the original cannot serve, since the generator saw it. With such people every rate stands
beside theirs and the limit is for the difference. Without them the rates stand beside what is known without
a release, whether somebody was used is not told, and only what is learnt decides, as ever.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from kakurenbo.auditing.learning.membership import told_apart
from kakurenbo.auditing.learning.records import difference
from kakurenbo.auditing.results.synthetic import Copies, Synthetic, Told, Tried
from kakurenbo.data.generalised.cells import Cells, spread
from kakurenbo.data.hierarchy import known_trees
from kakurenbo.risk.learnt.attributes import constant, tolerated
from kakurenbo.risk.synthetic.points import Points, density, nearest
from kakurenbo.risk.synthetic.singling import Statements, about_one, about_several, at_random
from kakurenbo.theory.rate import Rate

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kakurenbo.chance import Chance
    from kakurenbo.data.microdata import Microdata

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

_MOST = 1000  # people, rows and statements tried
_FEWEST = 100
_WORK = 2**27  # values compared for each question, about
_EQUAL = 1e-12
_QUANTILES = (0.05, 0.5, 0.95)
_SEVERAL = 4
_HALVES = 40  # people outside from whom on half of them may serve to know what is usual
_NARROW = 0.1  # of the distance to the nearest of the population: how far a row speaks of its surroundings
_NARROWEST = 1e-3
_TENTH = 0.1
_NEAR = "Says of who has a released row near him that he was used."
_DENSE = "Says so of who stands where released rows are denser than other people of the population."


def synthetic(
    original: Microdata, released: Microdata, control: Microdata | None, chance: Chance
) -> Synthetic:
    """Ask what rows give away that are nobody's.

    Args:
        original: the people they were made of, in the words of the release.
        released: the rows.
        control: people of the same population who were not used, in the same words.
        chance: draws who is asked about, and statements.
    """
    space = _Space.of(original, released, control, chance)
    return Synthetic(
        outsiders=len(space.outside), attributes=len(space.units),
        inferred=tuple(sorted(space.inferred(), key=_ease)),
        singled_out=tuple(space.singled_out()), membership=tuple(space.membership()), copies=space.copies(),
    )  # fmt: skip


def _ease(tried: Tried) -> tuple[float, str]:
    return -(tried.rate.value if tried.advantage is None else tried.advantage.value), tried.what


@dataclass(frozen=True, eq=False)
class _Space:
    """People inside, people outside and released rows over the attributes that all of them have.

    Attributes:
        names: of the attributes.
        sensitive: places of the attributes to be inferred.
        ordered: which are numbers.
        units: the spread of each, 0 for categories.
        inside: everybody of the original.
        outside: who was not used.
        rows: the released rows.
        asked: who of the original is asked about.
        others: who outside.
        drawn: which released rows.
        chance: of all of it.
    """

    names: tuple[str, ...]
    sensitive: tuple[int, ...]
    ordered: NDArray[np.bool_]
    units: Floats
    inside: Points
    outside: Points
    rows: Points
    asked: Ints
    others: Ints
    drawn: Ints
    chance: Chance

    @classmethod
    def of(
        cls, original: Microdata, released: Microdata, control: Microdata | None, chance: Chance
    ) -> _Space:
        """Set all of them into one space."""
        tables = [original, *([] if control is None else [control])]
        everywhere = [set(data.records.columns) for data in (*tables, released)]
        names = [name for name in (*original.qi, *original.sa) if all(name in held for held in everywhere)]
        people = pl.concat([data.records.select(names) for data in tables], how="vertical_relaxed")
        cells = Cells.of(people, released.records, names, known_trees(original, released))
        known, n = Points(cells.known, cells.known), len(original)
        few = _few(max(len(original), len(released)) * max(len(names), 1))
        some = chance.order("asked", original.ids)[:few]
        rows = chance.stream("rows").permutation(len(released))[:few]
        others = () if control is None else chance.order("outside", control.ids)[:few]
        return cls(
            tuple(names),
            tuple(place for place, name in enumerate(names) if name in original.sa),
            np.array([people[name].dtype.is_numeric() for name in names]),
            spread(original.records, names),
            known.at(np.arange(n)),
            known.at(np.arange(n, len(known))),
            Points(cells.low, cells.high),
            np.sort(some),
            np.sort(np.asarray(others, dtype=np.int64)),
            np.sort(rows),
            chance,
        )

    def copies(self) -> Copies:
        """Return how near released rows are to people, to others, and people to one another."""
        rows = self.rows.at(self.drawn)
        near = nearest(rows, self.inside, self.units)
        ratio = _ratio(near.first, near.second)
        if not len(self.outside):
            usual = nearest(self.inside.at(self.asked), self.inside, self.units, own=self.asked).first
            return Copies(
                _share(near.first <= _EQUAL), _share(usual <= _EQUAL), _quantiles(near.first),
                _quantiles(usual), ratio, None, None,
            )  # fmt: skip
        alike = self._as_many()
        inside = nearest(rows, self.inside.at(alike[0]), self.units)
        apart = nearest(rows, self.outside.at(alike[1]), self.units)
        twins = nearest(self.outside.at(self.others), self.inside, self.units).first
        nearer = (inside.first < apart.first) + 0.5 * (inside.first == apart.first)
        return Copies(
            _share(near.first <= _EQUAL), _share(twins <= _EQUAL), _quantiles(inside.first),
            _quantiles(apart.first), _ratio(inside.first, inside.second),
            _ratio(apart.first, apart.second), float(nearer.mean()),
        )  # fmt: skip

    def _as_many(self) -> tuple[Ints, Ints]:
        """Return as many people inside as outside, at random."""
        size = min(len(self.inside), len(self.outside))
        draw = self.chance.stream("as many")
        return draw.permutation(len(self.inside))[:size], draw.permutation(len(self.outside))[:size]

    def membership(self) -> list[Told]:
        """Return how well two seekers tell who was used, the better first."""
        if len(self.outside) == 0:
            return []
        used, others = self.inside.at(self.asked), self.outside.at(self.others)
        near, far = (nearest(side, self.rows, self.units).first for side in (used, others))
        told = [Told("nearest", _NEAR, *_told(-near, -far))]
        if len(self.others) >= _HALVES:
            half = self.chance.stream("halves").permutation(len(self.outside))
            reference = self.outside.at(np.sort(half[: len(half) // 2]))
            rest = self.outside.at(np.sort(half[len(half) // 2 :][: len(self.others)]))
            scores = [self._denser(side, reference) for side in (used, rest)]
            told.append(Told("density", _DENSE, *_told(*scores)))
        return sorted(told, key=lambda one: -one.auc)

    def _denser(self, people: Points, reference: Points) -> Floats:
        """Return how much denser released rows stand around people than people of the population do."""
        usual = nearest(people, reference, self.units).first
        widths = np.maximum(_NARROW * usual, _NARROWEST)
        here, there = (density(people, side, self.units, widths) for side in (self.rows, reference))
        return here - there

    def singled_out(self) -> list[Tried]:
        """Return how many statements are true of exactly one person, inside and outside."""
        draw = self.chance.stream("statements")
        one = about_one(self.rows, self.ordered, _MOST, draw)
        several = about_several(self.rows, self.ordered, _MOST, draw)
        naive = [at_random(self.rows, self.ordered, k, _MOST, draw) for k in (1, _SEVERAL)]
        inside, outside = self.inside, None
        if len(self.outside):
            alike = self._as_many()
            inside, outside = self.inside.at(alike[0]), self.outside.at(alike[1])
        return [
            _tried(
                what, len(made), _alone(made, inside), None if outside is None else _alone(made, outside),
                naive=_alone(blind, inside) / len(blind),
            )
            for what, made, blind in (
                ("statements about one attribute", one, naive[0]),
                ("statements about several attributes", several, naive[1]),
            )
            if len(made)
        ]  # fmt: skip

    def inferred(self) -> list[Tried]:
        """Return how often each sensitive attribute is told by the row nearest in everything else."""
        allowed = tolerated(self.units)
        made = []
        for place in self.sensitive:
            rest = np.array([column for column in range(len(self.units)) if column != place])
            if not len(rest):
                continue
            claims = constant(self.rows.low[:, [place]], allowed[[place]])[0]
            truth = self.inside.low[self.asked, place]
            right = [self._right(side, place, rest, allowed[place]) for side in self._sides()]
            made.append(
                _tried(
                    self.names[place], len(self.asked), right[0], right[1] if len(self.outside) else None,
                    naive=_share(np.abs(truth - claims) <= allowed[place] + _EQUAL), among=len(self.others),
                )
            )  # fmt: skip
        return made

    def _sides(self) -> list[Points]:
        return [self.inside.at(self.asked), self.outside.at(self.others)]

    def _right(self, people: Points, place: int, rest: Ints, allowed: float) -> int:
        """Return of how many people the nearest row by the rest tells the attribute."""
        if not len(people):
            return 0
        which = nearest(people.of(rest), self.rows.of(rest), self.units[rest]).which
        low, high, truth = self.rows.low[which, place], self.rows.high[which, place], people.low[:, place]
        near = np.maximum(np.abs(low - truth), np.abs(high - truth)) <= allowed + _EQUAL
        return int(near.sum())


def _few(work: int) -> int:
    """Return how many are asked about: fewer where it would take long."""
    return min(_MOST, max(_FEWEST, _WORK // max(work, 1)))


def _alone(statements: Statements, people: Points) -> int:
    return int((statements.holds_for(people) == 1).sum())


def _tried(
    what: str, attempts: int, hits: int, others: int | None, *, naive: float, among: int | None = None
) -> Tried:
    rate = Rate.estimated(hits, attempts)
    if others is None:
        return Tried(what, attempts, rate, None, naive, None, None)
    control = Rate.estimated(others, attempts if among is None else among)
    risk = max((rate.value - control.value) / (1 - control.value), 0.0) if control.value < 1 else 0.0
    return Tried(what, attempts, rate, control, naive, difference(rate, control), risk)


def _told(inside: Floats, outside: Floats) -> tuple[float, float, float]:
    auc, caught = told_apart(inside, outside)
    limit = np.quantile(outside, 1 - _TENTH, method="higher")
    return auc, caught, _share(inside > limit)


def _share(true: NDArray[np.bool_]) -> float:
    return float(true.mean())


def _quantiles(values: Floats) -> tuple[float, ...]:
    return tuple(np.quantile(values, _QUANTILES).tolist())


def _ratio(first: Floats, second: Floats) -> float:
    """Return the median of first / second; equal distances, also both 0, have ratio 1."""
    some = np.isfinite(second)
    if not some.any():
        return 1.0
    first, second = first[some], second[some]
    return float(np.median(np.where(second > 0, first / np.where(second > 0, second, 1.0), 1.0)))
