"""Times in the words of a release: a clock that was moved is moved back, sharp or rounded."""

import datetime as dt

import numpy as np
import polars as pl
import pytest

import kakurenbo as kb
from kakurenbo.attacks.purchases.lifetimes import lifetime
from kakurenbo.auditing.coverage.covered import coverage
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


SEASON = TIME.dt.offset_by("1mo").dt.truncate("1q").dt.offset_by("-1mo")


def in_week(first, *, weekday, hour):
    """Return times in the week that begins on this day, by plain Python."""

    def place(time):
        day = next(day for day in range(7) if (first + dt.timedelta(day)).weekday() == time.weekday())
        return first + dt.timedelta(days=day if weekday else 0, hours=time.hour if hour else 0)

    return TIME.map_elements(place, return_dtype=pl.Datetime("us"))


OURS, SUNDAY, ZERO = dt.datetime(2001, 1, 22), dt.datetime(1970, 1, 4), dt.datetime(1900, 1, 1)
GONE = [
    ("weekday alone", {"weekday": True, "hour": False}),
    ("hour of the day alone", {"weekday": False, "hour": True}),
    ("weekday and hour alone", {"weekday": True, "hour": True}),
]


def comparable(made, released):
    (time,) = (one for one in coverage(made.original, released) if one.role == "time")
    return time.comparable and time.records == 1


def test_seasons_are_read_moved_or_not(shop):
    released = changed(shop, SEASON)
    made = common_vocabulary(shop, released)
    assert made.inferred == ("times by season",)
    assert made.original.under(None).equals(released.under(None))
    assert comparable(made, released)
    later = changed(changed(shop, TIME + pl.duration(days=400)), SEASON)
    (clock,) = common_vocabulary(shop, later).mappings
    assert clock.period == "season"
    assert abs(clock.later - dt.timedelta(days=400)) <= dt.timedelta(days=20)


@pytest.mark.parametrize("first", [OURS, SUNDAY, ZERO], ids=str)
@pytest.mark.parametrize(("words", "left"), GONE)
def test_what_is_left_where_the_date_is_gone_is_read_in_any_week(shop, first, words, left):
    released = changed(shop, in_week(first, **left))
    for some in (released, kb.methods.Delete(share=0.5).release(released, seed=1).data):
        made = common_vocabulary(shop, some)
        assert made.inferred == (f"times by {words}",)
        assert comparable(made, some)
    assert common_vocabulary(shop, released).original.under(None).equals(released.under(None))


def test_a_week_within_the_shops_own_time_is_a_reference_only_if_all_is_in_it(shop):
    start = shop.records["time"].min().replace(hour=0, minute=0) + dt.timedelta(days=70)
    released = changed(shop, in_week(start, weekday=True, hour=True))
    assert common_vocabulary(shop, released).inferred == ("times by weekday and hour alone",)
    real = shop.records.filter(TIME.is_between(start, start + dt.timedelta(days=7), closed="left"))
    week = shop.with_records(real)
    assert common_vocabulary(shop, week).original is shop
    assert common_vocabulary(shop, changed(week, TIME.dt.truncate("1d"))).of("time") == Clock("day")


@pytest.mark.parametrize("times", ["season", "weekday-hour"])
@pytest.mark.parametrize(
    "attack",
    [
        kb.attacks.LikelihoodAttack(), kb.attacks.FingerprintAttack(), kb.attacks.VisitsAttack(),
        kb.attacks.AgreementAttack(), kb.attacks.RowsAttack(), kb.attacks.RenamedAttack(),
    ],
    ids=lambda attack: attack.about.name,
)  # fmt: skip
def test_attackers_lose_nothing_by_a_grain_that_both_can_compare(shop, times, attack):
    """Found in the release are as many as where the original itself is so coarse."""
    coarse = kb.methods.Coarsen(times=times)
    release = coarse.release(shop, seed=1)
    alike = common_vocabulary(shop, release.data).original
    plain = coarse.change(shop, None).data
    rates = [
        kb.reidentification(release.pairing, attack.guess(known, release.data, seed=1)).rate.value
        for known in (alike, plain)
    ]
    assert rates[0] == rates[1]
    assert lifetime(alike, release.data) is None, "nobody changes names where dates are gone"
