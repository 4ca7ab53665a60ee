"""An audit as a page: every section in its place, ready for any renderer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kakurenbo.report.audit import distance as far
from kakurenbo.report.audit import record, risk
from kakurenbo.report.audit import summary as top
from kakurenbo.report.audit import utility as use
from kakurenbo.report.blocks import Page, Section

if TYPE_CHECKING:
    from kakurenbo.auditing.results import Audit


def page(audit: Audit) -> Page:
    """Return the whole report."""
    held = ", ".join(f"{count:,} {what}" for what, count in audit.provenance.released)
    return Page(
        title=f"Audit of a release of {audit.kind}",
        about=f"The release holds {held}.",
        question=top.QUESTION,
        answer=top.ANSWERS[audit.verdict],
        tone=top.TONES[audit.verdict],
        reasons=audit.reasons,
        warnings=top.warnings(audit),
        cards=top.cards(audit),
        sections=(
            Section("limits", "What was asked for", (top.limits(audit),)),
            *risk.sections(audit),
            *use.sections(audit),
            *far.sections(audit),
            *record.sections(audit),
        ),
    )
