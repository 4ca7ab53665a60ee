import json

import pytest

import kakurenbo as kb
from kakurenbo.auditing.method_guess import grade, guess_methods
from kakurenbo.cheats import CheatMicrodata
from kakurenbo.cli.main import run
from kakurenbo.methods import (
    Average,
    Chain,
    DeleteMicrodata,
    KAnonymize,
    Microaggregate,
    NoiseMicrodata,
    Swap,
    Unify,
)
from people import microdata_of

PEOPLE = kb.demo.households(800, seed=1)
MADE = [
    ((), set()),
    ((KAnonymize(k=3),), {"k-anonymize"}),
    ((NoiseMicrodata(scale=0.1),), {"noise"}),
    ((CheatMicrodata(),), {"cheat"}),
    ((Unify(q=("sex",)),), {"unify (used by utility)"}),
    ((Unify(q=("cars",)),), {"unify (not used)"}),
    ((Average(),), {"average"}),
    ((Swap(),), {"swap"}),
    ((Microaggregate(k=3),), {"microaggregate"}),
    ((DeleteMicrodata(share=0.1),), {"delete"}),
    ((KAnonymize(k=3, write="typical"), Average()), {"k-anonymize", "average"}),
    ((Unify(q=("cars",)), Swap(), CheatMicrodata()), {"unify (not used)", "swap", "cheat"}),
    ((DeleteMicrodata(share=0.1), NoiseMicrodata(scale=0.1)), {"delete", "noise"}),
]


@pytest.mark.parametrize(("methods", "expected"), MADE)
def test_methods_are_told_from_their_release(methods, expected):
    method = Chain(methods=methods) if methods else kb.methods.PseudonymizeMicrodata()
    release = method.release(PEOPLE, seed=1)
    found = guess_methods(PEOPLE, release.data, release.pairing)
    assert set(found.likely) == expected
    assert all(one.reasons for one in found.suspects)
    without = guess_methods(PEOPLE, release.data)
    assert set(without.likely) == expected - {"cheat"}
    assert {one.verdict for one in without.suspects if one.method == "cheat"} == {"possible"}
    assert "U5" not in without.measures


def test_grades_are_those_of_table_15():
    """The paper's words for values of its table 14."""
    said = {
        ("U3", 18.6): "negative", ("U3", 1.54): "slightly", ("U4", 0.09): "slightly",
        ("U5", 0.02): "slightly", ("S1", 3): "slightly", ("S1", 41): "positive", ("S2", 36.07): "positive",
        ("E1", 0.65): "negative", ("E1", 0.03): "slightly", ("E3", 0): "positive", ("EUC1", 0.07): "slightly",
        ("EUC1", 0.88): "negative", ("E4", 0.05): "slightly", ("U1", 0): "unchanged",
        ("U2", 4321.75): "negative", ("U4", 0.15): "negative",
    }  # fmt: skip
    assert {key: grade(*key) for key in said} == said


def test_a_table_without_numbers_is_judged_by_what_it_has():
    bare = kb.Microdata.from_frame(PEOPLE.records, qi=PEOPLE.qi)
    release = Unify(q=("cars",)).release(bare, seed=1)
    assert guess_methods(bare, release.data, release.pairing).likely == ("unify (not used)",)


@pytest.mark.campaign
def test_the_command_shows_its_reasons(tmp_path, capsys):
    kb.demo.households_frame(200, seed=1).write_csv(tmp_path / "people.csv")
    columns = ["--qi", ",".join(kb.demo.QUASI_IDENTIFIERS), "--sa", ",".join(kb.demo.SENSITIVE)]
    people, out, secret = (str(tmp_path / name) for name in ("people.csv", "out", "secret.csv"))
    made = ["--k", "3", "--then", "average", "--out", out, "--secret", secret, "--quiet"]
    assert run(["deidentify", "k-anonymize", people, *made, *columns]) == 0
    capsys.readouterr()
    assert run(["guess-method", people, out, *columns]) == 0
    words = capsys.readouterr().out
    assert "because" in words
    assert "S1 went from 1 to 3" in words
    assert run(["guess-method", people, out, "--secret", secret, "--json", *columns]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["likely"] == ["k-anonymize", "average"]
    assert run(["guess-method", people, out]) == 2
    assert "name the columns" in capsys.readouterr().err


def test_the_data_decides_which_implementation_runs(tmp_path, capsys):
    kb.demo.households_frame(60, seed=1).write_csv(tmp_path / "people.csv")
    columns = ["--qi", "region,sex,cars", "--sa", "income,food"]
    people, out, secret = (str(tmp_path / name) for name in ("people.csv", "out", "secret.csv"))
    end = ["--out", out, "--secret", secret, *columns]
    assert run(["deidentify", "noise", people, "--price-spread", "1", *end]) == 2
    assert "price_spread is not a parameter" in capsys.readouterr().err
    assert run(["deidentify", "balanced", people, "--clusters", "1", "--min-size", "1", *end]) == 2
    assert "does not work on microdata" in capsys.readouterr().err
    assert run(["deidentify", "noise", people, "--scale", "0.1", *end, "--quiet"]) == 0
    guess = str(tmp_path / "guess.csv")
    for attack in ("identify-sort", "euc2"):
        assert run(["attack", attack, people, out, "--out", guess, "--quiet", *columns]) == 0
    assert run(["attack", "euc1", people, out, "--out", guess, "--q", "region", "--s", "food", *columns]) == 0
    assert run(["attack", "jaccard", people, out, "--out", guess, *columns]) == 2
    capsys.readouterr()
    assert run(["score", "--secret", secret, "--guess", guess, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["people"] == 60
    for measure in ("mean-group", "k-anonymity", "u1-mean", "u5-loss"):
        assert run(["measure", measure, people, out, "--secret", secret, "--json", *columns]) == 0
        assert json.loads(capsys.readouterr().out)["measure"] == measure
    assert run(["measure", "likeness", people, out, *columns]) == 2


def test_equal_rows_have_several_nearest_and_are_judged_all_the_same():
    people = microdata_of([(20, "a", 1, 1)] * 4)
    release = kb.methods.PseudonymizeMicrodata().release(people, seed=1)
    guess = guess_methods(people, release.data, release.pairing)
    assert guess.measures["U5"] == 0
