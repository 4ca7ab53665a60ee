"""A guess among crowds: ties by the thousand without writing down every pair.

Microdata ties in crowds: everybody with the same quasi-identifiers, or everybody who spends nothing on
schools. Listing each pair of a released person with each original he could be would grow with the square of
the crowd; so both sides are numbered by crowd, and a tie stands once for two crowds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from kakurenbo.data.guess import Guess

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kakurenbo.data.pairing import Pairing


@dataclass(frozen=True)
class Links:
    """Which crowds tie: a released person of crowd `theirs` is each original of crowd `mine` with `chance`.

    The arrays are parallel and sorted by `theirs`.
    """

    theirs: NDArray[np.int64]
    mine: NDArray[np.int64]
    chance: NDArray[np.float64]

    @classmethod
    def evenly(cls, indptr: NDArray[np.int64], mine: NDArray[np.int64], sizes: NDArray[np.int64]) -> Links:
        """Return links where all originals of the tied crowds are equally likely."""
        theirs = np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))
        total = np.bincount(theirs, weights=sizes[mine], minlength=len(indptr) - 1)
        return cls(theirs, mine, 1 / total[theirs])


@dataclass(frozen=True, eq=False, repr=False)
class CrowdGuess(Guess):
    """A guess whose ties are between crowds.

    Attributes:
        ties: (theirs, mine, chance), see `Links`.
        theirs: (released, theirs); who has no crowd here is named as it stands, or abstained from.
        mine: (original, mine).
    """

    theirs: pl.DataFrame
    mine: pl.DataFrame

    @classmethod
    def among(
        cls,
        released: pl.Series,
        originals: pl.Series,
        crowds: tuple[NDArray[np.int64], NDArray[np.int64]],
        links: Links,
        rng: np.random.Generator,
    ) -> CrowdGuess:
        """Name one original of the tied crowds of each released person at random; none where none ties.

        `crowds` are those of the released people and of the originals, row by row.
        """
        theirs, mine = crowds
        counts = np.bincount(links.theirs, minlength=int(theirs.max(initial=-1)) + 1)
        some = counts[theirs] > 0
        named = np.full(len(theirs), -1, dtype=np.int64)
        named[some] = _draw(theirs[some], mine, links, counts, rng)
        held = pl.DataFrame({"released": released, "theirs": theirs}).filter(pl.Series(some))
        ties = pl.DataFrame({"theirs": links.theirs, "mine": links.mine, "chance": links.chance})
        return cls(
            released,
            _gathered(originals, named),
            ties,
            len(originals),
            held,
            pl.DataFrame({"original": originals, "mine": mine}),
        )

    @classmethod
    def certain(cls, released: pl.Series, originals: pl.Series, named: NDArray[np.int64]) -> CrowdGuess:
        """Return a guess without ties: original number `named[j]` for released person j, -1 abstains."""
        nobody = np.empty(0, dtype=np.int64)
        ties = pl.DataFrame({"theirs": nobody, "mine": nobody, "chance": np.empty(0)})
        theirs = pl.DataFrame({"released": released.head(0), "theirs": nobody})
        mine = pl.DataFrame({"original": originals.head(0), "mine": nobody})
        return cls(released, _gathered(originals, named), ties, len(originals), theirs, mine)

    @classmethod
    def paired(
        cls,
        released: pl.Series,
        originals: pl.Series,
        crowds: tuple[NDArray[np.int64], NDArray[np.int64]],
        named: NDArray[np.int64],
    ) -> CrowdGuess:
        """Return the guess of a one-to-one assignment, averaged over equals; -1 in `named` abstains.

        Which of s equal released people got which of t equal originals was decided by lot. So where m pairs
        join a crowd of s with one of t, each of the one is each of the other with chance m / (s t).
        """
        theirs, mine = crowds
        some = named >= 0
        pairs = np.stack([theirs[some], mine[named[some]]])
        (one, other), count = np.unique(pairs, axis=1, return_counts=True)
        chance = count / (np.bincount(theirs)[one] * np.bincount(mine)[other])
        return cls(
            released,
            _gathered(originals, named),
            pl.DataFrame({"theirs": one, "mine": other, "chance": chance}),
            len(originals),
            pl.DataFrame({"released": released, "theirs": theirs}),
            pl.DataFrame({"original": originals.cast(pl.String), "mine": mine}),
        )

    @property
    def tied(self) -> int:
        """How many released people were named by lot among equals."""
        open_crowds = self.ties.filter(pl.col("chance") < 1)["theirs"].unique()
        return int(self.theirs["theirs"].is_in(open_crowds.implode()).sum())

    def without(self, abstaining: pl.Series) -> CrowdGuess:
        """Return the guess with these released people left unnamed."""
        return self.answering(pl.DataFrame({"released": abstaining, "answer": [None] * len(abstaining)}))

    def answering(self, answers: pl.DataFrame) -> CrowdGuess:
        """Return the guess with (released, answer) named for certain in place of what was drawn."""
        table = self.frame.join(
            answers.select("released", pl.col("answer").cast(pl.String), given=True),
            on="released",
            how="left",
        )
        named = table.select(
            "released", pl.when("given").then("answer").otherwise("original").alias("original")
        )
        theirs = self.theirs.join(answers, on="released", how="anti")
        return CrowdGuess(named["released"], named["original"], self.ties, self.anyone, theirs, self.mine)

    def expected(self, secret: Pairing) -> pl.DataFrame:
        """Return (released, chance) with each person's probability to be named rightly over the ties."""
        self.require_same_people(secret)
        as_named = (secret.original == self.original).fill_null(value=False).cast(pl.Float64)
        return (
            secret.frame.with_columns(as_named=as_named)
            .join(self.theirs, on="released", how="left")
            .join(self.mine, on="original", how="left")
            .join(self.ties, on=["theirs", "mine"], how="left")
            .select(
                "released",
                chance=pl.when(pl.col("theirs").is_null())
                .then(pl.col("as_named"))
                .otherwise(pl.col("chance").fill_null(0.0)),
            )
            .sort("released")
        )


def _gathered(originals: pl.Series, named: NDArray[np.int64]) -> pl.Series:
    """Return the originals at these places, null for -1."""
    places = pl.DataFrame({"place": named}).select(pl.when(pl.col("place") >= 0).then("place"))["place"]
    return originals.cast(pl.String).gather(places)


def _draw(
    theirs: NDArray[np.int64],
    mine: NDArray[np.int64],
    links: Links,
    counts: NDArray[np.int64],
    rng: np.random.Generator,
) -> NDArray[np.int64]:
    """Draw a tied crowd by its weight, then one of its originals."""
    sizes = np.bincount(mine, minlength=int(links.mine.max(initial=-1)) + 1)
    weight = np.cumsum(links.chance * sizes[links.mine])
    ends = np.cumsum(counts)
    before = np.concatenate([[0.0], weight])
    low, high = before[ends - counts], before[ends]
    spot = low[theirs] + rng.random(len(theirs)) * (high - low)[theirs]
    link = np.searchsorted(weight, spot, side="right")
    link = np.clip(link, (ends - counts)[theirs], ends[theirs] - 1)
    crowd = links.mine[link]
    members = np.argsort(mine, kind="stable")
    first = np.cumsum(sizes) - sizes
    turn = (rng.random(len(theirs)) * sizes[crowd]).astype(np.int64)
    drawn: NDArray[np.int64] = members[first[crowd] + np.minimum(turn, sizes[crowd] - 1)]
    return drawn
