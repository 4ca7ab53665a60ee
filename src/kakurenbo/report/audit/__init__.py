"""An audit as a page: every section in its place, ready for any renderer.

The words come first: what was asked, the answer, why; then the numbers that carry it; then everything, for
those who check. It sees what the audit found and never how.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kakurenbo.report import filing
from kakurenbo.report.audit import (
    comparable,
    distance,
    earlier,
    honesty,
    ladder,
    learnt,
    record,
    risk,
    summary,
    synthetic,
    traces,
    utility,
)
from kakurenbo.report.blocks import Page, Section

if TYPE_CHECKING:
    from kakurenbo.auditing.results import Audit


def page(audit: Audit) -> Page:
    """Return the whole report."""
    held = ", ".join(f"{count:,} {what}" for what, count in audit.counts["released"].items())
    return Page(
        title=f"Audit of a release of {audit.kind}",
        about=f"The release holds {held}.",
        question=summary.QUESTION,
        answer=summary.ANSWERS[audit.verdict],
        tone=summary.TONES[audit.verdict],
        reasons=audit.reasons,
        warnings=summary.warnings(audit),
        cards=summary.cards(audit),
        sections=(
            Section("limits", "What was asked for", summary.limits(audit)),
            *ladder.sections(audit),
            *learnt.sections(audit),
            *synthetic.sections(audit),
            *traces.sections(audit),
            *risk.sections(audit),
            *earlier.sections(audit),
            *comparable.sections(audit),
            *honesty.sections(audit),
            *utility.sections(audit),
            *distance.sections(audit),
            *record.sections(audit),
        ),
        filed=filing.line(audit.filing),
    )
