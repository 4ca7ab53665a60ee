"""What no attacker saw is a reason; what a seed can repeat is told first, everywhere."""

import json
from dataclasses import replace

import polars as pl
import pytest

import kakurenbo as kb
import sample_audit
from kakurenbo.auditing.results import Audit
from kakurenbo.auditing.undone import seed_guessed
from kakurenbo.auditing.verdict import SEEDED, judge
from kakurenbo.chance import Chance
from kakurenbo.cli.main import run
from kakurenbo.data.unseen import ForeignFile, UnreadColumn, Unseen
from kakurenbo.files.unseen import unseen
from kakurenbo.provenance import Provenance
from searches import imagined

QI, SA = ["age", "town"], ["income"]


@pytest.fixture
def people(tmp_path):
    kept = pl.DataFrame({
        "pid": [f"P{i:04}" for i in range(30)],
        "age": [20 + i % 4 for i in range(30)],
        "town": ["Oslo", "Bergen", "Chiba"] * 10,
        "income": [100 + 7 * i for i in range(30)],
    })  # fmt: skip
    kept.write_csv(tmp_path / "people.csv")
    return kept


def microdata(path, **options):
    return kb.read_microdata(path, qi=QI, sa=SA, id="pid", **options)


def test_microdata_is_looked_through_too(people, tmp_path):
    (tmp_path / "out").mkdir()
    released = people.with_columns(pid=pl.Series([f"x{i}" for i in range(30)]), old=people["pid"])
    released.with_columns(
        income=pl.when(pl.col("age") == 20).then(None).otherwise(pl.col("income")), made=pl.lit("2024")
    ).write_csv(tmp_path / "out" / "microdata.csv")
    (tmp_path / "out" / "kakurenbo.toml").write_text('sa = ["income", "old"]\n')
    original, release = (
        microdata(tmp_path / "people.csv"),
        microdata(tmp_path / "out", like=tmp_path / "people.csv", policy="drop"),
    )
    seen = unseen(release, original)
    assert seen.rows == {"missing_value": 8}
    assert seen.columns == (UnreadColumn("old", "the original's ids", 1.0),)
    assert seen.files == (ForeignFile("kakurenbo.toml", "settings, which were not obeyed"),)


PWS = "{who},0,2010/12/{day},9:0{day},{good},1.5,2\n"


def test_a_row_marked_as_deleted_that_still_shows_goods_is_no_deletion(tmp_path):
    sold = "".join(PWS.format(who=who, day=1 + who % 9, good=f"g{who}") for who in range(9))
    (tmp_path / "T.csv").write_text(sold)
    (tmp_path / "R.csv").write_text(sold + "DEL,,,,,,\nDEL,DEL,DEL,DEL,DEL,DEL,DEL\n")
    original = kb.read_purchases(tmp_path / "T.csv")
    assert not unseen(kb.read_purchases(tmp_path / "R.csv", like=tmp_path / "T.csv"), original)
    (tmp_path / "S.csv").write_text(sold + PWS.format(who="DEL", day=1, good="g1"))
    shown = kb.read_purchases(tmp_path / "S.csv", like=tmp_path / "T.csv")
    assert unseen(shown, original).rows == {"missing_id": 1}
    (tmp_path / "U.csv").write_text("".join(f"{line},x{i}\n" for i, line in enumerate(sold.splitlines())))
    more = kb.read_purchases(tmp_path / "U.csv", like=tmp_path / "T.csv")
    assert [column.name for column in unseen(more, original).columns] == ["8"]


def test_columns_that_the_original_lacks_are_unseen(small_frame, roles):
    known = kb.Purchases.from_frame(small_frame.drop("slip"), **{**roles, "receipt": None})
    more = kb.Purchases.from_frame(
        small_frame, **roles, master=pl.DataFrame({"who": ["ann", "bob", "cem"], "note": ["ann", "x", "y"]})
    )
    assert [column.name for column in unseen(more, known).columns] == ["slip", "note"]
    assert not unseen(known, known)


def test_many_columns_and_files_are_counted_and_the_first_named():
    columns = tuple(UnreadColumn(f"c{i}") for i in range(12))
    seen = Unseen({"missing_id": 3}, columns, (ForeignFile("secret.csv", "a pairing"),))
    verdict, why = judge(
        replace(sample_audit.kept_limits(), limits=sample_audit.purchases().limits, unseen=seen)
    )
    assert verdict == "no"
    assert why[:3] == (
        "3 released rows were left out, so no attacker could be tried on them: 3 missing id.",
        "There are 12 released columns that nobody read: c0; c1; c2; c3; c4; c5; c6; c7; c8; c9; and 2 more.",
        "The release brings what is none of its tables: secret.csv (a pairing).",
    )


@pytest.mark.parametrize("name", ["kept limits", "purchases", "without pairing"])
def test_a_seed_is_told_first_and_changes_no_answer(name):
    made = sample_audit.ALL[name]()
    made = replace(made, limits=sample_audit.microdata().limits, reasons=())
    plain = judge(replace(made, provenance=Provenance(reproducible=False)))
    seeded = judge(replace(made, provenance=Provenance(reproducible=True)))
    assert seeded == (plain[0], (SEEDED, *plain[1]))


def test_every_report_says_that_a_seeded_release_must_not_be_handed_out(tmp_path):
    made = replace(
        sample_audit.without_pairing(),
        provenance=Provenance(reproducible=True),
        reasons=(SEEDED, "And more."),
    )
    for ending in ("html", "md", "json"):
        kb.report.write(made, tmp_path / f"a.{ending}")
        said = " ".join((tmp_path / f"a.{ending}").read_text().split())
        assert "it must not be handed out" in said
    document = json.loads((tmp_path / "a.json").read_text())
    assert document["provenance"]["reproducible"] is True
    assert Audit.from_json((tmp_path / "a.json").read_text()).reasons == made.reasons


def test_what_was_unseen_stands_in_every_report(tmp_path):
    seen = Unseen(
        {"missing_id": 7},
        (UnreadColumn("old<b>", "the original's ids", 1.0),),
        (),
        ("T.csv",),
        labelled=False,
    )
    made = replace(sample_audit.without_pairing(), unseen=seen, dropped={"original": {"cancellation": 4}})
    assert Audit.from_json(made.to_json()).unseen == seen
    page, text = (
        kb.report.html(made),
        (kb.report.write(made, tmp_path / "a.md"), (tmp_path / "a.md").read_text())[1],
    )
    assert "old<b>" not in page
    for words in ("What no attacker saw", "missing id", "the original's ids in 100", "T.csv", "cancellation"):
        assert words in page.replace("&#39;", "'").replace("\u00a0", " ")
        assert words in text


@pytest.mark.parametrize("seed", [0, 2024, 20240131, 123456789])
def test_seeds_that_people_choose_are_guessed(small, seed):
    release = kb.methods.Pseudonymize().release(small, seed=seed)
    assert seed_guessed(small, release.data, None, Chance(1))


def test_without_a_seed_there_is_nothing_to_guess(small):
    release = kb.methods.Pseudonymize().release(small)
    assert not seed_guessed(small, release.data, release.pairing, Chance(1))


def test_two_runs_of_tune_with_one_seed_write_two_pairings(tmp_path, monkeypatch, capsys, one_process):
    monkeypatch.chdir(tmp_path)
    kb.demo.shop_frame(30, seed=3).write_csv("shop.csv")
    words = [
        "tune",
        "shop.csv",
        "--max-risk",
        "1.0",
        "--trials",
        "1",
        "--seed",
        "1",
        "--apply",
        "--jobs",
        "1",
    ]
    words += [
        part
        for role in ("customer", "goods", "receipt", "time", "price", "quantity")
        for part in (f"--{role}", role)
    ]
    with imagined():  # the pairing is drawn when a release is written, whoever judged its plan
        for name in ("a", "b"):
            assert run([*words, "--out", name, "--secret", f"{name}.csv", "--json"]) == 0
            applied = json.loads(capsys.readouterr().out)["applied"]
            assert (applied["written"], applied["reproducible"]) == (True, False)
    assert (tmp_path / "a.csv").read_bytes() != (tmp_path / "b.csv").read_bytes()


def test_an_unread_column_is_looked_at_in_the_encoding_it_was_read_in(tmp_path):
    original, released = tmp_path / "a.csv", tmp_path / "b.csv"
    original.write_bytes("誰,何\n田中,茶\n佐藤,米\n".encode("cp932"))
    released.write_bytes("誰,何,元\nx1,茶,田中\nx2,米,佐藤\n".encode("cp932"))
    named = {"customer": "誰", "goods": "何", "encoding": "cp932"}
    found = unseen(kb.read_purchases(released, **named), kb.read_purchases(original, **named))
    assert [column.name for column in found.columns] == ["元"]
    assert found.columns[0].share == 1.0
