"""The profile of a table: who is in it and how unique they are, before anything is hidden."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

import polars as pl

from kakurenbo.chance import Chance
from kakurenbo.data import sampling
from kakurenbo.data.blocks import Blocks, in_blocks
from kakurenbo.data.checks.direct import NEARLY_UNIQUE, why_direct
from kakurenbo.data.sampling import Fetch, together
from kakurenbo.data.table import ByKind, require_tables
from kakurenbo.errors import ParameterError
from kakurenbo.notebook import Drawn, card
from kakurenbo.progress import Progress
from kakurenbo.risk.classical.diversity import Diversity, diversity, summary
from kakurenbo.risk.classical.population import in_population
from kakurenbo.risk.exposure.nearness import equals
from kakurenbo.risk.exposure.similarity import Meetings, Similarity, similarity
from kakurenbo.risk.exposure.tally import Counts, Shelf
from kakurenbo.risk.exposure.unicity import Asked, Unicity, drawn_points, unicity

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from kakurenbo.data.checks.policy import Dropped
    from kakurenbo.data.microdata import Microdata
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.risk.exposure.similarity import Met
    from kakurenbo.theory.population import Population

_QUANTILES = (0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0)


@dataclass(frozen=True)
class MasterColumn:
    """What a column of the master gives away of those who bought something.

    Attributes:
        name: of the column; empty for all columns together.
        values: different values, or combinations of them.
        missing: people without a value.
        alone: people whom nobody else shares the value with.
        direct: why it looks like a direct identifier; empty where it does not.
    """

    name: str
    values: int
    missing: int
    alone: int
    direct: str = ""


@dataclass(frozen=True)
class PurchasesProfile(Drawn):
    """The quantities of 000 definition 1 and what a realistic attacker makes of them.

    Attributes:
        customers: n of the papers.
        records: m.
        receipts: distinct receipts, None where unknown.
        goods: the number of distinct goods (the papers' l).
        goods_per_customer: b, the mean |I(u)|; `goods_quantiles` gives its spread.
        similarity: Jaccard over pairs: mu, the maximum, the histogram; None for a single customer.
        mean_intersection: h, the mean |I(u) ∩ I(v)|.
        unicity: share of customers unique by k points, by knowledge.
        dropped: rows the policy left out.
        without_purchases: people of the master who bought nothing.
        master: its columns, and all of them together under an empty name.
        goods_known: how many goods have each column of the table of goods.
        sampled: on how many people `similarity`, `unicity` and what looks direct in the master rest, where
            there are too many to compare all; 0 where nobody was left out. What was counted is exact anyway.
    """

    customers: int
    records: int
    receipts: int | None
    goods: int
    goods_per_customer: float
    goods_quantiles: dict[str, float]
    similarity: Similarity | None
    mean_intersection: float | None
    unicity: tuple[Unicity, ...]
    dropped: Dropped
    without_purchases: int = 0
    master: tuple[MasterColumn, ...] = ()
    goods_known: Mapping[str, int] = field(default_factory=dict)
    sampled: int = 0

    def __repr__(self) -> str:
        return (
            f"PurchasesProfile({self.customers:,} customers, {self.records:,} records, {self.goods:,} goods)"
        )

    def _repr_html_(self) -> str:
        counts = [("customers", self.customers), ("records", self.records), ("goods", self.goods)]
        alone = [
            (f"singled out by {row.k} x {row.knowledge}", f"{row.rate.value:.1%}")
            for row in self.unicity
            if row.k in {1, 2}
        ]
        return card("Profile of purchases", [*counts, *alone])

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers under the JSON keys of the command line."""
        alike = self.similarity
        return {
            "customers": self.customers,
            "records": self.records,
            "receipts": self.receipts,
            "goods": self.goods,
            "goods_per_customer": self.goods_per_customer,
            "mean_jaccard": alike and alike.mean,
            "max_jaccard": alike and alike.maximum,
            "mean_intersection": self.mean_intersection,
            "goods_quantiles": self.goods_quantiles,
            "jaccard": alike and asdict(alike),
            "unicity": [
                {"knowledge": row.knowledge, "k": row.k, "share": row.rate.value, "low": row.rate.low,
                 "high": row.rate.high, "exact": row.rate.exact}
                for row in self.unicity
            ],
            "dropped": self.dropped.as_dict(),
            "without_purchases": self.without_purchases,
            "master": [asdict(column) for column in self.master],
            "goods_known": dict(self.goods_known),
            "sampled_people": self.sampled,
        }  # fmt: skip


@dataclass(frozen=True)
class MicrodataProfile(Drawn):
    """How many persons share their quasi-identifiers with others.

    Attributes:
        rows: persons.
        quasi_identifiers: number of QI columns; `sensitive` likewise for SAs.
        groups: distinct QI vectors.
        smallest_group: k of k-anonymity; `mean_group` the mean size of a group.
        unique_share: share of persons alone in their group.
        dropped: rows left out for a missing value.
        prosecutor: the best chance to name somebody rightly who is known to be in the table, 1 / k.
        marketer: the share named rightly by naming anybody of the same group for each.
        population: what models say where the table is a sample of more people; empty where none were given.
        diversity: l and t of every sensitive attribute.
    """

    rows: int
    quasi_identifiers: int
    sensitive: int
    groups: int
    smallest_group: int
    mean_group: float
    unique_share: float
    dropped: int
    prosecutor: float
    marketer: float
    population: tuple[Population, ...] = ()
    diversity: tuple[Diversity, ...] = ()

    def __repr__(self) -> str:
        alone = f"{self.unique_share:.1%} alone"
        return f"MicrodataProfile({self.rows:,} rows, k = {self.smallest_group:,}, {alone})"

    def _repr_html_(self) -> str:
        counts = (("rows", self.rows), ("groups of equals", self.groups), ("k", self.smallest_group))
        return card("Profile of microdata", [*counts, ("alone in their group", f"{self.unique_share:.1%}")])

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers under the JSON keys of the command line."""
        return {**summary(self.smallest_group, self.diversity), **asdict(self)}


@dataclass(frozen=True, eq=False)
class _Count:
    """The first pass: count a block, and fetch what it has of the sample."""

    shelf: Shelf
    fetch: Fetch

    def __call__(self, block: Purchases) -> tuple[Counts, Purchases | None]:
        return Counts.of(block, self.shelf), self.fetch(block)


@dataclass(frozen=True, eq=False)
class _Ask:
    """The second pass: everybody in a block meets some of the sample and is asked for its points."""

    meetings: Meetings
    asked: tuple[Asked, ...]

    def __call__(self, block: Purchases) -> tuple[Met, tuple[NDArray[np.uint8], ...]]:
        return self.meetings(block), tuple(asked.others(block) for asked in self.asked)


def _purchases(
    data: Purchases | Blocks, chance: Chance, steps: Progress, population: float | None
) -> PurchasesProfile:
    if population is not None:
        raise ParameterError(
            "population is for microdata, one row a person.", code="parameter", parameter="population"
        )
    blocks = in_blocks(data)
    whole, shelf = blocks.whole, Shelf.of(blocks.whole.goods)
    counts, sample = _counted(blocks, shelf, chance, steps.part(0, 0.1))
    everybody = len(sample.customers) == counts.people
    compared = _among_themselves if everybody else partial(_with_everybody, blocks, shelf, counts)
    alike, singled_out = compared(sample, chance, steps.part(0.1, 1))
    return PurchasesProfile(
        customers=counts.people,
        records=whole.counts["records"],
        receipts=whole.counts.get("receipts"),
        goods=len(whole.goods),
        goods_per_customer=counts.goods_per_customer,
        goods_quantiles={f"{q:.2f}": counts.quantile(q) for q in _QUANTILES},
        similarity=alike,
        mean_intersection=counts.mean_intersection,
        unicity=tuple(singled_out),
        dropped=whole.dropped,
        without_purchases=whole.without_purchases,
        master=tuple(_master(counts, sample)),
        goods_known={name: int(there.sum()) for name, there in counts.known.items()},
        sampled=0 if everybody else len(sample.customers),
    )


def _counted(blocks: Blocks, shelf: Shelf, chance: Chance, steps: Progress) -> tuple[Counts, Purchases]:
    """Return what adds up over all people, and some of them: everybody, where they are few enough."""
    work = _Count(shelf, Fetch.of_drawn(blocks, sampling.TARGETS, chance))
    fetched: list[Purchases | None] = []

    def counts() -> Iterator[Counts]:
        for part, theirs in blocks.map(work, progress=steps, doing="counting baskets"):
            fetched.append(theirs)
            yield part

    return Counts.sum(counts()), together(blocks, fetched, sampling.TARGETS, chance)


def _among_themselves(
    people: Purchases, chance: Chance, steps: Progress
) -> tuple[Similarity | None, Sequence[Unicity]]:
    """Compare everybody with everybody."""
    steps.step("similarity of customers", 0)
    alike, singled_out = similarity(people, chance), []
    steps.step("unicity", 0.3)
    for row in unicity(people, chance.stream("points")):
        steps.step(f"unicity by {row.knowledge}", 0.4)
        singled_out.append(row)
    return alike, singled_out


def _with_everybody(  # noqa: PLR0917 - the first three are given before
    blocks: Blocks, shelf: Shelf, counts: Counts, sample: Purchases, chance: Chance, steps: Progress
) -> tuple[Similarity, Sequence[Unicity]]:
    """Compare some people with everybody, by a second pass."""
    meetings = Meetings.of(sample, shelf, chance, counts.people, twins=counts.sets.alone < counts.people)
    asked = tuple(Asked.of(drawn, shelf) for drawn in drawn_points(sample, chance.stream("points")))
    work = _Ask(meetings, asked)
    met, told = zip(*blocks.map(work, progress=steps, doing="similarity and unicity"), strict=True)
    first = {"good": counts.alone_by_a_good}
    singled_out = [
        row
        for one, parts in zip(asked, zip(*told, strict=True), strict=True)
        for row in one.unicity(parts, first=first.get(one.knowledge))
    ]
    return meetings.similarity(met), singled_out


def _master(counts: Counts, sample: Purchases) -> Iterator[MasterColumn]:
    """Yield the columns of the master as they were counted; what looks direct is told from the sample."""
    for name, tally in counts.values.items():
        there = int(tally.people.sum())
        why = why_direct(sample.attributes[name], sample.customers.cast(pl.String)) if name else None
        if why == NEARLY_UNIQUE and 2 * tally.alone <= there:
            why = None
        yield MasterColumn(name, len(tally.bits), counts.people - there, tally.alone, why or "")


def _microdata(
    data: Microdata,
    chance: Chance,  # noqa: ARG001 - no draw
    steps: Progress,
    population: float | None,
) -> MicrodataProfile:
    steps.step("groups of equals", 0)
    groups = equals(data)
    return MicrodataProfile(
        rows=len(data),
        quasi_identifiers=len(data.qi),
        sensitive=len(data.sa),
        groups=groups.count,
        smallest_group=groups.smallest,
        mean_group=groups.mean,
        unique_share=groups.alone,
        dropped=data.dropped,
        prosecutor=1 / groups.smallest,
        marketer=groups.count / len(data),
        population=() if population is None else in_population(data, population),
        diversity=diversity(data),
    )


_PROFILES: ByKind[PurchasesProfile | MicrodataProfile] = ByKind(purchases=_purchases, microdata=_microdata)


def profile(
    data: Purchases | Blocks | Microdata,
    *,
    population: float | None = None,
    seed: int | None = None,
    progress: Progress | None = None,
) -> PurchasesProfile | MicrodataProfile:
    """Profile a table.

    Args:
        data: Purchases, in memory or in blocks, or Microdata. Of more than ten thousand customers, what is
            about pairs of people is asked of so many of them, drawn by chance.
        population: of microdata: how many people the table was drawn from, or up to 1 the share drawn; the
            chances of who knows only that somebody is among them are then estimated.
        seed: makes what is sampled repeatable; without it the operating system's randomness is used.
        progress: told about each step, and asked between them whether to stop.
    """
    require_tables("profile", data=data)
    verb = _PROFILES.purchases if data.kind == "purchases" else _PROFILES.microdata
    return verb(data, Chance(seed), progress or Progress(), population)
