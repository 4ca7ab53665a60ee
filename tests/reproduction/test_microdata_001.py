import pytest

import kakurenbo as kb
from kakurenbo.reproduction import microdata_001, paper
from kakurenbo.reproduction.microdata_001 import ATTACKS, CHAINED, SINGLE, reproduce


@pytest.fixture(scope="module")
def made():
    return reproduce(rows=1500, seed=1)


def test_table_13_has_every_method_measure_and_attack(made):
    cells = {(row.data, row.measure): row.value for row in made.table_13}
    assert len(cells) == len(SINGLE) * (8 + len(ATTACKS))
    assert (cells["Dh delete", "U6"], cells["Da k-anonymize", "S1"]) == (10, 3)
    assert cells["Dc cheat", "U5"] > 0 == cells["Dc cheat", "U1"] == cells["Dc cheat", "U4"]
    assert all(cells["original", name] >= 0.98 for name in ("E1", "E2", "EUC1", "EUC2"))
    printed = [row for row in made.table_13 if row.data != "original"]
    assert all(row.printed is not None for row in printed)


def test_every_expectation_of_table_12_holds_or_has_its_reason(made):
    assert len(made.table_12) >= 60
    assert sum(claim.holds for claim in made.table_12) >= 0.75 * len(made.table_12)
    assert not [claim for claim in made.table_12 if claim.why == "not explained"]


def test_table_16_has_every_chain_and_attack(made):
    assert {(row.data, row.measure) for row in made.table_16} == {
        (data, attack) for data in CHAINED for attack in ATTACKS if attack != "EUC2"
    }
    assert max(row.value for row in made.table_16 if row.data == "D8") < 0.01
    assert max(row.value for row in made.table_16 if row.data == "D10") < 0.1


def test_more_columns_find_more_people(made):
    by_q = [point.rate for point in made.figures if point.columns == "q"]
    by_s = [point.rate for point in made.figures if point.columns == "s"]
    assert (len(by_q), len(by_s)) == (13, 12)
    assert by_q[0] < by_q[5] < by_q[-1]
    assert by_s[0] < by_s[-1]
    assert all(set(point) for point in made.to_dict()["figures"])


def test_001_stands_among_the_other_papers_and_needs_no_data(monkeypatch, made):
    monkeypatch.setattr(microdata_001, "reproduce", lambda **_: made)
    result = paper.reproduce(None, ["001"], [1])
    assert [table.name for table in result.tables] == ["001 table 12", "001 table 13", "001 table 16"]
    assert [figure.number for figure in result.figures] == ["figure 1", "figure 2", "figure 3", "figure 4"]
    assert result.count("agrees") == sum(claim.holds for claim in made.table_12)
    assert all(row.reason for table in result.tables for row in table.rows if row.verdict == "differs")
    with pytest.raises(kb.ParameterError, match="000"):
        paper.reproduce(None, ["000", "001"], [1])
