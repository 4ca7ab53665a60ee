"""Audits judged again: what is decided of the same figures under other limits costs no second audit."""

from dataclasses import replace

from kakurenbo.auditing.verdict import holding, judge


def judged(made, **changes):
    """Return the audit judged again with something changed."""
    made = replace(made, **changes)
    made = replace(made, holding=holding(made))
    verdict, reasons = judge(made)
    return replace(made, verdict=verdict, reasons=reasons)
