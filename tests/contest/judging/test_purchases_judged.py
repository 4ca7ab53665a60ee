"""Releases of purchases judged: the numbers are those of the catalogue, called directly."""

import io

import polars as pl
import pytest

import kakurenbo as kb
from contest.judged_shop import (
    CUSTOMERS,
    NAMES,
    pairs,
    people_of,
    rows_of,
    rules,
    submission,
    text,
    write_original,
)
from kakurenbo.attacks.base import Tables
from kakurenbo.auditing.learning.purchases import learning_purchases
from kakurenbo.chance import Chance
from kakurenbo.contest.judging import judge
from kakurenbo.contest.rules import Rules
from kakurenbo.files.pairings import as_bytes
from kakurenbo.files.release_folder import fill
from shops import light_shop

PWS2016, CUSTOM = Rules.preset("pws2016"), Rules.preset("custom")


@pytest.fixture(scope="module")
def original(tmp_path_factory):
    folder = tmp_path_factory.mktemp("original")
    fill(light_shop(40, 3), folder)
    (folder / "transactions.csv").rename(folder / "T.csv")
    (folder / "master.csv").rename(folder / "M.csv")
    return folder


@pytest.fixture(scope="module")
def shop(original):
    return kb.read_purchases(original, keep_master=("sex", "birth", "country"))


@pytest.fixture(scope="module")
def packed(tmp_path_factory):
    """Return a function that gives the files of a release."""

    def files(release):
        folder = tmp_path_factory.mktemp("release")
        fill(release.data, folder)
        written = {file.name: file.read_bytes() for file in folder.iterdir()}
        return {**written, "secret.csv": as_bytes(release.pairing)}

    return files


@pytest.fixture(scope="module")
def release(shop):
    return kb.methods.Compact(min_size=4).release(shop, seed=1)


def test_pws2016_has_the_numbers_of_the_catalogue(original, shop, release, packed):
    judged = judge.judge(PWS2016, original, packed(release), seed=1)
    measures = {"U1": kb.measures.U1(), "U2": kb.measures.U2(), "U3": kb.measures.U3()}
    assert judged.valid
    assert judged.utility == {
        name: measure.of(shop, release.data, release.pairing).value for name, measure in measures.items()
    }
    found = kb.reidentification(release.pairing, kb.JaccardAttack().guess(shop, release.data, seed=1))
    assert judged.attacks == {"jaccard": (found.rate.value,)}
    assert 0 < found.rate.value < 1
    assert judged.score.utility == min(max(judged.utility.values()), 1.0)
    assert judged.score.security == found.rate.value
    assert judged.score.total == (judged.score.utility + judged.score.security) / 2


def test_a_copy_loses_nothing_and_is_found(original, shop, packed):
    judged = judge.judge(PWS2016, original, packed(kb.methods.Pseudonymize().release(shop, seed=1)), seed=1)
    assert judged.utility == {"U1": 0, "U2": 0, "U3": 0}
    assert (judged.score.utility, judged.score.security, judged.score.total) == (0, 1, 0.5)


def test_the_cheats_of_004_are_excessive(original, shop, packed):
    judged = judge.judge(PWS2016, original, packed(kb.cheats.Shift().release(shop, seed=1)), seed=1)
    assert [fault.code for fault in judged.faults] == ["excessive"]
    assert judged.faults[0].file == "secret.csv"
    assert (judged.utility, judged.score) == ({}, None)
    lenient = PWS2016.model_copy(update={"hide": PWS2016.hide.model_copy(update={"excess": False})})
    assert judge.judge(lenient, original, packed(kb.cheats.Shift().release(shop, seed=1)), seed=1).valid


def test_the_threshold_is_that_of_the_rules(original, shop, release, packed):
    verdict = kb.Excess().judge(shop, release.data, release.pairing)
    limits = kb.Excess(r=tuple(range(41)), solves=0).limits(shop)
    admissible = [r for r, value in limits.s_lower if value > limits.low]
    strictest = max(admissible)
    for r in (0, strictest):
        asked = PWS2016.model_copy(update={"hide": PWS2016.hide.model_copy(update={"excess_r": r * 10})})
        judged = judge.judge(asked, original, packed(release), seed=1)
        beyond = verdict.distance > dict(limits.s_lower)[r] or any(one.excessive for one in verdict.readings)
        assert judged.valid != beyond


def test_a_threshold_that_leaves_no_room_is_refused_with_the_rules(original, release, packed):
    asked = PWS2016.model_copy(update={"hide": PWS2016.hide.model_copy(update={"excess_r": 400})})
    with pytest.raises(kb.InputError) as error:
        judge.judge(asked, original, packed(release))
    assert error.value.code == "no-threshold"


def test_what_is_learnt_is_told_above_the_control_and_counts(original, shop, packed):
    made = kb.methods.Pseudonymize().release(shop, seed=1)
    judged = judge.judge(CUSTOM, original, packed(made), seed=5)
    ((laid_open, mean),) = judged.learnt.values()
    assert list(judged.learnt) == ["2 records"]
    assert laid_open > 0.9
    assert 0.8 < mean < laid_open
    assert judged.score.security == 1.0

    deleted = kb.methods.Delete(share=0.4).release(shop, seed=1)
    only = {"attacks": (), "learnt": ("2 records", "4 records")}
    asked = CUSTOM.model_copy(update={"hide": CUSTOM.hide.model_copy(update=only)})
    other = judge.judge(asked, original, packed(deleted), seed=5)
    assert list(other.learnt) == ["2 records", "4 records"]
    assert other.score.security == max(rates[0] for rates in other.learnt.values())
    quiet = asked.model_copy(update={"scoring": asked.scoring.model_copy(update={"learnt_counts": False})})
    assert judge.judge(quiet, original, packed(deleted), seed=5).score.security == 0.0


def test_what_is_learnt_is_what_an_audit_learns(original, shop, packed):
    made = kb.methods.Delete(share=0.4).release(shop, seed=1)
    lessons = learning_purchases(Tables(shop, made.data, Chance(5)), "none", ["2 records"]).lessons
    judged = judge.judge(CUSTOM, original, packed(made), seed=5)
    assert judged.learnt["2 records"] == (
        max(one.advantage.value for one in lessons), lessons[0].mean - lessons[0].control
    )  # fmt: skip


def test_an_attack_that_needs_what_is_not_shown_finds_nobody(original, shop, packed):
    bare = shop.without(["receipt", "time", "price", "quantity"])
    named = kb.methods.Pseudonymize().release(bare, seed=1)
    only = {"learnt": (), "measures": CUSTOM.hide.measures[:1]}
    asked = CUSTOM.model_copy(update={"hide": CUSTOM.hide.model_copy(update=only)})
    visits = asked.hide.attacks[0].model_copy(update={"name": "visits"})
    asked = asked.model_copy(update={"hide": asked.hide.model_copy(update={"attacks": (visits,)})})
    assert judge.judge(asked, original, packed(named), seed=1).attacks == {"visits": (0.0,)}


def test_the_same_seed_gives_the_same_numbers_and_a_guess_changes_only_what_it_finds(
    original, shop, release, packed
):
    files = packed(release)
    truth = as_bytes(release.pairing)
    alone = judge.judge(PWS2016, original, files, seed=1)
    judged = judge.judge(PWS2016, original, files, {"Q.csv": truth}, seed=1)
    assert judged.attacks == {**alone.attacks, "guess": (1.0,)}
    assert judged.utility == alone.utility
    assert judged.score.security == 1.0
    assert judged.score.total == (alone.score.utility + 1) / 2


@pytest.fixture
def six(tmp_path):
    return write_original(tmp_path)


def test_a_guess_is_scored_by_person(six):
    files = submission()
    guess = {"whatever.csv": pairs({**NAMES, "p": "12", "q": "12"})}
    assert judge.hits(rules(), six, files, guess, seed=1) == [0, 1, 1, 1, 1, 1]
    assert judge.judge(rules(), six, files, guess, seed=1).attacks["guess"] == (5 / 6,)
    assert judge.people(rules(), six) == list(CUSTOMERS)


def test_blanks_are_filled_by_chance_and_the_same_for_the_same_name(six):
    files = submission()
    empty = {"Q.csv": b"released,original\n" + b"".join(f"{name},\n".encode() for name in NAMES)}
    found = [sum(judge.hits(rules(), six, files, empty, seed=seed)) for seed in range(100)]
    assert sum(found) / len(found) == pytest.approx(1, abs=0.3)  # a blind guess at six finds one
    one = {"Q.csv": b"released,original\np,11\n"}  # the others are left out
    for seed in range(10):
        blank, guessed = (judge.hits(rules(), six, files, guess, seed=seed) for guess in (empty, one))
        assert guessed == [1, *blank[1:]]


def test_who_is_not_in_the_release_is_not_found(six):
    some = {name: NAMES[name] for name in "pqrst"}
    files = submission(T=text(rows_of(some)), M=text(people_of(some)), P=pairs(some))
    guess = {"Q.csv": pairs(some)}
    assert judge.hits(rules(), six, files, guess) == [1, 1, 1, 1, 1, 0]
    assert judge.judge(rules(), six, files, guess).attacks["guess"] == (1.0,)


@pytest.mark.parametrize(
    ("guess", "expected"),
    [
        (b"released,original\np,\nq,11\nq,12\nx,11\nr,99\n,11\n",
         [("Q.csv", 4, 1, "duplicate-id"), ("Q.csv", 5, 1, "unknown-released"),
          ("Q.csv", 6, 2, "unknown-original"), ("Q.csv", 7, 1, "missing-id")]),
        (b"p,11\nq,12\n", [("Q.csv", 1, None, "header")]),
        (b"", [("Q.csv", None, None, "file-empty")]),
        (b"released,original\np,=11\nq\n",
         [("Q.csv", 2, 2, "formula"), ("Q.csv", 2, 2, "unknown-original"), ("Q.csv", 3, None, "cells")]),
    ],
)  # fmt: skip
def test_faults_of_a_guess(six, guess, expected):
    judged = judge.judge(rules(), six, submission(), {"Q.csv": guess})
    assert [(one.file, one.line, one.column, one.code) for one in judged.faults] == expected
    assert judged.attacks == {}
    assert judge.check(rules(), six, submission(), {"Q.csv": guess}) == judged.faults


def test_a_guess_without_a_table_is_a_fault(six):
    judged = judge.judge(rules(), six, submission(), {"a.csv": b"", "b.csv": b""})
    assert [fault.code for fault in judged.faults] == ["file-missing"]


def test_others_see_the_tables_and_not_the_pairing(six):
    files = submission()
    shown = judge.published(rules(), six, files, seed=4)
    assert sorted(shown) == ["M.csv", "T.csv"]
    for name, content in shown.items():
        assert sorted(content.splitlines()) == sorted(files[name].splitlines())
        assert content != files[name]
    assert judge.published(rules(), six, files, seed=4) == shown
    assert judge.published(rules(), six, files) != judge.published(rules(), six, files)
    turned = {**files, "T.csv": b"".join(reversed(files["T.csv"].splitlines(keepends=True)))}
    assert judge.published(rules(), six, turned, seed=4) == shown  # nothing is left of the order


def test_a_release_in_parquet_is_published_as_text(original, shop, release, packed):
    file, files = io.BytesIO(), packed(release)
    pl.read_csv(files["transactions.csv"], try_parse_dates=True).write_parquet(file)
    typed = {**files, "T.parquet": file.getvalue()}
    del typed["transactions.csv"]
    assert judge.judge(PWS2016, original, typed, seed=1) == judge.judge(PWS2016, original, files, seed=1)
    rows = judge.published(PWS2016, original, typed, seed=1)["T.csv"].decode().splitlines()
    assert rows[0] == "customer,receipt,time,goods,price,quantity"
    assert len(rows) == len(release.data) + 1


def test_a_changed_original_is_read_anew(six):
    assert judge.judge(rules(), six, submission()).valid
    table = six / "T.csv"
    table.write_bytes(table.read_bytes().replace(b"bow", b"bell"))
    assert {fault.code for fault in judge.check(rules(), six, submission())} == {"unknown-good"}


@pytest.mark.slow
def test_the_contest_table_of_2016_is_judged_in_seconds(real, tmp_path):
    shop = kb.read_purchases(real("tc400.csv"))
    (tmp_path / "T.csv").write_bytes(real("tc400.csv").read_bytes())
    made = kb.methods.Pseudonymize().release(shop, seed=1)
    asked = PWS2016.model_copy(
        update={"hide": PWS2016.hide.model_copy(update={"measures": PWS2016.hide.measures[2:]})}
    )
    folder = tmp_path / "out"
    folder.mkdir()
    fill(made.data, folder)
    files = {"T.csv": (folder / "transactions.csv").read_bytes(), "P.csv": as_bytes(made.pairing)}
    judged = judge.judge(asked, tmp_path, files, seed=1)
    assert judged.utility == {"U3": 0.0}
    assert judged.attacks == {"jaccard": (1.0,)}
