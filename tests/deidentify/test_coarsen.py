"""Coarser times and numbers, beside what plain Python makes of every record."""

import datetime as dt
from collections import Counter
from statistics import median

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kakurenbo as kb
from kakurenbo.mappings.periods import Period
from strategies import purchases_of, rows

MONDAY = dt.datetime(2001, 1, 22)


def at_first(time, month):
    return dt.datetime(time.year, month, 1)


def in_season(time):
    """Winter begins in December, also that of January and February."""
    if time.month < 3:
        return dt.datetime(time.year - 1, 12, 1)
    return at_first(time, time.month - time.month % 3)


def midnight(time):
    return time.replace(hour=0, minute=0, second=0)


PLAIN = {
    "keep": lambda time: time,
    "day": midnight,
    "week": lambda time: midnight(time) - dt.timedelta(days=time.weekday()),
    "month": lambda time: at_first(time, time.month),
    "quarter": lambda time: at_first(time, time.month - (time.month - 1) % 3),
    "season": in_season,
    "year": lambda time: at_first(time, 1),
    "weekday": lambda time: MONDAY + dt.timedelta(days=time.weekday()),
    "hour": lambda time: MONDAY + dt.timedelta(hours=time.hour),
    "weekday-hour": lambda time: MONDAY + dt.timedelta(days=time.weekday(), hours=time.hour),
}


def test_every_period_has_a_plain_reading():
    assert set(PLAIN) == {"keep", *Period.__args__}


@given(table=rows, times=st.sampled_from(sorted(PLAIN)), hours=st.integers(0, 20_000))
def test_times_are_what_is_left_of_them_and_all_else_stays(table, times, hours):
    shop = purchases_of(table)
    moved = pl.col("time") + pl.duration(hours=pl.col("quantity") * hours, minutes=7)
    shop = shop.with_records(shop.records.with_columns(time=moved), master=shop.master)
    release = kb.methods.Coarsen(times=times).release(shop, seed=1)
    columns = ("customer", "goods", "price", "quantity", "time")
    before = shop.under(None).select(columns).iter_rows()
    after = release.data.under(release.pairing).select(columns).iter_rows()
    assert Counter(after) == Counter((*rest, PLAIN[times](time)) for *rest, time in before)


@pytest.fixture(scope="module")
def shop():
    """Prices 0.25 to 100.00 once each, bought in 1 to 40 pieces."""
    rows = range(400)
    frame = pl.DataFrame({
        "who": [f"c{row % 9}" for row in rows], "what": [f"g{row}" for row in rows],
        "price": [(row + 1) / 4 for row in rows], "pieces": [row % 40 + 1 for row in rows],
    })  # fmt: skip
    return kb.Purchases.from_frame(frame, customer="who", goods="what", price="price", quantity="pieces")


def after(shop, **parameters):
    """Return (price, quantity) of every good, before and after."""
    released = kb.methods.Coarsen(**parameters).release(shop, seed=1).data
    tables = (data.under(None).select("goods", "price", "quantity") for data in (shop, released))
    before, made = ({good: rest for good, *rest in table.iter_rows()} for table in tables)
    return [(*before[good], *made[good]) for good in before]


@pytest.mark.parametrize(("role", "place"), [("price", 0), ("quantity", 1)])
def test_bands_hold_equally_many_and_become_their_median(shop, role, place):
    made = after(shop, **{f"{role}_bands": 4})
    bands = {}
    for row in made:
        bands.setdefault(row[place + 2], []).append(row[place])
    assert [len(held) for held in bands.values()] == [100] * 4
    for stands, held in bands.items():
        assert abs(stands - median(held)) <= (0.01 if role == "price" else 0.5)
    assert all(row[3 - place] == row[1 - place] for row in made), "the other number stays"


ROUNDED = [
    ({"price_unit": 0.5}, 0, lambda price: max(round(price / 0.5) * 0.5, 0.01)),
    ({"price_unit": 10}, 0, lambda price: max(round(price / 10) * 10, 0.01)),
    ({"quantity_unit": 5}, 1, lambda pieces: max(round(pieces / 5) * 5, 1)),
    ({"quantity_unit": 10}, 1, lambda pieces: max(round(pieces / 10) * 10, 1)),
    ({"quantity_digits": 1}, 1, lambda pieces: pieces if pieces < 10 else (pieces + 5) // 10 * 10),
    ({"price_digits": 2}, 0, lambda price: float(f"{price + 1e-9:.2g}")),
]


@pytest.mark.parametrize(("parameters", "place", "plain"), ROUNDED, ids=lambda one: str(one)[:24])
def test_numbers_are_rounded_and_stay_numbers_of_their_kind(shop, parameters, place, plain):
    for row in after(shop, **parameters):
        assert row[place + 2] == pytest.approx(plain(row[place]))


@pytest.mark.parametrize("beside", [{}, {"quantity_unit": 5}])
def test_an_amount_is_its_bands_median_as_near_as_cents_allow(shop, beside):
    """The amount that is banded is the true one; the price goes with the quantity that is released."""
    made = after(shop, amount_bands=5, **beside)
    amounts = sorted(row[0] * row[1] for row in made)
    middles = [median(amounts[start : start + 80]) for start in range(0, 400, 80)]
    order = sorted(range(400), key=lambda place: made[place][0] * made[place][1])
    off = 0
    for rank, place in enumerate(order):
        *_, price, pieces = made[place]
        off += abs(price * pieces - middles[rank // 80]) > pieces * 0.005 + 0.01
    assert off <= 4, "but for equal amounts at a cut"


@pytest.mark.parametrize(
    "both",
    [
        {"price_bands": 2, "price_unit": 5}, {"quantity_unit": 2, "quantity_digits": 1},
        {"price_digits": 1, "amount_bands": 3},
    ],
)  # fmt: skip
def test_a_number_is_made_coarser_in_one_way(both):
    with pytest.raises(kb.ParameterError):
        kb.methods.Coarsen(**both)


def test_amounts_need_both_numbers(shop):
    bare = shop.without(["quantity"])
    for parameters in ({"quantity_bands": 2}, {"amount_bands": 2}):
        with pytest.raises(kb.InputError, match="quantity"):
            kb.methods.Coarsen(**parameters).release(bare)
