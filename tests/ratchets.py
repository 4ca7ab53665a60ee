"""Numbers that may only fall, recorded in one file with the reason of each.

More than recorded fails: whoever adds makes it smaller elsewhere, or records the new number with his reason.
Much less than recorded fails too, so that what was gained stays. Totals have room for small changes.
"""

import json
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent
PLACE = "tests/architecture/ratchets.json"
TOTALS = {"files": 0.01, "lines": 0.01}  # the share by which a total may grow until it is a new capability
GAINED = 0.05  # the share by which a number may fall until it is recorded


@cache
def recorded():
    """Return the largest number allowed of everything that is counted."""
    return {
        name: entry["at most"]
        for name, entry in json.loads((ROOT / PLACE).read_text(encoding="utf-8")).items()
    }


def risen(name, now, most):
    """Return what to do about a number that rose, or nothing where it did not."""
    if now <= most * (1 + TOTALS.get(name, 0)):
        return ""
    return (
        f"{name}: {now:,}, where at most {most:,} are recorded. Make it smaller, or record {now:,} in "
        f"{PLACE} with the reason."
    )


def fallen(name, now, most):
    """Return what to do about a number that fell far below what is recorded, or nothing where it did not."""
    if now >= most * (1 - GAINED):
        return ""
    return (
        f"{name}: {now:,}, where at most {most:,} are recorded. Keep what was gained: record {now:,} in "
        f"{PLACE}."
    )
