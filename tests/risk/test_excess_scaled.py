"""The distance of microdata in audits: every attribute counts alike, and the limit is in the same scale."""

import itertools

import polars as pl
import pytest

import kakurenbo as kb
from kakurenbo.deidentify.base import Chain
from kakurenbo.risk.excess.scaled import scaled

ROWS = pl.DataFrame(
    {"age": [20, 30, 40, 60], "town": ["a", "a", "b", "c"], "salary": [10_000, 50_000, 30_000, 20_000]}
)


def people(frame: pl.DataFrame) -> kb.Microdata:
    return kb.Microdata.from_frame(frame, qi=["age", "town"], sa=["salary"])


def apart(mine: tuple, theirs: tuple) -> float:
    (a, b, c), (x, y, z) = mine, theirs
    return (abs(a - x) / 40 + (b != y) + abs(c - z) / 40_000) / 3


def test_a_number_counts_in_its_range_and_a_category_is_the_same_or_not():
    data = people(ROWS)
    turned = kb.Pairing.of({"1": "2", "2": "3", "3": "4", "4": "1"})
    found = scaled(data, data, turned)
    rows = ROWS.rows()
    wanted = [apart(rows[1], rows[0]), apart(rows[2], rows[1]), apart(rows[3], rows[2])]
    assert found.by_person.tolist() == pytest.approx([apart(rows[0], rows[3]), *wanted])
    every = [apart(one, other) for one, other in itertools.product(rows, rows)]
    assert found.threshold == pytest.approx(sum(every) / 16 / 2)
    assert found.verdict == "excessive"


def test_units_do_not_matter_and_a_value_inside_a_range_has_not_moved():
    other = people(ROWS.with_columns(pl.col("salary") * 1000))
    pairing = kb.Pairing.of({"1": "2", "2": "1", "3": "3", "4": "4"})
    assert scaled(people(ROWS), people(ROWS), pairing).mean == pytest.approx(
        scaled(other, other, pairing).mean
    )
    wide = people(ROWS.with_columns(age=pl.Series(["[20..30]", "[20..30]", "[40..60]", "*"])))
    same = kb.Pairing.of({str(k): str(k) for k in range(1, 5)})
    assert scaled(people(ROWS), wide, same).mean == 0


def test_an_honest_release_is_accepted_and_a_cheat_is_not():
    data = kb.demo.households(200, seed=1)
    honest = Chain(methods=(kb.methods.KAnonymize(k=10), kb.methods.Swap())).release(data, seed=1)
    cheat = kb.cheats.CheatMicrodata().release(data, seed=1)
    assert scaled(data, honest.data, honest.pairing).verdict == "accepted"
    assert scaled(data, cheat.data, cheat.pairing).verdict == "excessive"
