"""A secret pairs everyone with an original of his own; every command that reads one holds it to that."""

import pytest

import kakurenbo as kb
from kakurenbo.cli.main import run

COMMANDS = {
    "score": ["score", "--guess", "guess.csv"],
    "audit": ["audit", "t.csv", "t.csv", "--customer", "c", "--goods", "g"],
    "measure": ["measure", "likeness", "t.csv", "t.csv", "--customer", "c", "--goods", "g"],
    "excess": ["excess", "t.csv", "t.csv", "--customer", "c", "--goods", "g"],
    "guess-method": ["guess-method", "t.csv", "t.csv", "--qi", "g", "--id", "c"],
}
BAD = {
    "missing-id": ("a,a\nb,\nc,\n", "2 of 3 people"),
    "duplicate-id": ("a,a\nb,a\nc,c\n", "2 of 3 people"),
}


@pytest.mark.parametrize("code", BAD)
@pytest.mark.parametrize("command", COMMANDS)
def test_a_secret_that_pairs_nobody_or_somebody_twice_is_refused(
    command, code, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    rows, count = BAD[code]
    (tmp_path / "t.csv").write_text("c,g\na,x\nb,y\nc,z\n")
    (tmp_path / "guess.csv").write_text("released,original\na,\nb,a\nc,a\n")
    (tmp_path / "secret.csv").write_text(f"released,original\n{rows}")
    assert run([*COMMANDS[command], "--secret", "secret.csv"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert f"[{code}]" in said.err
    assert count in said.err


def test_a_guess_may_abstain_and_repeat():
    secret = kb.Pairing.of({"a": "1", "b": "2", "c": "3"})
    guess = kb.Pairing.of({"a": "1", "b": "1", "c": None})
    assert kb.reidentification(secret, guess).hits == 1
    with pytest.raises(kb.InputError) as error:
        kb.reidentification(guess, guess)
    assert error.value.code == "missing-id"
