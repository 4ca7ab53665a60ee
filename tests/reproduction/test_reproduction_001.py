"""001 on made-up households: every cell of its tables, the paper's words, and more columns finding more."""

import pytest

import kakurenbo as kb
from kakurenbo.methods import KAnonymize
from kakurenbo.reproduction import paper, paper_001
from kakurenbo.reproduction.paper_001 import ATTACKS, CHAINED, SINGLE


@pytest.fixture(scope="module")
def made():
    return paper_001.reproduced(rows=1500, seed=1)


@pytest.fixture(scope="module")
def tables(made):
    return {table.number: {tuple(row.label.split(": ")): row for row in table.rows} for table in made[0]}


def test_table_13_has_every_method_measure_and_attack(tables):
    cells = {place: row.ours.mean for place, row in tables["table 13"].items()}
    assert len(cells) == len(SINGLE) * (8 + len(ATTACKS))
    assert (cells["Dh delete", "U6"], cells["Da k-anonymize", "S1"]) == (10, 3)
    assert cells["Dc cheat", "U5"] > 0 == cells["Dc cheat", "U1"] == cells["Dc cheat", "U4"]
    assert all(cells["original", name] >= 0.98 for name in ("E1", "E2", "EUC1", "EUC2"))
    not_printed = [data for (data, _), row in tables["table 13"].items() if row.printed == "not printed"]
    assert set(not_printed) == {"original"}


def test_every_expectation_of_table_12_holds_or_has_its_reason(tables):
    claims = list(tables["table 12"].values())
    assert len(claims) >= 60
    assert sum(claim.verdict == "agrees" for claim in claims) >= 0.75 * len(claims)
    assert not [claim for claim in claims if claim.reason == "not explained"]


def test_table_16_has_every_chain_and_attack(tables):
    assert set(tables["table 16"]) == {
        (data, attack) for data in CHAINED for attack in ATTACKS if attack != "EUC2"
    }
    rates = {place: row.ours.mean for place, row in tables["table 16"].items()}
    assert max(rate for (data, _), rate in rates.items() if data == "D8") < 0.01
    assert max(rate for (data, _), rate in rates.items() if data == "D10") < 0.1


def test_chains_make_people_as_alike_as_table_14_prints():
    printed = {"D1": 1, "D2": 1, "D3": 3, "D5": 1, "D7": 3, "D8": 1, "D10": 41, "D11": 8, "D12": 4}  # its S1
    least = {
        name: max((method.k for method in chain if isinstance(method, KAnonymize)), default=1)
        for name, chain in CHAINED.items()
    }
    assert least == printed


def test_more_columns_find_more_people(made):
    _, by_q, _, by_s = ([point.y for point in figure.series[0].points] for figure in made[1])
    assert (len(by_q), len(by_s)) == (13, 12)
    assert by_q[0] < by_q[5] < by_q[-1]
    assert by_s[0] < by_s[-1]


def test_001_stands_among_the_other_papers_and_needs_no_data(monkeypatch, made, tables):
    monkeypatch.setattr(paper_001, "reproduced", lambda **_: made)
    result = paper.reproduce(None, ["001"], [1])
    assert [table.name for table in result.tables] == ["001 table 12", "001 table 13", "001 table 16"]
    assert [figure.number for figure in result.figures] == ["figure 1", "figure 2", "figure 3", "figure 4"]
    assert result.count("agrees") == sum(row.printed == row.ours for row in tables["table 12"].values())
    assert all(row.reason for table in result.tables for row in table.rows if row.verdict == "differs")
    with pytest.raises(kb.ParameterError, match="000"):
        paper.reproduce(None, ["000", "001"], [1])
