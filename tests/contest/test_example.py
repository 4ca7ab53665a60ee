"""Made-up data is what the judge of every preset reads."""

import polars as pl
import pytest

from kakurenbo.contest.example import write_example
from kakurenbo.contest.judging.judge import people
from kakurenbo.contest.rules import PRESETS, Rules
from kakurenbo.errors import ParameterError


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_has_data_of_its_own(tmp_path, name):
    rules = Rules.preset(name)
    write_example(rules, tmp_path, 60, lines=10, seed=1)
    assert len(people(rules, tmp_path)) == 60


def test_the_same_seed_makes_the_same_tables(tmp_path):
    for folder, seed in {"a": 1, "b": 1, "c": 2}.items():
        (tmp_path / folder).mkdir()
        write_example(Rules.preset("pws2017"), tmp_path / folder, 30, lines=10, seed=seed)
    tables = {
        folder: {path.name: path.read_bytes() for path in (tmp_path / folder).iterdir()} for folder in "abc"
    }
    assert set(tables["a"]) == {"M.csv", "T.csv", "T25.csv", "T50.csv", "T75.csv", "T100.csv"}
    assert tables["a"] == tables["b"] != tables["c"]


def test_an_attacker_knows_his_share_of_the_rows_and_two_characters_of_a_good(tmp_path):
    write_example(Rules.preset("pws2017"), tmp_path, 60, lines=20, seed=1)
    rows = [line.split(",") for line in (tmp_path / "T.csv").read_text().splitlines()]
    known = {
        level: [line.split(",") for line in (tmp_path / f"T{level}.csv").read_text().splitlines()]
        for level in (25, 50, 75, 100)
    }
    for level, lines in known.items():
        assert len(lines) == len(rows)
        share = sum(line[0] != "DEL" for line in lines) / len(lines)
        assert share == pytest.approx(level / 100, abs=0.05)
    assert known[100] == [[*row[:4], row[4][:2], *row[5:]] for row in rows]


def test_columns_have_the_names_that_the_rules_give_them(tmp_path):
    named = Rules.parse(
        'title = "a"\nformat = "purchases"\n[data.columns]\ncustomer = "who"\ngoods = "what"\n'
    )
    write_example(named, tmp_path, 20, lines=5, seed=1)
    assert pl.read_csv(tmp_path / "T.csv").columns[:2] == ["who", "receipt"]
    survey = 'title = "a"\nformat = "microdata"\n[data]\nid = "no"\nqi = ["a", "b"]\nsa = ["x"]\n'
    write_example(Rules.parse(survey), tmp_path, 20, seed=1)
    assert pl.read_csv(tmp_path / "X.csv").columns == ["no", "a", "b", "x"]


def test_more_columns_than_can_be_made_up_are_refused(tmp_path):
    many = ", ".join(f'"q{i}"' for i in range(14))
    rules = Rules.parse(f'title = "a"\nformat = "microdata"\n[data]\nqi = [{many}]\n')
    with pytest.raises(ParameterError, match="give data of your own"):
        write_example(rules, tmp_path, 20)
