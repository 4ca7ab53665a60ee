"""A handful of surroundings in every run; the campaign tries them all. And faults that it must see."""

import sys

import pytest
from soak.places import COMMANDS, PLACES, Places

pytestmark = pytest.mark.campaign

NAMES, WORDS = [place.name for place in PLACES], [command.name for command in COMMANDS]


def number(place, command):
    return NAMES.index(place) * len(COMMANDS) + WORDS.index(command)


@pytest.fixture(scope="module")
def places(tmp_path_factory):
    return Places(tmp_path_factory.mktemp("places"), 1)


@pytest.mark.parametrize(
    ("place", "command"),
    [
        ("a read-only installation and home", "attack"),
        ("a working folder that is read-only", "tune"),
        ("files of at most 0 bytes", "deidentify"),
        ("9 open files", "deidentify"),
        ("all streams closed", "score"),
        ("256 MiB of addresses", "profile"),
    ],
)
def test_the_program_ends_well_wherever_it_is(places, place, command):
    assert places.case(number(place, command)) is None


FAULTS = {
    "raise ZeroDivisionError": "ended with 1",
    "print('{')": "not what it should be",
    "print('{}'); import sys; print('Traceback (most recent call last)', file=sys.stderr)": "said Traceback",
    "print('{}'); import sys; print('1\\n2', file=sys.stderr)": "complained in 2 lines",
    "print('{}'); import os, sys; os.mkdir(sys.argv[-4])": "a release without its secret",
    "print('{}'); import os, sys; os.mkdir(sys.argv[-4]); open(sys.argv[-2], 'w')": "can be read by others",
    "print('{}'); import os, sys; open(os.path.dirname(sys.argv[-2]) + '/.x.partial', 'w')": "left behind",
    "print('{}')": "wrote []",
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_seen(places, monkeypatch, fault):
    monkeypatch.setattr(Places, "program", (sys.executable, "-c", fault))
    assert FAULTS[fault] in (places.case(number("as usual", "deidentify")) or "nothing went wrong")


def test_a_refusal_where_nothing_was_taken_away_is_seen(places, monkeypatch):
    monkeypatch.setattr(Places, "program", (sys.executable, "-c", "raise SystemExit(2)"))
    assert "ended with 2 instead of [0]" in (places.case(number("Tokyo", "score")) or "")


def test_every_surrounding_has_a_name_of_its_own():
    assert len(set(NAMES)) == len(NAMES)
    assert Places.enough == Places.total == len(NAMES) * len(WORDS)
