"""Canaries, in short: a release of every format, one audit with reports, and every planted leak is caught."""

import pytest
from soak.canaries import METHODS, Canaries, forms, hits
from soak.planted import LEAKS, Planted

from campaign import in_campaign


@pytest.mark.parametrize(
    "number", [len(METHODS) + 1, *in_campaign(20, 2 * len(METHODS) + 2, 4 * len(METHODS) - 1)]
)
def test_nothing_leaves_that_was_not_meant_to(tmp_path, number):
    part = Canaries(tmp_path, 1)
    assert part.case(number) is None
    assert part.counts["releases"] == 1


@pytest.mark.campaign
def test_twenty_leaks_are_planted_and_caught(tmp_path):
    part = Planted(tmp_path, 1)
    assert [part.case(number) for number in range(len(LEAKS))] == [None] * 20
    assert part.counts["caught"] == 20


def test_a_leak_that_is_not_looked_for_would_be_told(tmp_path, monkeypatch):
    monkeypatch.setattr("soak.planted.leaks", lambda *_: [])
    assert Planted(tmp_path, 1).case(1) == "a column of ids went unnoticed"


def test_marks_are_found_in_every_form():
    for name, form in forms("bcdfghj").items():
        assert name in hits(b"x" + form.upper() + b"y", "bcdfghj")
    assert not hits(b"bcdfgh j", "bcdfghj")
