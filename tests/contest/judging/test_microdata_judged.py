"""Releases of microdata judged: PWS Cup 2015 by the catalogue, the toy tables of 001, and every fault."""

import io

import polars as pl
import pytest

import kakurenbo as kb
from contest.judged_shop import places
from kakurenbo import attacks, measures
from kakurenbo.contest.judging import judge
from kakurenbo.contest.rules import Rules
from kakurenbo.files.pairings import as_bytes
from kakurenbo.files.release_folder import fill

PWS2015 = Rules.preset("pws2015")
TOY = PWS2015.model_copy(
    update={"data": PWS2015.data.model_copy(update={"qi": ("QI1", "QI2", "QI3"), "sa": ("SA1", "SA2")})}
)
HEADER = ("QI1", "QI2", "QI3", "SA1", "SA2")
FIRST, SECOND = (2, 1, 1), (1, 1, 2)
X = [(*FIRST, 100, 100), (*FIRST, 200, 400), (*SECOND, 300, 200), (*SECOND, 400, 500)]
B = [(*FIRST, 110, 90), (*FIRST, 220, 390), (*SECOND, 280, 210), (*SECOND, 390, 520)]
D = [(*FIRST, 100, 100), (*FIRST, 200, 400), (1, 1, 1, 300, 200), (1, 1, 1, 400, 500)]
F = [(*FIRST, 150, 250)] * 2 + [(*SECOND, 350, 350)] * 2
ROW_BY_ROW = b"released,original\n1,1\n2,2\n3,3\n4,4\n"


def text(rows, header=HEADER):
    return "\n".join(",".join(map(str, row)) for row in [header, *rows]).encode()


@pytest.fixture(scope="module")
def toy(tmp_path_factory):
    folder = tmp_path_factory.mktemp("toy")
    (folder / "X.csv").write_bytes(text(X))
    return folder


def faults_of(folder, rows=None, pairing=ROW_BY_ROW, asked=TOY):
    table = rows if isinstance(rows, bytes) else text(B if rows is None else rows)
    return places(judge.check(asked, folder, {"X.csv": table, "P.csv": pairing}))


def test_the_toy_tables_of_001_have_their_golden_numbers(toy):
    noised = judge.judge(TOY, toy, {"X.csv": text(B), "P.csv": ROW_BY_ROW}, seed=1)
    assert noised.attacks == {
        "S1": (0.5,), "S2": (0.5,), "E1": (0.5,), "E2": (1.0,), "E3": (1.0,), "E4": (1.0,),
        "EUC1": (1.0,), "EUC2": (1.0,),
    }  # fmt: skip
    assert list(noised.utility) == ["U1", "U2", "U3", "U4", "U5", "U6"]
    assert (noised.utility["U3"], noised.utility["U6"]) == (0, 0)
    assert noised.score.security == (0.5 * 3 + 5) / 8

    unified = judge.judge(TOY, toy, {"X.csv": text(D), "P.csv": ROW_BY_ROW}, seed=1)
    assert (unified.attacks["EUC1"], unified.attacks["EUC2"]) == ((0.5,), (1.0,))

    averaged = judge.judge(TOY, toy, {"X.csv": text(F), "P.csv": ROW_BY_ROW}, seed=1)
    assert (averaged.utility["U1"], averaged.utility["U2"]) == (0, 0)
    assert averaged.utility["U4"] > 0
    assert averaged.utility["U5"] > 0


@pytest.fixture(scope="module")
def survey(tmp_path_factory):
    folder = tmp_path_factory.mktemp("survey")
    kb.demo.households(120, seed=2).to_frame().write_csv(folder / "X.csv")
    return folder


@pytest.fixture(scope="module")
def people(survey):
    return kb.read_microdata(survey, qi=PWS2015.data.qi, sa=PWS2015.data.sa)


@pytest.fixture(scope="module")
def packed(tmp_path_factory):
    """Return a function that gives the files of a release."""

    def files(release):
        folder = tmp_path_factory.mktemp("release")
        fill(release.data, folder)
        return {"microdata.csv": (folder / "microdata.csv").read_bytes(), "P.csv": as_bytes(release.pairing)}

    return files


def test_pws2015_has_the_numbers_of_the_catalogue(survey, people, packed, tmp_path):
    release = kb.methods.NoiseMicrodata(scale=0.2).release(people, seed=1)
    files = packed(release)
    judged = judge.judge(PWS2015, survey, files, seed=1)
    kept = {
        "U1": measures.MeanError(), "U2": measures.CrossMean(), "U3": measures.CrossCount(),
        "U4": measures.CorrelationError(), "U5": measures.InformationLoss(), "U6": measures.RowsLost(),
    }  # fmt: skip
    found = {
        "E1": attacks.IdentifyRand(), "E2": attacks.IdentifySa(), "E3": attacks.IdentifySort(),
        "E4": attacks.IdentifySa21(), "EUC1": attacks.Euc1(), "EUC2": attacks.Euc2(),
    }  # fmt: skip
    (tmp_path / "X.csv").write_bytes(files["microdata.csv"])  # its numbers are rounded
    pairing = release.pairing
    released = kb.read_microdata(tmp_path, like=survey, qi=people.qi, sa=people.sa)
    values = {name: measure.of(people, released, pairing).value for name, measure in kept.items()}
    rates = {
        name: kb.reidentification(pairing, attack.guess(people, released, seed=1)).rate.value
        for name, attack in found.items()
    }
    groups = {
        "S1": 1 / measures.KAnonymity().of(people, released).value,
        "S2": 1 / measures.MeanGroupMicrodata().of(people, released).value,
    }
    assert judged.utility == values
    assert {name: rate for name, (rate,) in judged.attacks.items()} == {**groups, **rates}
    losses = [measure.loss(values[name], people) for name, measure in kept.items()]
    assert judged.score.utility == pytest.approx(sum(losses) / 6)
    assert judged.score.security == pytest.approx(sum([*groups.values(), *rates.values()]) / 8)


def test_a_copy_loses_nothing(survey, people, packed):
    release = kb.methods.PseudonymizeMicrodata().release(people, seed=1)
    judged = judge.judge(PWS2015, survey, packed(release), seed=1)
    assert set(judged.utility.values()) == {0.0}
    assert judged.score.utility == 0
    assert judged.attacks["EUC2"][0] > 0.9


def test_generalised_words_among_numbers_are_words(survey, people, packed):
    files = packed(kb.methods.PseudonymizeMicrodata().release(people, seed=1))
    table = pl.read_csv(files["microdata.csv"], infer_schema=False)
    few = pl.when(pl.int_range(120) < 4).then(pl.lit("*")).otherwise("rooms").alias("rooms")
    files["microdata.csv"] = table.with_columns(few).write_csv().encode()
    assert judge.judge(PWS2015, survey, files, seed=1).valid


CASES = {
    "no value": ([(*B[0][:4], ""), *B[1:]], [("X.csv", 2, 5, "missing")]),
    "no quasi-identifier": ([B[0], ("", *B[1][1:]), *B[2:]], [("X.csv", 3, 1, "missing")]),
    "words for a number": ([*B[:3], (*B[3][:3], "much", 1)], [("X.csv", 5, 4, "not-number")]),
    "a number beyond all": ([*B[:3], (*B[3][:3], "1e301", 1)], [("X.csv", 5, 4, "limit")]),
    "a formula": ([("=2", *B[0][1:]), *B[1:]], [("X.csv", 2, 1, "formula")]),
    "a cell too few": (
        [*B[:3], B[3][:4]], [("X.csv", 5, None, "cells"), ("P.csv", 5, 1, "unknown-released")],
    ),
    "a row without a line": ([*B, B[0]], [("X.csv", 6, None, "unpaired")]),
    "a row too few": (B[:3], [("P.csv", 5, 1, "unknown-released")]),
    "no rows": ([], [("X.csv", None, None, "file-empty")]),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_every_kind_of_fault_has_its_place(toy, case):
    rows, expected = CASES[case]
    assert faults_of(toy, rows) == expected


def test_columns_are_those_of_the_original(toy):
    assert faults_of(toy, text([row[:4] for row in B], HEADER[:4])) == [
        ("X.csv", None, None, "column-missing")
    ]
    assert faults_of(toy, text(B, ("QI1", "QI2", "QI3", "SA1", "SA3"))) == [
        ("X.csv", None, None, "column-missing"), ("X.csv", 1, 5, "column-unknown"),
    ]  # fmt: skip
    turned = [(*row[3:], *row[:3]) for row in B]
    assert faults_of(toy, text(turned, ("sa1", "sa2", "qi1", "qi2", "qi3"))) == []


def test_all_faults_are_told_at_once(toy):
    rows = [("=1", 1, 1, "much", 90), B[1], ("", *SECOND[1:], 280, ""), B[3]]
    assert faults_of(toy, rows, b"released,original\n1,1\n2,1\n3,9\n7,\n") == [
        ("X.csv", 2, 1, "formula"), ("X.csv", 2, 4, "not-number"), ("X.csv", 4, 1, "missing"),
        ("X.csv", 4, 5, "missing"), ("X.csv", 5, None, "unpaired"),
        ("P.csv", 3, 2, "duplicate-id"), ("P.csv", 4, 2, "unknown-original"),
        ("P.csv", 5, 1, "unknown-released"), ("P.csv", 5, 2, "missing-id"),
    ]  # fmt: skip


def test_fewer_rows_than_asked_for_are_a_fault(toy):
    asked = TOY.model_copy(update={"hide": TOY.hide.model_copy(update={"keep_share": 0.8})})
    three = b"released,original\n1,1\n2,2\n3,3\n"
    assert faults_of(toy, B[:3], three, asked) == [("X.csv", None, None, "kept")]
    assert faults_of(toy, B[:3], three) == []


def test_people_are_called_by_their_rows_and_published_in_this_order(toy):
    files = {"X.csv": text(B), "P.csv": b"released,original\n1,4\n2,3\n3,2\n4,1\n"}
    assert judge.people(TOY, toy) == ["1", "2", "3", "4"]
    assert judge.published(TOY, toy, files)["X.csv"].decode().split() == text(B).decode().split()
    guess = {"Q.csv": b"released,original\n1,4\n2,4\n3,2\n4,4\n"}
    assert judge.hits(TOY, toy, files, guess) == [0, 1, 0, 1]
    assert judge.judge(TOY, toy, files, guess, seed=1).attacks["guess"] == (0.5,)


def test_people_with_ids_are_published_in_an_order_of_chance(tmp_path):
    asked = TOY.model_copy(update={"data": TOY.data.model_copy(update={"id": "who"})})
    header = ("who", *HEADER)
    (tmp_path / "X.csv").write_bytes(text([(f"n{i}", *row) for i, row in enumerate(X)], header))
    released = [(f"z{i}", *row) for i, row in enumerate(B)]
    pairing = b"released,original\nz0,n0\nz1,n1\nz2,n2\nz3,n3\n"
    files = {"X.csv": text(released, header), "P.csv": pairing}
    assert judge.judge(asked, tmp_path, files, seed=1).attacks["EUC1"] == (1.0,)
    orders = {judge.published(asked, tmp_path, files, seed=seed)["X.csv"] for seed in range(20)}
    assert len(orders) > 5
    own = [("n0", *released[0][1:]), released[1], released[1], released[3]]
    assert faults_of(tmp_path, text(own, header), pairing, asked) == [
        ("X.csv", 2, 1, "original-id"), ("X.csv", 2, 1, "unpaired"), ("X.csv", 4, 1, "duplicate-id"),
        ("P.csv", 2, 1, "unknown-released"), ("P.csv", 4, 1, "unknown-released"),
    ]  # fmt: skip


def test_what_is_learnt_of_attributes_is_told(survey, people, packed):
    rung = "quasi-identifiers"
    asked = PWS2015.model_copy(update={"hide": PWS2015.hide.model_copy(update={"learnt": (rung,)})})
    release = kb.methods.PseudonymizeMicrodata().release(people, seed=1)
    judged = judge.judge(asked, survey, packed(release), seed=1)
    laid_open, mean = judged.learnt[rung]
    assert 0.5 < mean <= 1
    assert 0.5 < laid_open <= 1


def test_a_release_in_parquet_is_as_good(toy):
    file = io.BytesIO()
    pl.DataFrame(B, schema=list(HEADER), orient="row").write_parquet(file)
    typed = {"X.parquet": file.getvalue(), "P.csv": ROW_BY_ROW}
    plain = {"X.csv": text(B), "P.csv": ROW_BY_ROW}
    assert judge.judge(TOY, toy, typed, seed=1) == judge.judge(TOY, toy, plain, seed=1)
