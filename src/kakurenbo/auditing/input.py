"""What an audit is given: two tables, the people who are looked for, and whose every released name is.

A table in memory is one block, and everybody in it is looked for. Of a table with more people than are asked
for, or of one in blocks, targets are drawn by their ids; their records and what stands under their names are
two small tables with a pairing of their own, and the blocks hold everybody else. Sampled targets are the only
difference: whoever is looked for is looked for among all.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, Literal, cast

from kakurenbo.attacks.search.seek import REMEMBERED
from kakurenbo.auditing.dropping import Dropping, Joined
from kakurenbo.auditing.exposure import NAMES as NEAR
from kakurenbo.auditing.results import Engine, Sampled, Targets
from kakurenbo.auditing.sample import Held, Secret, draw, held
from kakurenbo.data.blocks import Blocks, InMemory, in_blocks
from kakurenbo.data.owners import Owners
from kakurenbo.data.release import Facts, Release
from kakurenbo.data.table import Data, require_tables
from kakurenbo.errors import ParameterError
from kakurenbo.kernels.agreement import PUPILS
from kakurenbo.provenance import Provenance

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import polars as pl

    from kakurenbo.auditing.results import Control
    from kakurenbo.chance import Chance
    from kakurenbo.data.pairing import Pairing
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.progress import Progress

TARGETS = 10_000


@dataclass(frozen=True, eq=False)
class AuditInput(Generic[Data]):
    """What an audit is given.

    Attributes:
        original: the records of the targets.
        released: what stands under their names, and under a share of the names that are nobody's.
        owners: whose these names are; None without a secret.
        people: how many people there are in all.
        names: how many released names there are in all.
        blocks: everybody before and after; None of microdata, which are always whole.
        secret: whose any name is.
        facts: what the release says of how it was made.
        made: where the release comes from.
    """

    original: Data
    released: Data
    owners: Owners | None
    people: int
    names: int
    blocks: tuple[Blocks, Blocks] | None = None
    secret: Secret | None = None
    facts: Facts | None = None
    made: Provenance = field(default_factory=Provenance)

    @classmethod
    def of(  # noqa: PLR0917 - as an audit is asked
        cls,
        original: Data | Blocks,
        release: Release[Data] | Data | Blocks,
        secret: Pairing | Owners | Secret | None,
        targets: int | Literal["all"] | None,
        chance: Chance,
        progress: Progress,
    ) -> AuditInput[Data]:
        """Take the tables as they are, or draw so many targets from them; `all` means everybody."""
        facts, made = None, Provenance()
        if isinstance(release, Release):
            facts, made = release.facts, release.provenance
            secret = release.pairing if secret is None else secret
            release = release.data
        if needs_sampling(original, release, targets):
            known = None if secret is None else held(secret)
            both = in_blocks(cast("Any", original)), in_blocks(cast("Any", release))
            return cls._drawn(both, known, targets, chance, progress, (facts, made))
        owners = None if secret is None else Owners.of(cast("Any", secret))
        return cls.whole(cast("Data", original), cast("Data", release), owners, (facts, made))

    @classmethod
    def whole(
        cls,
        original: Data,
        released: Data,
        owners: Owners | None,
        about: tuple[Facts | None, Provenance] = (None, Provenance()),
    ) -> AuditInput[Data]:
        """Return two tables in memory, of which everybody is looked for."""
        blocks = None
        if original.kind == "purchases":
            blocks = cast("Any", (InMemory(cast("Any", original), 1), InMemory(cast("Any", released), 1)))
        secret = None if owners is None else Held(owners)
        people, names = len(original.people), len(released.people)
        return cls(original, released, owners, people, names, blocks, secret, *about)

    @classmethod
    def _drawn(  # noqa: PLR0917 - what was given
        cls,
        blocks: tuple[Blocks, Blocks],
        secret: Secret | None,
        targets: int | Literal["all"] | None,
        chance: Chance,
        progress: Progress,
        about: tuple[Facts | None, Provenance],
    ) -> AuditInput[Any]:
        people = blocks[0].whole.counts["customers"]
        count = people if targets == "all" else min(TARGETS if targets is None else int(targets), people)
        sample = draw(*blocks, secret, count, chance, progress)
        return AuditInput(
            sample.original,
            sample.released,
            sample.owners,
            sample.people,
            sample.names,
            blocks,
            secret,
            *about,
        )

    @cached_property
    def complete(self) -> bool:
        """Whether everybody is looked for, and all that was released is at hand."""
        return len(self.original.people) == self.people and len(self.released.people) == self.names

    @property
    def keeps_order(self) -> bool:
        """Whether these are two tables in memory, whose rows stand in the order in which they came."""
        return self.blocks is None or (
            self.complete
            and all(
                isinstance(side, InMemory) and side.blocks == 1 and side.places is None
                for side in self.blocks
            )
        )

    def beside(
        self, known: Purchases, others: pl.Series, recode: Callable[[Purchases], Purchases] | None
    ) -> AuditInput[Purchases]:
        """Return the same release for people more, who are known beside the rest and not in it.

        Args:
            known: people of the original and these, in the words of the release.
            others: who they are.
            recode: writes a block of the original in the words of the release.
        """
        before, after = cast("tuple[Blocks, Blocks]", self.blocks)
        rest = before if recode is None else Dropping(before, recode)
        same, people = cast("AuditInput[Purchases]", self), self.people + len(others)
        both = Joined(rest, known.of(others)), after
        return replace(same, original=known, owners=None, secret=None, people=people, blocks=both)

    def keeping(self, left: Callable[[Purchases], Purchases]) -> AuditInput[Purchases]:
        """Return the same of what is left of the release, as without what looks like a dummy."""
        before, after = cast("tuple[Blocks, Blocks]", self.blocks)
        released = left(cast("Purchases", self.released))
        kept: Blocks = InMemory(released, 1) if self.keeps_order else Dropping(after, left)
        return replace(cast("AuditInput[Purchases]", self), released=released, blocks=(before, kept))

    @property
    def fingerprints(self) -> dict[str, str]:
        """What tells both tables from all others: the same whether they are in blocks or not."""
        sides = ("original", self.original), ("released", self.released)
        if self.keeps_order or self.blocks is None:
            return {name: data.fingerprint() for name, data in sides}
        whole = (side.data if isinstance(side, InMemory) else side for side in self.blocks)
        return {name: data.fingerprint() for (name, _), data in zip(sides, whole, strict=True)}

    @property
    def by_threads(self) -> bool:
        """Whether several threads may go through the tables at a time."""
        return self.blocks is not None and all(side.by_threads for side in self.blocks)

    @property
    def counts(self) -> dict[str, Mapping[str, int]]:
        """What both tables hold, and how much of it."""
        if self.blocks is None:
            return {"original": self.original.counts, "released": self.released.counts}
        return {
            name: side.whole.counts for name, side in zip(("original", "released"), self.blocks, strict=True)
        }

    def targets(self, compared: int, candidates: int = 0, among: int = 0) -> Targets | None:
        """Return who was looked for; None where that was everybody, by every attacker."""
        drawn = len(self.original.people)
        if self.complete and compared >= drawn and not candidates:
            return None
        return Targets(drawn, self.people, min(compared, drawn), candidates, among)

    def engine(
        self,
        searched: Targets | None,
        *,
        units: bool,
        linked: int,
        proved: int,
        control: Control | None,
        owning: int | None = None,
    ) -> Engine:
        """Return what holds the tables, and what was worked out on some of all.

        Args:
            searched: who was looked for, where that was not everybody.
            units: whether attackers learnt how telling it is that records or visits agree.
            linked: how many names were linked with earlier releases, if there were any.
            proved: on how many people the attackers were tried.
            control: what is compared with what is learnt; None where nothing is.
            owning: of how many people it was asked which receipts are theirs; None where of all.
        """
        people, names = len(self.original.people), len(self.released.people)
        near = names if self.complete else min(NEAR, names)
        compared, candidates = (searched.compared, searched.candidates) if searched else (people, 0)
        outside, given = (control.people, control.drawn_from or 0) if control else (0, 0)
        counts = (
            ("targets", people, self.people),
            ("costliest", compared, people),
            ("candidates", candidates, self.people),
            ("agreement", min(PUPILS, people) if units else 0, self.people),
            ("inference", min(REMEMBERED, people) if control else 0, self.people),
            (
                "receipts",
                owning if owning is not None and owning < min(REMEMBERED, people) else 0,
                self.people,
            ),
            ("control", outside, given),
            ("links", linked, self.names),
            ("exposure", names, self.names),
            ("nearness", near, self.names),
            ("utility", people, self.people),
            ("validation", proved, self.people),
        )
        held = {"memory"} if self.blocks is None else {side.engine for side in self.blocks}
        name = next(engine for engine in ("spark", "blocks", "memory") if engine in held)
        return Engine(
            cast("Any", name), tuple(Sampled(*count) for count in counts if 0 < count[1] < count[2])
        )


def needs_sampling(original: object, released: object, targets: int | str | None) -> bool:
    """Tell whether targets are drawn: from blocks, and from tables of more people than are asked for."""
    if isinstance(targets, int) and targets < 1:
        raise ParameterError("At least one person must be sought.", code="parameter", parameter="targets")
    for name, data in (("original", original), ("release", released)):
        if not isinstance(data, Blocks):
            require_tables("audit", **{name: data})
    if cast("Any", original).kind != cast("Any", released).kind:
        raise ParameterError("The original and the release must be of one kind.", code="parameter")
    if isinstance(original, Blocks) or isinstance(released, Blocks):
        return True
    most = TARGETS if targets is None else targets
    table = cast("Purchases", original)
    return table.kind == "purchases" and isinstance(most, int) and len(table.people) > most
