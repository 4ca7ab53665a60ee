"""Planted faults: a mapping that is inferred wrongly is caught, by the proof in disguise or by what is left.

A fault that errs by the same step everywhere errs on the copy in disguise too: attackers fail there. A fault
that always gives the same answer passes the copy that it made itself, but leaves the release as strange as it
was: then its role is told not to be comparable.
"""

import datetime as dt
from dataclasses import replace

import polars as pl
import pytest

import kakurenbo as kb
from campaign import one_in
from kakurenbo.auditing.vocabulary import vocabulary as spoken_of
from kakurenbo.mappings import Clock, Scale, Spelling, vocabulary
from shops import light_shop

RIGHT = vocabulary._INFERRING


@pytest.fixture(scope="module")
def shop():
    return light_shop(60, 3)


def changed(data, **columns):
    return data.with_records(data.under(None).with_columns(**columns), master=data.master)


def plant(monkeypatch, wrong):
    """Put a fault in what is inferred of the role."""

    def faulty(infer):
        def inferred(original, released):
            made = infer(original, released)
            return None if made is None else wrong(made)

        return inferred

    monkeypatch.setattr(vocabulary, "_INFERRING", tuple(map(faulty, RIGHT)))


def caught(shop, released):
    """Whether the disguised proof fails, or a role is told not to be comparable."""
    spoken = spoken_of(shop, released)
    blind = {covered.role for covered in spoken.coverage if not covered.comparable}
    return bool(blind) or bool(spoken.proved(seed=1, progress=kb.progress.Progress()).failed)


CUT = {"goods": pl.col("goods").str.slice(0, 3)}
MOVED = {"time": pl.col("time").dt.offset_by("400d")}
DEAR = {"price": (pl.col("price") * 1.37).round(2)}
TRIPLE = {"quantity": pl.col("quantity") * 3}
FAULTS = {
    "one character less": (CUT, lambda made: replace(made, cut=made.cut - 1)),
    "always two characters": (CUT, lambda _: Spelling(cut=2)),
    "a day more": (MOVED, lambda made: replace(made, later=made.later + dt.timedelta(days=1))),
    "the other way": (MOVED, lambda made: replace(made, later=-made.later)),
    "always 100 days": (MOVED, lambda _: Clock(later=dt.timedelta(days=100))),
    "the root of the factor": (DEAR, lambda made: replace(made, factor=made.factor**0.5)),
    "one over the factor": (DEAR, lambda made: replace(made, factor=1 / made.factor)),
    "always twice": (TRIPLE, lambda _: Scale("quantity", 2.0)),
    "the square of the factor": (TRIPLE, lambda made: replace(made, factor=made.factor**2)),
}


@pytest.mark.parametrize(
    "columns", one_in(4, [CUT, MOVED, DEAR, TRIPLE]), ids=lambda columns: next(iter(columns))
)
def test_a_mapping_inferred_rightly_is_not(shop, columns):
    assert not caught(shop, changed(shop, **columns))


@pytest.mark.parametrize("fault", FAULTS)
def test_a_mapping_inferred_wrongly_is_caught(shop, monkeypatch, fault):
    columns, wrong = FAULTS[fault]
    plant(monkeypatch, wrong)
    assert caught(shop, changed(shop, **columns))
