"""Faults of a release of purchases: each kind with its file, line and cell, and all of them at once."""

import io
import random

import polars as pl
import pytest

from contest.judged_shop import (
    CUSTOMERS,
    NAMES,
    faults_of,
    frame,
    pairs,
    people_of,
    places,
    rows_of,
    rules,
    submission,
    text,
    with_cells,
    write_original,
)
from kakurenbo.contest.judging import judge
from kakurenbo.contest.judging.faults import WORDS

ROWS, PEOPLE = rows_of(NAMES), people_of(NAMES)
HEADER = ("customer", "receipt", "time", "goods", "price", "quantity")


@pytest.fixture(scope="module")
def original(tmp_path_factory):
    return write_original(tmp_path_factory.mktemp("original"))


def cell(line, column, written):
    return {"T": with_cells(ROWS, (line, column, written))}


CASES = {
    "no customer": (cell(4, 1, ""), [("T.csv", 4, 1, "missing-id")]),
    "no good": (cell(4, 5, " "), [("T.csv", 4, 5, "missing-id")]),
    "no receipt": (cell(4, 2, "NA"), [("T.csv", 4, 2, "missing-id")]),
    "a customer of the original": (
        {"T": with_cells(ROWS, *((line, 1, "11") for line in (1, 2, 3))),
         "M": with_cells(PEOPLE, (1, 1, "11")),
         "P": pairs({"11": "12", "q": "11", **{name: NAMES[name] for name in "rstu"}})},
        [("T.csv", line, 1, "original-id") for line in (1, 2, 3)],
    ),
    "a word for deleted rows": (
        {"T": with_cells(ROWS, *((line, 1, "DEL") for line in (1, 2, 3))),
         "M": with_cells(PEOPLE, (1, 1, "DEL")),
         "P": pairs({"DEL": "11", **{name: NAMES[name] for name in "qrstu"}})},
        [*(("T.csv", line, 1, "reserved-id") for line in (1, 2, 3)), ("M.csv", 1, 1, "reserved-id"),
         ("P.csv", 2, 1, "reserved-id")],
    ),
    "a day that does not exist": (cell(2, 3, "2011/2/30"), [("T.csv", 2, 3, "not-date")]),
    "a day in another form": (cell(2, 3, "2011-02-03"), [("T.csv", 2, 3, "not-date")]),
    "no day": (cell(2, 3, ""), [("T.csv", 2, 3, "missing")]),
    "a time that does not exist": (cell(2, 4, "25:00"), [("T.csv", 2, 4, "not-date")]),
    "a time in words": (cell(2, 4, "noon"), [("T.csv", 2, 4, "not-date")]),
    "a good nobody sells": (cell(5, 5, "gun"), [("T.csv", 5, 5, "unknown-good")]),
    "a price in words": (cell(5, 6, "cheap"), [("T.csv", 5, 6, "not-number")]),
    "an infinite price": (cell(5, 6, "inf"), [("T.csv", 5, 6, "not-number")]),
    "a price of nothing": (cell(5, 6, "0"), [("T.csv", 5, 6, "not-positive")]),
    "a price below nothing": (cell(5, 6, "-1.5"), [("T.csv", 5, 6, "not-positive")]),
    "a price beyond money": (cell(5, 6, "1e16"), [("T.csv", 5, 6, "limit")]),
    "no price": (cell(5, 6, ""), [("T.csv", 5, 6, "missing")]),
    "half a piece": (cell(6, 7, "1.5"), [("T.csv", 6, 7, "not-whole")]),
    "no piece": (cell(6, 7, "0"), [("T.csv", 6, 7, "not-positive")]),
    "pieces beyond counting": (cell(6, 7, "9" * 18), [("T.csv", 6, 7, "limit")]),
    "a formula for a good": (
        cell(6, 5, "=bow"), [("T.csv", 6, 5, "formula"), ("T.csv", 6, 5, "unknown-good")],
    ),
    "an id in two writings": (
        {"T": with_cells(ROWS, (18, 5, "ax\u200b"))},
        [("T.csv", 1, 5, "spelling"), ("T.csv", 18, 5, "unknown-good")],
    ),
    "a short line": ({"T": text([*ROWS, ["u", "9"]])}, [("T.csv", 19, None, "cells")]),
    "a column left out that is measured": (
        {"T": with_cells(ROWS, *((line + 1, 6, "") for line in range(18)))},
        [("T.csv", None, None, "column-missing")],
    ),
    "fewer rows": (
        {"T": text(ROWS[:8]), "M": text(PEOPLE[:3]), "P": pairs({name: NAMES[name] for name in "pqr"})},
        [("T.csv", None, None, "kept")],
    ),
    "no transactions": ({"T": None}, [("T.csv", None, None, "file-missing")]),
    "empty transactions": ({"T": b""}, [("T.csv", None, None, "file-empty")]),
    "no master": ({"M": None}, [("M.csv", None, None, "file-missing")]),
    "no pairing": ({"P": None}, [("P.csv", None, None, "file-missing")]),
    "a master without somebody": ({"M": text(PEOPLE[1:])}, [("T.csv", 1, 1, "not-in-master")]),
    "a master with nobody": (
        {"M": text([*PEOPLE, ["x", "f", "1970", "UK"]])}, [("M.csv", 7, 1, "not-in-table")],
    ),
    "a master with somebody twice": ({"M": text([*PEOPLE, PEOPLE[0]])}, [("M.csv", 7, 1, "duplicate-id")]),
    "a master of other width": (
        {"M": text([row[:3] for row in PEOPLE])},
        [*((("M.csv", line, None, "cells")) for line in range(1, 7)),
         *(("T.csv", line, 1, "not-in-master") for line in (1, 4, 7, 10, 13, 16))],
    ),
    "a pairing without a header": (
        {"P": pairs().split(b"\n", 1)[1]}, [("P.csv", 1, None, "header")],
    ),
    "a pairing with a line twice": (
        {"P": pairs() + b"p,11\n"}, [("P.csv", 8, 1, "duplicate-id"), ("P.csv", 8, 2, "duplicate-id")],
    ),
    "a pairing with nobody": (
        {"P": pairs() + b"x,17\n"},
        [("P.csv", 8, 1, "unknown-released"), ("P.csv", 8, 2, "unknown-original")],
    ),
    "a pairing without somebody": (
        {"P": pairs({name: NAMES[name] for name in "prstu"})}, [("T.csv", 4, 1, "unpaired")],
    ),
    "a pairing with a blank": ({"P": pairs({**NAMES, "q": ""})}, [("P.csv", 3, 2, "missing-id")]),
    "two for one original": ({"P": pairs({**NAMES, "q": "11"})}, [("P.csv", 3, 2, "duplicate-id")]),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_every_kind_of_fault_has_its_place(original, case):
    changed, expected = CASES[case]
    assert sorted(faults_of(original, submission(**changed)), key=str) == sorted(expected, key=str)


def test_all_faults_are_told_at_once_in_the_order_of_files_lines_and_cells(original):
    spoilt = with_cells(
        ROWS, (1, 6, "cheap"), (2, 3, "2011/13/1"), (2, 7, "-1"), (3, 5, "gun"), (7, 1, "14"), (9, 4, "")
    )
    files = submission(
        T=spoilt + b"u,1\n",
        M=text([*PEOPLE[1:], ["y", "f", "1970", "UK"]]),
        P=pairs({**NAMES, "r": "99", "z": "12"}),
    )
    assert faults_of(original, files) == [
        ("T.csv", 1, 1, "not-in-master"), ("T.csv", 1, 6, "not-number"), ("T.csv", 2, 3, "not-date"),
        ("T.csv", 2, 7, "not-positive"), ("T.csv", 3, 5, "unknown-good"), ("T.csv", 7, 1, "original-id"),
        ("T.csv", 7, 1, "not-in-master"), ("T.csv", 7, 1, "unpaired"), ("T.csv", 9, 4, "missing"),
        ("T.csv", 19, None, "cells"),
        ("M.csv", 6, 1, "not-in-table"),
        ("P.csv", 4, 2, "unknown-original"), ("P.csv", 8, 1, "unknown-released"),
        ("P.csv", 8, 2, "duplicate-id"),
    ]  # fmt: skip


def test_a_submission_with_faults_gets_no_number(original):
    judged = judge.judge(rules(), original, submission(T=with_cells(ROWS, (1, 6, "x"))))
    assert not judged.valid
    assert (judged.utility, judged.attacks, judged.score) == ({}, {}, None)
    assert judged.to_dict()["faults"] == [
        {"file": "T.csv", "line": 1, "column": 6, "fault": WORDS["not-number"], "code": "not-number"}
    ]


def test_faults_beyond_the_limit_are_counted(original):
    faults = judge.check(rules(faults=5), original, submission(T=text([["x"] * 7] * 18)))
    assert [fault.line for fault in faults] == [1, 1, 1, 1, 1, None]
    assert faults[-1].code == "more-faults"


def test_no_fault_tells_a_value(original):
    spoilt = text([["Mr Smith", "r1", "yesterday", "soon", "=rare", "dear", "many"]] * 18)
    files = submission(T=spoilt, M=text([["Mr Smith", "f", "1970", "@home"]]), P=pairs({"Mr Smith": "Jones"}))
    told = [str(fault) for fault in judge.check(rules(), original, files)]
    assert len(told) > 50
    assert not any(
        word in line for line in told for word in ("Smith", "Jones", "rare", "dear", "many", "yesterday")
    )


def test_names_of_files_are_known_in_any_letters_and_others_are_left_alone(original):
    files = submission()
    renamed = {
        "out/TRANSACTIONS.CSV": files["T.csv"], "out/Master.csv": files["M.csv"],
        "Secret.csv": files["P.csv"], "__MACOSX/T.csv": b"\0", "datasheet.html": b"<p>", "notes.csv": b"=1",
    }  # fmt: skip
    assert faults_of(original, renamed) == []
    assert faults_of(original, {**files, "deeper/t.csv": b""}) == [("t.csv", None, None, "file-twice")]


def test_too_many_rows_are_refused(original):
    assert faults_of(original, submission(), rows=17) == [("T.csv", None, None, "limit")]


def test_a_table_with_a_header_names_its_columns(tmp_path):
    typed = [[who, receipt, f"{day.replace('/', '-')}", good, price, pieces]
             for who, receipt, day, _, good, price, pieces in rows_of(CUSTOMERS)]  # fmt: skip
    frame(typed, HEADER).write_csv(tmp_path / "transactions.csv")
    rows = [[name, *row[1:]] for name, row in zip((n for n in NAMES for _ in range(3)), typed, strict=True)]
    asked = rules().model_copy(update={"hide": rules().hide.model_copy(update={"measures": ()})})

    def faults(table):
        return places(judge.check(asked, tmp_path, {"T.csv": table.write_csv().encode(), "P.csv": pairs()}))

    good = frame(rows, HEADER)
    assert faults(good) == []
    assert faults(good.rename({"customer": "Customer"}).select(*HEADER[:0:-1], "Customer")) == []
    assert faults(good.drop("price", "receipt")) == []
    assert faults(good.rename({"goods": "wares"})) == [
        ("T.csv", None, None, "column-missing"), ("T.csv", 1, 4, "column-unknown")
    ]  # fmt: skip
    assert faults(good.with_columns(TIME="time")) == [("T.csv", 1, 7, "column-twice")]
    assert faults(good.with_columns(time=pl.lit("soon"))) == [
        ("T.csv", n, 3, "not-date") for n in range(2, 20)
    ]


def test_parquet_is_as_good_as_text(tmp_path):
    typed = frame([[*row[:3], *row[4:]] for row in rows_of(CUSTOMERS)], HEADER).with_columns(
        pl.col("time").str.to_date("%Y/%m/%d"), pl.col("price").cast(float), pl.col("quantity").cast(int)
    )
    typed.write_parquet(tmp_path / "transactions.parquet")
    asked = rules().model_copy(update={"hide": rules().hide.model_copy(update={"measures": ()})})

    def faults(table):
        file = io.BytesIO()
        table.write_parquet(file)
        return places(judge.check(asked, tmp_path, {"T.parquet": file.getvalue(), "P.csv": pairs()}))

    renamed = typed.with_columns(
        pl.col("customer").replace_strict({who: name for name, who in NAMES.items()})
    )
    assert faults(renamed) == []
    assert faults(renamed.with_columns(pl.col("price") - 1.5)) == [
        ("T.parquet", line, 5, "not-positive") for line in (1, 4, 7, 10, 13, 16)
    ]
    assert faults(renamed.with_columns(time=pl.when(pl.int_range(18) != 3).then("time"))) == [
        ("T.parquet", 4, 3, "missing")
    ]
    text_too = {"T.csv": renamed.write_csv().encode(), "P.csv": pairs()}
    assert judge.check(asked, tmp_path, text_too) == ()


JUNK = (
    "\0",
    ",",
    "\n",
    "\r",
    '"',
    "=",
    "\t",
    "1e999",
    "nan",
    "1e-400",
    "9" * 30,
    "\ufeff",
    "\u200b",
    "24:00",
    "\uff11",
)


@pytest.mark.parametrize("seed", range(12))
def test_no_text_stops_the_judge(original, seed):
    chance, files = random.Random(seed), submission()
    for _ in range(4):
        name = chance.choice([*files])
        place = chance.randrange(len(files[name]))
        cut = chance.choice([0, 1, 12])
        junk = chance.choice(JUNK).encode() if chance.random() < 0.9 else b"\xff\xfe"
        files[name] = files[name][:place] + junk + files[name][place + cut :]
    judged = judge.judge(rules(), original, files, {"Q.csv": files["P.csv"]}, seed=1)
    assert judged.valid == (judged.score is not None)
    assert judged.faults
