"""What a released value may stand for, form by form."""

import datetime as dt
import math

import numpy as np
import polars as pl
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from kakurenbo.data.generalised.forms import Known, read
from kakurenbo.data.generalised.intervals import interval
from kakurenbo.data.generalised.writing import generalised, is_category
from kakurenbo.data.groups import as_text

AGES = [str(age) for age in range(-5, 101)]
DAYS = ["2023-12-31", "2024-05-17", "2024-05-31", "2024-06-01", "2025-01-01"]
CODES = ["*", "1305", "13053", "13068", "14850"]
WORDS = ["10-20", "14-16", "a", "a, b", "b", "c", "north-east"]
many = settings(max_examples=100)  # rare cases are what this is about


def held(text, values):
    known = Known(sorted(values))
    return {value for value, inside in zip(known.texts, read(text).holds(known), strict=True) if inside}


def ages(low, high):
    return {str(age) for age in range(low, high + 1)}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[20..29]", ages(20, 29)),
        ("20-29", ages(20, 29)),
        ("20 – 29", ages(20, 29)),  # noqa: RUF001 - a dash as it is printed
        ("20..29", ages(20, 29)),
        ("20 to 29", ages(20, 29)),
        ("[20, 30)", ages(20, 29)),
        ("[20;30[", ages(20, 29)),
        ("(20, 30]", ages(21, 30)),
        ("]20.0, 30.0]", ages(21, 30)),
        ("(-inf, 1.5]", ages(-5, 1)),
        ("[-3..-1]", ages(-3, -1)),
        ("-3--1", ages(-3, -1)),
        ("29-20", set()),
        (">=65", ages(65, 100)),
        ("≥ 65", ages(65, 100)),
        (">65", ages(66, 100)),
        ("<18", ages(-5, 17)),
        ("<= 18", ages(-5, 18)),
        ("65+", ages(65, 100)),
        ("25", {"25"}),
        ("25.0", {"25"}),
        ("025", {"25"}),
        ("{25,27}", {"25", "27"}),
        ("25|27", {"25", "27"}),
        ("25; 27;", {"25", "27"}),
        ("{20-22,40+}", ages(20, 22) | ages(40, 100)),
        ("2*", {"2"} | ages(20, 29)),
        ("1**", {"100"}),
        ("nobody", set()),
        ("{}", set()),
        ("[20..x]", set()),
    ],
)
def test_numbers(text, expected):
    assert held(text, AGES) == expected


@pytest.mark.parametrize("text", ["*", "***", "", " ", "ANY", "any"])
def test_everything(text):
    assert held(text, AGES) == set(AGES)


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("[2024-05-17..2024-06-01]", (1, 2, 3)),
        ("[2024-05-17 00:00:00.000000..2024-06-01 00:00:00.000000]", (1, 2, 3)),
        ("2024-05-17 - 2024-05-31", (1, 2)),
        ("[2024-05-17, 2024-05-31)", (1,)),
        ("2024-05-17T00:00", (1,)),
        ("2024-05", (1, 2)),
        ("[2024-05..2024-06]", (1, 2, 3)),
        (">2024-05", (3, 4)),
        ("<2024-05", (0,)),
        ("2024", (1, 2, 3)),
        ("2023-2024", (0, 1, 2, 3)),
        (">2023", (1, 2, 3, 4)),
        ("<2024", (0,)),
        (">=1900", (0, 1, 2, 3, 4)),
        ("9999-12", ()),
        ("[2025-01-01..9999-12-31]", (4,)),
        ("2024-13", ()),
        ("20000+", ()),
        ("[2024..2024-06]", ()),
    ],
)
def test_dates(text, places):
    assert held(text, DAYS) == {DAYS[place] for place in places}


def test_the_last_day_of_all_is_a_day_too():
    assert held("[9999-12-01..9999-12-31]", ["9999-11-30", "9999-12-31"]) == {"9999-12-31"}
    assert held("9999-12", ["9999-11-30", "9999-12-31"]) == {"9999-12-31"}


def test_moments_with_an_offset_are_compared_as_moments():
    oslo = ["2024-05-17 01:30:00+02:00", "2024-11-17 00:00:00.000000+01:00"]
    assert held(f"[{oslo[0]}..{oslo[1]}]", oslo) == set(oslo)
    assert held("[2024-05-16 23:30:00Z..2024-05-16 23:30:00Z]", oslo) == {oslo[0]}
    assert held("2024-05-16", oslo) == {oslo[0]}


def test_clock_times():
    assert held("[08:00:00..12:30:00]", ["07:59:59", "08:00:00", "12:30:00", "12:30:01"]) == {
        "08:00:00",
        "12:30:00",
    }
    assert held("[08:00:00.1..08:00:00.5]", ["08:00:00.3", "09:00:00"]) == {"08:00:00.3"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("130**", {"13053", "13068"}),
        ("130*", {"1305", "13053", "13068"}),
        ("1*0*3", {"13053"}),
        ("*", set(CODES)),
    ],
)
def test_masks(text, expected):
    assert held(text, CODES) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("10-20", {"10-20"}),  # a category, though 14-16 would lie inside
        ("5-25", {"10-20", "14-16"}),
        ("north-east", {"north-east"}),
        ("{10-20,c}", {"10-20", "c"}),
        ("{a, b,c}", {"a", "b", "a, b", "c"}),  # may be three or two: nobody who could be in it is left out
        ("a|c", {"a", "c"}),
        ("a, b", {"a, b"}),
        ("north*", {"north-east"}),
    ],
)
def test_a_known_value_is_itself_whatever_it_looks_like(text, expected):
    assert held(text, WORDS) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"a, b","c"}', {"a, b", "c"}),  # quoted: two, and not three
        ('{"a"; "b"}', {"a", "b"}),
        ('{"10-20"}', {"10-20"}),
        ('{"5-25"}', set()),
        ('{"a",c}', {"c"}),  # no set of quoted values
        ('{"a}', set()),
    ],
)
def test_quoted_values_stand_for_themselves_alone(text, expected):
    assert held(text, WORDS) == expected


def test_what_looks_like_quoted_values_may_be_a_value():
    assert held('{"x"}', ['{"x"}', "a"]) == {'{"x"}'}


odd_texts = st.one_of(
    st.text(max_size=4),
    st.text('ab, ;|*{}"\\[].-019+><\x1c\n', max_size=5),
    st.sampled_from(
        ["10-20", "14-16", "65+", ">=5", "any", "2024-05", "[1..2]", "{a,b}", '{"a","b"}', "1", "1.0"]
    ),
)
moments = st.datetimes(dt.datetime(1900, 1, 1), dt.datetime(2200, 1, 1))
columns = st.one_of(
    st.lists(odd_texts, min_size=1, max_size=9),
    st.lists(st.booleans(), min_size=1, max_size=5),
    st.lists(st.integers(-(2**53), 2**53) | st.integers(-3, 3), min_size=1, max_size=9),
    st.lists(st.dates() | st.dates(dt.date(2024, 1, 1), dt.date(2024, 1, 5)), min_size=1, max_size=9),
    st.lists(moments, min_size=1, max_size=9),
    st.lists(st.times(), min_size=1, max_size=9),
).map(pl.Series)
zoned = st.lists(moments, min_size=1, max_size=9).map(
    lambda values: pl.Series(values).dt.replace_time_zone("UTC").dt.convert_time_zone("Asia/Tokyo")
)


@given(columns | zoned, st.lists(st.integers(0, 3), min_size=9, max_size=9))
@example(pl.Series(["a", "b", "a,b", "c"]), [0, 0, 1, 2])
@example(pl.Series(["a", "b", "{a,b}", "c"]), [0, 0, 1, 2])
@example(pl.Series(["a", "b", '{"a","b"}', "{"]), [0, 0, 1, 2])
@example(pl.Series(["*", "a", "**", ""]), [0, 1, 2, 3])
@example(pl.Series([" a", "a", "b", "b\x1c"]), [0, 1, 1, 2])
@example(pl.Series([dt.time(1, 2, 3, 100), dt.time(1, 2, 3, 900), dt.time(1, 2, 3)]), [0, 0, 1])
@many
def test_what_is_written_for_a_group_is_read_as_its_values(column, groups):
    groups = groups[: len(column)]
    written = generalised(column, np.array(groups))
    known = sorted(set(as_text(column)))
    for number in set(groups):
        inside = column.filter(pl.Series(groups) == number)
        (text,) = set(as_text(written.filter(pl.Series(groups) == number)))
        if not is_category(column):
            inside = column.filter(column.is_between(inside.min(), inside.max()))
        assert held(text, known) == set(as_text(inside))


def test_it_is_written_as_people_write_it():
    def written(column, *groups):
        return generalised(column, np.array(groups)).to_list()

    towns = pl.Series(["a", "b", "c", "d", "a"])
    assert written(towns, 0, 0, 1, 2, 1) == ["{a,b}", "{a,b}", "{a,c}", "d", "{a,c}"]
    assert written(towns, 0, 0, 0, 0, 0) == ["*"] * 5
    assert written(towns, 0, 1, 2, 3, 0) == towns.to_list()
    assert written(pl.Series([29, 20, 7]), 0, 0, 1) == ["[20..29]", "[20..29]", "7"]
    jobs = pl.Series(["clerk", "sales, retail", "cook"])
    assert written(jobs, 0, 0, 1) == ['{"clerk","sales, retail"}'] * 2 + ["cook"]


@given(st.text(max_size=12), st.lists(st.text(max_size=6), max_size=6, unique=True))
@many
def test_any_text_can_be_read_and_a_known_one_holds_itself(text, values):
    inside = held(text, values)
    assert inside <= set(values)
    assert text.strip() not in values or text.strip() in inside


@given(st.integers(-999, 9999), st.integers(-999, 9999), st.integers(-999, 9999))
@many
def test_brackets_say_whether_an_end_is_inside(low, high, value):
    for opening, above in (("[", value >= low), ("(", value > low)):
        for closing, below in (("]", value <= high), (")", value < high)):
            found = interval(f"{opening}{low}, {high}{closing}")
            assert (found.low <= value <= found.high) == (above and below)


@given(st.dates())
@many
def test_a_day_lies_in_its_month_and_its_year(day):
    found, month, year = (interval(text) for text in (f"{day}", f"{day}"[:7], f"{day}"[:4]))
    if day < dt.date(9999, 12, 1):
        assert month.low <= found.low <= found.high <= month.high
        assert year.years.low <= found.low <= found.high <= year.years.high
    assert math.isfinite(year.low)
