"""Rates, names and fixed sentences as the report says them, the same in every format."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from kakurenbo.auditing.results import Audit, Finding
    from kakurenbo.theory.rate import Rate

NOT_PROVEN: Final = "not proven"
LIMITATIONS: Final = (
    (
        "A measured rate is the rate of the attackers that were run, with the knowledge they were given. "
        "Another attacker, or one who knows more, may find more people."
    ),
    "A low rate is no promise for one person: the mean over people hides those who are found by everybody.",
    "The interval covers chance in the sample of people, not the choice of attackers.",
    (
        "Every further release of the same data is a new risk. Two releases together can tell what "
        "neither tells alone, and this audit looked at one."
    ),
    (
        "The audit believes the pairing it was given. With a false pairing every rate is false; the distance "
        "section is there to notice one."
    ),
    "Utility is what the listed measures look at. A use that none of them looks at may be lost unnoticed.",
    (
        "The pairing and the file of risks per person are secret. Whoever holds them needs no attack. "
        "Neither is in this report."
    ),
    "This report is a measurement, not legal advice, and no approval of a release.",
)


def percent(share: float) -> str:
    """Return a share as per cent, never rounded to none or all when it is neither."""
    value = 100 * share
    if value in {0, 100}:
        return f"{value:.0f}\u00a0%"
    if value < 0.01:
        return "<\u00a00.01\u00a0%"
    if 99.95 <= value < 100:
        return ">\u00a099.9\u00a0%"
    return f"{value:.2f}\u00a0%" if value < 1 else f"{value:.1f}\u00a0%"


def asked(share: float) -> str:
    """Return a limit as it was given."""
    return f"{100 * share:g}\u00a0%"


def interval(rate: Rate) -> str:
    """Return the 95 % interval, or that the rate was counted."""
    return "counted" if rate.exact else f"{percent(rate.low)} to {percent(rate.high)}"


def found(audit: Audit, finding: Finding) -> str:
    """Return a rate as it may be shown."""
    if audit.withheld(finding):
        return NOT_PROVEN
    return percent(finding.rate.value) + ("" if finding.proven else f" ({NOT_PROVEN})")


def duration(seconds: float) -> str:
    """Return a time as people say it."""
    if seconds < 60:
        return f"{seconds:.1f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"


def listed(parameters: Mapping[str, Any]) -> str:
    """Return parameters as name = value; what was left open is not told."""
    told = [f"{name} = {_said(value)}" for name, value in parameters.items() if value is not None]
    return ", ".join(told) or "none"


def _said(value: Any) -> str:  # noqa: ANN401 - whatever a parameter may be
    return " + ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
