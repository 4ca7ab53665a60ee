"""Groups of equal rows: missing values are equal to one another, and to nothing else."""

import polars as pl
import pytest

from kakurenbo.data.groups import group_codes


@pytest.mark.parametrize(
    "column",
    [
        pl.Series(["b", None, "a", None, ""]),
        pl.Series([7, None, 2, None, 0]),
        pl.Series([0.5, None, -1e300, None, 1e300]),
        pl.Series([2**62, None, -(2**62), None, 0]),
        pl.Series(["b", None, "a", None, "c"], dtype=pl.Categorical),
    ],
)
@pytest.mark.filterwarnings("error")
def test_missing_values_are_a_group_of_their_own(column):
    (codes,) = group_codes([pl.DataFrame({"x": column})], ["x"])
    assert codes[1] == codes[3] == 3
    assert sorted(set(codes.tolist())) == [0, 1, 2, 3]


@pytest.mark.filterwarnings("error")
def test_a_column_of_nothing_is_one_group():
    (codes,) = group_codes([pl.DataFrame({"x": [None, None]})], ["x"])
    assert codes.tolist() == [0, 0]
    first, second = group_codes([pl.DataFrame({"x": ["a", None]}), pl.DataFrame({"x": [None, "b"]})], ["x"])
    assert first.tolist() + second.tolist() == [0, 2, 2, 1]
