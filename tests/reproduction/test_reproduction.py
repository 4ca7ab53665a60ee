"""The machinery of a reproduction on a made-up shop: well-formed, repeatable, honest about what it lacks."""

import json
import math
from dataclasses import fields, replace

import pytest

import kakurenbo as kb
from kakurenbo.errors import ParameterError
from kakurenbo.progress import Progress
from kakurenbo.report import words
from kakurenbo.report.reproduction import NO_NATIONS, markdown
from kakurenbo.reproduction import paper_000, paper_002, paper_003
from kakurenbo.reproduction.compare import NO_MASTER, TOO_FEW, Between, Within
from kakurenbo.reproduction.paper import PAPERS, reproduce
from kakurenbo.reproduction.results import Row, Spread
from kakurenbo.reproduction.runs import Laboratory, Plan

SWEEP = (5, 10, 20)
TABLES = (*paper_000.TABLES, *paper_002.TABLES, *paper_003.TABLES)


@pytest.fixture
def found(reproduced):
    return reproduced


def rows(result):
    return {(table.name, row.label): row for table in result.tables for row in table.rows}


def test_every_printed_number_comes_back_once(found):
    listed = [table for table in found.tables if table.paper != "004"]  # which has a file of its own
    assert [table.name for table in listed] == [f"{t.paper} {t.number}" for t in TABLES]
    for table, printed in zip(listed, TABLES, strict=True):
        assert [(row.label, row.printed) for row in table.rows] == [(c.label, c.value) for c in printed.cells]
        labels = [row.label for row in table.rows]
        assert len(labels) == len(set(labels))


def test_every_number_that_is_called_jaccard_reid_says_that_it_is_a_likeness():
    for cell in (cell for table in TABLES for cell in table.cells):
        assert ("mean Jaccard of a customer" in cell.reason) == ("Jaccard Reid" in cell.label)


def test_rows_are_well_formed(found):
    for row in rows(found).values():
        assert row.verdict in {"agrees", "differs", "undefined"}
        assert row.tolerance
        if isinstance(row.ours, Spread):
            assert row.ours.low <= row.ours.mean <= row.ours.high
            assert row.difference == row.ours.mean - row.printed
        if row.ours is None:
            assert row.verdict == "undefined"
        if row.verdict == "undefined":
            assert row.reason, row.label


def test_a_shop_too_small_for_a_plan_says_so(found):
    row = rows(found)["000 table 8", "c = 100, s_min = 4: Delta_m"]
    assert (row.ours, row.verdict, row.reason) == (None, "undefined", TOO_FEW)


def of(papers, parts):
    return tuple(part for part in parts if part.paper in papers)


@pytest.mark.campaign
@pytest.mark.parametrize("papers", [PAPERS[1:], PAPERS])
def test_the_same_seeds_give_the_same_numbers(made_up, found, papers):
    """Of all papers in the campaign; in 000 many more releases are made."""
    again = reproduce(made_up, papers, [0, 1], clusters=SWEEP)
    tables, figures = of(papers, found.tables), of(papers, found.figures)
    assert again == replace(found, papers=papers, tables=tables, figures=figures, omitted=again.omitted)
    for paper in {"000", "003"} & set(papers):
        other = reproduce(made_up, [paper], [7], clusters=SWEEP)
        assert other.figures != of([paper], found.figures)


def test_json_holds_everything_and_comes_back(found):
    document = found.to_dict()
    text = json.dumps(document, allow_nan=False)
    assert json.loads(text) == document
    assert set(document["tables"][0]["rows"][0]) == {field.name for field in fields(Row)}
    assert sum(document["verdicts"].values()) == sum(len(table.rows) for table in found.tables)


@pytest.mark.campaign
def test_without_a_master_u1_and_u2_ask_for_the_uci_file(made_up):
    found = reproduce(replace(made_up, master=None), ["000"], [0], clusters=SWEEP)
    lacking = [row for row in rows(found).values() if "U1" in row.label or "U2" in row.label]
    assert len(lacking) == 12
    assert all((row.ours, row.verdict, row.reason) == (None, "undefined", NO_MASTER) for row in lacking)
    assert rows(found)["000 table 7", "U3-RFM and Delta_m"].ours is not None
    assert NO_NATIONS in markdown(found)
    assert "| U1-cMAE and Delta_m | 0.9798 | needs the UCI file |" in markdown(found)


@pytest.mark.campaign
def test_purchases_without_prices_and_times_still_have_their_dummies(made_up):
    bare = kb.Purchases.from_frame(made_up.to_frame(), customer="customer", goods="goods")
    found = rows(reproduce(bare, ["000"], [0], clusters=SWEEP))
    assert found["000 table 3", "first day"].verdict == "undefined"
    assert found["000 table 3", "highest price"].ours is None
    assert found["000 table 8", "c = 50, Method 1: Delta_m"].ours.mean > 0


def test_only_what_is_asked_for_is_done(made_up):
    steps = []
    found = reproduce(made_up, ["003", "002"], [0], Progress(steps.append), clusters=SWEEP)
    assert found.papers == ("002", "003")
    assert (
        {table.paper for table in found.tables}
        == {figure.paper for figure in found.figures}
        == {"002", "003"}
    )
    assert steps
    assert not any("compact" in step.message for step in steps), "only 000 compares with compact"
    assert len(steps) == len(set(steps)), "every clustering is made once"


@pytest.mark.parametrize("name", ["005", "", "Harada"])
def test_an_unknown_paper_is_refused_with_those_there_are(made_up, name):
    with pytest.raises(ParameterError) as refused:
        reproduce(made_up, [name], [0])
    assert refused.value.code == "unknown-name"
    assert "000, 001, 002, 003, 004" in str(refused.value)


def test_no_seeds_and_a_sweep_beyond_the_customers_are_refused(made_up):
    for seeds, sweep in (([], SWEEP), ([0], (61,))):
        with pytest.raises(ParameterError):
            reproduce(made_up, ["000"], seeds, clusters=sweep)


def test_method_1_is_the_catalogues_method_1(made_up):
    lab = Laboratory(made_up, [3], SWEEP, Progress())
    release = kb.methods.Tfidf(clusters=10).release(made_up, seed=3)
    assert lab.clustered(Plan("tfidf", 10), 3).delta_m == release.facts.added
    balanced = kb.Balanced(clusters=10, min_size=6).release(made_up, seed=3)
    assert lab.clustered(lab.widest(10), 3).delta_m == balanced.facts.added
    assert lab.clustered(lab.widest(10), 3).smallest == 6


def test_dummies_are_counted_alike_with_and_without_a_release(made_up):
    lab = Laboratory(made_up, [0], SWEEP, Progress())
    for plan in (Plan("kmeans", 10), Plan("compact", 10, 6)):
        counted = lab.clustered(plan, 0)
        assert sum(counted.sizes) == 60
        assert counted.delta_m > 0
        assert 0 < lab.measured(plan, 0).likeness < 1


def test_tolerances_say_what_they_do():
    ours = Spread.of([9.0, 11.0])
    assert Within(0).holds(10, ours)
    assert not Within(0.5).holds(10.6, ours)
    assert Within(10, percent=True).holds(11, ours)
    assert Between(9, 10).holds(500, ours)
    assert [str(t) for t in (Within(0), Within(0.01), Within(15, percent=True), Between(33, 45))] == [
        "equal", "± 0.01", "± 15 %", "33 to 45",
    ]  # fmt: skip


def test_numbers_are_written_to_be_read():
    assert [words.number(v) for v in (38087, 0.17284, 65.725, 32.5, 4161.06, "2010/12/1", None, -0.0)] == [
        "38,087", "0.1728", "65.72", "32.50", "4,161", "2010/12/1", "-", "0",
    ]  # fmt: skip
    assert [words.signed(v) for v in (0.0, -0.00001, 0.01, -571.8)] == ["0", "0", "+0.0100", "-572"]
    assert words.signed(math.pi, 1) == "+3.1"
