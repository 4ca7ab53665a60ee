"""The pieces reports are made of: numbers in words, bands, thinned dots, pictures within a page."""

import dataclasses
import json
import re
from functools import cache

import altair as alt
import pytest
from altair.utils.schemapi import validate_jsonschema
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import ValidationError

import sample_audit
import sample_tuned
from campaign import in_campaign
from kakurenbo.report import audit as audit_report
from kakurenbo.report import tuning as tuning_report
from kakurenbo.report import words
from kakurenbo.report.audit.distance import banded
from kakurenbo.report.charts import basic, dots, look
from kakurenbo.report.charts.ladder import ladder
from kakurenbo.report.charts.lanes import reach
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


@cache
def drawn(audit, *, wide=True):
    """Return all that a ladder draws, every row once."""
    rows = (row for rows in ladder(audit, wide=wide)["datasets"].values() for row in rows)
    return list({json.dumps(row, sort_keys=True): row for row in rows}.values())


def marks(audit, kind, **options):
    """Return the marks of a kind as (lane, share)."""
    return {
        (row["lane"], row["at"])
        for row in drawn(audit, **options)
        if "size" in row and row["mark"].startswith(kind)
    }


def test_the_ladder_draws_every_attacker_that_may_be_shown():
    audit = sample_audit.failed_proof()
    points = [row for row in drawn(audit) if "size" in row and row["mark"].startswith("found")]
    assert len(points) == len(audit.shown) < len(audit.attacks)
    rungs = {one.knowledge for one in audit.shown}
    worst = {(rung, audit.worst_of(rung).rate.value) for rung in rungs}
    assert marks(audit, "found by the worst") == worst
    assert "found: not proven" in {row.get("text") for row in drawn(audit)}


@pytest.mark.parametrize("wide", [True, False])
@pytest.mark.parametrize("name", ["purchases", "learnt only", "microdata"])
def test_the_ladder_draws_laid_open_beside_its_control(name, wide):
    audit = sample_audit.ALL[name]()
    worst = [audit.lesson_of(rung) for rung in {one.knowledge for one in audit.learnt}]
    squares, controls = (marks(audit, kind, wide=wide) for kind in ("laid open by", "laid open: control"))
    assert sorted(at for _, at in squares) == sorted(one.laid_open.value for one in worst)
    assert sorted(at for _, at in controls) == sorted(one.control_laid_open for one in worst)
    assert {lane for lane, _ in squares} == {lane for lane, _ in controls}
    limits = {row["at"] for row in drawn(audit, wide=wide) if set(row) == {"lane", "at", "end"}}
    assert {one.control_laid_open + audit.limits.max_learnt for one in worst} <= limits
    assert (audit.limits.max_risk in limits) == bool(audit.attacks or audit.limits.max_learnt == 0.1)


def test_the_ladder_fades_rungs_that_do_not_decide_and_says_so():
    audit = sample_audit.learnt_only()
    decided = {row["lane"]: row["decides"] for row in drawn(audit) if "size" in row}
    assert decided == {
        "1 good": True, "3 goods": True, "half of the goods (shown only)": False, "goods (shown only)": False,
    }  # fmt: skip


def test_the_ladder_draws_nothing_where_everybody_is_blind():
    audit = sample_audit.blind()
    lanes = {lane for lane, _ in marks(audit, "")}
    assert lanes == {"number of records", "amount spent"}
    texts = [row["text"] for row in drawn(audit) if str(row.get("text")).endswith("not measured")]
    assert texts.count("laid open: not measured") == len({one.knowledge for one in audit.learnt})
    assert texts.count("found: not measured") == len(audit.blind) == 12


def test_the_ladder_can_be_drawn_where_nobody_sees_anything_and_where_no_limit_can_be_passed():
    audit = sample_audit.blind()
    hidden = tuple(dataclasses.replace(one, survived=False) for one in audit.disguised.attackers)
    disguised = dataclasses.replace(audit.disguised, attackers=hidden)
    assert "found: not measured" in inline(
        ladder(dataclasses.replace(audit, disguised=disguised), wide=False), "a"
    )
    audit = sample_audit.purchases()
    lax = dataclasses.replace(audit, limits=dataclasses.replace(audit.limits, max_learnt=1.0))
    assert max(row["at"] for row in drawn(lax) if set(row) == {"lane", "at", "end"}) == 1.0


def test_the_axis_reaches_past_every_limit():
    audit = sample_audit.kept_limits()
    common = dataclasses.replace(audit.learnt[0], control_laid_open=0.35)
    assert reach(audit) < 0.13
    assert reach(dataclasses.replace(audit, learnt=(common, *audit.learnt[1:]))) > 1


@pytest.mark.parametrize("name", ["microdata", *in_campaign("purchases")])
def test_every_picture_of_an_audit_is_a_chart_by_the_schema(name):
    """Reports are made without altair's own checks of every part."""
    with look.unchecked():
        figures = audit_report.page(getattr(sample_audit, name)()).figures
    held_against_the_schema(figures)


@pytest.mark.parametrize("name", ["purchases", "microdata"])
def test_every_picture_of_a_search_is_a_chart_by_the_schema(name):
    with look.unchecked():
        figures = tuning_report.page(getattr(sample_tuned, name)()).figures
    held_against_the_schema(figures)


def held_against_the_schema(figures):
    schema = alt.load_schema()
    assert figures
    for figure in figures:
        validate_jsonschema(figure.chart, schema)
    with pytest.raises(ValidationError):
        validate_jsonschema({"mark": "bar", "encoding": {"x": {"kind": "no such"}}}, schema)
