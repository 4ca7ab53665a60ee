import numpy as np
import polars as pl

from kakurenbo.data import tokens


def test_tokens_are_distinct_of_one_width_and_repeat_with_the_seed():
    drawn = tokens.draw(5000, np.random.default_rng(1), avoid=pl.Series([], dtype=pl.String))
    assert drawn.n_unique() == 5000
    assert set(drawn.str.len_chars()) == {tokens.WIDTH}
    assert drawn.equals(tokens.draw(5000, np.random.default_rng(1), avoid=pl.Series([], dtype=pl.String)))


def test_an_id_in_use_is_never_drawn():
    first = tokens.draw(10, np.random.default_rng(2), avoid=pl.Series([], dtype=pl.String))
    second = tokens.draw(10, np.random.default_rng(2), avoid=first)
    assert not set(first) & set(second)
    assert len(second) == 10


def test_tokens_carry_no_order():
    drawn = tokens.draw(4000, np.random.default_rng(3), avoid=pl.Series([], dtype=pl.String))
    ranks = drawn.rank("ordinal").to_numpy()
    assert abs(np.corrcoef(ranks, np.arange(4000))[0, 1]) < 5 / np.sqrt(4000)
