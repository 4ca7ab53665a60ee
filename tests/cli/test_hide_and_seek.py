"""deidentify, attack, score and measure, as a user runs them."""

import json
from pathlib import Path

import pytest

import kakurenbo as kb
from campaign import one_in
from kakurenbo.cli.main import run

PWS = "".join(
    f"{who},{100 + who},2011/{1 + who % 9}/{1 + good},9:0{good},g{good},{good + 1}.5,{1 + who % 4}\n"
    for who in range(12)
    for good in range(7)
    if (who * 5 + good * 3) % 4
)


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text(PWS)
    return tmp_path


def answer(capsys, *arguments):
    assert run([*arguments, "--json"]) == 0, capsys.readouterr().err
    return json.loads(capsys.readouterr().out)


def refusal(capsys, *arguments):
    assert run(list(arguments)) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    return said.err


BALANCED = ["deidentify", "balanced", "t.csv", "--clusters", "3", "--min-size", "4"]
TARGET = ["--out", "out", "--secret", "secret.csv"]


def test_hide_seek_and_judge(place, capsys):
    made = answer(capsys, *BALANCED, *TARGET, "--seed", "1")
    keys = "method parameters records dummies deleted clusters largest_cluster smallest_cluster seconds"
    assert set(keys.split()) <= set(made)
    assert made["parameters"] == {"clusters": 3, "min_size": 4, "dummies": "paper"}
    assert (made["clusters"], made["smallest_cluster"], made["reproducible"]) == (3, 4, True)
    assert made["records"] == len(kb.read_purchases("out"))

    sought = answer(capsys, "attack", "jaccard", "t.csv", "out", "--out", "guess", "--seed", "1")
    assert (sought["people"], sought["abstained"]) == (12, 0)
    scored = answer(capsys, "score", "--secret", "secret.csv", "--guess", "guess")
    persons = {"persons", "persons_rate", "persons_low", "persons_high", "persons_chance"}
    assert set(scored) == {"rate", "low", "high", "hits", "people", "chance", "abstained"} | persons
    assert scored["low"] <= scored["rate"] <= scored["high"]
    assert scored["chance"] == pytest.approx(1 / 12)

    measured = answer(capsys, "measure", "delta-m", "t.csv", "out")
    left = {side: measured.pop(side) for side in ("dropped", "unread")}
    assert measured == {"measure": "delta-m", "value": made["dummies"], "better": "lower", "unit": "records"}
    assert not sum(count for side in left["dropped"].values() for count in side.values())
    assert left["unread"] == {"original": [], "release": []}
    likeness = answer(capsys, "measure", "likeness", "t.csv", "out", "--secret", "secret.csv")
    assert 0 < likeness["value"] < 1


@pytest.fixture(scope="module")
def hidden(tmp_path_factory):
    """By kind of data: the original, how it is read, its release under new names, and the secret."""
    folder = tmp_path_factory.mktemp("hidden")
    (folder / "m").mkdir()
    (folder / "m" / "T.csv").write_text(PWS)
    master = "".join(f"{who},{'fm'[who % 2]},1950/1/1,Others\n" for who in range(12))
    (folder / "m" / "M.csv").write_text(master)
    few = ["region", "age_band", "sex", "rooms"], ["income", "food", "housing"]  # reading costs by the column
    kb.demo.households_frame(40, seed=1).select(*few[0], *few[1]).write_csv(folder / "people.csv")
    qi, sa = map(",".join, few)
    made = {}
    for kind, name, reading, kept, inner in (
        ("purchases", "m", [], ["--keep-master", "2,3,4"], ""),
        ("microdata", "people.csv", ["--qi", qi, "--sa", sa], [], "microdata.csv"),
    ):
        data, out, secret = (str(folder / part) for part in (name, f"{kind}-out", f"{kind}.csv"))
        words = ["deidentify", "pseudonymize", data, "--out", out, "--secret", secret, "--quiet"]
        assert run([*words, *reading, *kept]) == 0
        made[kind] = data, reading, str(Path(out) / inner), secret
    return made


@pytest.mark.parametrize(
    "entry", one_in(6, kb.CATALOGUE), ids=lambda entry: f"{entry.family}-{entry.name}-{entry.kind}"
)
def test_everything_in_the_catalogue_is_reachable(entry, hidden, place, capsys):
    data, reading, release, secret = hidden[entry.kind]
    parameters = [
        part for name, value in entry.example.items() for part in (f"--{name.replace('_', '-')}", text(value))
    ]
    if entry.family == "method":
        made = answer(capsys, "deidentify", entry.name, data, *parameters, *reading, *TARGET)
        assert made["method"] == entry.name
        assert not made["reproducible"]
        return
    end = ["--out", "guess"] if entry.family == "attack" else ["--secret", secret]
    asked = [entry.family, entry.name, data, release, *parameters, *reading, *end]
    if entry.name.startswith("next-"):
        assert "too few people" in refusal(capsys, *asked), "twelve people teach no model"
        return
    assert answer(capsys, *asked)[entry.family] == entry.name


def text(value):
    return ",".join(map(str, value)) if isinstance(value, (tuple, list)) else str(value)


def test_methods_are_chained(place, capsys):
    made = answer(
        capsys, "deidentify", "delete", "t.csv", "--share", "0.2", "--then", "coarsen times=month",
        "--then", "compact min_size=3", *TARGET,
    )  # fmt: skip
    assert made["method"] == "delete+coarsen+compact"
    assert [step["method"] for step in made["parameters"]] == ["delete", "coarsen", "compact"]
    assert made["deleted"] > 0
    assert made["smallest_cluster"] >= 3


def test_settings_beside_the_original_hold_for_its_release(place, capsys):
    (place / "data").mkdir()
    (place / "data" / "shop.csv").write_text("who;what\nann;tea\nbob;milk\ncem;tea\n")
    (place / "data" / "kakurenbo.toml").write_text('customer = "who"\ngoods = "what"\nseparator = ";"\n')
    answer(capsys, "deidentify", "pseudonymize", "data/shop.csv", *TARGET)
    assert (place / "out" / "transactions.csv").read_text().startswith("who;what\n")
    assert answer(capsys, "attack", "jaccard", "data/shop.csv", "out", "--out", "g")["people"] == 3


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (["--clusters", "13"], "parameter"),
        (["--clusters", "4", "--min-size", "4"], "parameter"),
        (["--min-size", "0"], "parameter"),
        (["--clusters", "many"], "parameter"),
        (["--secret", "out/secret.csv"], "secret-place"),
        (["--then", "dance"], "unknown-name"),
        (["--then", "delete 0.3"], "parameter"),
        (["--then", "delete share=2"], "parameter"),
        (["--qi", "1", "--no-header"], "unknown-name"),
    ],
)
def test_what_cannot_work_is_refused_and_nothing_written(place, capsys, change, code):
    assert f"[{code}]" in refusal(capsys, *BALANCED, *TARGET, *change)
    assert [f.name for f in place.iterdir()] == ["t.csv"]


def test_existing_outputs_are_safe(place, capsys):
    answer(capsys, *BALANCED, *TARGET)
    before = (place / "secret.csv").read_bytes()
    assert "[exists]" in refusal(capsys, *BALANCED, *TARGET)
    assert "[exists]" in refusal(capsys, *BALANCED, *TARGET, "--overwrite")
    assert (place / "secret.csv").read_bytes() == before
    answer(capsys, *BALANCED, "--out", "out", "--secret", "second.csv", "--overwrite")


def test_wrong_guesses_and_needs_are_plain_errors(place, capsys):
    answer(capsys, *BALANCED, *TARGET)
    assert "[parameter]" in refusal(capsys, "measure", "likeness", "t.csv", "out")
    assert "[roles]" in refusal(capsys, "measure", "u1-cmae", "t.csv", "out")
    assert "[parameter]" in refusal(
        capsys, "attack", "jaccard", "t.csv", "out", "--out", "g", "--points", "99"
    )
    (place / "bad.csv").write_text("released,original\nnobody,1\n")
    assert "[unknown-id]" in refusal(capsys, "score", "--secret", "secret.csv", "--guess", "bad.csv")
    (place / "worse.csv").write_text("a,b\n1,2\n")
    assert "[column-missing]" in refusal(capsys, "score", "--secret", "secret.csv", "--guess", "worse.csv")
    assert run(["attack", "jaccard", "t.csv", "out", "--out", "no/such/guess"]) == 74
    capsys.readouterr()


def test_people_read_sentences(place, capsys):
    assert run([*BALANCED, *TARGET, "--seed", "1"]) == 0
    assert "not for release" in capsys.readouterr().out
    assert (
        run(
            ["attack", "rows", "t.csv", "out", "--out", "g", "--columns", "goods,day", "--votes", "contained"]
        )
        == 0
    )
    assert "named 12 of 12 people" in capsys.readouterr().out
    assert run(["score", "--secret", "secret.csv", "--guess", "g"]) == 0
    assert "re-identified" in capsys.readouterr().out
    assert run(["measure", "mean-group", "t.csv", "out"]) == 0
    assert "people (higher is better)" in capsys.readouterr().out
