"""Suppress: delete what is rare, until every few traces of a person are shared by k people.

Who knows m things that somebody bought, and when, must find at least k people who have all of them: that is
k^m-anonymity (Terrovitis, Mamoulis and Kalnis, 2008), k-anonymity for histories of which nobody knows more
than a few records. A trace is a good, or a category, as the table shows it, with the time as the table shows
it; where there is no time, the good alone. So it is a last step, after goods were generalised and times made
coarse: what is left rare then goes.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np
import polars as pl
from pydantic import Field
from scipy import sparse

from kakurenbo.about import Knob, MethodAbout
from kakurenbo.data.groups import group_codes
from kakurenbo.data.purchases import Purchases
from kakurenbo.data.release import Changed, Facts
from kakurenbo.deidentify.base import Method
from kakurenbo.deidentify.purchases.climbing import Words, by_characters
from kakurenbo.errors import InputError, ParameterError
from kakurenbo.kernels.suppression import rare_combinations, suppress

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kakurenbo.chance import Chance


class Suppress(Method[Purchases]):
    """Delete as few records as can be found, so that every m traces of one person are those of at least k.

    What a person has of a trace is deleted as a whole. Traces are given back from none, those of most people
    first, each to the largest set of its holders that keeps the promise; see `kernels.suppression`. Whoever
    has nothing left is not released.

    Goods may also be generalised first, as the authors of k^m-anonymity do. They climb their hierarchy, all
    goods of a branch together: wherever something of the branch would be deleted (`generalize`), or only
    where that costs more than the detail (`cheaper`). A deleted record costs 1; one whose good became one
    of g costs (g - 1) / (all goods - 1), the normalised certainty penalty. The hierarchy is the one that the
    data carries, else goods are cut to ever fewer characters. What no climbing mends is deleted.

    What it does not do: who knows more than m traces, or quantities, prices and receipts, may find fewer than
    k; and k people who share m traces may all have bought the same besides.
    """

    about: ClassVar = MethodAbout(
        name="suppress", kind="purchases", reach="whole",
        because="what is rare is counted over all people at once",
        source="Terrovitis, Mamoulis and Kalnis 2008",
        promises=("km-anonymous",), slot="rare",
        knobs=(Knob("k", low=2, high=20, whole=True, log=True), Knob("m", (2, 1))), example={"k": 1},
    )  # fmt: skip

    k: int = Field(ge=1, description="fewest people who share a combination of traces")
    m: int = Field(2, ge=1, le=3, description="most traces in a combination: how many an attacker may know")
    first: Literal["suppress", "generalize", "cheaper"] = Field(
        "suppress",
        description="what to try first: delete, generalise goods wherever something would be deleted, or "
        "generalise them where that costs less",
    )

    def change(self, data: Purchases, chance: Chance) -> Changed[Purchases]:  # noqa: ARG002 - nothing is drawn
        """Return the purchases without what is rare."""
        if self.k > len(data.customers):
            said = f"k is {self.k}, but there are only {len(data.customers)} customers"
            raise ParameterError(f"Suppress: {said}.", code="parameter", parameter="k")
        rare = rare_combinations(_held(_people(data), _traces(data)), self.k, self.m)
        worded = self._generalised(data) if rare and self.first != "suppress" else data
        changed = _altered(data, worded)
        kept = worded.under(None).filter(self._kept(worded))
        if not kept.height:
            raise InputError(
                "Nothing is left: no trace is shared by k people. Make times coarser, generalise the goods "
                "or ask for a smaller k.",
                code="file-empty",
            )
        made = worded.with_records(kept, master=data.master)
        extras = {"mended": rare, "left_out": len(data.customers) - len(made.customers)}
        return Changed(made, Facts(deleted=len(data) - len(made), altered=changed, extras=extras))

    def _kept(self, data: Purchases) -> NDArray[np.bool_]:
        """Return which records stay."""
        who, trace = _people(data), _traces(data)
        held = _held(who, trace)
        kept = suppress(held, self.k, self.m)
        place = np.searchsorted(_cells(held), who * held.shape[1] + trace)
        return kept[place]

    def _generalised(self, data: Purchases) -> Purchases:
        """Return the purchases with goods climbed as far as is asked for, or as pays."""
        words = Words.of(data.hierarchies.get("goods") or by_characters(data.goods), data.goods)
        always = self.first == "generalize"
        best, least = data, np.inf
        for level in range(1, len(words.tree.levels) + 2):
            worded = _in_words(data, words)
            records = self._deleted(worded)
            if always or words.cost(records) < least:
                best, least = worded, words.cost(records)
            if level <= len(words.tree.levels):
                words = words.up(level, records, always=always)
        return best

    def _deleted(self, data: Purchases) -> pl.DataFrame:
        """Return (word, records, lost): the records of every good, and how many would be deleted."""
        records = data.records.select(word=pl.col("goods").cast(pl.String), lost=pl.lit(~self._kept(data)))
        return records.group_by("word").agg(pl.len().cast(pl.Int64).alias("records"), pl.col("lost").sum())


def _traces(data: Purchases) -> NDArray[np.int64]:
    """Return the trace of every record."""
    return group_codes([data.records], [name for name in ("goods", "time") if name in data.roles])[0]


def _people(data: Purchases) -> NDArray[np.int64]:
    return data.records["customer"].to_physical().to_numpy().astype(np.int64)


def _held(who: NDArray[np.int64], trace: NDArray[np.int64]) -> sparse.csr_array[np.int64]:
    """Return people x traces, the records where held."""
    held = sparse.coo_array((np.ones(len(who), dtype=np.int64), (who, trace))).tocsr()
    held.sort_indices()
    return held


def _cells(held: sparse.csr_array[np.int64]) -> NDArray[np.int64]:
    """Return the number of every entry's cell, in ascending order."""
    return np.repeat(np.arange(held.shape[0]), np.diff(held.indptr)) * held.shape[1] + held.indices


def _in_words(data: Purchases, words: Words) -> Purchases:
    """Return the purchases with their goods in other words, and what those stand for."""
    records = data.under(None).with_columns(words.written(pl.col("goods")))
    worded = data.with_records(records, master=data.master)
    return replace(worded, hierarchies={**data.hierarchies, "goods": words.tree})


def _altered(data: Purchases, worded: Purchases) -> int:
    """Return how many records have another good than before."""
    return int((data.records["goods"].cast(pl.String) != worded.records["goods"].cast(pl.String)).sum())
