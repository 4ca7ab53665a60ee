"""What `make test` leaves to the campaign: the same test with further values."""

import pytest


def in_campaign(*values):
    """Return values of a parameter that only `make soak` tries."""
    return [pytest.param(value, marks=pytest.mark.campaign) for value in values]
