"""Nearest among equals: the attacks of 001 that compare sensitive attributes, EUC1 and EUC2 first.

E1, E2, E4, EUC1 and EUC2 are one idea: candidates by equal quasi-identifiers (or everybody), then the
nearest by Euclid in the chosen sensitive attributes (or in none). Quasi-identifiers are compared by exact
equality, as in the paper: a generalised value equals only itself.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import polars as pl

from kakurenbo.about import AttackAbout, Stand
from kakurenbo.attacks.base import Values
from kakurenbo.attacks.microdata.base import (
    ATTRIBUTES,
    BOTH,
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
from kakurenbo.data.groups import group_codes, members
from kakurenbo.data.guess import Guess, Links
from kakurenbo.kernels.euclid import assign_in_groups, nearest_in_groups

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from kakurenbo.attacks.base import Tables
    from kakurenbo.chance import Chance
    from kakurenbo.data.microdata import Microdata

    Ints = NDArray[np.int64]

_DEAR = 4_000_000  # pairs that are weighed for those left over, in all draws


class CandidateAttack(MicrodataAttack):
    """Shared by the attacks of this file: candidates, the nearest among them, what if there are none."""

    everywhere: ClassVar[bool] = False
    one_attribute: ClassVar[bool] = False

    def columns(self, original: Microdata, released: Microdata) -> tuple[list[str], list[str]]:
        """Return the quasi-identifiers and sensitive attributes compared: those it has parameters for."""
        named = self.model_dump(include={"q", "s"})
        qi = chosen(named["q"], original, released, "qi") if "q" in named else []
        if "s" not in named:
            return qi, []
        first = first_sa(named["s"], original, released) if self.one_attribute else []
        return qi, first or chosen(named["s"], original, released, "sa")

    def compares(self, data: Microdata) -> Values:
        """Return the columns he looks at."""
        qi, sa = self.columns(data, data)
        return Values([pl.col(name) for name in qi + sa])

    def rerank(self, tables: Tables[Microdata], chance: Chance) -> Guess:
        """Name the nearest candidate for every released row."""
        original, released = tables.original, tables.released
        qi, sa = self.columns(original, released)
        a, b = numbers(original, released, sa, self.parameter("scaling", "none"))
        my_combination, their_combination = group_codes([original.records, released.records], qi)
        mine, theirs = Side(original.ids, my_combination, a), Side(released.ids, their_combination, b)
        if self.reading == "assignment":
            paired = self._assigned(theirs, mine, chance.stream("assignment"))
            guess = Guess.paired(theirs.ids, mine.ids, (theirs.groups[0], mine.groups[0]), paired)
        else:
            guess = self._nearest(theirs, mine, chance)
        same_row = self.parameter("give_up", "abstain") == "same-row"
        return _same_row(guess, original, released) if same_row else guess

    def parameter(self, name: str, default: str) -> Any:  # noqa: ANN401 - whatever the field holds
        """Return a parameter that only some of these attacks have."""
        return getattr(self, name, default)

    def _nearest(self, theirs: Side, mine: Side, chance: Chance) -> Guess:
        (group, first), (my_group, my_first) = theirs.groups, mine.groups
        a, b = theirs.values[first], mine.values[my_first]
        indptr, indices = nearest_groups(a, theirs.combination[first], b, mine.combination[my_first])
        lost = np.flatnonzero(np.diff(indptr) == 0)
        if self.everywhere and len(lost):
            more = nearest_groups(a[lost], np.zeros_like(lost), b, np.zeros_like(my_first))
            indptr, indices = _filled(indptr, indices, lost, *more)
        links = Links.evenly(indptr, indices, np.bincount(my_group))
        return Guess.among(theirs.ids, mine.ids, (group, my_group), links, chance)

    def _assigned(self, theirs: Side, mine: Side, rng: np.random.Generator) -> Ints:
        """Pair equal combinations; who has none among the originals, where allowed, with those left over."""
        paired = assign_in_groups(theirs.values, theirs.combination, mine.values, mine.combination, rng)
        lost = np.flatnonzero(~np.isin(theirs.combination, mine.combination))
        if not (self.everywhere and len(lost)):
            return paired
        few = max(1, _DEAR // (len(lost) * len(mine.ids)))
        taken, which = np.unique(np.sort(paired[:few], axis=1), axis=0, return_inverse=True)
        left = [np.setdiff1d(np.arange(len(mine.ids)), those) for those in taken]
        places = [
            assign_in_groups(
                theirs.values[lost], np.zeros_like(lost), mine.values[those], np.zeros_like(those), rng
            )
            for those in left
        ]
        turn = np.arange(max(len(which), *map(len, places)))
        paired, which = paired[turn % len(which)], which.ravel()[turn % len(which)]
        for number, (those, drawn) in enumerate(zip(left, places, strict=True)):
            rows = np.flatnonzero(which == number)
            paired[rows[:, None], lost] = np.append(those, -1)[drawn[rows % len(drawn)]]
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


def _same_row(guess: Guess, original: Microdata, released: Microdata) -> Guess:
    """Answer row i for the released row i that had no candidate, as 001 does, where there is a row i."""
    rows = min(len(original), len(released))
    same = pl.DataFrame({"released": released.ids.head(rows), "answer": original.ids.head(rows)})
    silent = guess.frame.filter(pl.col("original").is_null()).select("released")
    return guess.answering(silent.join(same, on="released"))


_NEAREST = "Among equal quasi-identifiers names the nearest in all attributes"


class IdentifyRand(CandidateAttack):
    """E1 identify-rand: knows the quasi-identifiers, and names anybody who has the same ones.

    He finds exactly those whose quasi-identifiers nobody shares, and one in s of a group of s.
    """

    about: ClassVar = AttackAbout(
        name="identify-rand", kind="microdata", source="001 E1",
        stands=(Stand(rung="quasi-identifiers", story="Names anybody with the same quasi-identifiers"),),
    )  # fmt: skip

    q: SomeQi = ()
    give_up: GiveUp = "abstain"


class OneAttributeAttack(CandidateAttack):
    """Shared by E2 and E4: a single sensitive attribute decides."""

    one_attribute: ClassVar[bool] = True

    @classmethod
    def stands(cls, data: Microdata) -> Iterator[Stand]:
        """Yield its stand once for each of the first sensitive attributes, named in its story."""
        stand = cls.about.stands[0]
        for name in data.sa[:ATTRIBUTES]:
            yield replace(stand, story=f"{stand.story} {name}", parameters={"s": (name,)})


class IdentifySa(OneAttributeAttack):
    """E2 identify-sa: knows the quasi-identifiers and one sensitive attribute, and names the nearest in it.

    For every released row, among the originals with equal quasi-identifiers the one with the closest value.
    """

    about: ClassVar = AttackAbout(
        name="identify-sa", kind="microdata", source="001 E2", needs=("sa",),
        stands=(
            Stand(
                rung="quasi-identifiers+one attribute",
                story="Among equal quasi-identifiers names the nearest in",
            ),
        ),
    )  # fmt: skip

    q: SomeQi = ()
    s: OneSa = ()
    give_up: GiveUp = "abstain"


class IdentifySa21(OneAttributeAttack):
    """E4 identify-sa21: knows one sensitive attribute of everybody, and names the nearest in it.

    Quasi-identifiers are ignored, so generalising or unifying them does not help. Weak where many share a
    value: of people who all spend nothing it names one at random.
    """

    about: ClassVar = AttackAbout(
        name="identify-sa21", kind="microdata", source="001 E4", needs=("sa",),
        stands=(Stand(rung="one attribute", story="Names the nearest in"),),
    )  # fmt: skip

    s: OneSa = ()


class EuclidAttack(CandidateAttack):
    """Shared by EUC1 and EUC2: equal quasi-identifiers, then Euclid over sensitive attributes."""

    q: SomeQi = ()
    s: SomeSa = ()
    scaling: Scaling = "none"

    @classmethod
    def stands(cls, data: Microdata) -> Iterable[Stand]:
        """Return its stand; without sensitive attributes it compares no more than identify-rand."""
        return cls.about.stands if data.sa else ()


class Euc1(EuclidAttack):
    """EUC1: knows everything of everybody, and names the nearest by Euclid among equal quasi-identifiers.

    D(a, b) = sqrt(sum over the attributes s of (b - a)²). Where no original has the same quasi-identifiers he
    gives up: one altered quasi-identifier hides a row from him. The paper then answers row i for row i.
    """

    about: ClassVar = AttackAbout(
        name="euc1", kind="microdata", source="001 EUC1", promises=("finds-copies",),
        stands=(
            Stand(
                rung="everything", story=_NEAREST, parameters={"scaling": "spread"}, readings=BOTH,
                papers="the papers' attacker",
            ),
        ),
    )  # fmt: skip

    give_up: GiveUp = "abstain"


class Euc2(EuclidAttack):
    """EUC2: as EUC1, but where no original has the same quasi-identifiers he searches all of them.

    The stronger of the two: only a change of the numbers themselves hides a row from him.
    """

    about: ClassVar = AttackAbout(
        name="euc2", kind="microdata", source="001 EUC2", promises=("finds-copies",),
        stands=(
            Stand(
                rung="everything", parameters={"scaling": "spread"}, readings=BOTH,
                story=f"{_NEAREST}, and searches everybody where none is equal",
            ),
        ),
    )  # fmt: skip

    everywhere: ClassVar[bool] = True
