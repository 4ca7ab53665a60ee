"""Numbers and times at the door: kept exactly, or refused; none is changed on the way."""

import datetime as dt
import warnings

import polars as pl
import pytest

import kakurenbo as kb
from kakurenbo.cheats import PushAway
from kakurenbo.data.checks.times import PATTERNS, as_times
from kakurenbo.data.checks.values import (
    LARGEST,
    LARGEST_PRICE,
    LARGEST_TOTAL,
    as_numbers,
    as_whole_numbers,
)


def refused(call, values, dtype=pl.String, **options):
    with pytest.raises(kb.InputError) as error:
        call(pl.Series(values, dtype=dtype), column="n", **options)
    assert str(values[-1]) not in str(error.value)
    return error.value.code, error.value.row


def test_text_counts_are_whole_numbers_to_the_last_digit():
    texts = [
        "9007199254740993",
        "9223372036854775807",
        " 7 ",
        "+5",
        "-3",
        "5.0",
        "12.000",
        "1e3",
        "1.5E1",
        "",
    ]
    found = as_whole_numbers(pl.Series(texts), column="n").to_list()
    assert found == [2**53 + 1, 2**63 - 1, 7, 5, -3, 5, 12, 1000, 15, None]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("9223372036854775808", "limit"),
        ("1e30", "limit"),
        ("1e999999999", "limit"),
        ("2.5", "not-whole"),
        ("1000000000000000000.5", "not-whole"),
        ("1e-3", "not-whole"),
        ("0x10", "not-number"),
        ("1_000", "not-number"),
        ("nan", "not-number"),
        ("inf", "not-number"),
        ("\u0665", "not-number"),
    ],
)
def test_other_counts_are_refused(text, code):
    assert refused(as_whole_numbers, ["1", text]) == (code, 2)


@pytest.mark.parametrize(
    ("dtype", "value", "code"),
    [
        (pl.Float64, 2.0**60, "limit"),
        (pl.Float64, 0.5, "not-whole"),
        (pl.UInt64, 2**63, "limit"),
        (pl.Int128, 2**64, "limit"),
    ],
)
def test_typed_counts_that_would_not_stay_exact_are_refused(dtype, value, code):
    assert refused(as_whole_numbers, [1, value], dtype) == (code, 2)


def test_all_quantities_together_can_be_added_up(small_frame, roles):
    half = LARGEST_TOTAL // 2
    frame = small_frame.with_columns(pieces=pl.Series([half, half - 3, 1, 1, 1, 1]))
    assert kb.Purchases.from_frame(frame, **roles).baskets(quantity=True).matrix.sum() == LARGEST_TOTAL
    with pytest.raises(kb.InputError) as error:
        kb.Purchases.from_frame(frame.with_columns(pieces=pl.lit(half)), **roles)
    assert (error.value.code, error.value.column) == ("limit", "pieces")


def test_numbers_have_a_stated_range():
    edges = [LARGEST, -LARGEST, 5e-324, 0.0]
    assert as_numbers(pl.Series(edges), column="n").to_list() == edges
    assert as_numbers(pl.Series([repr(number) for number in edges]), column="n").to_list() == edges
    for outside in (1.01 * LARGEST, -1e308):
        assert refused(as_numbers, [1.0, outside], pl.Float64) == ("limit", 2)
        assert refused(as_numbers, ["1", repr(outside)]) == ("limit", 2)
    assert refused(as_numbers, ["1", "1e-400"]) == ("limit", 2), "it is not zero"
    assert refused(as_numbers, ["1", "1e400"]) == ("limit", 2), "it is not infinite"
    assert refused(as_numbers, ["1", repr(1.01 * LARGEST_PRICE)], largest=LARGEST_PRICE) == ("limit", 2)


def test_whole_numbers_that_a_float_cannot_hold_are_refused_as_numbers():
    exact = ["9007199254740992", "-10000000000000000000", "123456789012345670.0", "0.1"]
    assert as_numbers(pl.Series(exact), column="n").to_list() == [float(text) for text in exact]
    assert refused(as_numbers, ["1", "-9007199254740993"]) == ("limit", 2)
    assert refused(as_numbers, [1, 2**53 + 1], pl.Int64) == ("limit", 2)
    assert refused(as_numbers, [1, 2**64 + 1], pl.Int128) == ("limit", 2)
    assert as_numbers(pl.Series([1, 2**64], dtype=pl.Int128), column="n").to_list() == [1.0, 2.0**64]


@pytest.mark.parametrize("measure", ["u1-cmae", "u3-rfm"])
def test_the_largest_amounts_are_measured_without_a_warning(small_frame, roles, measure):
    frame = small_frame.with_columns(cost=pl.Series([LARGEST_PRICE, 1.0, LARGEST_PRICE, 5e-324, 2.0, 3.0]))
    frame = frame.with_columns(pieces=pl.Series([LARGEST_TOTAL // 3, 1, LARGEST_TOTAL // 3, 1, 1, 1]))
    master = pl.DataFrame({"who": ["ann", "bob", "cem"], "sex": ["f", "m", "m"]})
    shop = kb.Purchases.from_frame(frame, **roles, master=master)
    other = kb.Purchases.from_frame(
        frame.with_columns(pl.col("cost").reverse(), pl.col("pieces").reverse()), **roles, master=master
    )
    entry = next(entry for entry in kb.CATALOGUE if entry.name == measure)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert entry.what().of(shop, shop).value == 0
        assert 0 < entry.what().of(shop, other).value <= 2


@pytest.mark.parametrize(
    "text",
    [
        "-2011-01-05", "+2011-01-05", "0000-01-05", "99-01-05", "011-01-05", "12011-01-05", "2011- 1-05",
        "99/01/05", "05.01.99", "5/1/99", "990105", "0990105", "2011105", "2011-01-05 23:59:60",
    ],
)  # fmt: skip
def test_years_have_four_digits_and_exist(text):
    assert refused(as_times, [text]) == ("not-date", 1)


def test_a_column_of_good_dates_does_not_let_a_short_year_in():
    assert refused(as_times, ["2011-01-05"] * 3 + ["99-01-05"]) == ("not-date", 4)
    assert refused(as_times, ["2011-01-05"] * 3 + ["0000-01-05"]) == ("not-date", 4)


def test_a_declared_pattern_reads_short_years_and_no_others():
    times, pattern = as_times(pl.Series(["05/01/99", "05/01/11"]), column="n", pattern="%d/%m/%y")
    assert [time.year for time in times] == [1999, 2011]
    assert pattern == "%d/%m/%y"
    assert refused(as_times, ["05/01/99"], pattern="%d/%m/%Y") == ("not-date", 1)
    named, _ = as_times(pl.Series(["5 Jan 2011"]), column="n", pattern="%d %b %Y")
    assert named.to_list() == [dt.datetime(2011, 1, 5)]


def test_the_first_and_the_last_day_are_days():
    times, _ = as_times(pl.Series(["0001-01-01", "9999-12-31"]), column="n")
    assert times.to_list() == [dt.datetime(1, 1, 1), dt.datetime(9999, 12, 31)]
    far = pl.Series([0, 400_000_000], dtype=pl.Int32).cast(pl.Date)
    with pytest.raises(kb.InputError) as error:
        as_times(far, column="n")
    assert (error.value.code, error.value.row) == ("not-date", 2)


@pytest.mark.parametrize(
    "method", [kb.methods.Noise(quantity_spread=3.0), kb.methods.Noise(price_spread=3.0), PushAway()]
)
def test_what_a_method_makes_stays_within_the_limits_or_is_refused(small_frame, roles, method):
    frame = small_frame.with_columns(cost=pl.lit(LARGEST_PRICE), pieces=pl.lit(LARGEST_TOTAL // 6))
    with pytest.raises(kb.KakurenboError) as error:
        method.release(kb.Purchases.from_frame(frame, **roles), seed=1)
    assert error.value.code in {"limit", "parameter"}


def test_a_time_has_a_whole_pattern_and_at_most_two_columns(small_frame, roles):
    with pytest.raises(kb.ParameterError) as error:
        kb.Purchases.from_frame(small_frame, **roles, time_format="%Y-%m-%d %H")
    assert (error.value.code, error.value.parameter) == ("parameter", "time_format")
    extra = small_frame.with_columns(note=pl.lit("x"), spare=pl.lit("x"))
    with pytest.raises(kb.ParameterError) as refusal:
        kb.Purchases.from_frame(extra, **{**roles, "time": ["when", "note", "spare"]})
    assert refusal.value.code == "roles"


@pytest.mark.parametrize("pattern", PATTERNS)
def test_what_every_pattern_writes_is_read_by_it_or_by_one_that_says_the_same(pattern):
    moments = pl.Series([dt.datetime(2011, 12, day, 22, 41, 53) for day in (1, 13, 31)])
    written = moments.dt.strftime(pattern)
    assert as_times(written, column="n")[0].equals(as_times(written, column="n", pattern=pattern)[0])
