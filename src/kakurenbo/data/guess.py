"""A guess with its ties: whom an attacker would name, and whom he could have named as well.

When several originals look equally like a released person, the attacker names one of them at random. Scoring
that one draw would add noise, and naming the first would let the order of rows leak; so the guess keeps all
of them, and risk is the expected rate over the draws.

People tie in groups of equals: everybody with the same quasi-identifiers, or the same goods. Listing each
pair of a released person with each original he could be would grow with the square of a group; so both sides
are numbered by group, and a tie stands once for two groups. Who ties with nobody is named as it stands: for
certain, or, where nobody is named, the attacker abstains.

A one-to-one assignment is a lottery of everybody at once. There the chance of a tie is its share of several
draws, and the draws are kept, because they tell how far one of them may lie from the mean of all.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from kakurenbo.data.pairing import Pairing

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kakurenbo.chance import Chance
    from kakurenbo.data.owners import Owners

    Ints = NDArray[np.int64]


class Links(NamedTuple):
    """Which groups tie: a released person of group `theirs` is each original of group `mine` with `chance`.

    The arrays are parallel and sorted by `theirs`.
    """

    theirs: Ints
    mine: Ints
    chance: NDArray[np.float64]

    @classmethod
    def evenly(cls, indptr: Ints, mine: Ints, sizes: Ints) -> Links:
        """Return links where all originals of the tied groups are equally likely."""
        theirs = np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))
        total = np.bincount(theirs, weights=sizes[mine], minlength=len(indptr) - 1)
        return cls(theirs, mine, 1 / total[theirs])


@dataclass(frozen=True, eq=False, repr=False)
class Guess(Pairing):
    """A pairing with one of the tied originals named, and the ties behind it.

    Attributes:
        links: (theirs, mine, chance), see `Links`.
        theirs: (released, theirs): the group of everybody who ties.
        mine: (original, mine): the group of every original who could be named.
        anyone: how many originals there are.
        draws: draws x released, the place in `mine` of the original named, -1 for none; None where each was
            named for himself.
    """

    links: pl.DataFrame
    theirs: pl.DataFrame
    mine: pl.DataFrame
    anyone: int
    draws: Ints | None = None

    def __post_init__(self) -> None:
        """Sort by released ids; they come from tables, where they were checked, and stand once each."""
        released = self.released.cast(pl.String)
        if not released.is_sorted():
            order = released.arg_sort()
            released, named = released.gather(order), self.original.gather(order)
            object.__setattr__(self, "original", named)
            if self.draws is not None:
                object.__setattr__(self, "draws", self.draws[:, order.to_numpy()])
        object.__setattr__(self, "original", self.original.alias("original"))
        object.__setattr__(self, "released", released.alias("released"))

    @classmethod
    def among(
        cls,
        released: pl.Series,
        originals: pl.Series,
        groups: tuple[Ints, Ints],
        links: Links,
        chance: Chance,
    ) -> Guess:
        """Name one original of the tied groups of each released person at random; none where none ties.

        `groups` are those of the released people and of the originals, row by row.
        """
        theirs, mine = groups
        counts = np.bincount(links.theirs, minlength=int(theirs.max(initial=-1)) + 1)
        some = counts[theirs] > 0
        named = np.full(len(theirs), -1, dtype=np.int64)
        named[some] = _drawn(released.filter(pl.Series(some)), (theirs[some], mine), links, counts, chance)
        tying = pl.DataFrame({"released": released, "theirs": theirs}).filter(pl.Series(some))
        return cls._of(released, originals, named, links, (tying, mine))

    @classmethod
    def drawn(
        cls, released: pl.Series, originals: pl.Series, indptr: Ints, indices: Ints, chance: Chance
    ) -> Guess:
        """Name one of the originals `indices[indptr[j]:indptr[j+1]]` for each released person j at random.

        An empty row ties with everybody: nothing in common with anybody is no reason to name nobody.
        """
        lost = np.flatnonzero(np.diff(indptr) == 0)
        theirs = np.arange(len(released))
        if len(lost):
            theirs[lost] = lost[0]  # they have the same ties, so they are one group
            counts = np.diff(indptr)
            counts[lost[0]] = len(originals)
            indices = np.insert(indices, indptr[lost[0]], np.arange(len(originals)))
            indptr = np.concatenate([[0], np.cumsum(counts)])
        links = Links.evenly(indptr, indices, np.ones(len(originals), dtype=np.int64))
        return cls.among(released, originals, (theirs, np.arange(len(originals))), links, chance)

    @classmethod
    def certain(cls, released: pl.Series, originals: pl.Series, named: Ints) -> Guess:
        """Return a guess without ties: original number `named[j]` for released person j, -1 abstains."""
        nobody = np.empty(0, dtype=np.int64)
        tying = pl.DataFrame({"released": released.head(0), "theirs": nobody})
        no_links = Links(nobody, nobody, np.empty(0))
        return cls._of(
            released, originals, named, no_links, (tying, np.zeros(len(originals), dtype=np.int64))
        )

    @classmethod
    def paired(
        cls, released: pl.Series, originals: pl.Series, groups: tuple[Ints, Ints], named: Ints
    ) -> Guess:
        """Return the guess of a one-to-one assignment, averaged over draws of it, and over equals.

        The first draw is the one that is named. Which of s equal released people got which of t equal
        originals was decided by lot. So where m pairs join a group of s with one of t, each of the one is
        each of the other with chance m / (s t).

        Args:
            released: the released people.
            originals: the originals.
            groups: of the released people and of the originals, the same for equals.
            named: the original of each released one, or draws x released; -1 abstains.
        """
        theirs, mine = groups
        draws = np.atleast_2d(named)
        draw, who = np.nonzero(draws >= 0)
        width = int(mine.max(initial=0)) + 1
        pairs, count = np.unique(theirs[who] * width + mine[draws[draw, who]], return_counts=True)
        first, second = pairs // width, pairs % width
        equals = np.bincount(theirs)[first] * np.bincount(mine)[second]
        links = Links(first, second, count / (len(draws) * equals))
        tying = pl.DataFrame({"released": released, "theirs": theirs})
        kept = draws if len(draws) > 1 else None
        return cls._of(released, originals, draws[0], links, (tying, mine), draws=kept)

    @classmethod
    def _of(
        cls,
        released: pl.Series,
        originals: pl.Series,
        named: Ints,
        links: Links,
        groups: tuple[pl.DataFrame, Ints],
        *,
        draws: Ints | None = None,
    ) -> Guess:
        tying, mine = groups
        names = originals.cast(pl.String)
        places = pl.Series(named)
        if named.min(initial=0) < 0:
            places = places.set(places < 0, None)
        return cls(
            released, names.gather(places), pl.DataFrame(links._asdict()), tying,
            pl.DataFrame({"original": names, "mine": mine}), len(names), draws,
        )  # fmt: skip

    @property
    def ties(self) -> pl.DataFrame:
        """Every (released, original) that could be named: for looking closely at few people."""
        pairs = self.theirs.join(self.links, on="theirs").join(self.mine, on="mine")
        return pairs.select("released", "original")

    @property
    def tied(self) -> int:
        """How many released people were named by lot among equals."""
        by_lot = self.links.filter(pl.col("chance") < 1)["theirs"].unique()
        return int(self.theirs["theirs"].is_in(by_lot.implode()).sum())

    def answering(self, answers: pl.DataFrame) -> Guess:
        """Return the guess with (released, answer) named for certain in place of what was drawn."""
        given = answers.select("released", pl.col("answer").cast(pl.String), given=True)
        answer = pl.when("given").then("answer").otherwise("original").alias("original")
        named = self.frame.join(given, on="released", how="left", maintain_order="left")
        left = self.theirs.join(answers, on="released", how="anti")
        return Guess(
            self.released, named.select(answer)["original"], self.links, left, self.mine, self.anyone,
            self._drawn_with(named),
        )  # fmt: skip

    def _drawn_with(self, named: pl.DataFrame) -> Ints | None:
        """Return the draws with the answers given, (answer, given), in place of what was drawn."""
        if self.draws is None:
            return None
        places = self.mine.select(answer="original").with_row_index("place")
        place = named.join(places, on="answer", how="left", maintain_order="left")["place"]
        given = named["given"].fill_null(value=False).to_numpy()
        return np.where(given, place.cast(pl.Int64).fill_null(-1).to_numpy(), self.draws)

    def without(self, abstaining: pl.Series) -> Guess:
        """Return the guess with these released people left unnamed."""
        nobody = pl.Series("answer", [None] * len(abstaining), dtype=pl.String)
        return self.answering(pl.DataFrame({"released": abstaining, "answer": nobody}))

    def expected(self, secret: Pairing | Owners) -> pl.DataFrame:
        """Return (released, chance): how likely each row of the secret is to be named, over the ties."""
        named = super().expected(secret)
        if not (self.links["chance"] < 1).any():  # nobody was named by lot
            return named
        theirs = values_of(secret.released, self.theirs["released"], self.theirs["theirs"])
        mine = values_of(secret.original, self.mine["original"], self.mine["mine"])
        first, second, chance = (column.to_numpy() for column in self.links)
        width = max(int(second.max()), int(mine.max())) + 1
        links, wanted = first * width + second, theirs * width + mine
        order = np.argsort(links, kind="stable")
        at = order[np.minimum(np.searchsorted(links, wanted, sorter=order), len(links) - 1)]
        by_lot = np.where((links[at] == wanted) & (mine >= 0), chance[at], 0.0)
        given = np.where(theirs < 0, named["chance"].to_numpy(), by_lot)
        return named.with_columns(chance=pl.Series(given))


def values_of(ids: pl.Series, known: pl.Series, values: pl.Series | Ints) -> Ints:
    """Return what stands beside each of these ids among distinct ones, -1 where it is none of them."""
    found = ids.cast(pl.Enum(known.cast(pl.String)), strict=False).to_physical().cast(pl.Int64)
    place = (found.fill_null(-1) if found.null_count() else found).to_numpy()
    if not len(known):
        return place
    beside: Ints = np.where(place < 0, -1, np.asarray(values)[place])
    return beside


def _drawn(
    released: pl.Series, groups: tuple[Ints, Ints], links: Links, counts: Ints, chance: Chance
) -> Ints:
    """Draw a tied group by its weight, then one of its originals; of one alone nothing is drawn."""
    theirs, mine = groups
    sizes = np.bincount(mine, minlength=int(links.mine.max(initial=-1)) + 1)
    members = np.argsort(mine, kind="stable")
    first = np.cumsum(sizes) - sizes
    start = np.cumsum(counts) - counts
    only = links.mine[start[theirs]]
    drawn: Ints = members[first[only]]
    by_lot = np.flatnonzero((counts[theirs] > 1) | (sizes[only] > 1))
    if not len(by_lot):
        return drawn
    weight = np.cumsum(links.chance * sizes[links.mine])
    before = np.concatenate([[0.0], weight])
    low, high = before[start], before[start + counts]
    who, group_of = released.gather(by_lot), theirs[by_lot]
    spot = low[group_of] + chance.uniform("tied group", who) * (high - low)[group_of]
    link = np.searchsorted(weight, spot, side="right")
    link = np.clip(link, start[group_of], (start + counts)[group_of] - 1)
    group = links.mine[link]
    drawn[by_lot] = members[first[group] + chance.below("tied original", who, sizes[group])]
    return drawn
