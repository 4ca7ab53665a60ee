"""Cluster and pad: Methods 0, 1 and 2 of the papers, and `compact`, ours.

All four hide a customer among others by making their goods sets equal; they differ in who is put with whom,
and so in how many dummies that takes. By default they write dummies in the paper's format, which are told at
a glance: **for reproduction, not for release**. With `dummies="donor"` they copy real purchases instead.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
from pydantic import Field

from kakurenbo.about import Knob, MethodAbout
from kakurenbo.data.blocks import InMemory
from kakurenbo.data.purchases import Purchases
from kakurenbo.deidentify.base import Method
from kakurenbo.deidentify.purchases import parts
from kakurenbo.deidentify.purchases.padding import pad
from kakurenbo.kernels.clusters import balance, check_clusters, kmeans, tfidf_kmeans
from kakurenbo.kernels.compact import compact

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from kakurenbo.chance import Chance
    from kakurenbo.data.baskets import Baskets
    from kakurenbo.data.blocks import Blocks
    from kakurenbo.data.release import Changed
    from kakurenbo.deidentify.fitted import Fitted
    from kakurenbo.progress import Progress

_ALONE = "nothing keeps a cluster from being one person: balanced and compact do better"


class ClusterMethod(Method[Purchases]):
    """Shared by all methods that put customers into clusters: refuse what cannot work, then cluster.

    Above a number of people they are cut into parts of look-alikes first (see `parts`), in memory as well.
    """

    def change(self, data: Purchases, chance: Chance) -> Changed[Purchases]:
        """Cluster the customers and make those of a cluster alike, part by part where they are many."""
        if len(data.customers) <= parts.LIMIT:
            return self.together(data, chance)
        return parts.changed_in_parts(data, self.fitted(InMemory.of(data), chance))

    def fitted(self, blocks: Blocks, chance: Chance, progress: Progress | None = None) -> Fitted:
        """Find who may share a cluster, and put them into one block."""
        return parts.fitted(self, blocks, chance, progress)

    @abstractmethod
    def together(self, data: Purchases, chance: Chance) -> Changed[Purchases]:
        """Cluster the customers among one another and make those of a cluster alike."""

    def for_part(self, clusters: int | None) -> ClusterMethod:
        """Return the method for one part of the people, which has so many of the clusters."""
        return self if clusters is None else self.model_copy(update={"clusters": clusters})

    @property
    def cells(self) -> tuple[str, ...]:
        """The columns of the master in which all of a cluster are alike."""
        return ()

    def able(self, purchases: Purchases) -> NDArray[np.bool_]:
        """Return which customers can be in a cluster; the others are left out."""
        return np.ones(len(purchases.customers), dtype=np.bool_)

    def refuse(self, cells: NDArray[np.int64]) -> None:
        """Refuse what these people, each in a cell of the master, cannot have."""
        check_clusters(len(cells), **self.model_dump(include={"clusters", "min_size"}))

    def labels(self, purchases: Purchases, chance: Chance) -> NDArray[np.int64]:
        """Return the cluster of every customer; refuse what cannot be before any work."""
        self.refuse(np.zeros(len(purchases.customers), dtype=np.int64))
        return self.group(self.baskets(purchases), chance.stream("clusters"))

    def baskets(self, purchases: Purchases) -> Baskets:
        """Return what customers are clustered by: their goods sets."""
        return purchases.baskets()

    @abstractmethod
    def group(self, baskets: Baskets, rng: np.random.Generator) -> NDArray[np.int64]:
        """Return the cluster of every customer."""


class PaddingMethod(ClusterMethod):
    """Shared by the methods of this file: cluster, then pad everybody to the goods of his cluster."""

    dummies: Literal["paper", "donor"] = Field(
        "paper",
        description="dummies in the paper's format (one piece on the last receipt, told at a glance), or "
        "copies of the cluster's real purchases spread over the customer's own visits",
    )

    def together(self, data: Purchases, chance: Chance) -> Changed[Purchases]:
        """Cluster the customers and pad each to the goods of his cluster."""
        return pad(data, self.labels(data, chance), chance if self.dummies == "donor" else None)


class Compacting(ClusterMethod):
    """Shared by `compact`, `consensus` and `deal`: clusters of at least min_size whose goods overlap most."""

    min_size: int = Field(ge=1, description="fewest customers in a cluster")
    clusters: int | None = Field(
        None, ge=1, description="number of clusters; none given means as many as help"
    )
    effort: int | None = Field(
        None,
        ge=1,
        description="proposals per customer; none given means by their number",
    )

    def for_part(self, clusters: int | None) -> ClusterMethod:
        """Return the method for one part, with the effort of a part unless one was asked for."""
        own = super().for_part(clusters)
        return own if self.effort is not None else own.model_copy(update={"effort": parts.EFFORT})

    def group(self, baskets: Baskets, rng: np.random.Generator) -> NDArray[np.int64]:
        """Search for the clustering with the fewest dummies."""
        return compact(baskets.matrix, self.min_size, self.clusters, rng=rng, effort=self.effort)


class KMeans(PaddingMethod):
    """Method 0: plain k-means on goods sets, then padding; shows the monopoly of one huge cluster.

    For reproduction, not for release. Most customers fall into one cluster, which takes enormous numbers of
    dummies, while many stay alone and unprotected.
    """

    about: ClassVar = MethodAbout(
        name="kmeans", kind="purchases", reach="group",
        source="000 Method 0", promises=("adds-only", "equal-sets"),
        example={"clusters": 1}, untuned=_ALONE,
    )  # fmt: skip

    clusters: int = Field(ge=1, description="number of clusters, c")

    def group(self, baskets: Baskets, rng: np.random.Generator) -> NDArray[np.int64]:
        """Cluster the raw binary vectors."""
        return kmeans(baskets.matrix, self.clusters, rng)


class Tfidf(PaddingMethod):
    """Method 1: k-means by cosine on TF-IDF weights, then padding; no monopoly, but still clusters of one.

    For reproduction, not for release.
    """

    about: ClassVar = MethodAbout(
        name="tfidf", kind="purchases", reach="group",
        source="000, 002, 003 Method 1", promises=("adds-only", "equal-sets"),
        example={"clusters": 1}, untuned=_ALONE,
    )  # fmt: skip

    clusters: int = Field(ge=1, description="number of clusters, c")

    def group(self, baskets: Baskets, rng: np.random.Generator) -> NDArray[np.int64]:
        """Cluster the normalised TF-IDF vectors."""
        return tfidf_kmeans(baskets.matrix, self.clusters, rng)


class Balanced(PaddingMethod):
    """Method 2: Method 1, then small clusters filled from the largest until all have s_min members.

    For reproduction, not for release. Every customer shares his goods set with at least s_min - 1 others, so
    the Jaccard attack finds about c/n of them.
    """

    about: ClassVar = MethodAbout(
        name="balanced", kind="purchases", reach="group", source="000, 002, 003 Method 2",
        promises=("adds-only", "equal-sets", "min-size"), slot="groups",
        knobs=(Knob.of_size("min_size"), Knob("fill", low=0.4), Knob("dummies", ("paper", "donor"))),
        example={"clusters": 1, "min_size": 1},
    )  # fmt: skip

    clusters: int = Field(ge=1, description="number of clusters, c")
    min_size: int = Field(
        ge=1, description="fewest customers in a cluster, s_min; at most customers / clusters"
    )

    @classmethod
    def tuned(cls, values: Mapping[str, Any], people: int) -> dict[str, Any]:
        """Turn the share of the clusters that fit (`fill`) into their number."""
        size = values["min_size"]
        rest = {name: value for name, value in values.items() if name != "fill"}
        return {"clusters": max(1, round(values["fill"] * (people // size))), **rest}

    def group(self, baskets: Baskets, rng: np.random.Generator) -> NDArray[np.int64]:
        """Cluster as Method 1 does, then balance."""
        return balance(baskets.matrix, tfidf_kmeans(baskets.matrix, self.clusters, rng), self.min_size)


class Compact(PaddingMethod, Compacting):
    """Ours: the promise of Method 2 with as few dummies as can be found, by minimising Delta_m itself.

    Customers move and change places between clusters, each step judged by its exact change of Delta_m, first
    warm, then cold. By default dummies are in the paper's format: for comparison, not for release.
    """

    about: ClassVar = MethodAbout(
        name="compact", kind="purchases", reach="group",
        source="ours", promises=("adds-only", "equal-sets", "min-size"),
        slot="groups", knobs=(Knob.of_size("min_size"), Knob("dummies", ("paper", "donor"))),
        example={"min_size": 1},
    )  # fmt: skip
