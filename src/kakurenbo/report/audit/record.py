"""The last sections: what was not run or not seen, what was audited with what, what nobody can tell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kakurenbo.auditing.results.targets import SAMPLED
from kakurenbo.report import filing, words
from kakurenbo.report.audit.risk import who, who_heads
from kakurenbo.report.blocks import Bullets, Column, Section, Table, Text, heads

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kakurenbo.auditing.results import Audit, Engine
    from kakurenbo.report.blocks import Block

LIMITATIONS: Final = (
    (
        "A measured rate is the rate of the attackers that were run, with the knowledge they were given. "
        "Another attacker, or one who knows more, may find more people."
    ),
    "A low rate is no promise for one person: the mean over people hides those who are found by everybody.",
    "The interval covers chance in the sample of people, not the choice of attackers.",
    (
        "Every further release of the same data is a new risk. Two releases together can tell what "
        "neither tells alone, and this audit knows only those that it was given."
    ),
    (
        "What is counted as found believes the pairing that was given, and is false where that is false; the "
        "sections on the pairing and on distance are there to notice one. What is learnt uses none."
    ),
    (
        "Laid open means one half or more of what else a person has. Of somebody who is not laid open the "
        "one thing that harms him may still be learnt."
    ),
    "Utility is what the listed measures look at. A use that none of them looks at may be lost unnoticed.",
    (
        "The pairing and the file of risks per person are secret. Whoever holds them needs no attack. "
        "Neither is in this report."
    ),
    "This report is a measurement, not legal advice, and no approval of a release.",
)
_SEEDS: Final[dict[bool | None, str]] = {
    None: "not known",
    False: "no seed, by its own account",
    True: "a seed: reproducible, not to be handed out",
}


def sections(audit: Audit) -> tuple[Section, ...]:
    """Return the four of them."""
    return (
        Section("skipped", "What was not run", tuple(_not_run(audit))),
        Section("unseen", "What no attacker saw", (_unseen(audit),)),
        Section("provenance", "What was audited with what", _provenance(audit)),
        Section("limitations", "What this report cannot tell", (Bullets(LIMITATIONS),)),
    )


def _not_run(audit: Audit) -> Iterator[Block]:
    """Yield what was left out, reason by reason, and loudly whom there was no time for."""
    if not audit.skipped:
        yield Text("Everything that applies to this data was run.")
        return
    if audit.late:
        yield Text(
            f"{len(audit.late)} attackers of those who decide were not tried within "
            f"{audit.limits.minutes:g} minutes. What they would find is not known.",
            "open",
        )
    rows = tuple((why, f"{len(names):,}", "; ".join(names)) for why, names in audit.not_run.items())
    columns = (Column("why", "prose"), Column("how many", "number"), Column("what", "prose"))
    yield Table("Left out, and why", columns, rows)


def _unseen(audit: Audit) -> Block:
    """Return what was released and not looked at, and what was not read of the original."""
    unseen = audit.unseen
    rows = [("released rows left out", reason, f"{count:,}") for reason, count in unseen.rows.items()]
    rows += [
        ("released column nobody read", column.name, _holds(column.holds, column.share))
        for column in unseen.columns
    ]
    rows += [("file beside the tables", file.name, file.what or "-") for file in unseen.files]
    rows += [("changed after the manifest", name, "-") for name in unseen.changed]
    original = audit.dropped.get("original", {}).items()
    rows += [("rows of the original left out", reason, f"{count:,}") for reason, count in original if count]
    if not rows:
        return Text("All that was released was read, and nothing stands beside it.")
    told = tuple((what, name.replace("_", " "), found) for what, name, found in rows)
    return Table("Left out of sight", (*heads("what", "which"), Column("found", "prose")), told)


def _holds(holds: str, share: float) -> str:
    return f"holds {holds} in {words.percent(share)} of its rows" if holds else "-"


def _provenance(audit: Audit) -> tuple[Block, ...]:
    provenance = audit.provenance
    conditions = (
        ("kind of data", audit.kind),
        ("randomness", audit.randomness),
        *_sought(audit),
        ("time taken", words.duration(audit.seconds)),
        ("randomness of the release", _SEEDS[provenance.reproducible]),
        *([("plan of the release", str(provenance.plan))] if provenance.plan else []),
        *((f"release: {name}", f"{count:,}") for name, count in audit.facts.items() if count is not None),
    )
    blocks: list[Block] = [
        *_engine(audit.engine),
        _contents(audit),
        Table("Conditions of the audit", (Column("what"), Column("value", "prose")), conditions),
        *filing.blocks(audit.filing, provenance),
    ]  # fmt: skip
    return (*blocks, _parameters(audit)) if audit.attacks else tuple(blocks)


def _sought(audit: Audit) -> Iterator[tuple[str, str]]:
    """Yield who was sought, where that was not everybody."""
    targets = audit.targets
    if targets is None:
        return
    yield "people sought", f"{targets.drawn:,} of {targets.people:,}, drawn at random"
    if targets.compared < targets.drawn:
        yield "sought by the costliest attackers", f"{targets.compared:,} of them"
    if targets.candidates:
        yield "sought among candidates", f"{targets.candidates:,} of them, among {targets.among:,} names"


def _engine(engine: Engine | None) -> Iterator[Block]:
    """Yield what held the tables, and what was worked out on some of all."""
    if engine is None:
        return
    yield Text(engine.held)
    if not engine.sampled:
        yield Text("Everything was worked out on all of them.")
        return
    yield Text("What stands in this table was worked out on some of all.")
    rows = tuple((SAMPLED.get(one.what, one.what), f"{one.count:,}", f"{one.of:,}") for one in engine.sampled)
    columns = (Column("on whom", "prose"), Column("how many", "number"), Column("of", "number"))
    yield Table("Worked out on some", columns, rows)


def _contents(audit: Audit) -> Table:
    before, after = audit.counts["original"], audit.counts["released"]
    rows = tuple((what, _count(before.get(what)), _count(after.get(what))) for what in {**before, **after})
    columns = (Column("what"), Column("original", "number"), Column("release", "number"))
    return Table("What the data holds", columns, rows)


def _parameters(audit: Audit) -> Table:
    numbers = heads("people", "abstained", "time", kind="number")
    columns = (*who_heads(audit), *numbers, Column("parameters", "prose"))
    rows = tuple(
        (
            *who(audit, finding), f"{finding.people:,}", f"{finding.abstained:,}",
            words.duration(finding.seconds), words.listed(finding.parameters),
        )
        for finding in audit.attacks
    )  # fmt: skip
    return Table("Parameters of the attackers", columns, rows)


def _count(number: int | None) -> str:
    return "-" if number is None else f"{number:,}"
