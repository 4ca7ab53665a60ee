"""PWS Cup 2017: the judge against the plain computation, to all digits, faults included."""

import json
import random
import zipfile
from collections import Counter

import pytest

from contest import pws2017_made as made
from contest import pws2017_plain as plain
from kakurenbo.cli.main import run

SEEDS = range(60)
SAME = {"rel": 1e-12, "abs": 1e-15}
CODES = {
    "rows": "rows", "cells": "cells", "kept": "kept", "deleted-not-empty": "deleted",
    "empty-pseudonym": "pseudonym", "original-id": "original-id", "second-pseudonym": "second-pseudonym",
    "receipt": "text", "no-date": "date", "other-month": "month", "time": "time", "good": "goods",
    "price": "price", "quantity": "quantity",
}  # fmt: skip


@pytest.fixture
def judged(tmp_path, capsys):
    """Return a function that judges a submission as a participant would: by the command."""

    def judge(original, text, *more):
        file = tmp_path / "A.csv"
        file.write_text(text, encoding="utf-8", newline="")
        code = run(["contest", "judge", "pws2017", "--original", str(original), "--submission", str(file),
                    "--published-order", "submitted", "--json", *more])  # fmt: skip
        out = capsys.readouterr()
        assert out.err == ""
        answer = json.loads(out.out)
        assert code == (0 if answer["valid"] else 1)
        return answer

    return judge


def agree(answer, expected):
    """Hold the judge's answer about a valid submission against the plain one."""
    assert expected["valid"]
    assert answer["valid"]
    assert answer["faults"] == []
    assert answer["utility"] == {name: pytest.approx(value, **SAME) for name, value in
                                 expected["utility"].items()}  # fmt: skip
    assert answer["attacks"] == {name: [pytest.approx(rate, **SAME) for rate in rates] for name, rates in
                                 expected["attacks"].items()}  # fmt: skip
    assert list(answer["attacks"]) == list(plain.KEYS)
    assert answer["score"] == {name: pytest.approx(value, **SAME) for name, value in
                               expected["score"].items()}  # fmt: skip


def disagreement(answer, expected):
    """Return what only one of both found wrong: places and codes, each as often as it is named."""
    assert not answer["valid"]
    ours = Counter((one["line"], one["column"], one["code"]) for one in answer["faults"])
    theirs = Counter((line, cell, CODES[what]) for line, cell, what in expected["faults"])
    return {"only the judge": dict(ours - theirs), "only plain": dict(theirs - ours)}


@pytest.mark.parametrize("seed", SEEDS)
def test_made_up_submissions_are_judged_as_by_hand(tmp_path, judged, seed):
    cup = made.write(tmp_path / "cup", made.contest(seed))
    text = made.text_of(made.submission(cup, seed), ending="\n" if seed % 2 else "\r\n")
    agree(judged(tmp_path / "cup", text), plain.judge(cup, text))


@pytest.mark.parametrize("seed", range(0, 60, 6))
def test_a_guess_made_as_a_sample_attack_finds_what_that_attack_finds(tmp_path, judged, seed):
    cup = made.write(tmp_path / "cup", made.contest(seed))
    rows = made.submission(cup, seed)
    guess = tmp_path / "guess.zip"
    with zipfile.ZipFile(guess, "w") as archive:
        for level in plain.LEVELS:
            table = plain.guess(cup, plain.kept_rows(rows), cup.known[level], plain.KEYS["S6"])
            text = made.text_of([[customer, *table[customer]] for customer in cup.customers])
            archive.writestr(f"Fh{level[1:]}.csv", text)
    answer = judged(tmp_path / "cup", made.text_of(rows), "--guess", str(guess))
    assert answer["attacks"]["guess"] == answer["attacks"]["S6"] == plain.attacks(cup, rows)["S6"]


@pytest.mark.parametrize("seed", SEEDS)
def test_every_fault_of_a_spoilt_submission_is_listed(tmp_path, judged, seed):
    cup = made.write(tmp_path / "cup", made.contest(seed))
    text = made.text_of(made.spoilt(cup, seed))
    expected = plain.judge(cup, text)
    answer = judged(tmp_path / "cup", text)
    assert disagreement(answer, expected) == {"only the judge": {}, "only plain": {}}
    assert answer["utility"] == answer["attacks"] == {}
    assert answer["score"] is None


def test_the_generators_reach_every_kind_of_fault_and_several_in_a_line(tmp_path):
    kinds, lines = Counter(), Counter()
    for seed in SEEDS:
        cup = made.write(tmp_path / str(seed), made.contest(seed))
        wrong = plain.judge(cup, made.text_of(made.spoilt(cup, seed)))["faults"]
        kinds.update(what for _, _, what in wrong)
        lines.update(Counter(line for line, _, _ in wrong if line is not None).values())
    assert set(kinds) == {*made.SPOILT, "rows", "cells", "deleted-not-empty", "kept"}
    assert max(lines) >= 4


@pytest.mark.campaign
def test_the_generators_reach_every_measure_and_attack(tmp_path):
    reached = set()
    for seed in SEEDS:
        cup = made.write(tmp_path / str(seed), made.contest(seed))
        answer = plain.judge(cup, made.text_of(made.submission(cup, seed)))
        reached |= {name for name, value in answer["utility"].items() if 0 < value < 1}
        reached |= {name for name, rates in answer["attacks"].items() if len(set(rates)) > 1}
    assert reached == {"E1", "E2", "E3_topk", "E3_sim", "E4", "E5", "E6", *plain.KEYS}


def test_the_plain_computation_meets_numbers_worked_out_with_a_pencil():
    rows = [
        ["1", "0", "2010/12/1", "9:00", "10A", "2", "12"],
        ["1", "0", "2010/12/5", "9:00", "20B", "4", "24"],
        ["2", "0", "2011/1/1", "9:00", "10A", "2", "5"],
        ["2", "0", "2011/1/2", "9:00", "20B", "4", "36"],
        ["2", "0", "2011/1/2", "9:00", "30C", "9", "1"],
    ]
    cup = plain.Cup([["1"], ["2"], ["3"]], rows, {level: [list(plain.DELETED)] * 5 for level in plain.LEVELS})
    cup.known["T100"] = [[*row[:4], row[4][:2], *row[5:]] for row in rows]
    answer = plain.judge(cup, made.text_of([
        ["x", "0", "2010/12/4", "9:00", "10A", "1", "12"],
        ["x", "0", "2010/12/5", "9:00", "20B", "4.00", "24"],
        ["y", "0", "2011/1/1", "9:00", "10A", "2", "5"],
        ["y", "0", "2011/1/2", "9:00", "20B", "5", "12"],
        list(plain.DELETED),
    ]))  # fmt: skip
    assert answer["utility"] == {
        # thresholds: before (1,2) (0,3), after (1,2) (0,1): cosines 2/sqrt(13) and 2/sqrt(5)
        "E1": pytest.approx((13 / 5) ** 0.5 - 1),
        "E2": 1.0,  # 10A with 30C was all, and 30C is gone
        "E3_topk": pytest.approx(1 / 3),
        # before 10A-20B 1, the two with 30C 1/sqrt(2) each, each in both orders; the latter are lost
        "E3_sim": pytest.approx(2**0.5 / (1 + 2**0.5)),
        "E4": pytest.approx(3 / (31 * 5)),
        "E5": pytest.approx((1 / 2 + 1 / 5) / 5),
        "E6": pytest.approx(1 / 5),
    }
    # knowing nothing guesses DEL everywhere, which is right of the third, who never bought
    assert answer["attacks"] == {
        "S1": [1 / 3, 1 / 3, 1 / 3, 1.0],  # 12/5 with 24 finds x, 1/1 with 5 finds y
        "S2": [1 / 3, 1 / 3, 1 / 3, 2 / 3],  # 10 at 2 is only y, so customer 1 is mistaken for y
        "S3": [1 / 3, 1 / 3, 1 / 3, 1.0],
        "S4": [1 / 3, 1 / 3, 1 / 3, 1.0],
        "S5": [1 / 3, 1 / 3, 1 / 3, 2 / 3],  # 10 at 2 times 12 is nowhere, 20 at 4 is 4.00: nobody for 1
        "S6": [1 / 3, 1 / 3, 1 / 3, 1.0],
    }
    assert answer["score"] == {"utility": 1.0, "security": 0.5, "total": 0.75}


@pytest.mark.parametrize(
    "people", [40, pytest.param(500, marks=[pytest.mark.slow, pytest.mark.campaign], id="everybody")]
)
def test_the_real_table_is_judged_as_by_hand(real, tmp_path, judged, people):
    cup = first_of(real("pwscup2017"), people, tmp_path / "cup")
    text = made.text_of(real_submission(cup))
    agree(judged(tmp_path / "cup", text), plain.judge(cup, text))


def first_of(folder, people, place):
    """Write what the tables of a contest say of the first so many people, and return it."""
    master = plain.rows_of((folder / "M.csv").read_text(encoding="utf-8"))[:people]
    cup, ids = plain.read(folder), {row[0] for row in master}
    kept = [number for number, row in enumerate(cup.rows) if row[0] in ids]
    levels = {level: [rows[number] for number in kept] for level, rows in cup.known.items()}
    return made.write(place, (master, [cup.rows[number] for number in kept], levels))


def real_submission(cup):
    """Return a submission to the real contest in which every measure and attack has something to say."""
    rng = random.Random(2017)
    rename, chances = made.naming(rng), {1: 0.0, 2: 0.3, 3: 0.1, 4: 0.05, 5: 0.2, 6: 0.2}
    return [
        list(plain.DELETED) if rng.random() < 0.1 else
        [rename(row[0], plain.month_of(row[2])), *made.changed(rng, cup, row, chances)]
        for row in cup.rows
    ]  # fmt: skip
