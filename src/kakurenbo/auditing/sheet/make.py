"""Make the data sheet of a release: read it off the release, measure it beside its original, round it.

Measures are those that say in words what their number means to a user. All of them together take about ten
microseconds a record; those that teach models take longer and load more, so they are told only where an
audit has them. A figure of the original is told to three digits, and none where there are fewer than ten
people to speak of.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kakurenbo.auditing.sheet.columns import columns
from kakurenbo.auditing.utility import utility
from kakurenbo.catalogue import entries, find
from kakurenbo.data.owners import Owners
from kakurenbo.data.table import ByKind
from kakurenbo.provenance import Provenance, versions
from kakurenbo.sheet.record import Change, DataSheet, Rung, Sought, Use, advised

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from kakurenbo.auditing.results import Audit, Kept
    from kakurenbo.data.blocks import Blocks
    from kakurenbo.data.microdata import Microdata
    from kakurenbo.data.pairing import Pairing
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.data.release import Facts
    from kakurenbo.data.table import Table
    from kakurenbo.plan import Plan
    from kakurenbo.progress import Progress
    from kakurenbo.sheet.record import Language

FEWEST = 10  # people that a figure must rest on
_DIGITS = 3
_TAUGHT = "a model has to be taught for it: an audit does"
_FEW = f"there are fewer than {FEWEST} people"


def sheet_of(
    released: Table,
    original: Table | None = None,
    secret: Owners | Pairing | None = None,
    *,
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
        released: what is handed out.
        original: the data before; without it nothing is said about use.
        secret: who became whom, for measures that follow people.
        facts: what the method had to tell of its work.
        made: the plan that made it, and whether a seed can repeat it.
        audit: of this release; what it measured and whom it tried is told.
        sought: who was tried otherwise.
        edits: records added, deleted and altered, where no facts tell.
        contact: whom to ask.
        language: of the page to read.
        progress: told about each measure.
    """
    made = made or Provenance()
    uses, grain, unmeasured = _worth(original, released, secret, audit, progress)
    return DataSheet(
        kind=released.kind, version=versions()["kakurenbo"], counts=dict(released.counts),
        columns=tuple(columns(released)), language=language,
        left_out=() if original is None else tuple(_left_out(original, released)),
        unread=0 if original is None or original.source is None else len(original.source.unread),
        changes=tuple(_changes(made.plan)), edits=_edits(facts) if edits is None else edits,
        no_purchases=0 if original is None else _no_purchases(original),
        several_names=secret is not None and not Owners.of(secret).one_to_one,
        uses=uses, grain=grain, unmeasured=unmeasured, compared=original is not None, sampled=0,
        sought=sought or _sought(audit), reproducible=bool(made.reproducible), contact=contact,
    )  # fmt: skip


def idle(original: Purchases | Blocks) -> int:
    """Return about how many people of the master bought nothing."""
    return about(original.without_purchases) if original.without_purchases else 0


_no_purchases: ByKind[int] = ByKind(purchases=idle, microdata=lambda _: 0)


def _edits(facts: Facts | None) -> dict[str, int]:
    """Return how many records were added, deleted and altered, about; nothing where nobody can tell."""
    if facts is None:
        return {}
    counted = {"added": facts.added, "deleted": facts.deleted, "altered": facts.altered}
    return {name: about(count) for name, count in counted.items() if count}


def about(number: float) -> int:
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
    original: Table | None,
    released: Table,
    secret: Owners | Pairing | None,
    audit: Audit | None,
    progress: Progress | None,
) -> tuple[tuple[Use, ...], tuple[Use, ...], dict[str, tuple[str, ...]]]:
    """Return what the release is worth for each use, what its coarser words cost, and what is not known."""
    if original is None:
        return (), (), {}
    told = {
        entry.name: entry.what.about for entry in entries("measure", original.kind) if entry.what.about.says
    }
    if min(len(original.people), len(released.people)) < FEWEST:
        return (), (), {_FEW: tuple(told)}
    quick = [name for name, about in told.items() if not about.teaches]
    kept, skipped = (
        utility(original, released, secret, progress, only=quick)
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
