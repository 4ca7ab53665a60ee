"""Times in the words of a release: a clock that was moved is moved back, sharp or rounded."""

import datetime as dt

import numpy as np
import polars as pl
import pytest

import kakurenbo as kb
from kakurenbo.mappings import Clock, common_vocabulary
from shops import light_shop

TIME = pl.col("time")


@pytest.fixture(scope="module")
def shop():
    return light_shop(60, 3)


def changed(data, time):
    return data.with_records(data.under(None).with_columns(time=time), master=data.master)


WHOLE_DAYS = [
    ("400d", "400 days later"), ("-30d", "30 days earlier"), ("1d", "1 day later"),
    ("10y", "3,653 days later"),
]  # fmt: skip
PARTS = [("3h", "3 hours later"), ("37m", "37 minutes later"), ("100d7h11m", "144,431 minutes later")]


@pytest.mark.parametrize(("moved", "words"), [*WHOLE_DAYS, *PARTS])
def test_a_clock_that_was_moved_is_read_to_the_instant(shop, moved, words):
    released = changed(shop, TIME.dt.offset_by(moved))
    made = common_vocabulary(shop, released)
    assert made.inferred == (f"times moved {words}",)
    assert made.original.under(None).equals(released.under(None))


@pytest.mark.parametrize(("moved", "words"), WHOLE_DAYS)
def test_days_tell_by_how_many_they_were_moved(shop, moved, words):
    released = changed(shop, TIME.dt.offset_by(moved).dt.truncate("1d"))
    made = common_vocabulary(shop, released)
    assert made.inferred == (f"times by day, moved {words}",)
    assert made.original.under(None).equals(released.under(None))


@pytest.mark.parametrize(
    ("every", "period", "days"),
    [
        ("1w", "week", 400),
        ("1w", "week", -17),
        ("1mo", "month", 400),
        ("1mo", "month", -17),
        ("1q", "quarter", 365),
    ],
)
def test_a_clock_that_was_moved_before_rounding_is_read(shop, every, period, days):
    """Periods may not tell a day from the next one; then either is right."""
    released = changed(shop, (TIME + pl.duration(days=days)).dt.truncate(every))
    made = common_vocabulary(shop, released)
    (clock,) = made.mappings
    assert clock.period == period
    assert abs(clock.later - dt.timedelta(days=days)) <= dt.timedelta(days=3)
    assert made.original.under(None).equals(released.under(None))


def test_part_of_the_records_tells_the_same_clock(shop):
    later = changed(shop, (TIME + pl.duration(days=400)).dt.truncate("1mo"))
    (clock,) = common_vocabulary(shop, kb.methods.Delete(share=0.5).release(later, seed=1).data).mappings
    assert clock.period == "month"
    assert abs(clock.later - dt.timedelta(days=400)) <= dt.timedelta(days=3)


def test_noise_on_times_and_clocks_of_each_person_are_no_such_thing(shop):
    rng = np.random.default_rng(0)
    hours = pl.duration(hours=pl.Series(rng.integers(-480, 480, len(shop))))
    assert common_vocabulary(shop, changed(shop, TIME + hours)).original is shop
    assert common_vocabulary(shop, changed(shop, (TIME + hours).dt.truncate("1mo"))).mappings == (
        Clock("month"),
    )
    own = dict(zip(shop.customers, rng.integers(-60, 60, len(shop.customers)).tolist(), strict=True))
    days = pl.duration(days=pl.col("customer").replace_strict(own))
    assert common_vocabulary(shop, changed(shop, TIME + days)).original is shop
