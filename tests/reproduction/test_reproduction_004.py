"""004 beside ours: every printed digit, and cheats that are all caught."""

import pytest

import kakurenbo as kb
from kakurenbo.progress import Progress
from kakurenbo.reproduction.compare import NO_MASTER
from kakurenbo.reproduction.paper import reproduce
from kakurenbo.reproduction.paper_004 import COUNTRIES, figures, study, tables


def verdicts(made):
    return {row.label: row.verdict for table in tables(made) for row in table.rows}


def test_every_printed_number_agrees_on_the_contest_table(real):
    made = study(kb.datasets.tc400(real("online_retail.parquet")), 0, Progress(), 500)
    found = verdicts(made)
    assert sum(verdict == "agrees" for verdict in found.values()) == 13
    assert {label for label, verdict in found.items() if verdict != "agrees"} == {
        "log2(1 - q*(99)), multi-random",
        "groups",
    }
    assert all(
        row.reason == COUNTRIES for table in tables(made) for row in table.rows if row.verdict == "undefined"
    )
    shown = {figure.number: figure for figure in figures(made)}
    assert list(shown) == ["figure 6", "figure 8", "figure 9", "figure 10"]
    for number in ("figure 8", "figure 9", "figure 10"):
        bars = shown[number].series[0].points
        assert sum(point.y for point in bars) == 500
        assert bars[0].x == pytest.approx(0.64)


@pytest.mark.campaign
def test_without_countries_multi_random_is_not_tried(real):
    made = study(kb.read_purchases(real("tc400.csv")), 0, Progress(), 20)
    lacking = [row for table in tables(made) for row in table.rows if row.reason == NO_MASTER]
    assert len(lacking) == 3
    assert {row.verdict for row in lacking} == {"undefined"}
    assert len(figures(made)) == 3


def test_another_shop_is_measured_and_does_not_agree(monkeypatch):
    monkeypatch.setattr("kakurenbo.reproduction.paper_004.study", lambda *given: study(*given, 20))
    found = reproduce(kb.demo.shop(60, seed=1), ["004"], [3], clusters=(5,))
    assert found.papers == ("004",)
    assert {table.paper for table in found.tables} == {figure.paper for figure in found.figures} == {"004"}
    assert found.count("differs") >= 3
    assert found.to_dict()["figures"]
    assert reproduce(kb.demo.shop(60, seed=1), ["004"], [3], clusters=(5,)) == found
