"""What `make test` leaves to the campaign: the same test with further values."""

import pytest


def in_campaign(*values):
    """Return values of a parameter that only `make soak` tries."""
    return [pytest.param(value, marks=pytest.mark.campaign) for value in values]


def one_in(step, values):
    """Return values of a parameter: `make test` tries one in `step` of them, and the campaign the others.

    Those that are left to the campaign already stay as they are.
    """
    return [
        value if at % step == 0 or hasattr(value, "marks") else in_campaign(value)[0]
        for at, value in enumerate(values)
    ]
