"""Several releases in one hand: who holds an earlier release of the same people reads this one by it.

He needs no original for that. He links the names of the releases by the records that they have in common, and
believes of a linked name only what stands under all of its names: dummies, drawn anew each time, fall away.
What is left is one joined release under the names of the one under audit. All attackers are set on it as
well as on the release alone, and whatever they find there counts.

Where some people are sought in a large release, the names of the first of them are linked, and those that
look like them to whoever looks people up; the others stand as they were released.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Generic, cast

import numpy as np
import polars as pl

from kakurenbo.attacks.base import Tables
from kakurenbo.attacks.purchases.linking import stands_in_both
from kakurenbo.auditing.dropping import Believed
from kakurenbo.auditing.links import Links, links_in_blocks
from kakurenbo.auditing.panel.outcomes import PanelRun
from kakurenbo.auditing.results import Earlier
from kakurenbo.auditing.sample import Fetch, gathered, held
from kakurenbo.data.blocks import Blocks, in_blocks
from kakurenbo.data.owners import Owners
from kakurenbo.data.pairing import Pairing
from kakurenbo.data.release import Release
from kakurenbo.data.table import Data
from kakurenbo.errors import InputError, ParameterError
from kakurenbo.files.fingerprints import fingerprint
from kakurenbo.kernels.scan.look_up import KEPT

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from kakurenbo.about import Kind
    from kakurenbo.attacks.search.seek import Sought
    from kakurenbo.auditing.input import AuditInput
    from kakurenbo.auditing.learning.records import Learning
    from kakurenbo.auditing.sample import Secret
    from kakurenbo.auditing.search import Search
    from kakurenbo.chance import Chance
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.progress import Progress

    Bits = NDArray[np.uint64]

PAIRS = 1_000_000_000  # of names; where there are no more, all names of a release are linked
NAMES = 10_000  # of a larger one


@dataclass(frozen=True, eq=False)
class Other(Generic[Data]):
    """An earlier release that an attacker holds.

    Attributes:
        data: the table, in memory or in blocks.
        secret: whose its names are, where that is known: it judges the links and nothing else.
    """

    data: Data | Blocks
    secret: Pairing | Owners | Secret | None = None

    def __post_init__(self) -> None:
        if isinstance(self.data, Blocks) or not isinstance(self.secret, Pairing | Owners):
            return
        if not self.data.people.cast(pl.String).sort().equals(self.secret.released.unique().sort()):
            raise InputError(
                "The secret of an earlier release must speak of exactly the people in it.", code="unknown-id"
            )

    @classmethod
    def of(
        cls, given: Release[Data] | Data | Blocks | tuple[Data | Blocks, Pairing | Owners | Secret]
    ) -> Other[Data]:
        """Return what was given, with the secret that a release or a pair brings."""
        if isinstance(given, tuple):
            return cls(*given)
        return cls(given.data, given.pairing) if isinstance(given, Release) else cls(given)

    @property
    def names(self) -> int:
        """How many names it has."""
        return self.data.whole.counts["customers"] if isinstance(self.data, Blocks) else len(self.data.people)


@dataclass(frozen=True, eq=False)
class Held(Generic[Data]):
    """What an attacker makes of a release and earlier ones.

    Attributes:
        believed: what of the names that were asked about stands in all of them, under their own names.
        earlier: each of the others, and how names were linked with its own.
        people: the targets whose names were asked about; None for everybody.
    """

    believed: Data
    earlier: tuple[Earlier, ...]
    people: pl.Series | None = None

    @property
    def releases(self) -> int:
        """How many he holds, this one included."""
        return len(self.earlier) + 1

    def joined(self, given: AuditInput[Any]) -> AuditInput[Any]:
        """Return an audit's input with what is believed of the release."""
        return given.keeping(Believed(cast("Any", self.believed)))

    def attacked(
        self,
        given: AuditInput[Any],
        tables: Tables[Any],
        attack: Callable[..., PanelRun[Any]],
        look_for: Callable[..., Search[Any]],
    ) -> PanelRun[Any]:
        """Attack what is believed of the release; without a pairing people are only looked for.

        Args:
            given: the release under audit, and who is sought in it.
            tables: as they were attacked with the release alone.
            attack: lets the panel attack an input and its tables.
            look_for: only looks for the people in them.
        """
        joined = self.joined(given)
        both = Tables(tables.original, joined.released, tables.chance, tables.plain, tables.practice)
        if given.owners is None:
            return PanelRun((), (), both, search=look_for(joined, both, people=self.people))
        return attack(joined, both, people=self.people)


def check_kinds(kind: Kind, earlier: Sequence[Any]) -> None:
    """Refuse earlier releases of another kind of data, and of microdata."""
    if any(Other.of(other).data.kind != kind for other in earlier):
        raise ParameterError("Earlier releases must be of the same kind.", code="parameter")
    if earlier and kind == "microdata":
        raise ParameterError(
            "Earlier releases can be held against purchases only; audit each release of microdata by itself.",
            code="parameter",
            parameter="earlier",
        )


def join(
    given: AuditInput[Any],
    earlier: Sequence[Any],
    sought: Sought,
    chance: Chance,
    progress: Progress,
) -> Held[Any]:
    """Link a release with earlier ones, and keep what stands in all of them.

    Args:
        given: the release under audit, and who is sought in it.
        earlier: the others, each as `Other` takes it.
        sought: where these people were looked for in the release alone.
        chance: as of that search.
        progress: told about each of them.
    """
    others = [Other.of(one) for one in earlier]
    asked, people = _asked(given, max(other.names for other in others), sought, chance, progress.part(0, 0.1))
    stands, told = pl.repeat(True, len(asked), eager=True), []
    for number, other in enumerate(others):
        steps = progress.part(0.1 + 0.9 * number / len(others), 0.1 + 0.9 * (number + 1) / len(others))
        steps.step("linking with earlier releases", 0)
        made = _links(given, asked, other, chance, steps)
        stands &= stands_in_both(made.released, made.earlier, made.links, made.extent)
        told.append(_told(given, other, made.links, people))
    return Held(_believed(asked, stands), tuple(told), people)


def _asked(
    given: AuditInput[Any], earlier: int, sought: Sought, chance: Chance, progress: Progress
) -> tuple[Purchases, pl.Series | None]:
    """Return what stands under the names that are linked, and whose they are; None for everybody."""
    if given.complete:
        return given.released, None
    _, after = cast("tuple[Blocks, Blocks]", given.blocks)
    if given.names * max(given.names, earlier) <= PAIRS:
        return after.some(given.names), None
    people, bits = _first_and_rivals(given, sought)
    names = pl.Series([], dtype=pl.String)
    if given.owners is not None:
        rows = given.owners.owned.frame
        names = rows.filter(pl.col("original").is_in(people.implode()))["released"].unique()
    fetch = Fetch(names, chance.under("scan"), bits)
    return gathered(after, fetch, progress, "linking with earlier releases"), people


def _first_and_rivals(given: AuditInput[Any], sought: Sought) -> tuple[pl.Series, Bits]:
    """Return the first targets, and the bits of all names that fit them where these are not too many.

    Who fits with more others than are remembered is hardly found, and linking some of these changes little.
    """
    looking = [ties for key, ties in sought.places.items() if key in sought.looking and len(ties.kept)]
    first = min((len(ties.kept) for ties in looking), default=0)
    each = max(given.names // given.people, 1)
    seen: set[int] = set()
    for target in range(first):
        few = [ties for ties in looking if ties.ties[target] <= KEPT]
        here = [ties.kept[target][ties.remembered[target]] for ties in few]
        wanted = seen | set(np.concatenate([np.empty(0, np.uint64), *here]).tolist())
        if target and len(wanted) + (target + 1) * each > NAMES:
            first = target
            break
        seen = wanted
    return sought.people.head(max(first, 1)), np.fromiter(seen, np.uint64, len(seen))


def _links(
    given: AuditInput[Any], asked: Purchases, other: Other[Any], chance: Chance, progress: Progress
) -> Links:
    """Link names with those of an earlier release: all at once in memory, or in blocks."""
    data = other.data
    if given.complete and not isinstance(data, Blocks):
        return Links.whole(asked, data)
    if given.complete and len(asked.customers) * other.names <= PAIRS:
        return Links.whole(asked, cast("Blocks", data).some(other.names))
    _, after = cast("tuple[Blocks, Blocks]", given.blocks)
    return links_in_blocks(asked, after, in_blocks(data), chance.under("links"), progress)


def _told(given: AuditInput[Any], other: Other[Any], links: Pairing, people: pl.Series | None) -> Earlier:
    """Say how names were linked: all of them, or the targets' own."""
    rows, asked, owners = links.frame, None, given.owners
    if owners is not None and not given.complete:
        owned = owners.owned.frame
        if people is not None:
            owned = owned.filter(pl.col("original").is_in(people.implode()))
        rows = rows.filter(pl.col("released").is_in(owned["released"].implode()))
    if not given.complete:
        asked = rows.height
    named = rows.drop_nulls()
    rightly = None if owners is None or other.secret is None else _rightly(named, owners, held(other.secret))
    return Earlier(fingerprint(other.data), other.names, named.height, rightly, asked)


def _rightly(links: pl.DataFrame, owners: Owners, theirs: Secret) -> int:
    """Count the links that join two names of one person."""
    with suppress(InputError):  # nobody of these is in the earlier release
        known = theirs.of(owners.persons).frame.drop_nulls().rename({"released": "linked"})
        named = links.rename({"original": "linked"}).join(owners.owned.frame, on="released")
        return named.join(known, on=["linked", "original"])["released"].n_unique()
    return 0


def _believed(released: Purchases, stands: pl.Series) -> Purchases:
    """Return the records that stand in all releases; a name that would have none keeps its own."""
    records = released.under(None).with_columns(stands=stands)
    kept = records.filter(pl.col("stands") | ~pl.col("stands").any().over("customer"))
    return released.with_records(kept.drop("stands"), master=released.master)


def found_with(alone: PanelRun[Data], joined: PanelRun[Data], releases: int) -> PanelRun[Data]:
    """Return what was found in the release alone and in the joined one, worst first."""
    marked = (
        replace(outcome, finding=replace(outcome.finding, releases=releases)) for outcome in joined.outcomes
    )
    both = sorted([*alone.outcomes, *marked], key=lambda outcome: -outcome.finding.exposed.value)
    late = tuple(left for left in joined.skipped if left.late)
    return replace(alone, outcomes=tuple(both), skipped=(*alone.skipped, *late))


def learnt_with(alone: Learning, joined: Learning, releases: int) -> Learning:
    """Return what was learnt from the release alone and from the joined one, worst first."""
    held = f"{releases} releases"
    marked = (replace(one, way=f"{one.way}, {held}" if one.way else held) for one in joined.lessons)
    both = sorted([*alone.lessons, *marked], key=lambda one: -one.advantage.value)
    return replace(alone, lessons=tuple(both))
