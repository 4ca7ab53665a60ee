"""The golden facts on the real contest table; a reduced sweep, for time."""

import pytest

import kakurenbo as kb
from kakurenbo.reproduction.compare import NO_MASTER
from kakurenbo.reproduction.paper import PAPERS, reproduce

pytestmark = [pytest.mark.slow, pytest.mark.campaign]  # 000 with all its releases takes a minute


@pytest.fixture(scope="module")
def found(real):
    return reproduce(kb.read_purchases(real("tc400.csv")), PAPERS, [0], clusters=(50, 100, 125))


@pytest.fixture(scope="module")
def rows(found):
    return {(table.name, row.label): row for table in found.tables for row in table.rows}


def test_it_is_the_contest_table(found):
    assert found.contest
    assert not found.nations


def test_the_statistics_all_agree(found):
    (table,) = [table for table in found.tables if table.name == "000 table 3"]
    assert [row.verdict for row in table.rows] == ["agrees"] * 12


def test_dummies_are_those_of_the_papers(rows):
    assert rows["000 table 8", "c = 50, s_min = 8: Delta_m"].ours.mean == pytest.approx(128_000, rel=0.08)
    assert rows["000 table 8", "c = 50, Method 1: Delta_m"].ours.mean == pytest.approx(176_000, rel=0.15)


def test_algorithm_1_finds_c_of_n(rows):
    found = {
        label: row for (table, label), row in rows.items() if table == "000 table 8" and "Algor" in label
    }
    assert len(found) == 12
    for label, row in found.items():
        c = int(label.partition(",")[0].removeprefix("c = "))
        assert row.ours.mean == pytest.approx(c / 400, abs=0.03)


def test_jaccard_reid_is_the_likeness_and_not_the_attack(rows):
    assert rows["000 table 8", "c = 50, s_min = 8: Jaccard Reid"].verdict == "agrees"
    assert rows["000 text", "abstract: found by the Jaccard coefficient"].verdict == "differs"


def test_the_optima(found, rows):
    assert rows["000 text", "section 4.3, figure 14: best c"].ours.mean == 69
    assert rows["003 text", "section 4.4: best c at n = 400"].ours.mean == 130
    for paper, number, best in (("000", "figure 14", 69), ("003", "figure 6", 130), ("002", "figure 2", 130)):
        (figure,) = [f for f in found.figures if (f.paper, f.number) == (paper, number)]
        assert min(figure.series[0].points, key=lambda point: point.y).x == best


def test_compact_needs_the_fewest_dummies(found):
    (figure,) = [f for f in found.figures if (f.paper, f.number) == ("000", "figure 11")]
    first, second, ours = (series.points for series in figure.series[:3])
    for a, b, c in zip(first, second, ours, strict=True):
        assert a.y > b.y > c.y


def test_what_is_known_to_be_misprinted_differs(rows):
    for key in (
        ("002 text", "section 4.4: E(Delta_m) at n = 4000"),
        ("000 text", "section 2.1: largest Jaccard of two customers"),
    ):
        assert rows[key].verdict == "differs"
        assert rows[key].reason


def test_the_uci_file_brings_the_countries_that_u1_needs(real, rows):
    assert rows["000 table 7", "U1-cMAE and Delta_m"].reason == NO_MASTER
    shop = kb.datasets.tc400(real("online_retail.parquet"))
    found = reproduce(shop, ["003"], [0], clusters=(50, 100, 200))
    (table,) = [table for table in found.tables if table.number == "table 1"]
    for row in table.rows:
        assert row.ours.mean * row.printed > 0, "the sign is the print's"
        assert row.ours.mean == pytest.approx(row.printed, abs=0.1)
