"""The profile of a table: who is in it and how unique they are, before anything is hidden."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from kakurenbo.chance import Chance
from kakurenbo.data import sampling
from kakurenbo.data.blocks import Blocks, in_blocks
from kakurenbo.data.checks.direct import NEARLY_UNIQUE, why_direct
from kakurenbo.data.groups import as_text
from kakurenbo.data.table import ByKind, require_tables
from kakurenbo.errors import ParameterError
from kakurenbo.notebook import Drawn, card
from kakurenbo.progress import Progress
from kakurenbo.risk.classical.diversity import Diversity, diversity, summary
from kakurenbo.risk.classical.population import in_population
from kakurenbo.risk.exposure.nearness import equals
from kakurenbo.risk.exposure.similarity import Similarity, mean_intersection, similarity
from kakurenbo.risk.exposure.unicity import Unicity, unicity
from kakurenbo.risk.profile_passes import scan

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from kakurenbo.data.checks.policy import Dropped
    from kakurenbo.data.microdata import Microdata
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.risk.profile_passes import Scanned
    from kakurenbo.theory.population import Population

_RECORDS = 10_000_000
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


def _purchases(
    data: Purchases | Blocks, chance: Chance, steps: Progress, population: float | None
) -> PurchasesProfile:
    if population is not None:
        raise ParameterError(
            "population is for microdata, one row a person.", code="parameter", parameter="population"
        )
    if isinstance(data, Blocks) or _many(data.counts):
        blocks = in_blocks(data)
        way = _by_passes if _many(blocks.whole.counts) else _few
        return way(blocks, chance, steps)
    return _compared(data, chance, steps)


def _many(counts: Mapping[str, int]) -> bool:
    """Tell whether there is too much to compare everybody with everybody."""
    people = counts["customers"]
    return people > sampling.TARGETS or (people > 1 and counts["records"] > _RECORDS)


def _few(blocks: Blocks, chance: Chance, steps: Progress) -> PurchasesProfile:
    whole = blocks.whole
    everybody = sampling.draw_and_fetch(blocks, None, chance, progress=steps.part(0, 0.1))
    made = _compared(everybody, chance, steps.part(0.1, 1))
    return replace(made, dropped=whole.dropped, without_purchases=whole.without_purchases)


def _by_passes(blocks: Blocks, chance: Chance, steps: Progress) -> PurchasesProfile:
    """Profile a table of any size: what adds up is counted, what is about pairs is sampled."""
    found, whole = scan(blocks, sampling.TARGETS, chance, steps), blocks.whole
    counted = found.counted
    return PurchasesProfile(
        customers=counted.people,
        records=whole.counts["records"],
        receipts=whole.counts.get("receipts"),
        goods=len(whole.goods),
        goods_per_customer=counted.goods_per_customer,
        goods_quantiles={f"{q:.2f}": counted.quantile(q) for q in _QUANTILES},
        similarity=found.similarity,
        mean_intersection=counted.mean_intersection,
        unicity=found.unicity,
        dropped=whole.dropped,
        without_purchases=whole.without_purchases,
        master=tuple(_counted_master(found)),
        goods_known={name: int(there.sum()) for name, there in counted.known.items()},
        sampled=len(found.sample.customers),
    )


def _counted_master(found: Scanned) -> Iterator[MasterColumn]:
    """Yield the columns of the master as they were counted; what looks direct is told from the sample."""
    sample, everybody = found.sample, found.counted.people
    for name, tally in found.counted.values.items():
        there = int(tally.people.sum())
        why = why_direct(sample.attributes[name], sample.customers) if name else None
        if why == NEARLY_UNIQUE and 2 * tally.alone <= there:
            why = None
        yield MasterColumn(name, len(tally.bits), everybody - there, tally.alone, why or "")


def _compared(data: Purchases, chance: Chance, steps: Progress) -> PurchasesProfile:
    """Profile a table in memory, everybody compared with everybody where that is cheap."""
    steps.step("baskets", 0.0)
    baskets = data.baskets()
    steps.step("similarity of customers", 0.1)
    alike = similarity(baskets, chance.stream("pairs"))
    singled_out = []
    steps.step("unicity", 0.4)
    for row in unicity(data, chance.stream("points")):
        steps.step(f"unicity by {row.knowledge}", 0.5)
        singled_out.append(row)
    return PurchasesProfile(
        customers=len(data.customers),
        records=len(data),
        receipts=data.receipts,
        goods=len(data.goods),
        goods_per_customer=float(baskets.sizes.mean()),
        goods_quantiles={f"{q:.2f}": float(np.quantile(baskets.sizes, q)) for q in _QUANTILES},
        similarity=alike,
        mean_intersection=mean_intersection(baskets) if alike else None,
        unicity=tuple(singled_out),
        dropped=data.dropped,
        without_purchases=data.without_purchases,
        master=tuple(_master(data)),
        goods_known=_goods_known(data),
    )


def _master(data: Purchases) -> Iterator[MasterColumn]:
    """Yield every column of the master, and all together where there are several."""
    people = data.attributes
    for column in people:
        why = why_direct(column, data.customers.cast(pl.String)) or ""
        yield _column(column.name, as_text(column).to_frame(), why)
    if people.width > 1:
        yield _column("", pl.DataFrame([as_text(column) for column in people]))


def _column(name: str, values: pl.DataFrame, direct: str = "") -> MasterColumn:
    there = values.filter(~pl.all_horizontal(pl.all().is_null()))
    alone = int(there.is_unique().sum())
    return MasterColumn(name, there.n_unique(), values.height - there.height, alone, direct)


def _goods_known(data: Purchases) -> dict[str, int]:
    """Return how many of the goods sold have a name, a category or what else is known of goods."""
    if data.goods_table is None:
        return {}
    sold = data.goods_table.filter(pl.col("goods").is_in(data.goods.implode())).drop("goods")
    return {column.name: int(column.is_not_null().sum()) for column in sold}


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
        data: Purchases, in memory or in blocks, or Microdata. Of more than ten thousand customers, or ten
            million records, what is about pairs of people is sampled.
        population: of microdata: how many people the table was drawn from, or up to 1 the share drawn; the
            chances of who knows only that somebody is among them are then estimated.
        seed: makes what is sampled repeatable; without it the operating system's randomness is used.
        progress: told about each step, and asked between them whether to stop.
    """
    require_tables("profile", data=data)
    verb = _PROFILES.purchases if data.kind == "purchases" else _PROFILES.microdata
    return verb(data, Chance(seed), progress or Progress(), population)
