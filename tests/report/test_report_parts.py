"""The pieces reports are made of: numbers in words, bands, thinned dots, pictures within a page."""

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sample_audit
from kakurenbo.report import words
from kakurenbo.report.audit.distance import banded
from kakurenbo.report.charts import basic, dots
from kakurenbo.report.charts.ladder import ladder
from kakurenbo.report.charts.look import inline
from kakurenbo.report.render import plain
from kakurenbo.theory.rate import Rate

many = settings(max_examples=100)  # rare cases are what this is about


@pytest.mark.parametrize(
    ("share", "told"),
    [
        (0, "0 %"),
        (1, "100 %"),
        (0.5, "50.0 %"),
        (0.0025, "0.25 %"),
        (0.00001, "< 0.01 %"),
        (0.99999, "> 99.9 %"),
    ],
)
def test_per_cent(share, told):
    assert words.percent(share) == told.replace(" ", "\u00a0")


@given(st.floats(0, 1))
@many
def test_neither_none_nor_all_is_told_unless_it_is(share):
    assert (words.percent(share) == "0\u00a0%") == (share == 0)
    assert (words.percent(share) in {"100\u00a0%", "100.0\u00a0%"}) == (100 * share == 100)


def test_an_interval_or_that_it_was_counted():
    assert words.interval(Rate.known(0.5)) == "counted"
    assert words.interval(Rate(0.5, 0.25, 0.75)) == "25.0\u00a0% to 75.0\u00a0%"


@given(st.dictionaries(st.integers(1, 5_000), st.integers(1, 9), max_size=40))
@many
def test_bands_lose_nobody(sizes):
    counted = banded(tuple(sorted(sizes.items())))
    assert sum(people for _, people in counted) == sum(sizes.values())
    assert len(counted) <= 12


@given(st.text())
@many
def test_plain_text_stays_in_its_cell(text):
    assert not re.search(r"(?<!\\)(?:\\\\)*[|<`*]", plain(text))
    assert "\n" not in plain(text)


@pytest.mark.parametrize("factor", [1, 1_000])
def test_many_dots_are_counted_and_none_is_lost(factor):
    points = [(float(i % 97), float((i * i) % 89) * factor) for i in range(3_000)]
    (rows,) = [
        rows for rows in dots.dots(points, x="x", y="y")["datasets"].values() if rows and "count" in rows[0]
    ]
    assert len(rows) <= 1_600
    assert sum(row["count"] for row in rows) == 3_000


def test_pictures_within_a_page_keep_their_texts_and_own_ids():
    svg = inline(basic.counts([("1.23456", 3), ("<b>", 4)], x="x", y="y"), "name")
    assert "1.23456" in svg
    assert "&lt;b&gt;" in svg
    assert not re.search(r'fill="white"|style=|https?:', svg)
    assert all(name.startswith("name-") for name in re.findall(r' id="([^"]+)"', svg))


def test_a_difference_of_shares_may_lie_below_nothing():
    assert words.percent(-0.065) == "-6.5\u00a0%"
    assert words.percent(-0.00001) == ">\u00a0-0.01\u00a0%"
    assert words.percent(-0.0) == "0\u00a0%"
    assert words.rated(Rate(0.07, -0.002, 0.108)) == "7.0\u00a0% (-0.20\u00a0% to 10.8\u00a0%)"
    assert words.rated(Rate.known(0.25)) == "25.0\u00a0%"


def test_the_ladder_draws_every_attacker_that_may_be_shown():
    audit = sample_audit.failed_proof()
    drawn = json.dumps(ladder(audit, wide=True)["datasets"])
    assert drawn.count('"worst"') == len(audit.shown) < len(audit.attacks)
    rungs = {one.knowledge for one in audit.shown}
    assert drawn.count('"worst": true') == len(rungs)
