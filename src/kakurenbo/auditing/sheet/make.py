"""Make the data sheet of a release: read it off the release, measure it beside its original, round it.

Measures are those that say in words what their number means to a user. All of them together take about ten
microseconds a record; those that teach models take longer and load more, so they are told only where an
audit has them. Of more than ten thousand people so many are measured, drawn by their ids: the same ones for
everybody and for ever, so that equal releases have equal sheets. A figure of the original is told to three
digits, and none where there are fewer than ten people to speak of.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

from kakurenbo.auditing.sheet.columns import Noted, columns
from kakurenbo.auditing.utility import utility
from kakurenbo.catalogue import entries, find
from kakurenbo.chance import Chance
from kakurenbo.data import sampling
from kakurenbo.data.blocks import Blocks, InMemory, in_blocks
from kakurenbo.data.owners import Owners
from kakurenbo.data.sampling import Fetch, Low, Sample, sample, together
from kakurenbo.data.table import ByKind
from kakurenbo.errors import InputError
from kakurenbo.progress import Progress
from kakurenbo.provenance import Provenance, versions
from kakurenbo.sheet.record import Change, DataSheet, Rung, Sought, Use, advised

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from kakurenbo.auditing.results import Audit, Kept
    from kakurenbo.data.microdata import Microdata
    from kakurenbo.data.pairing import Pairing
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.data.release import Facts, Release
    from kakurenbo.data.table import Table
    from kakurenbo.files.release_in_blocks import Told
    from kakurenbo.plan import Plan
    from kakurenbo.sheet.record import Language

FEWEST = 10  # people that a figure must rest on
_DIGITS = 3
_TAUGHT = "a model has to be taught for it: an audit does"
_DRAWN = Chance(0)  # it draws who is measured, and hides nothing
_FEW = f"there are fewer than {FEWEST} people"


def sheet_of(
    released: Table,
    original: Table | Blocks | None = None,
    secret: Owners | Pairing | None = None,
    *,
    noted: Noted | None = None,
    facts: Facts | None = None,
    made: Provenance | None = None,
    audit: Audit | None = None,
    sought: Sought | None = None,
    edits: Mapping[str, int] | None = None,
    contact: str = "",
    language: Language = "en",
    progress: Progress | None = None,
) -> DataSheet:
    """Return the data sheet of a release.

    Args:
        released: what is handed out, or of what was noted all that may be drawn.
        original: the data before; without it nothing is said about use.
        secret: who became whom, for measures that follow people.
        noted: what was noted of released blocks that nobody sees as a whole.
        facts: what the method had to tell of its work.
        made: the plan that made it, and whether a seed can repeat it.
        audit: of this release; what it measured and whom it tried is told.
        sought: who was tried otherwise.
        edits: records added, deleted and altered, where no facts tell.
        contact: whom to ask.
        language: of the page to read.
        progress: told about each measure.
    """
    made, steps = made or Provenance(), progress or Progress()
    some = None if original is None else _some(original, released, secret, audit, steps.part(0.0, 0.5))
    uses, grain, unmeasured = _worth(some, audit, steps.part(0.5, 1.0))
    return DataSheet(
        kind=released.kind, version=versions()["kakurenbo"],
        counts=dict(released.counts if noted is None else noted.counts),
        columns=tuple(columns(released, noted)), language=language,
        left_out=() if some is None else tuple(_left_out(some.original, some.released)),
        unread=0 if original is None or original.source is None else len(original.source.unread),
        changes=tuple(_changes(made.plan)), edits=_edits(facts) if edits is None else edits,
        no_purchases=0 if original is None else _no_purchases(original),
        several_names=secret is not None and not Owners.of(secret).one_to_one,
        uses=uses, grain=grain, unmeasured=unmeasured, compared=some is not None,
        sought=sought or _sought(audit), reproducible=bool(made.reproducible), contact=contact,
        sampled=0 if some is None or some.complete else some.people,
    )  # fmt: skip


@dataclass(frozen=True)
class _Note:
    """Work: take note of a released block, and of the people there whom the bound lets through."""

    whom: Low | None

    def __call__(self, release: Release[Purchases]) -> Noted:
        """Return the note."""
        if self.whom is None:
            return Noted.of(release.data)
        pairs = release.pairing.frame
        fetch = Fetch.of_named(pairs["released"].filter(self.whom.among(pairs["original"])))
        return Noted.of(release.data, fetch(release.data))


@dataclass(frozen=True, eq=False)
class SheetInBlocks:
    """Makes the data sheet of a release that is written block by block, while it is.

    Attributes:
        original: the data before; without it nothing is said about use.
        made: the plan that makes the release, and whether a seed can repeat it.
        contact: whom to ask.
        language: of the page to read.
    """

    original: Blocks | None
    made: Provenance
    contact: str = ""
    language: Language = "en"

    @property
    def work(self) -> _Note:
        """What is noted of a released block."""
        return _Note(None if self.original is None else Low.of(self.original, sampling.TARGETS, _DRAWN))

    def sheet(self, noted: Noted, told: Told, pairing: Pairing, progress: Progress) -> DataSheet:
        """Return the sheet of all blocks."""
        near = noted.one
        if self.original is not None and noted.drawn:
            near = together(self.original, noted.drawn)
        return sheet_of(
            replace(near, hierarchies=told.trees, source=None), self.original, pairing, noted=noted,
            facts=told.facts, made=self.made, contact=self.contact, language=self.language, progress=progress,
        )  # fmt: skip


def _some(
    original: Table | Blocks,
    released: Table,
    secret: Owners | Pairing | None,
    audit: Audit | None,
    progress: Progress,
) -> Sample | None:
    """Return on whom the use is measured; None where nobody of those drawn was released."""
    before, after = cast("Any", original), cast("Any", released)
    if not isinstance(before, Blocks):
        everybody = len(before.people)
        if audit is not None or before.kind == "microdata" or everybody <= sampling.TARGETS:
            owners = None if secret is None else Owners.of(secret)
            return Sample(before, after, owners, everybody, everybody)
    blocks = in_blocks(before), InMemory.of(after)
    try:
        return sample(*blocks, secret, sampling.TARGETS, _DRAWN, progress=progress)
    except InputError:
        return None


def _idle(original: Purchases | Blocks) -> int:
    """Return about how many people of the master bought nothing."""
    return _about(original.without_purchases) if original.without_purchases else 0


_no_purchases: ByKind[int] = ByKind(purchases=_idle, microdata=lambda _: 0)


def _edits(facts: Facts | None) -> dict[str, int]:
    """Return how many records were added, deleted and altered, about; nothing where nobody can tell."""
    if facts is None:
        return {}
    counted = {"added": facts.added, "deleted": facts.deleted, "altered": facts.altered}
    return {name: _about(count) for name, count in counted.items() if count}


def _about(number: float) -> int:
    """Return a count to three digits, and a small one as ten."""
    return max(int(float(f"{number:.{_DIGITS}g}")), FEWEST)


def _changes(plan: Plan | None) -> Iterator[Change]:
    if plan is not None:
        for step in plan.named:
            summary = find(step.method, "method", plan.kind).summary.removeprefix("Ours: ")
            yield Change(step.method, summary[:1].upper() + summary[1:])


def _purchases_left_out(original: Purchases, released: Purchases) -> Iterator[str]:
    yield from (original.layout.name_of(role) for role in original.roles if role not in released.roles)


def _microdata_left_out(original: Microdata, released: Microdata) -> Iterator[str]:
    yield from (name for name in original.records.columns if name not in released.records.columns)


_left_out: ByKind[Iterator[str]] = ByKind(purchases=_purchases_left_out, microdata=_microdata_left_out)


def _worth(
    some: Sample | None, audit: Audit | None, progress: Progress
) -> tuple[tuple[Use, ...], tuple[Use, ...], dict[str, tuple[str, ...]]]:
    """Return what the release is worth for each use, what its coarser words cost, and what is not known."""
    if some is None:
        return (), (), {}
    original, released = some.original, some.released
    told = {
        entry.name: entry.what.about for entry in entries("measure", original.kind) if entry.what.about.says
    }
    if min(len(original.people), len(released.people)) < FEWEST:
        return (), (), {_FEW: tuple(told)}
    quick = [name for name, about in told.items() if not about.teaches]
    kept, skipped = (
        utility(original, released, some.owners, progress, only=quick)
        if audit is None
        else (audit.utility, audit.skipped)
    )
    shown = [one for one in kept if one.name in told and one.said]
    uses = sorted((_use(one) for one in shown if not told[one.name].grain), key=lambda use: use.lost)
    missing = {one.name: one.why for one in skipped if one.name in told}
    known = {*missing, *(one.name for one in kept)}
    missing |= {name: _TAUGHT for name, about in told.items() if about.teaches and name not in known}
    reasons = dict.fromkeys(missing.values())
    why = {reason: tuple(name for name in missing if missing[name] == reason) for reason in reasons}
    return tuple(uses), tuple(_use(one) for one in shown if told[one.name].grain), why


def _use(kept: Kept) -> Use:
    figures = {name: _short(value) for name, value in kept.detail.items()}
    return Use(kept.name, advised(kept.loss), kept.said, _short(kept.loss), figures)


def _short(value: float) -> float:
    return float(f"{value:.{_DIGITS}g}")


def _sought(audit: Audit | None) -> Sought:
    """Return whom an audit tried and what they got, by what they know."""
    if audit is None:
        return Sought()
    return Sought(
        "audit", audit.verdict, len(audit.attacks) or None, audit.limits.max_risk, audit.limits.max_learnt,
        audit.limits.knowledge or "",
        tuple(rung for name, _ in audit.ladder for rung in _rung(audit, name)),
        None if audit.targets is None else audit.targets.drawn,
    )  # fmt: skip


def _rung(audit: Audit, knowledge: str) -> Iterator[Rung]:
    worst, lesson = audit.worst_of(knowledge), audit.lesson_of(knowledge)
    if worst is not None or lesson is not None:
        yield Rung(
            knowledge,
            None if worst is None else _short(worst.rate.value),
            None if worst is None else _short(worst.chance),
            None if lesson is None else _short(lesson.advantage.value),
        )
