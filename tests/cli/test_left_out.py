"""No row, column or part of the master is left out in silence, whatever command reads the table."""

import json

import pytest

import kakurenbo as kb
from kakurenbo.cli.main import run

HEAD = "who,what,slip,cost,diary\n"
ROLES = ["--customer", "who", "--goods", "what", "--receipt", "slip", "--price", "cost", "--policy", "drop"]
GOODS = ["tea", "milk", "rice", "salt", "figs"]


def rows(people=12, free=0):
    sold = [
        f"c{i % people},{GOODS[(i + i // people) % 5]},s{i},{1 + i % 3}.5,private" for i in range(5 * people)
    ]
    return HEAD + "".join(f"{line}\n" for line in [*sold, *(f"c0,tea,s{i},0,private" for i in range(free))])


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "transactions.csv").write_text(rows(free=30))
    people = "".join(f"c{i},{'fm'[i % 2]},c{i}@mail.example,{'no' if i % 3 else 'se'}\n" for i in range(12))
    (tmp_path / "shop" / "master.csv").write_text("who,sex,email,land\n" + people)
    return tmp_path


def answer(capsys, *words, code=0):
    assert run([*words, *ROLES]) == code, capsys.readouterr().err
    return capsys.readouterr().out


def made(capsys, *words, out="out"):
    return answer(
        capsys, "deidentify", "pseudonymize", "shop", "--out", out, "--secret", f"{out}.csv", *words
    )


def test_deidentify_tells_the_rows_it_dropped(place, capsys):
    document = json.loads(made(capsys, "--json"))
    assert document["dropped"]["price_not_positive"] == 30
    assert document["records"] == 60
    assert document["unread"] == ["diary"]
    said = made(capsys, "--quiet", out="again")
    assert "Dropped 30 rows: 30 price not positive." in said
    assert "Columns without a role were not read: diary." in said


def test_deidentify_releases_of_the_master_what_was_named_and_tells_the_rest(place, capsys):
    document = json.loads(made(capsys, "--json"))
    assert (document["master_kept"], document["master_dropped"]) == ([], ["sex", "email", "land"])
    assert not (place / "out" / "master.csv").exists()
    said = made(capsys, "--keep-master", "land,sex", out="again")
    assert "Not released from the master: email." in said
    assert (place / "again" / "master.csv").read_text().startswith("who,sex,land\n")


def test_what_looks_direct_needs_consent(place, capsys):
    target = ["--out", "out", "--secret", "s.csv"]
    assert run(["deidentify", "pseudonymize", "shop", *target, *ROLES, "--keep-master", "email"]) == 2
    said = capsys.readouterr().err
    assert "e-mail addresses" in said
    assert "(in shop, column email) (--keep-direct) [direct]" in said
    assert not (place / "out").exists()
    made(capsys, "--keep-master", "email", "--keep-direct", "email")
    assert "@mail.example" in (place / "out" / "master.csv").read_text()


def test_what_may_be_released_can_stand_in_the_settings(place, capsys):
    (place / "shop" / "kakurenbo.toml").write_text(
        'keep_master = ["sex", "email"]\nkeep_direct = ["email"]\n'
    )
    made(capsys)
    assert (place / "out" / "master.csv").read_text().startswith("who,sex,email\n")
    read = json.loads(answer(capsys, "measure", "delta-m", "shop", "out", "--json"))
    assert read["value"] == 0


@pytest.mark.parametrize(
    "words",
    [
        ["measure", "delta-m", "shop", "out"],
        ["attack", "jaccard", "shop", "out", "--out", "guess", "--quiet"],
        ["excess", "shop", "out", "--secret", "out.csv", "--t", "1.0"],
    ],
    ids=lambda words: words[0],
)
def test_every_command_tells_what_it_did_not_read(place, capsys, words):
    made(capsys)
    broken = (place / "out" / "transactions.csv").read_text().replace("slip,cost", "slip,cost,extra", 1)
    lines = broken.splitlines()
    text = "\n".join([lines[0], *(f"{line},x{i}" for i, line in enumerate(lines[1:]))])
    (place / "out" / "transactions.csv").write_text(text.replace(",1.5,x", ",0,x", 1) + "\n")
    document = json.loads(answer(capsys, *words, "--json"))
    assert document["dropped"]["original"]["price_not_positive"] == 30
    assert document["dropped"]["release"]["price_not_positive"] == 1
    assert document["unread"] == {"original": ["diary"], "release": ["extra"]}
    said = answer(capsys, *words)
    assert "Dropped 30 rows of the original: 30 price not positive." in said
    assert "Columns without a role were not read of the release: extra." in said


def test_profile_and_the_microdata_commands_tell_it_too(place, capsys):
    assert json.loads(answer(capsys, "profile", "shop", "--json"))["unread"] == ["diary"]
    kb.demo.households_frame(40, seed=1).write_csv("people.csv")
    qi, sa = ",".join(kb.demo.QUASI_IDENTIFIERS[:2]), ",".join(kb.demo.SENSITIVE)
    reading = ["--qi", qi, "--sa", sa]
    assert (
        run(
            [
                "deidentify",
                "pseudonymize",
                "people.csv",
                "--out",
                "p",
                "--secret",
                "p.csv",
                *reading,
                "--json",
            ]
        )
        == 0
    )
    assert len(json.loads(capsys.readouterr().out)["unread"]) == len(kb.demo.QUASI_IDENTIFIERS) - 2
    assert run(["guess-method", "people.csv", "p", *reading, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["dropped"] == {"original": {"missing_value": 0}, "release": {"missing_value": 0}}
    assert told["unread"]["release"] == []
