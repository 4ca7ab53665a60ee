"""`--ledger`: releases are written down before they appear, and none of the same people is overlooked."""

import json

import pytest

import sample_audit
from kakurenbo.cli.main import run
from kakurenbo.files.register import Register
from shops import ROLES, light_shop

READ = [word for role in ROLES for word in (f"--{role}", role)]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    light_shop(24, seed=3).to_frame().write_csv("shop.csv")
    return tmp_path


def hide(name, *more):
    return run(["deidentify", "pseudonymize", "shop.csv", *READ, "--out", name, "--secret", f"{name}.csv",
                "--ledger", "ledger.jsonl", "--quiet", *more])  # fmt: skip


def judge(name, *more):
    return run(["audit", "shop.csv", name, *READ, "--ledger", "ledger.jsonl", "--quiet", "--json", *more])


def entries(folder, name="ledger.jsonl"):
    return Register.read(folder / name).entries


@pytest.mark.campaign
def test_an_earlier_release_is_not_overlooked(folder, capsys):
    assert hide("first") == hide("second") == 0
    assert [entry["what"] for entry in entries(folder)] == ["release", "release"]
    capsys.readouterr()
    assert judge("second") == 2
    said = capsys.readouterr().err
    assert "number 1 of " in said
    assert "--earlier RELEASE, or --overlook REASON" in said
    assert "[earlier-release]" in said
    assert (
        judge("second", "--earlier", "first", "--secret", "second.csv", "--earlier-secret", "first.csv") == 1
    )
    document = json.loads(capsys.readouterr().out)
    assert document["earlier"][0]["rightly"] == 24
    last = entries(folder)[-1]
    assert (last["what"], last["verdict"], last["overlooked"]) == ("audit", "no", [])
    assert last["earlier"] == [entries(folder)[0]["release"]]
    assert last["worst"][2] > 0.9


def test_why_one_is_overlooked_is_written_down(folder, capsys, monkeypatch):
    hide("first"), hide("second")
    monkeypatch.setattr("kakurenbo.cli.audit.run_audit", lambda *_, **__: sample_audit.purchases())
    assert judge("second", "--overlook", "the first was destroyed") in {0, 1}
    last = entries(folder)[-1]
    assert last["reason"] == "the first was destroyed"
    assert last["overlooked"] == [entries(folder)[0]["release"]]
    capsys.readouterr()


def test_tuning_refuses_too_and_before_it_searches(folder, capsys):
    hide("first")
    words = ["tune", "shop.csv", *READ, "--ledger", "ledger.jsonl", "--trials", "1", "--quiet"]
    assert run(words) == 2
    assert "[earlier-release]" in capsys.readouterr().err


def test_a_release_that_cannot_be_written_is_withdrawn(folder, capsys, monkeypatch):
    def refuse(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("kakurenbo.files.release_folder.fill", refuse)
    assert hide("first") == 74
    assert [entry["what"] for entry in entries(folder)] == ["release", "withdrawn"]
    assert entries(folder)[1]["of"] == entries(folder)[0]["release"]
    capsys.readouterr()


def test_the_settings_beside_the_data_name_it_once(folder, capsys):
    (folder / "kakurenbo.toml").write_text('ledger = "kept.jsonl"\n')
    words = [
        "deidentify",
        "pseudonymize",
        "shop.csv",
        *READ,
        "--out",
        "one",
        "--secret",
        "one.csv",
        "--quiet",
    ]
    assert run(words) == 0
    assert [entry["what"] for entry in entries(folder, "kept.jsonl")] == ["release"]
    capsys.readouterr()


def test_it_is_shown_verified_and_a_release_withdrawn(folder, capsys):
    hide("first")
    capsys.readouterr()
    assert run(["ledger", "ledger.jsonl"]) == 0
    assert "The chain is whole." in capsys.readouterr().out
    assert run(["ledger", "ledger.jsonl", "--withdraw", "1"]) == 2
    assert run(["ledger", "ledger.jsonl", "--withdraw", "1", "--reason", "a rehearsal", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["whole"] is True
    assert [entry["what"] for entry in document["entries"]] == ["release", "withdrawn"]
    assert not any("sketch" in entry or "key" in entry for entry in document["entries"])


def test_a_ledger_that_was_changed_is_told(folder, capsys):
    hide("first")
    place = folder / "ledger.jsonl"
    place.write_text(place.read_text().replace('"people": 24', '"people": 25'))
    capsys.readouterr()
    assert run(["ledger", "ledger.jsonl", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["whole"] is False
    assert hide("second") == 2
    assert not (folder / "second").exists()
    assert "[ledger]" in capsys.readouterr().err


def test_nobodys_id_stands_in_it(folder, capsys):
    hide("first")
    content = (folder / "ledger.jsonl").read_text()
    ids = [*light_shop(24, seed=3).customers, *(folder / "first.csv").read_text().split()]
    assert not [one for one in ids if f'"{one}"' in content]
    capsys.readouterr()
