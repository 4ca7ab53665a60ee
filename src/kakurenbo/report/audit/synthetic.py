"""The section on rows that are nobody's: inferred, singled out, told as members, copied."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kakurenbo.report import words
from kakurenbo.report.blocks import Column, Section, Table, Text, heads
from kakurenbo.report.words import number

if TYPE_CHECKING:
    from kakurenbo.auditing.results import Audit, Copies, Synthetic, Tried
    from kakurenbo.report.blocks import Block

_MEANT: Final = (
    "Without a pairing the released rows are nobody's, as of synthetic data. They may give people away: by "
    "telling an attribute of who is known by the others, by statements that are true of one person only, by "
    "rows that lie on people, and by showing whose rows were used."
)
_ALONE: Final = (
    "Nobody was given who was not used for the release, and people of the original cannot stand in for them, "
    "since they were used. The rates stand beside what succeeds without a release and decide nothing. "
    "Whether it can be told who was used was not measured."
)
_NONE: Final = "-"


def sections(audit: Audit) -> tuple[Section, ...]:
    """Return the section, where there is no pairing."""
    made = audit.synthetic
    if made is None:
        return ()
    beside = Text(_beside(made.outsiders)) if made.judged else Text(_ALONE, "open")
    blocks = (Text(_MEANT), beside, *_tables(made), _copies(made.copies, judged=made.judged))
    return (Section("synthetic", "What rows give away that are nobody's", blocks),)


def _beside(outsiders: int) -> str:
    return (
        f"Much of that is true of anybody. So every rate stands beside the same on {outsiders:,} people who "
        "were not used; the difference is held against the limit, and risk is the share of what was left to "
        "learn, (rate - control) / (1 - control)."
    )


def _tables(made: Synthetic) -> tuple[Block, ...]:
    told = (
        _tried("Attributes told by the row nearest in all others", "attribute", made.inferred),
        _tried("Statements true of exactly one person", "statements", made.singled_out),
    )
    return (*(table for table in told if table.rows), *_members(made))


def _tried(caption: str, what: str, tried: tuple[Tried, ...]) -> Table:
    columns = (
        Column(what),
        *heads(
            "attempts", "succeed (95 % interval)", "not used (95 % interval)", "without a release",
            "added (95 % interval)", "risk", kind="number",
        ),
    )  # fmt: skip
    rows = tuple(
        (
            one.what, f"{one.attempts:,}", words.rated(one.rate),
            _NONE if one.control is None else words.rated(one.control), words.percent(one.naive),
            _NONE if one.advantage is None else words.rated(one.advantage),
            _NONE if one.risk is None else words.percent(one.risk),
        )
        for one in tried
    )  # fmt: skip
    return Table(caption, columns, rows)


def _members(made: Synthetic) -> tuple[Table, ...]:
    if not made.membership:
        return ()
    columns = (
        Column("seeker"),
        *heads("AUC", "caught at 1 % false alarms", "caught at 10 %", kind="number"),
        Column("what he does", "prose"),
    )
    rows = tuple(
        (one.attack, f"{one.auc:.3f}", words.percent(one.caught), words.percent(one.caught_tenth), one.story)
        for one in made.membership
    )
    return (Table("Telling whose rows were used", columns, rows),)


def _copies(copies: Copies, *, judged: bool) -> Table:
    beside = "to people who were not used" if judged else "of originals to the nearest other one"
    columns = (
        Column("distance"),
        *heads(
            "exact copies", "5 % quantile", "median", "95 % quantile", "ratio to the second", kind="number"
        ),
    )
    mine = (words.percent(copies.exact), *map(number, copies.distance), number(copies.ratio))
    ratio = _NONE if copies.ratio_outside is None else number(copies.ratio_outside)
    rows = (
        ("of released rows to the original", *mine),
        (beside, words.percent(copies.usual), *map(number, copies.outside), ratio),
    )
    nearer = (
        ""
        if copies.nearer is None
        else f"; {words.percent(copies.nearer)} of the rows are nearer to the original"
    )
    return Table(f"Nearest people, attributes in units of their spread{nearer}", columns, rows)
