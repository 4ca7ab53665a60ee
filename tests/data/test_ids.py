"""Encoded ids: tables one below the other are what they are as text."""

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from kakurenbo.data.checks.ids import encode, stacked

row = st.tuples(st.sampled_from("abcde"), st.sampled_from(["g1", "g10", "g2", None]), st.integers(0, 3))


@given(st.lists(st.lists(row, min_size=1, max_size=8), min_size=1, max_size=4))
def test_stacked_tables_hold_the_texts_and_sorted_names(parts):
    texts = [
        pl.DataFrame(rows, schema={"who": pl.String, "what": pl.String, "n": pl.Int64}, orient="row")
        for rows in parts
    ]
    coded = [frame.with_columns(encode(frame["who"]), encode(frame["what"])) for frame in texts]
    made = stacked(coded)
    assert made.with_columns(pl.col(pl.Enum).cast(pl.String)).equals(pl.concat(texts))
    for name in ("who", "what"):
        names = made[name].dtype.categories
        assert names.to_list() == sorted({value for frame in texts for value in frame[name].drop_nulls()})
