"""Several releases in one hand: who holds an earlier release of the same people reads this one by it.

He needs no original for that. He links the names of the releases by the records that they have in common, and
believes of a linked name only what stands under all of its names: dummies, drawn anew each time, fall away.
What is left is one joined release under the names of the one under audit. All attackers are set on it as
well as on the release alone, and whatever they find there counts.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Generic

import polars as pl

from kakurenbo.attacks.purchases.linking import linked, stands_in_both
from kakurenbo.auditing.results import Earlier
from kakurenbo.data.release import Release
from kakurenbo.data.table import ByKind, Data
from kakurenbo.errors import ParameterError
from kakurenbo.mappings import common_vocabulary
from kakurenbo.progress import Progress

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kakurenbo.auditing.learning.records import Learning
    from kakurenbo.auditing.panel.outcomes import PanelRun
    from kakurenbo.data.microdata import Microdata
    from kakurenbo.data.owners import Owners
    from kakurenbo.data.pairing import Pairing
    from kakurenbo.data.purchases import Purchases


@dataclass(frozen=True, eq=False)
class Held(Generic[Data]):
    """What an attacker makes of a release and earlier ones.

    Attributes:
        joined: what of the release stands in all of them, under its own names.
        earlier: each of the others, and how its names were linked.
    """

    joined: Data
    earlier: tuple[Earlier, ...]

    @property
    def releases(self) -> int:
        """How many he holds, this one included."""
        return len(self.earlier) + 1


def _join(
    released: Purchases,
    earlier: Sequence[Release[Purchases] | Purchases],
    secret: Owners | None,
    progress: Progress | None = None,
) -> Held[Purchases]:
    """Link a release with earlier ones, and keep what stands in all of them.

    Args:
        released: the release under audit.
        earlier: the others; a `Release` brings its secret, which serves to judge the links and nothing else.
        secret: whose the names of the release under audit are, where that is known.
        progress: told about each of them.
    """
    steps, stands, told = progress or Progress(), pl.repeat(True, len(released), eager=True), []
    for number, other in enumerate(earlier):
        steps.step("linking with earlier releases", number / len(earlier))
        data = other.data if isinstance(other, Release) else other
        ours, theirs = _in_common_words(released, data)
        links = linked(theirs, ours)
        stands &= stands_in_both(ours, theirs, links)
        told.append(Earlier(data.fingerprint(), len(data.people), len(links) - links.abstained,
                            _rightly(links, other, secret)))  # fmt: skip
    return Held(_believed(released, stands), tuple(told))


def _in_common_words(released: Purchases, earlier: Purchases) -> tuple[Purchases, Purchases]:
    """Return both in the words of the coarser of the two, row by row as they stand."""
    theirs = common_vocabulary(earlier, released)
    if theirs.of("goods") is not None:
        return released, theirs.original
    return common_vocabulary(released, earlier).original, earlier


def _believed(released: Purchases, stands: pl.Series) -> Purchases:
    """Return the records that stand in all releases; a name that would have none keeps its own."""
    records = released.under(None).with_columns(stands=stands)
    kept = records.filter(pl.col("stands") | ~pl.col("stands").any().over("customer"))
    return released.with_records(kept.drop("stands"), master=released.master)


def _rightly(links: Pairing, other: Release[Any] | Purchases, secret: Owners | None) -> int | None:
    """Count the links that join two names of one person, where both secrets are known."""
    if secret is None or not isinstance(other, Release):
        return None
    theirs = other.pairing.frame.rename({"released": "linked", "original": "person"})
    named = links.frame.drop_nulls().rename({"original": "linked"}).join(theirs, on="linked")
    same = named.join(secret.frame.drop_nulls(), on="released").filter(pl.col("person") == pl.col("original"))
    return same["released"].n_unique()


def _refused(released: Microdata, *_: object) -> Held[Microdata]:  # noqa: ARG001 - whichever it is
    raise ParameterError(
        "Earlier releases can be held against purchases only; audit each release of microdata by itself.",
        code="parameter",
        parameter="earlier",
    )


join: ByKind[Held[Any]] = ByKind(purchases=_join, microdata=_refused)


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
