"""Rows of many blocks in one order, against sorting the whole table."""

from datetime import datetime, timedelta

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from kakurenbo.files.stretches import Stretches, in_order
from kakurenbo.progress import Progress

BEGIN = datetime(2024, 1, 31, 23, 59)
SCHEMA = {
    "name": pl.String, "time": pl.Datetime("us"), "goods": pl.String, "price": pl.Float64, "nothing": pl.Null,
    "quantity": pl.Int64,
}  # fmt: skip
rows = st.tuples(
    st.sampled_from(["b", "a", "", "ä", "aa", "10", "9", None]),
    st.one_of(st.none(), st.integers(-3, 3).map(lambda days: BEGIN + timedelta(days=days))),
    st.sampled_from(["x", "y"]),
    st.one_of(st.none(), st.sampled_from([0.5, 1.25, -2.0])),
    st.none(),
    st.integers(-2, 2),
)


@given(st.lists(rows, max_size=30))
def test_a_table_is_sorted_by_its_content_with_what_is_missing_last(held):
    table = pl.DataFrame(held, schema=SCHEMA, orient="row")
    assert in_order(table).equals(table.sort(table.columns, nulls_last=True))


@given(st.lists(st.lists(rows, min_size=1, max_size=8), min_size=1, max_size=5), st.integers(1, 6))
def test_stretches_of_blocks_follow_each_other_as_the_rows_of_the_whole_do(tmp_path_factory, blocks, about):
    stretches = Stretches(tmp_path_factory.mktemp("rows") / "stretches", about)
    tables = [pl.DataFrame(held, schema=SCHEMA, orient="row") for held in blocks]
    for table in tables:
        stretches.add(table)
    whole = pl.concat(tables)
    assert pl.concat(stretches.ordered(Progress())).equals(whole.sort(whole.columns, nulls_last=True))
