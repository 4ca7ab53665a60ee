"""Lessons of microdata: what attackers learn of people's attributes, beside what they learn of others.

Who knows the quasi-identifiers of a person, and perhaps one or two sensitive attributes drawn at random for
everybody, looks the person up and claims the other attributes. Every way to look, careful or not, is a lesson
of its own, and the control is taken in the very same way. Worst first, by the advantage.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from kakurenbo.attacks.base import Tables
from kakurenbo.attacks.microdata.lookup import LOOKUPS, Sought
from kakurenbo.auditing.learning.records import BESIDE, Learning, Way, alone, easiest, worst_first
from kakurenbo.auditing.results import Control
from kakurenbo.data.hierarchy import known_trees
from kakurenbo.progress import Progress
from kakurenbo.risk.learnt.attributes import Rows, constant, learnt, tolerated
from kakurenbo.risk.learnt.claims import Learnt
from kakurenbo.theory.rate import Rate

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import polars as pl
    from numpy.typing import NDArray

    from kakurenbo.attacks.microdata.lookup import Lookup
    from kakurenbo.auditing.learning.outsiders import Outsiders
    from kakurenbo.auditing.results import Lesson, Membership
    from kakurenbo.chance import Chance
    from kakurenbo.data.hierarchy import Hierarchy
    from kakurenbo.data.microdata import Microdata

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]
    Mask = NDArray[np.bool_]

RUNGS = ("quasi-identifiers", "quasi-identifiers+one attribute", "quasi-identifiers+two attributes")
GRAIN = "attributes"
_FEWEST = 200
_WORK = 2**30  # values compared in all, about


@dataclass(frozen=True)
class Claim:
    """One way to learn: how many attributes are known, how people are looked up, and how carefully."""

    known: int
    lookup: Lookup
    cautious: bool


@dataclass(frozen=True, eq=False)
class Claimed:
    """What came of it: what is learnt of every target, and how well each is matched."""

    learnt: Learnt
    strength: Floats


def learning_attributes(
    tables: Tables[Microdata],
    outside: Outsiders[Microdata] | str,
    rungs: Sequence[str] = RUNGS,
    most: int = 2000,
    progress: Progress | None = None,
) -> Learning:
    """Return what is learnt from a release of microdata: of the sensitive attributes that both tables have.

    Args:
        tables: the data before and the release.
        outside: people who are not in it, or why there are none.
        rungs: what attackers may know.
        most: of how many people, drawn at random, it is asked; of fewer where there are very many rows.
        progress: told about each step.
    """
    steps, original = progress or Progress(), tables.original
    steps.step("asking what is learnt of people", 0.0)
    trees = known_trees(tables.plain, tables.released)
    inside = _Asked.of(original, tables, _targets(tables, most), trees)
    made = {claim: claimed for claim, claimed in inside.claims().items() if RUNGS[claim.known] in rungs}
    steps.step("asking what is learnt of people who are not in it", 0.5)
    if isinstance(outside, str):
        made_alone = [
            _way(claim).lesson(claimed.learnt, inside.unaided(claim.known)) for claim, claimed in made.items()
        ]
        return Learning(worst_first(made_alone, RUNGS), Control("no release", 0, outside))
    apart = Tables(outside.known, outside.released, tables.chance)
    control = _Asked.of(original, apart, outside.targets, trees).claims()
    compared: list[Lesson] = []
    told: list[Membership] = []
    for claim, claimed in made.items():
        other = control.get(claim) or control[replace(claim, cautious=False)]  # the same, where none are tied
        compared.append(_way(claim).lesson(claimed.learnt, alone(other.learnt)))
        told += _way(claim).membership(claimed.strength, other.strength)
    stand = Control(outside.kind, len(outside.targets), BESIDE)
    return Learning(worst_first(compared, RUNGS), stand, easiest(told))


def _way(claim: Claim) -> Way:
    way = "cautious" * claim.cautious
    return Way(RUNGS[claim.known], claim.lookup.name, way, GRAIN, f"{claim.lookup.story}.")


def _targets(tables: Tables[Microdata], most: int) -> Ints:
    """Return who is looked up, at random; fewer where the work would take long."""
    original, released = tables.original, tables.released
    work = len(released) * max(len(original.qi) + len(original.sa), 1)
    few = min(most, max(_FEWEST, _WORK // work))
    return np.sort(tables.chance.order("targets", original.ids)[:few])


@dataclass(frozen=True, eq=False)
class _Asked:
    """Targets and a release: everything that is asked of them.

    Attributes:
        sought: both, ready to be compared.
        ids: of the targets.
        tolerance: how far a claim of each attribute may be off.
        chance: draws what is known of everybody.
    """

    sought: Sought
    ids: pl.Series
    tolerance: Floats
    chance: Chance

    @classmethod
    def of(
        cls,
        original: Microdata,
        tables: Tables[Microdata],
        targets: Ints,
        trees: Mapping[str, Hierarchy],
    ) -> _Asked:
        """Set the targets beside the release; what is near is judged by the spread of the original."""
        known, released = tables.original, tables.released
        qi = [name for name in original.qi if name in released.qi]
        sa = [name for name in original.sa if name in released.sa]
        sought = Sought.of(
            known.records, targets, released.records, original.records, qi=qi, sa=sa, trees=trees
        )
        return cls(sought, known.ids.gather(targets), tolerated(sought.unit), tables.chance)

    def claims(self) -> dict[Claim, Claimed]:
        """Return what is learnt of the targets in every way, as far as anything is unknown.

        Careful is a way of its own only where several rows fit somebody equally well.
        """
        rungs = range(min(len(RUNGS), self.sought.truth.shape[1]))
        known = [self._known(count) for count in rungs]
        parts: dict[Claim, list[Claimed]] = {}
        luck = self.chance.uniform("equally good", self.ids)
        ties: set[tuple[int, Lookup]] = set()
        for here, seen in self.sought.blocks(known):
            for count in rungs:
                for lookup in LOOKUPS:
                    tied, strength = lookup.rows(seen[count])
                    ties |= {(count, lookup)} if (tied.sum(axis=1) > 1).any() else set()
                    for cautious, one in self._learnt(here, ~known[count][here], tied, luck):
                        parts.setdefault(Claim(count, lookup, cautious), []).append(Claimed(one, strength))
        return {
            claim: _together(made)
            for claim, made in parts.items()
            if not claim.cautious or (claim.known, claim.lookup) in ties
        }

    def _learnt(self, here: slice, unknown: Mask, tied: Mask, luck: Floats) -> Iterable[tuple[bool, Learnt]]:
        """Yield what is learnt of some targets from any of the rows that fit, and from what all agree on."""
        cells = self.sought.attributes
        indptr = np.concatenate([[0], np.cumsum(tied.sum(axis=1))])
        rows = Rows(cells.low, cells.high, indptr, np.nonzero(tied)[1])
        for cautious, taken in ((False, rows.some(luck[here])), (True, rows.spanned())):
            yield cautious, learnt(self.sought.truth[here], unknown, taken, self.tolerance)

    def _known(self, count: int) -> Mask:
        """Draw so many attributes of everybody, by id."""
        people, columns = self.sought.truth.shape
        turns = np.repeat(np.arange(columns)[:, None], people, axis=1)
        drawn = np.array([self.chance.uniform("known attributes", self.ids, turn) for turn in turns])
        place = np.argsort(np.argsort(drawn, axis=0), axis=0).T
        known: Mask = place < count
        return known

    def unaided(self, count: int) -> tuple[float, Rate]:
        """Return (mean learnt, laid open) of the best claim made of everybody alike."""
        truth = self.sought.truth
        claim = np.broadcast_to(constant(self.sought.attributes.known, self.tolerance), truth.shape)
        made = learnt(truth, ~self._known(count), Rows.each(claim, claim), self.tolerance)
        return float(made.share.mean()), Rate.known(float(made.laid_open.mean()))


def _together(parts: Sequence[Claimed]) -> Claimed:
    """Return what came of all blocks."""
    made = [part.learnt for part in parts]
    fields = ("share", "laid_open", "precision", "recall")
    joined = [np.concatenate([getattr(one, field) for one in made]) for field in fields]
    return Claimed(
        Learnt(np.arange(len(joined[0])), *joined), np.concatenate([part.strength for part in parts])
    )
