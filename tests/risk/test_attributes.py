"""Claims of attributes against slow obvious references: what cells say, and how much of it is true."""

import math

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kakurenbo.data.generalised.cells import Cells, spread
from kakurenbo.risk.learnt.attributes import Rows, constant, learnt

INF = math.inf
ENDS = st.sampled_from([(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 4), (-INF, INF), (3, INF)])
COLUMNS = 3


@pytest.mark.parametrize(
    ("known", "released", "says"),
    [
        ([20, 25], [20, 21], [(20, 20), (21, 21)]),
        ([20, 25], ["[20..29]", "25"], [(20, 29), (25, 25)]),
        ([20, 25], ["*", "{25}"], [(-INF, INF), (25, 25)]),
        ([20, 25], ["{20,25}", ">=65"], [(-INF, INF), (65, INF)]),
        (["flu", "gout"], ["gout", "{flu}"], [(1, 1), (0, 0)]),
        (["flu", "gout"], ["{flu,gout}", "*"], [(-INF, INF), (-INF, INF)]),
        (["flu", "gout"], ["measles", "mumps"], [(-1, -1), (-2, -2)]),
    ],
)
def test_cells_say_what_is_written_in_them(known, released, says):
    made = Cells.of(pl.DataFrame({"a": known}), pl.DataFrame({"a": released}), ["a"])
    assert list(zip(made.low[:, 0], made.high[:, 0], strict=True)) == says
    assert made.known[:, 0].tolist() == ([20, 25] if known[0] == 20 else [0, 1])


def test_spread_is_the_middle_and_not_the_one_huge_income():
    table = pl.DataFrame({"income": [*range(100), 10**9], "town": ["a"] * 101})
    assert spread(table, ["income", "town"]).tolist() == [95.0, 0.0]


def test_how_far_a_value_lies_outside_a_cell():
    cells = Cells.of(pl.DataFrame({"a": [10, 40]}), pl.DataFrame({"a": ["20", "[0..30]", "*"]}), ["a"])
    assert cells.gap(np.arange(2), 0, 20.0).tolist() == [[0.5, 0.0, 0.0], [1.0, 0.5, 0.0]]


@st.composite
def cases(draw):
    rows = draw(st.lists(st.lists(ENDS, min_size=COLUMNS, max_size=COLUMNS), min_size=1, max_size=4))
    people = draw(st.lists(st.tuples(*[st.integers(0, 3)] * COLUMNS), min_size=1, max_size=4))
    unknown = [draw(st.lists(st.booleans(), min_size=COLUMNS, max_size=COLUMNS)) for _ in people]
    fitting = [sorted(draw(st.sets(st.integers(0, len(rows) - 1)))) for _ in people]
    tolerance = draw(st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=COLUMNS, max_size=COLUMNS))
    return rows, people, unknown, fitting, tolerance


def said(cells):
    """Return what some cells say together."""
    return min(low for low, _ in cells), max(high for _, high in cells)


def plain(rows, people, unknown, fitting, tolerance, *, cautious):
    """Yield (learnt, laid open, precision, recall) of everybody of whom something is unknown."""
    for truth, open_, numbers in zip(people, unknown, fitting, strict=True):
        wanted = [column for column in range(COLUMNS) if open_[column]]
        if not wanted:
            continue
        taken = [rows[number] for number in numbers]
        if cautious and taken:
            taken = [[said(column) for column in zip(*taken, strict=True)]]
        if not taken:
            yield 0.0, 0.0, 1.0, 0.0
            continue
        results = []
        for row in taken:
            claims = {c: sum(row[c]) / 2 for c in wanted if (row[c][1] - row[c][0]) / 2 <= tolerance[c]}
            right = [c for c, claim in claims.items() if abs(claim - truth[c]) <= tolerance[c]]
            share = len(right) / len(wanted)
            results.append((share, len(right) / len(claims) if claims else 1.0))
        share, precision = (float(np.mean(part)) for part in zip(*results, strict=True))
        yield share, float(share >= 0.5 - 1e-9), precision, share


@given(cases(), st.booleans())
def test_learnt_is_what_counting_says(case, cautious):
    rows, people, unknown, fitting, tolerance = case
    low, high = (np.array([[cell[end] for cell in row] for row in rows], dtype=float) for end in (0, 1))
    indptr = np.concatenate([[0], np.cumsum([len(numbers) for numbers in fitting])])
    indices = np.array([number for numbers in fitting for number in numbers], dtype=np.int64)
    made = Rows(low, high, indptr, indices)
    result = learnt(
        np.array(people, dtype=float), np.array(unknown), made.spanned() if cautious else made,
        np.array(tolerance),
    )  # fmt: skip
    got = list(zip(result.share, result.laid_open, result.precision, result.recall, strict=True))
    assert got == [pytest.approx(row) for row in plain(*case, cautious=cautious)]


def test_of_very_many_equal_rows_some_are_looked_at_and_means_stay():
    values, people = np.arange(1000.0)[:, None] % 10, 2000
    ends = np.concatenate([np.arange(people) * 1000, [people * 1000 - 997]])
    rows = Rows(values, values, ends, np.tile(np.arange(1000), people)[: ends[-1]])
    some = rows.some((np.arange(people) + 0.5) / people, most=30)
    assert np.diff(some.indptr).tolist() == [30] * (people - 1) + [3]
    made = learnt(np.full((people, 1), 3.0), np.ones((people, 1), bool), some, np.zeros(1))
    assert made.share[:-1].mean() == pytest.approx(0.1, abs=0.001)


def test_the_best_claim_of_everybody_is_where_most_are():
    values = np.array([[0.0, 1.0], [0.2, 1.0], [5.0, 2.0], [5.1, 1.0], [5.2, 0.0]])
    assert constant(values, np.array([0.2, 0.0])).tolist() == [5.1, 1.0]
