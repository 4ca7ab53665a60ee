"""Two snapshots as they were frozen, and what tells whether any of them moved.

The others are computed by `make snapshots`: all together take minutes.
"""

import json
import shutil
from dataclasses import replace

import polars as pl
import pytest

import kakurenbo as kb
from snapshots import frozen
from snapshots.__main__ import main
from snapshots.cases import CASES, RELEASES, document

RUN = ("pseudonymize-memory", "contest-custom")
QUICK = "profile-households"


@pytest.mark.parametrize("name", RUN)
def test_a_frozen_answer_is_given_again(name):
    moved = [str(change) for change in frozen.moved(frozen.read(name), document(name)) if change.beyond]
    assert not moved, "explain it and freeze it anew: make snapshots"


def test_every_snapshot_lies_there_and_no_other():
    assert frozen.frozen() == set(CASES)
    for name in CASES:
        made = frozen.read(name)
        assert (made["snapshot"], made["about"]) == (name, CASES[name].about)
        assert frozen.text(made) == frozen._path(name).read_text(encoding="utf-8")


def _flat(part, path=()):
    """Yield every figure under its path, of a table row by row and column by column."""
    if isinstance(part, dict) and {"columns", "same", "rows"} <= set(part):
        for row, values in _flat({"": part["rows"]}, path):
            for column, value in [*zip(part["columns"], values, strict=True), *part["same"].items()]:
                yield (*row, column), value
    elif isinstance(part, dict):
        for name, inner in part.items():
            yield from _flat(inner, (*path, name))
    else:
        yield path, part


BY_ROWS = {"order, nearest, rows", "strip, nearest, appended"}  # who goes by the order in which rows stand
COUNTING = {"people", "reasons", "not_run", "worst_again"}  # them, and whom they find


@pytest.mark.parametrize("release", RELEASES)
def test_a_table_in_memory_and_its_blocks_get_the_same_answer(release):
    """Every rate, lesson, proof and measure, but for attackers by rows, whose order blocks do not keep."""
    memory, blocks = (
        {
            path: value
            for path, value in _flat(frozen.read(f"{release}-{way}")["figures"])
            if path[0] not in COUNTING and not BY_ROWS & set(path)
        }
        for way in ("memory", "blocks")
    )
    assert len(memory) > 500
    assert memory == blocks


def test_a_weakened_attacker_moves_his_own_figures_and_what_follows_from_them(monkeypatch):
    named = kb.JaccardAttack.named
    name = "contest-pws2016"

    def weakened(self, tables, chance):
        guess = named(self, tables, chance)
        return replace(guess, mine=guess.mine.with_columns(pl.col("original").shift(1, fill_value="nobody")))

    monkeypatch.setattr(kb.JaccardAttack, "named", weakened)
    moved = {change.figure: change for change in frozen.moved(frozen.read(name), document(name))}
    assert set(moved) == {
        "figures / attacks / jaccard / 1", "figures / score / security", "figures / score / total"
    }  # fmt: skip
    assert all(change.beyond for change in moved.values())


ROWS = [
    {"rung": "1 record", "who": "jaccard", "rate": 0.98333, "chance": 1 / 60, "proven": True},
    {"rung": "1 record", "who": "cosine", "rate": 0.5, "chance": 1 / 60, "proven": True},
    {"rung": "goods", "who": "jaccard", "rate": 1.0, "chance": 1 / 60, "proven": True},
]


def _table(*rows):
    made = frozen.table(("rate", "chance", "proven"), rows, lambda one: (one["rung"], one["who"]))
    return {"verdict": "no", "members": made}


def test_a_table_has_a_line_for_every_member_and_tells_once_what_all_share():
    made = _table(*ROWS)
    assert made["members"] == {
        "columns": ["rate"],
        "same": {"chance": 0.017, "proven": True},
        "rows": {"1 record": {"cosine": [0.5], "jaccard": [0.983]}, "goods": {"jaccard": [1]}},
    }
    assert json.loads(frozen.text(made)) == made


def test_every_member_that_moved_is_told_by_his_own_name():
    other = [ROWS[0] | {"rate": 0.98333 - 1 / 60}, ROWS[1] | {"proven": False}, ROWS[2] | {"who": "cosine"}]
    moved = frozen.moved(_table(*ROWS), _table(*other) | {"verdict": "yes"})
    assert [str(change) for change in moved if not change.figure.endswith("chance")] == [
        'verdict: "no" -> "yes"',
        "members / 1 record / cosine / proven: true -> false",
        "members / 1 record / jaccard / rate: 0.983 -> 0.967 (-0.016)",
        "members / goods / jaccard / rate: 1 -> nothing",
        "members / goods / jaccard / proven: true -> nothing",
        "members / goods / cosine / rate: nothing -> 1",
        "members / goods / cosine / proven: nothing -> true",
    ]  # fmt: skip
    assert all(change.beyond for change in moved)


@pytest.mark.parametrize(
    ("old", "new", "beyond"),
    [
        (0.5, 0.501, False), (0.5, 0.502, True), (2831, 2833, False), (2831, 2835, True), (0.5, None, True),
        (True, False, True), ("no", "yes", True), (0, 0.001, False),
    ],
)  # fmt: skip
def test_only_figures_have_a_tolerance(old, new, beyond):
    (change,) = frozen.moved({"figure": old}, {"figure": new})
    assert change.beyond == beyond


def test_two_members_of_one_name_are_refused():
    with pytest.raises(ValueError, match="two rows"):
        _table(ROWS[0], ROWS[0])


def test_what_moved_is_told_and_frozen_only_where_that_is_asked_for(tmp_path, monkeypatch, capsys):
    shutil.copy(frozen._path(QUICK), tmp_path)
    monkeypatch.setattr(frozen, "FOLDER", tmp_path)
    asked = [QUICK, "--jobs", "1"]
    assert main(asked) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"{QUICK}: nothing moved", "1 snapshots, nothing moved beyond the tolerance"
    ]  # fmt: skip
    true = frozen.read(QUICK)
    spoilt = true | {"figures": true["figures"] | {"rows": 149}}
    frozen.write(QUICK, spoilt)
    assert main(asked) == 1
    assert "  figures / rows: 149 -> 150 (+1)" in capsys.readouterr().out.splitlines()
    assert frozen.read(QUICK) == spoilt
    assert main([*asked, "--write"]) == 0
    assert frozen.read(QUICK) == true
    frozen.forget(QUICK)
    assert main(asked) == 1
    assert capsys.readouterr().out.splitlines()[-2] == f"{QUICK}: not frozen yet"
