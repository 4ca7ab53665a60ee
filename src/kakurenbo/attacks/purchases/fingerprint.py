"""Fingerprint: goods in other codes are still the goods that the same people buy.

A release may write every good in a code of its own, so that no good can be compared. It does not hide how
many people buy a good, at what price, how often, and with what else. This attacker pairs the people whose
goods are of the same kinds, by that alone; learns from them which code is which good; finds more people by
these goods, and more goods by these people, until nothing changes. What he ends with is a dictionary: he
translates the release, and compares it like anybody else.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple

import numpy as np
import polars as pl
from pydantic import Field
from scipy import sparse

from kakurenbo.about import AttackAbout, Stand
from kakurenbo.attacks.base import Tables, Traces
from kakurenbo.attacks.purchases.evidence import TRACES
from kakurenbo.attacks.purchases.likeness import LikenessAttack
from kakurenbo.attacks.purchases.nameless import NUMBERS, Side, alike, by_content, told_apart
from kakurenbo.attacks.purchases.view import Sight, View, grains_shown, people_of, through
from kakurenbo.attacks.search.overlap import views
from kakurenbo.attacks.search.resolve import located
from kakurenbo.data.belief import Belief
from kakurenbo.kernels.propagation import Matched, Pairs, by_goods, propagate

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from kakurenbo.attacks.search.targets import Places
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.kernels.nearest import Nearest, Similarity

    Ints = NDArray[np.int64]

_UNKNOWN = "\0"  # before the code of a good that is not in the dictionary
_NEARLY = 0.95  # of what everybody bought, in codes of the original: they may have been kept
_MOSTLY = 0.5  # of what could be explained, and codes as they are explain if they were kept
_CLEARLY = 1.02  # times as much of the release, explained by another reading of the codes
_AS_WELL = 0.95  # of the people told apart by goods, who are told apart by goods without names
_STORY = "Learns from who buys what which code is which good, then compares goods sets"
_FULL = (
    "Learns from who buys what, at what price and how often, which code is which good, then adds up every "
    "trace of the records"
)


@dataclass(frozen=True, eq=False)
class Translated:
    """Where people are taken to be in a release that was translated; what they have there, in our words.

    Attributes:
        places: the released people each target may be.
        tables: the original beside the translated release.
    """

    places: Places
    tables: Tables[Purchases]

    @property
    def best(self) -> Nearest:
        """The released people whom each target may be."""
        return self.places.best

    def over(self, keys: View) -> Belief:
        """Return that a target has what stands under one of these names, translated.

        What is not in the original stands as it is in the release: it is believed, and wrong.
        """
        (block,) = keys.blocks
        (said,) = through(self.tables, block.sight).blocks
        ours = np.full(len(said.first), -1, dtype=np.int64)
        ours[said.mine] = block.mine
        columns = np.where(ours[said.theirs] >= 0, ours[said.theirs], block.theirs)
        people = people_of(self.tables.released)
        held = sparse.coo_array((np.ones(len(people)), (people, columns)), shape=keys.theirs.shape).tocsr()
        best = self.places.best
        return Belief(held, best.indptr, best.indices, self.places.strength)


class ByCodes(NamedTuple):
    """What codes that are on both sides tell.

    Attributes:
        plain: who is who, if each code is the same good on both sides.
        matched: who is who and what is what, when these people are gone on from and that explains more.
        covered: the share of what everybody bought that is in codes of the original.
        most: how many (person, good) could be explained.
    """

    plain: Matched
    matched: Matched
    covered: float
    most: int

    def explains(self, share: float) -> bool:
        """Whether the release is explained so far."""
        return self.matched.common >= share * self.most

    @property
    def kept(self) -> bool:
        """Whether codes are nearly all there, explain much, and nothing else explains clearly more."""
        as_they_are = self.plain.common
        return (
            self.covered >= _NEARLY
            and as_they_are >= _MOSTLY * self.most
            and self.matched.common <= _CLEARLY * as_they_are
        )


class FingerprintAttack(LikenessAttack):
    """Knows what everybody bought, and learns the release's codes from who buys what.

    People are paired by what kinds of goods they buy (how many buy a good, of what baskets, at what price),
    goods by the people paired so far, people again by the goods paired so far, until nothing changes. Where
    codes of the original stand in the release he starts from them as well, and keeps whichever explains more
    of the release. The attacker to hold against goods in other codes; where codes are kept he adds nothing.
    """

    about: ClassVar = AttackAbout(
        name="fingerprint", kind="purchases", source="ours", promises=("finds-copies",),
        stands=(
            Stand(rung="goods", story=_STORY, through=("recoded",)),
            Stand(rung="goods", story=_STORY, readings=("target",), learns=True),
            Stand(
                rung="full records", story=_FULL, parameters={"uses": "records"}, through=("recoded",),
            ),
            Stand(
                rung="full records", story=_FULL, parameters={"uses": "records"}, readings=("assignment",),
            ),
        ),
    )  # fmt: skip

    similarity: ClassVar[Similarity] = "cosine"
    rare: ClassVar[bool] = True

    uses: Literal["goods", "records"] = Field(
        "goods", description="go by the goods sets alone, or by prices, quantities and times as well"
    )

    def sights(self, shown: frozenset[str]) -> tuple[Sight, ...]:
        """Return the goods, or every trace that both tables show."""
        traces = TRACES if self.uses == "records" else TRACES[:1]
        return tuple(Sight(parts) for parts in grains_shown(traces, shown))

    @property
    def needs_everybody(self) -> bool:
        """Whether what he goes by is learnt from everybody: which code is which good."""
        return True

    def prepare(self, tables: Tables[Purchases]) -> Tables[Purchases]:
        """Return the original beside the release in its words, as far as codes could be told."""

        def translated() -> Tables[Purchases]:
            known, released = self.known(tables), tables.released
            matched = self._matched(tables)
            left = Tables(tables.original, _said(released, known.goods, matched.goods), tables.chance)
            left.once("matched", lambda: matched)
            return left

        return tables.once(("translated", self.uses, self.share, self.points, self.whole), translated)

    def fit(self, tables: Tables[Purchases], scale: float = 1.0) -> list[float]:  # noqa: ARG002 - nothing is cut
        """Return how far traces of each kind are trusted: as far as the people told so far agree in them."""
        matched: Matched = tables.once("matched", lambda: self._matched(tables))
        return [_agreed(view, matched.people) for view in views(self, tables, self.sights(tables.shown))]

    def _matched(self, tables: Tables[Purchases]) -> Matched:
        """Return who is who and what is what, from whichever start explains more of the release."""
        known, released = self.known(tables), tables.released
        by_codes = tables.once(
            ("by codes", self.share, self.points, self.whole), lambda: _by_codes(known, released)
        )
        if by_codes is not None and by_codes.explains(_NEARLY):
            return by_codes.matched
        numbers = None
        if self.uses == "records":
            numbers = [role for role in NUMBERS if role in known.roles and role in released.roles]
        mine, theirs = Side.of(known, numbers), Side.of(released, numbers)
        seeds = alike(mine, theirs, tables.chance.stream("fingerprint"))
        found = propagate(theirs.sets, mine.sets, seeds).at(theirs.rows, mine.rows)
        return found if by_codes is None or found.common > by_codes.matched.common else by_codes.matched

    def locate(self, tables: Tables[Purchases], targets: Ints) -> Translated | None:
        """Return the names where these people are looked up."""
        if self.reading != "target":
            return None
        left = self.prepare(tables)
        return Translated(located(self, self.score(left.shown), left, targets), left)

    def idle(self, tables: Tables[Purchases]) -> str:
        """Return that codes were kept, where reading them otherwise hardly explains more of the release."""
        codes = tables.once(
            ("by codes", 1.0, None, None), lambda: _by_codes(tables.original, tables.released)
        )
        if codes is None or not codes.kept:
            return super().idle(tables)
        return "the goods are in the original's codes, and no other reading of them explains more"

    def compares(self, data: Purchases) -> Traces:  # noqa: ARG002 - the same of all
        """Return the goods: whatever else he uses, who differs in them is found."""
        return Traces((("goods",),), "set", "presence", self.reading)

    def survives(self, data: Purchases, changed: Iterable[str]) -> bool:
        """Whether people can be told apart as well by who buys what where no good has a name."""
        if "goods" not in set(changed):
            return True
        sets = data.baskets()
        named = len(np.unique(sets.groups)) / len(sets.customers)
        return told_apart(sets.matrix, np.random.default_rng(0)) >= _AS_WELL * named


def _by_codes(known: Purchases, released: Purchases) -> ByCodes | None:
    """Take codes that are on both sides for the same goods, and go on from there; None without any."""
    mine, theirs = (
        data.goods.cast(pl.String).to_frame("good").with_row_index("row") for data in (known, released)
    )
    both = theirs.join(mine, on="good", suffix="_mine")
    if both.is_empty():
        return None
    same = Pairs(*(both[name].to_numpy().astype(np.int64) for name in ("row", "row_mine")))
    rows = by_content(released), by_content(known)
    said, ours = (data.baskets().matrix[order] for data, order in zip((released, known), rows, strict=True))
    plain = by_goods(said, ours, same)
    covered = float(np.isin(said.indices, same.theirs).mean())
    further = propagate(said, ours, plain.people)
    best = further if further.common > plain.common else plain
    return ByCodes(plain.at(*rows), best.at(*rows), covered, min(said.nnz, ours.nnz))


def _said(released: Purchases, goods: pl.Series, pairs: Pairs) -> Purchases:
    """Return the release in these words for its goods; what is not paired has a word that nobody has."""
    words = np.array([f"{_UNKNOWN}{code}" for code in released.goods], dtype=object)
    words[pairs.theirs] = goods.cast(pl.String).gather(pairs.mine).to_list()
    said = pl.Series("goods", words.tolist(), dtype=pl.String)
    written = said.gather(released.records["goods"].to_physical())
    return released.with_records(released.records.with_columns(written), master=released.master)


def _agreed(view: View, people: Pairs) -> float:
    """Return which share of their released traces the people paired so far have in the original too."""
    theirs, mine = view.theirs[people.theirs], view.mine[people.mine]
    common = theirs.astype(bool).multiply(mine.astype(bool)).nnz
    return float(common / theirs.nnz) if theirs.nnz else 1.0
