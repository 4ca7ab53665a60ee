"""`init`, and what commands do with a layout that nobody knows: take it, ask, or end with a question."""

import json

import pytest

from kakurenbo.cli import ask
from kakurenbo.cli.main import run

HEAD = "who,slip,what,pieces\n"
ROWS = "".join(
    f"{100 + c},{700 + 2 * c + visit},G{(2 * c + line + visit) % 9},{1 + (c + line) % 3}\n"
    for c in range(12)
    for visit in range(2)
    for line in range(3)
)
NAMED = {"who": "顧客ID", "slip": "伝票番号", "what": "商品コード", "pieces": "数量"}


@pytest.fixture
def mute(tmp_path):
    """A table whose names do not speak of customers and goods."""
    (tmp_path / "export.csv").write_text(HEAD + ROWS)
    return tmp_path / "export.csv"


@pytest.fixture
def spoken(tmp_path):
    (tmp_path / "export.csv").write_text(",".join(NAMED.values()) + "\n" + ROWS)
    return tmp_path / "export.csv"


def test_what_is_sure_is_taken_and_told_beside_the_answer(spoken, capsys):
    assert run(["profile", str(spoken), "--json"]) == 0
    told = capsys.readouterr()
    assert json.loads(told.out)["customers"] == 12
    assert "customer '顧客ID'" in told.err
    assert not (spoken.parent / "kakurenbo.toml").exists()
    assert run(["profile", str(spoken), "--json", "--quiet"]) == 0
    assert capsys.readouterr().err == ""


def test_what_is_likely_ends_with_a_question_and_a_yes_answers_it_for_good(mute, capsys):
    assert run(["profile", str(mute)]) == 2
    assert "--yes" in capsys.readouterr().err
    assert run(["profile", str(mute), "--json", "--yes"]) == 0
    assert json.loads(capsys.readouterr().out)["receipts"] == 24
    assert run(["profile", str(mute), "--json"]) == 0
    told = capsys.readouterr()
    assert json.loads(told.out)["receipts"] == 24
    assert told.err == ""


def test_init_writes_settings_once(mute, capsys):
    settings = mute.parent / "kakurenbo.toml"
    assert run(["init", str(mute)]) == 2
    assert not settings.exists()
    assert run(["init", str(mute), "--yes"]) == 0
    shown = capsys.readouterr().out
    assert "3 digits" in shown
    assert "105" not in shown + settings.read_text()
    assert 'customer = "who"' in settings.read_text()
    before = settings.read_text() + "# mine\n"
    settings.write_text(before)
    assert run(["init", str(mute), "--yes"]) == 2
    assert settings.read_text() == before
    assert run(["init", str(mute), "--yes", "--overwrite", "--json"]) == 0
    assert "# mine" not in settings.read_text()


def test_a_yes_leaves_out_what_is_no_purchase(mute, capsys):
    mute.write_text(HEAD + ROWS + "100,700,G1,-1\n")
    assert run(["profile", str(mute), "--yes", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["dropped"]["quantity_not_positive"] == 1
    assert 'policy = "drop"' in (mute.parent / "kakurenbo.toml").read_text()


@pytest.mark.parametrize(("said", "customers"), [("yes", 12), ("customer=slip,receipt=who", 24)])
def test_on_a_terminal_somebody_is_asked(mute, capsys, monkeypatch, said, customers):
    monkeypatch.setattr(ask, "_on_a_terminal", lambda: True)
    monkeypatch.setattr(ask.typer, "prompt", lambda *_, **__: said)
    assert run(["profile", str(mute), "--json"]) == 0
    told = capsys.readouterr()
    assert json.loads(told.out)["customers"] == customers
    assert "form of its values" in told.err


def test_a_no_is_a_no(mute, monkeypatch):
    monkeypatch.setattr(ask, "_on_a_terminal", lambda: True)
    monkeypatch.setattr(ask.typer, "prompt", lambda *_, **__: "no")
    assert run(["profile", str(mute)]) == 2
    assert not (mute.parent / "kakurenbo.toml").exists()


def test_a_release_is_hidden_and_sought_by_a_proposal(spoken, tmp_path, capsys):
    out, secret = str(tmp_path / "out"), str(tmp_path / "secret.csv")
    assert (
        run(["deidentify", "pseudonymize", str(spoken), "--out", out, "--secret", secret, "--seed", "1"]) == 0
    )
    assert (
        run(
            ["attack", "jaccard", str(spoken), out, "--out", str(tmp_path / "guess.csv"), "--seed", "1", "-q"]
        )
        == 0
    )
    capsys.readouterr()
    assert run(["score", "--secret", secret, "--guess", str(tmp_path / "guess.csv"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["people"] == 12
