"""Nearest among equals: the attacks of 001 that compare sensitive attributes, EUC1 and EUC2 first.

E1, E2, E4, EUC1 and EUC2 are one idea: candidates by equal quasi-identifiers (or everybody), then the
nearest by Euclid in the chosen sensitive attributes (or in none). Quasi-identifiers are compared by exact
equality, as in the paper: a generalised value equals only itself.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import polars as pl

from kakurenbo.attacks.microdata.base import (
    GiveUp,
    MicrodataAttack,
    OneSa,
    Scaling,
    Side,
    SomeQi,
    SomeSa,
    chosen,
    first_sa,
    numbers,
)
from kakurenbo.data.crowds import CrowdGuess, Links
from kakurenbo.data.groups import group_codes, members
from kakurenbo.kernels.euclid import assign_in_groups, nearest_in_groups

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kakurenbo.data.microdata import Microdata

    Ints = NDArray[np.int64]


class CandidateAttack(MicrodataAttack):
    """Shared by the attacks of this file: candidates, the nearest among them, what if there are none."""

    everywhere: ClassVar[bool] = False

    @abstractmethod
    def columns(self, original: Microdata, released: Microdata) -> tuple[list[str], list[str]]:
        """Return the quasi-identifiers and the sensitive attributes that are compared."""

    def link(self, original: Microdata, released: Microdata, rng: np.random.Generator) -> CrowdGuess:
        """Name the nearest candidate for every released row."""
        qi, sa = self.columns(original, released)
        a, b = numbers(original, released, sa, self.parameter("scaling", "none"))
        my_combination, their_combination = group_codes([original.records, released.records], qi)
        mine, theirs = Side(original.ids, my_combination, a), Side(released.ids, their_combination, b)
        if self.reading == "assignment":
            groups, paired = (theirs.groups[0], mine.groups[0]), self._assigned(theirs, mine, rng)
            guess = CrowdGuess.paired(theirs.ids, mine.ids, groups, paired)
        else:
            guess = self._nearest(theirs, mine, rng)
        same_row = self.parameter("give_up", "abstain") == "same-row"
        return _same_row(guess, original, released) if same_row else guess

    def parameter(self, name: str, default: str) -> Any:  # noqa: ANN401 - whatever the field holds
        """Return a parameter that only some of these attacks have."""
        return getattr(self, name, default)

    def _nearest(self, theirs: Side, mine: Side, rng: np.random.Generator) -> CrowdGuess:
        (group, first), (my_group, my_first) = theirs.groups, mine.groups
        a, b = theirs.values[first], mine.values[my_first]
        indptr, indices = nearest_groups(a, theirs.combination[first], b, mine.combination[my_first])
        lost = np.flatnonzero(np.diff(indptr) == 0)
        if self.everywhere and len(lost):
            more = nearest_groups(a[lost], np.zeros_like(lost), b, np.zeros_like(my_first))
            indptr, indices = _filled(indptr, indices, lost, *more)
        links = Links.evenly(indptr, indices, np.bincount(my_group))
        return CrowdGuess.among(theirs.ids, mine.ids, (group, my_group), links, rng)

    def _assigned(self, theirs: Side, mine: Side, rng: np.random.Generator) -> Ints:
        """Pair equal combinations; who has none among the originals, where allowed, with those left over."""
        paired = assign_in_groups(theirs.values, theirs.combination, mine.values, mine.combination, rng)
        lost = np.flatnonzero(~np.isin(theirs.combination, mine.combination))
        if self.everywhere and len(lost):
            left = np.setdiff1d(np.arange(len(mine.ids)), paired)
            one, other = np.zeros(len(lost), dtype=np.int64), np.zeros(len(left), dtype=np.int64)
            found = assign_in_groups(theirs.values[lost], one, mine.values[left], other, rng)
            paired[lost[found >= 0]] = left[found[found >= 0]]
        return paired


def nearest_groups(
    a: NDArray[np.float64], a_label: Ints, b: NDArray[np.float64], b_label: Ints
) -> tuple[Ints, Ints]:
    """Return the nearest of those with the same label; without numbers to compare, all of them."""
    if a.shape[1]:
        return nearest_in_groups(a, a_label, b, b_label)
    order = np.argsort(b_label, kind="stable")
    places, count = members(b_label[order], a_label)
    return np.concatenate([[0], np.cumsum(count)]), order[places]


def _filled(indptr: Ints, indices: Ints, lost: Ints, more_indptr: Ints, more: Ints) -> tuple[Ints, Ints]:
    """Put the rows of a second search where the first had none."""
    counts = np.diff(indptr)
    owner = np.repeat(np.arange(len(counts)), counts)
    owner = np.concatenate([owner, np.repeat(lost, np.diff(more_indptr))])
    order = np.argsort(owner, kind="stable")
    filled = np.bincount(owner, minlength=len(counts))
    return np.concatenate([[0], np.cumsum(filled)]), np.concatenate([indices, more])[order]


def _same_row(guess: CrowdGuess, original: Microdata, released: Microdata) -> CrowdGuess:
    """Answer row i for the released row i that had no candidate, as 001 does, where there is a row i."""
    rows = min(len(original), len(released))
    same = pl.DataFrame({"released": released.ids.head(rows), "answer": original.ids.head(rows)})
    silent = guess.frame.filter(pl.col("original").is_null()).select("released")
    return guess.answering(silent.join(same, on="released"))


class IdentifyRand(CandidateAttack):
    """E1 identify-rand: knows the quasi-identifiers, and names anybody who has the same ones.

    He finds exactly those whose quasi-identifiers nobody shares, and one in s of a group of s.
    """

    q: SomeQi = ()
    give_up: GiveUp = "abstain"

    def columns(self, original: Microdata, released: Microdata) -> tuple[list[str], list[str]]:
        """Compare the quasi-identifiers alone."""
        return chosen(self.q, original, released, "qi"), []


class IdentifySa(CandidateAttack):
    """E2 identify-sa: knows the quasi-identifiers and one sensitive attribute, and names the nearest in it.

    For every released row, among the originals with equal quasi-identifiers the one with the closest value.
    """

    q: SomeQi = ()
    s: OneSa = ()
    give_up: GiveUp = "abstain"

    def columns(self, original: Microdata, released: Microdata) -> tuple[list[str], list[str]]:
        """Compare the quasi-identifiers and one attribute."""
        return chosen(self.q, original, released, "qi"), first_sa(self.s, original, released)


class IdentifySa21(CandidateAttack):
    """E4 identify-sa21: knows one sensitive attribute of everybody, and names the nearest in it.

    Quasi-identifiers are ignored, so generalising or unifying them does not help. Weak where many share a
    value: of people who all spend nothing it names one at random.
    """

    s: OneSa = ()

    def columns(self, original: Microdata, released: Microdata) -> tuple[list[str], list[str]]:
        """Compare one attribute alone."""
        return [], first_sa(self.s, original, released)


class EuclidAttack(CandidateAttack):
    """Shared by EUC1 and EUC2: equal quasi-identifiers, then Euclid over sensitive attributes."""

    q: SomeQi = ()
    s: SomeSa = ()
    scaling: Scaling = "none"

    def columns(self, original: Microdata, released: Microdata) -> tuple[list[str], list[str]]:
        """Compare quasi-identifiers and attributes."""
        return chosen(self.q, original, released, "qi"), chosen(self.s, original, released, "sa")


class Euc1(EuclidAttack):
    """EUC1: knows everything of everybody, and names the nearest by Euclid among equal quasi-identifiers.

    D(a, b) = sqrt(sum over the attributes s of (b - a)²). Where no original has the same quasi-identifiers he
    gives up: one altered quasi-identifier hides a row from him. The paper then answers row i for row i.
    """

    give_up: GiveUp = "abstain"


class Euc2(EuclidAttack):
    """EUC2: as EUC1, but where no original has the same quasi-identifiers he searches all of them.

    The stronger of the two: only a change of the numbers themselves hides a row from him.
    """

    everywhere: ClassVar[bool] = True
