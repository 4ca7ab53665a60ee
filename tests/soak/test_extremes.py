"""A handful of the extreme tables, and the faults that the campaign must be able to see."""

import math
import os
import warnings

import pytest
import typer.main
from soak.extremes import TRIALS, Answer, Extremes

from kakurenbo.files import release_folder
from kakurenbo.utility.purchases.records import DeltaM

SHAPES = {(trial.kind, trial.shape) for trial in TRIALS}
FEW = [
    ("purchases", "one record", "measure delta-m"),
    ("purchases", "amounts at the limit", "measure u3-rfm"),
    ("purchases", "first and last day", "method coarsen"),
    ("purchases", "quotes and commas", "method alter"),
    ("purchases", "emoji and right to left", "attack jaccard"),
    ("purchases", "twins", "profile"),
    ("purchases", "names of roles", "method delete"),
    ("purchases", "a master of roles", "method multi-random"),
    ("purchases", "typed", "method pseudonymize"),
    ("microdata", "one row", "excess"),
    ("microdata", "SA of all sizes", "attack euc1"),
    ("microdata", "all equal", "guess-method"),
    ("microdata", "tiny SA", "method noise"),
    ("microdata", "odd texts", "method k-anonymize"),
]


def number_of(kind, shape, what):
    for number, trial in enumerate(TRIALS):
        name = trial.what if isinstance(trial.what, str) else f"{trial.what.family} {trial.what.name}"
        if (trial.kind, trial.shape, name) == (kind, shape, what):
            return number
    raise LookupError(what)


@pytest.fixture
def part(tmp_path, monkeypatch):
    monkeypatch.setattr(typer.main, "get_command", typer.main.get_command)  # given back afterwards
    monkeypatch.setitem(os.environ, "KAKURENBO_DEBUG", "")
    return Extremes(tmp_path, 1)


def test_there_are_shapes_enough():
    assert sum(kind == "purchases" for kind, _ in SHAPES) >= 25
    assert sum(kind == "microdata" for kind, _ in SHAPES) >= 15
    assert len(TRIALS) >= Extremes.enough


@pytest.mark.campaign
def test_extreme_tables_are_answered_or_refused(part):
    assert [part.case(number_of(*few)) for few in FEW] == [None] * len(FEW)
    assert part.counts["answered"] >= 10
    assert part.counts["refused"] >= 1


def nothing(*_):
    return math.nan


def stumbling(*_):
    raise ZeroDivisionError


def murmuring(*_):
    warnings.warn("nearly zero", RuntimeWarning, stacklevel=1)
    return 0.0


@pytest.mark.parametrize(
    ("planted", "told"),
    [(nothing, "Out of range"), (stumbling, "ZeroDivisionError"), (murmuring, "nearly zero")],
)
def test_a_planted_fault_is_seen(part, monkeypatch, planted, told):
    monkeypatch.setattr(DeltaM, "value", planted)
    assert told in part.case(number_of("purchases", "one record", "measure delta-m"))


def test_an_infinite_answer_and_a_refusal_without_a_code_are_seen():
    assert "infinite" in Answer(0, '{"value": [1e999]}', "").wrong()
    assert "NaN" in Answer(1, '{"value": NaN}', "").wrong()
    assert "no JSON" in Answer(0, "", "").wrong()
    assert "complaint" in Answer(0, "{}", "hm\n").wrong()
    assert "without its code" in Answer(2, "", "kakurenbo: no.\n").wrong()
    assert "exit 70" in Answer(70, "", "kakurenbo: a fault\n").wrong()
    assert Answer(2, "", "kakurenbo: no. [limit]\n").wrong() is None


def test_a_release_that_lost_a_row_is_seen(part, monkeypatch):
    whole = release_folder.laid_out
    monkeypatch.setattr(release_folder, "laid_out", lambda data: whole(data).head(-1))
    assert "are read" in part.case(number_of("purchases", "all distinct", "method pseudonymize"))
