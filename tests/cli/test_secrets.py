"""Where a row is a person, a secret pairs one to one; who judges takes pairings as they come."""

import json
from itertools import product

import pytest

import kakurenbo as kb
from campaign import in_campaign
from kakurenbo.cli.main import run
from proving import proved_once

COMMANDS = {
    "score": ["score", "--guess", "guess.csv"],
    "guess-method": ["guess-method", "t.csv", "t.csv", "--qi", "g", "--id", "c"],
    "measure": ["measure", "u5-loss", "t.csv", "t.csv", "--qi", "g", "--sa", "n", "--id", "c"],
}
JUDGES = {
    "audit": ["audit", "t.csv", "t.csv", "--customer", "c", "--goods", "g", "--seed", "1"],
    "measure": ["measure", "likeness", "t.csv", "t.csv", "--customer", "c", "--goods", "g"],
    "excess": ["excess", "t.csv", "t.csv", "--customer", "c", "--goods", "g"],
}
BAD = {
    "missing-id": ("a,a\nb,\nc,\n", "2 of 3 people"),
    "duplicate-id": ("a,a\nb,a\nc,c\n", "2 of 3 people"),
}


@pytest.fixture(scope="module", autouse=True)
def _proved_once():
    with proved_once():
        yield


SCORED = ("score", "duplicate-id")  # names that change: a person may have several


@pytest.mark.parametrize(("command", "code"), sorted({*product(COMMANDS, BAD)} - {SCORED}))
def test_a_secret_that_pairs_nobody_or_somebody_twice_is_refused(
    command, code, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    rows, count = BAD[code]
    (tmp_path / "t.csv").write_text("c,g,n\na,x,1\nb,y,2\nc,z,3\n")
    (tmp_path / "guess.csv").write_text("released,original\na,\nb,a\nc,a\n")
    (tmp_path / "secret.csv").write_text(f"released,original\n{rows}")
    assert run([*COMMANDS[command], "--secret", "secret.csv"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert f"[{code}]" in said.err
    assert count in said.err


def test_a_score_counts_names_and_people_where_a_person_has_several(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "guess.csv").write_text("released,original\nw,a\nx,c\ny,b\nz,b\n")
    (tmp_path / "secret.csv").write_text("released,original\nw,a\nx,a\ny,b\nz,c\n")
    assert run(["score", "--guess", "guess.csv", "--secret", "secret.csv", "--json"]) == 0
    scored = json.loads(capsys.readouterr().out)
    assert (scored["people"], scored["rate"], scored["chance"]) == (4, 0.5, pytest.approx(1 / 3))
    assert (scored["persons"], scored["persons_rate"]) == (3, pytest.approx(2 / 3))
    assert scored["persons_chance"] == pytest.approx((5 / 9 + 1 / 3 + 1 / 3) / 3)
    assert run(["score", "--guess", "guess.csv", "--secret", "secret.csv"]) == 0
    assert "of 3 people 66.7% by at least one of their names" in capsys.readouterr().out.replace("\n", " ")


@pytest.mark.parametrize("rows", ["a,a\na,b\nb,\nc,a\n", *in_campaign(*(rows for rows, _ in BAD.values()))])
@pytest.mark.parametrize("command", JUDGES)
def test_whoever_judges_takes_fakes_several_names_and_shared_ones(
    command, rows, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text("c,g\na,x\na,w\nb,y\nc,z\n")
    (tmp_path / "secret.csv").write_text(f"released,original\n{rows}")
    assert run([*JUDGES[command], "--json", "--secret", "secret.csv"]) in {0, 1}
    assert json.loads(capsys.readouterr().out)


@pytest.mark.parametrize(
    ("rows", "code"), [("a,a\nb,b\n", "unknown-id"), ("a,a\nb,b\nc,stranger\n", "unknown-id"),
                       ("a,\nb,\nc,\n", "missing-id"), ("a,a\na,\nb,b\nc,c\n", "duplicate-id")],
)  # fmt: skip
@pytest.mark.parametrize("command", ["audit", "excess"])
def test_names_without_a_row_and_owners_from_elsewhere_are_refused(
    command, rows, code, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text("c,g\na,x\nb,y\nc,z\n")
    (tmp_path / "secret.csv").write_text(f"released,original\n{rows}")
    assert run([*JUDGES[command], "--secret", "secret.csv"]) == 2
    said = capsys.readouterr().err
    assert f"[{code}]" in said
    assert "stranger" not in said


def test_a_guess_may_abstain_and_repeat():
    secret = kb.Pairing.of({"a": "1", "b": "2", "c": "3"})
    guess = kb.Pairing.of({"a": "1", "b": "1", "c": None})
    assert kb.reidentification(secret, guess).hits == 1
    with pytest.raises(kb.InputError) as error:
        kb.reidentification(guess, guess)
    assert error.value.code == "missing-id"
