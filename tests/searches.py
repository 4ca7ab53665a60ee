"""What of a search must not depend on time, processes or interruptions."""

from dataclasses import replace


def told(result):
    """Everything that must not depend on time, processes or interruptions."""
    return [
        (one.number, one.origin, one.plan, dict(one.values), replace(one.outcome, seconds=0))
        for one in (*result.trials, *result.finalists)
    ]
