"""Columns generalised by a file: from the command line to the release, and back to who is found in it."""

import json
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

import kakurenbo as kb
from kakurenbo.cli.main import run
from kakurenbo.data.hierarchy import Hierarchy
from strategies import purchases_of

NAMES = {"Norway": ("North", "Europe"), "Sweden": ("North", "Europe"), "Japan": ("East", "Asia")}
FILE = "country,region,continent\n" + "".join(f"{value},{','.join(up)}\n" for value, up in NAMES.items())
READING = ("--qi", "country,age", "--sa", "income")


@pytest.fixture
def people(tmp_path):
    rng = np.random.default_rng(5)
    frame = pl.DataFrame({
        "country": rng.choice([*NAMES], 120), "age": rng.integers(20, 30, 120),
        "income": rng.permutation(120),
    })  # fmt: skip
    (tmp_path / "data").mkdir()
    frame.write_csv(tmp_path / "data" / "people.csv")
    (tmp_path / "lands.csv").write_text(FILE)
    return tmp_path / "data" / "people.csv"


def answer(capsys, *arguments):
    assert run([*map(str, arguments), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def hidden(people, capsys, *words):
    """Generalise to continents; return where the release and its secret are."""
    out, secret = people.parent.parent / "out", people.parent.parent / "secret.csv"
    made = answer(
        capsys, "deidentify", "generalize", people, "--level", 2, *READING, "--out", out, "--secret", secret,
        "--seed", 1, *words,
    )  # fmt: skip
    assert made["altered"] == 120
    return out, secret


def found(people, capsys, release, *words):
    """Return the share that `within` finds by quasi-identifiers."""
    out, secret = release
    guess = people.parent.parent / "guess.csv"
    common = (*READING, *words, "--seed", 1)
    answer(capsys, "attack", "within", people, out, "--knows", "qi", "--otherwise", "abstain", "--out", guess,
           *common)  # fmt: skip
    return answer(capsys, "score", "--secret", secret, "--guess", guess)["rate"]


def test_a_file_generalises_and_attackers_read_it(people, capsys):
    """What is found is what a plain count finds where the original is generalised alike."""
    lands = f"country={people.parent.parent / 'lands.csv'}"
    out, secret = hidden(people, capsys, "--hierarchy", lands)
    assert (out / "values-1.csv").read_text() == "country,level 1,level 2\n" + "".join(
        f"{value},{','.join(NAMES[value])}\n" for value in sorted(NAMES)
    )
    shown = pl.read_csv(out / "microdata.csv")
    assert set(shown["country"]) == {"Europe", "Asia"}
    cells = shown.select("country", "age").unique().height
    assert found(people, capsys, (out, secret)) == pytest.approx(cells / 120, abs=0.06)
    (out / "values-1.csv").unlink()
    assert found(people, capsys, (out, secret), "--hierarchy", lands) == pytest.approx(cells / 120, abs=0.06)


def test_settings_beside_the_data_name_the_file(people, capsys):
    (people.parent / "kakurenbo.toml").write_text(
        'qi = ["country", "age"]\n[hierarchies]\ncountry = "../lands.csv"\n'
    )
    assert kb.read_microdata(people).hierarchies["country"].levels == ("level 1", "level 2")
    hidden(people, capsys)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("country", "--hierarchy"), ("=lands.csv", "--hierarchy"), ("country=", "--hierarchy"),
        ("colour=lands.csv", "no column 'colour'"),
    ],
)  # fmt: skip
def test_a_file_for_no_column_is_refused(people, capsys, monkeypatch, words, said):
    monkeypatch.chdir(people.parent.parent)
    assert run(["profile", str(people), *READING, "--hierarchy", words]) == 2
    assert said in capsys.readouterr().err


def test_what_a_hierarchy_does_not_know_is_refused():
    shop = purchases_of([(0, 0, 0, 0, 100, 1), (1, 1, 0, 0, 100, 1)])
    with pytest.raises(kb.InputError, match="no hierarchy"):
        kb.methods.GeneralizeMaster(columns=("country",)).release(shop)
    some = replace(shop, hierarchies={"country": Hierarchy.of({"no": ("north",)})})
    with pytest.raises(kb.InputError, match="1 values") as error:
        kb.methods.GeneralizeMaster().release(some)
    assert error.value.code == "hierarchy"
    assert "se" not in str(error.value).split()


def test_a_release_without_coarser_words_carries_no_hierarchy():
    tree = {"town": Hierarchy.of({"a": ("ab",), "b": ("ab",)})}
    frame = pl.DataFrame({"town": ["a", "b"], "age": [1, 2]})
    people = replace(kb.Microdata.from_frame(frame, qi=["town", "age"]), hierarchies=tree)
    assert kb.methods.PseudonymizeMicrodata().release(people, seed=1).data.hierarchies == {}
    assert set(kb.methods.GeneralizeMicrodata().release(people, seed=1).data.hierarchies) == {"town"}
