"""The section on what there was to compare: an attacker who sees nothing finds nobody, and proves nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kakurenbo.report import words
from kakurenbo.report.blocks import Bullets, Column, Section, Table, Text, heads

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kakurenbo.auditing.results import Audit, TransformedProof
    from kakurenbo.report.blocks import Block

_WHY: Final = (
    "Attackers compare values of the release with values they know. Where goods are written in other codes, "
    "or times and prices lie elsewhere, they find nobody, and that says nothing about the risk."
)
_READ: Final = "The release writes some things otherwise. This was inferred, and the original was read alike:"


def sections(audit: Audit) -> tuple[Section, ...]:
    """Return the section, where anything is known of this."""
    blocks = (*_coverage(audit), *_inferred(audit), *_disguise(audit))
    return (Section("comparable", "What can be compared", (Text(_WHY), *blocks)),) if blocks else ()


def _coverage(audit: Audit) -> Iterator[Block]:
    if not audit.coverage:
        return
    columns = (
        Column("values of"), *heads("released values", "records", kind="number"), Column("comparable"),
        Column("why", "prose"),
    )  # fmt: skip
    rows = tuple(
        (
            one.role, words.percent(one.values), words.percent(one.records),
            "yes" if one.comparable else "NO", one.why,
        )
        for one in audit.coverage
    )  # fmt: skip
    marked = frozenset(place for place, one in enumerate(audit.coverage) if not one.comparable)
    yield Table("Share of the release whose values occur in the original", columns, rows, marked)


def _inferred(audit: Audit) -> Iterator[Block]:
    if audit.inferred:
        yield Text(_READ)
        yield Bullets(audit.inferred)


def _disguise(audit: Audit) -> Iterator[Block]:
    """Yield what the proof on a copy in the release's disguise says of each rung."""
    proof = audit.disguised
    if not proof.attackers:
        return
    yield Text(
        f"The attackers were tried once more on a copy of {proof.people:,} people changed as the release is "
        f"({'; '.join(proof.shows)}). On a rung where at least one of them finds nearly as many as could be "
        "found, his low rate on the release means something."
    )
    blind = [rung for rung, seen in proof.rungs.items() if not seen]
    if blind:
        counted = f"{len(blind)} of {len(proof.rungs)} kinds of knowledge"
        yield Text(f"With {counted} nobody sees through it: what they find and learn is not measured.", "bad")
    else:
        yield Text("On every rung that was tried somebody sees through it.", "good")
    if proof.failed:
        named = sorted({f"{one.knowledge}: {one.attack}" for one in proof.failed})
        yield Text(f"These said that they see through it, and do not: {', '.join(named)}.", "bad")
    yield _rungs(proof)


def _rungs(proof: TransformedProof) -> Table:
    columns = (
        Column("attacker knows"),
        *heads("attackers tried", "see through it", "best finds", "attainable", kind="number"),
        Column("so the rung is"),
    )
    rows, marked = [], set()
    for place, (rung, seen) in enumerate(proof.rungs.items()):
        tried = [one for one in proof.attackers if one.knowledge == rung]
        best = max(tried, key=lambda one: one.found)
        through = sum(one.survived for one in tried)
        shares = (words.percent(best.found), words.percent(best.attainable))
        rows.append((rung, str(len(tried)), str(through), *shares, "measured" if seen else "NOT MEASURED"))
        marked |= set() if seen else {place}
    return Table("On a copy in the release's disguise", columns, tuple(rows), frozenset(marked))
