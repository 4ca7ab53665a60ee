"""What every method shares: it changes data under the original ids, and all releases are made alike.

A method only says how records change. Pseudonyms, new receipts and the shuffling away of every trace of order
are done once, by `new_names`, so that no method can forget them. Chance comes from the `Chance` handed in, by
purpose and id, and from nowhere else.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeAlias

import polars as pl
from pydantic import Field, InstanceOf, SerializeAsAny

from kakurenbo.about import MethodAbout
from kakurenbo.chance import Chance
from kakurenbo.data.blocks import InMemory
from kakurenbo.data.groups import comparable
from kakurenbo.data.pairing import Pairing
from kakurenbo.data.purchases import Purchases
from kakurenbo.data.release import Changed, Facts, Release
from kakurenbo.data.table import ByKind, Data, require_shown, require_tables
from kakurenbo.deidentify.fitted import ByPerson, Fitted, Through, declared, one_after_another, unchanged
from kakurenbo.deidentify.pseudonyms import new_names
from kakurenbo.errors import ParameterError
from kakurenbo.parameters import Parameters
from kakurenbo.plan import Plan, Step
from kakurenbo.provenance import Provenance

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from kakurenbo.data.blocks import Blocks
    from kakurenbo.data.microdata import Microdata
    from kakurenbo.deidentify.in_blocks import ReleaseInBlocks
    from kakurenbo.progress import Progress


class Method(Parameters, ABC, Generic[Data]):
    """A way to de-identify: parameters in the constructor, `release` the one verb."""

    about: ClassVar[MethodAbout]
    keeps: ClassVar[bool] = False  # whether every record stays, its owner's and of its good

    @abstractmethod
    def change(self, data: Data, chance: Chance) -> Changed[Data]:
        """Return the changed table under the original ids."""

    def fitted(self, blocks: Blocks, chance: Chance, progress: Progress | None = None) -> Fitted:  # noqa: ARG002
        """Return the method with what it needs of all blocks, ready to work on one of them at a time.

        Args:
            blocks: the table; passes over it gather what the method needs of the whole.
            chance: as for `change`.
            progress: told how far the passes are.
        """
        if self.about.reach != "person":
            why = f" {self.about.because[:1].upper()}{self.about.because[1:]}." if self.about.because else ""
            raise ParameterError(
                f"{type(self).__name__} does not run in blocks.{why} Use it on a table that fits in memory.",
                code="parameter",
            )
        return Fitted(blocks, ByPerson(self, chance))

    @property
    def plan(self) -> Plan:
        """The plan that this method carries out."""
        parameters = self.model_dump(mode="json", exclude_defaults=True)
        return Plan(self.about.kind, (Step(self.about.name, parameters),))

    def steps(self) -> Iterator[Method[Data]]:
        """Yield the methods that carry out the steps of its plan: itself, if it does more than new names."""
        if self.plan.steps:
            yield self

    @classmethod
    def tuned(cls, values: Mapping[str, Any], people: int) -> dict[str, Any]:  # noqa: ARG003 - some need it
        """Return the parameters that the tuner's knobs stand for, among so many people."""
        return {
            name: round(value, 3) if isinstance(value, float) else value for name, value in values.items()
        }

    @property
    def hides(self) -> frozenset[str]:
        """What of the data a release of it no longer shows; a step after it cannot need that."""
        return frozenset()

    def release(self, data: Data, *, seed: int | None = None) -> Release[Data]:
        """De-identify a table.

        Args:
            data: the table to hide people in; it is not changed.
            seed: makes the run repeatable, and therefore unfit for release; without it the operating
                system's randomness is used.
        """
        require_tables(f"{type(self).__name__}.release", data=data)
        chance = Chance(seed)
        changed = self.change(data, chance)
        released, pseudonyms, owners = new_names(changed.data, chance)
        pairing = Pairing(pseudonyms, declared(owners, changed.pairing))
        facts = _COUNTED(data, changed)
        return Release(released, pairing, facts, Provenance(self.plan, seed is not None))

    def release_in_blocks(
        self, blocks: Blocks, *, seed: int | None = None, progress: Progress | None = None
    ) -> ReleaseInBlocks:
        """Prepare the release of a table that is larger than memory; it is made while it is written.

        Args:
            blocks: the table to hide people in.
            seed: as for `release`, and with the same release.
            progress: told how far the passes are.
        """
        from kakurenbo.deidentify.in_blocks import release_in_blocks  # noqa: PLC0415 - few need it

        return release_in_blocks(self, blocks, seed=seed, progress=progress)

    def require(self, data: Data, *needs: str) -> None:
        """Refuse a table that does not show what the method changes."""
        require_shown(type(self).__name__, needs or self.about.needs, data)

    def require_rows(self, data: Data, k: int) -> None:
        """Refuse a k that no table of this size can keep."""
        if k > len(data):
            said = f"k is {k}, but the table has only {len(data)} rows"
            raise ParameterError(f"{type(self).__name__}: {said}.", code="parameter")


def _rows_altered(data: Microdata, changed: Changed[Microdata]) -> Facts:
    """Return the facts with every row counted that no longer says what it said."""
    places = pl.DataFrame({"id": data.ids}).with_row_index("place")
    kept = pl.DataFrame({"id": changed.data.ids}).join(places, on="id", how="left", maintain_order="left")
    names = changed.data.records.columns
    before, after = comparable([data.records[kept["place"]], changed.data.records], names)
    told = [before[name].ne_missing(after[name]) for name in names]
    count = int(pl.DataFrame(told).select(pl.any_horizontal(pl.all()).sum()).item())
    return replace(changed.facts, altered=count)


# Methods for purchases count what they alter; rows of people can be compared one by one.
_COUNTED: ByKind[Facts] = ByKind(purchases=lambda _, changed: changed.facts, microdata=_rows_altered)


if TYPE_CHECKING:
    AnyMethod: TypeAlias = Method[Any]
else:
    AnyMethod = Method  # pydantic takes every kind of data for another class


class OverTable(Method[Purchases]):
    """Shared by methods that need something of the whole table first; in memory it is their only block."""

    def change(self, data: Purchases, chance: Chance) -> Changed[Purchases]:
        """Return the purchases changed as a block of their own."""
        fitted = self.fitted(InMemory(data, 1), chance)
        changed = fitted.work(data)
        return replace(changed, facts=changed.facts.then(fitted.facts))

    @abstractmethod
    def fitted(self, blocks: Blocks, chance: Chance, progress: Progress | None = None) -> Fitted:
        """Return the method with what it needs of the whole."""


class Chain(Method[Data]):
    """Several methods in turn, each working on what the one before made; pseudonyms come once, at the end."""

    methods: tuple[SerializeAsAny[InstanceOf[AnyMethod]], ...] = Field(
        min_length=1, description="the methods, in order"
    )

    def model_post_init(self, _: object) -> None:
        """Refuse methods for two kinds of data."""
        if len({method.plan.kind for method in self.methods}) > 1:
            raise ParameterError("Chain: all methods must work on one kind of data.", code="parameter")

    @property
    def plan(self) -> Plan:
        """The plans of the methods, one after another."""
        plans = [method.plan for method in self.methods]
        return Plan(plans[0].kind, tuple(step for plan in plans for step in plan.steps))

    def change(self, data: Data, chance: Chance) -> Changed[Data]:
        """Apply the methods in order; each draws by its place in the plan."""
        changed: Changed[Data] = Changed(data)
        for place, method in enumerate(self.steps()):
            later = method.change(changed.data, chance.under("step", place) if place else chance)
            pairing = one_after_another(changed.pairing, later.pairing)
            changed = Changed(later.data, changed.facts.then(later.facts), pairing)
        return changed

    def fitted(self, blocks: Blocks, chance: Chance, progress: Progress | None = None) -> Fitted:
        """Fit the methods in order, each to what those before it make of the blocks."""
        made = Fitted(blocks, unchanged)
        for place, method in enumerate(self.steps()):
            seen = Through(made.blocks, made.work) if place else made.blocks
            step = method.fitted(seen, chance.under("step", place) if place else chance, progress)
            made = made.then(step, seen, progress)
        return made

    def steps(self) -> Iterator[Method[Data]]:
        """Yield the steps of all its methods."""
        for method in self.methods:
            yield from method.steps()
