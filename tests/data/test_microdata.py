import datetime as dt

import polars as pl
import pytest

import kakurenbo as kb


@pytest.fixture
def people():
    return pl.DataFrame({
        "name": ["p", "q", "r", "s"],
        "age": [30, 30, 40, 40],
        "town": ["Oslo", "Oslo", "Bergen", "Oslo"],
        "income": ["100", "200.5", "0", "7"],
    })  # fmt: skip


def test_rows_are_numbered_from_one_without_an_id(people):
    micro = kb.Microdata.from_frame(people, qi=["age", "town"], sa=["income"])
    assert micro.ids.to_list() == ["1", "2", "3", "4"]
    assert micro.records.columns == ["age", "town", "income"]
    assert micro.records["income"].to_list() == [100.0, 200.5, 0.0, 7.0]


def test_an_id_column_names_the_people_and_comes_back(people):
    micro = kb.Microdata.from_frame(people.to_pandas(), qi=["age"], sa=["income"], id="name")
    assert micro.ids.to_list() == ["p", "q", "r", "s"]
    assert list(micro.to_frame().columns) == ["name", "age", "income"]


def test_giving_the_table_back_leaves_it_as_it_is(people):
    micro = kb.Microdata.from_frame(people, qi=["age"], sa=["income"], id="name")
    assert micro.to_frame().equals(micro.to_frame())
    assert micro.records.columns == ["age", "income"]


def test_its_profile_counts_groups_of_equal_quasi_identifiers(people):
    profile = kb.profile(kb.Microdata.from_frame(people, qi=["age", "town"], sa=["income"])).to_dict()
    assert profile["groups"] == 3
    assert profile["smallest_group"] == 1
    assert profile["mean_group"] == pytest.approx(4 / 3)
    assert profile["unique_share"] == 0.5


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"qi": []}, "roles"),
        ({"qi": ["height"]}, "column-missing"),
        ({"qi": ["age"], "sa": ["age"]}, "roles"),
        ({"qi": ["age"], "sa": ["town"]}, "not-number"),
        ({"qi": ["age"], "id": "town"}, "duplicate-id"),
    ],
)
def test_impossible_roles_are_refused(people, options, code):
    with pytest.raises(kb.InputError) as error:
        kb.Microdata.from_frame(people, **options)
    assert error.value.code == code


def test_missing_values_are_refused_or_dropped_with_a_count(people):
    gaps = people.with_columns(town=pl.Series(["Oslo", None, "Bergen", " "]))
    with pytest.raises(kb.InputError) as error:
        kb.Microdata.from_frame(gaps, qi=["age", "town"])
    assert (error.value.row, error.value.column) == (2, "town")
    kept = kb.Microdata.from_frame(gaps, qi=["age", "town"], policy="drop")
    assert (len(kept), kept.dropped, kept.ids.to_list()) == (2, 2, ["1", "3"])


@pytest.mark.parametrize(
    "values", [[[1], [2]], [{"a": 1}, {"a": 2}], [b"a", b"b"], [dt.timedelta(1), dt.timedelta(2)], [2**70, 1]]
)
def test_quasi_identifiers_that_cannot_be_compared_as_text_are_refused(values):
    with pytest.raises(kb.InputError) as error:
        kb.Microdata.from_frame(pl.DataFrame({"q": values}), qi=["q"])
    assert (error.value.code, error.value.column) == ("frame", "q")


def test_whole_decimals_are_whole_numbers():
    ages = pl.Series(["30.00", "40.00"]).str.to_decimal(scale=2)
    read = kb.Microdata.from_frame(ages.to_frame("age"), qi=["age"]).records["age"]
    assert (read.dtype, read.to_list()) == (pl.Int64, [30, 40])


def test_fractional_quasi_identifiers_are_refused():
    with pytest.raises(kb.InputError) as error:
        kb.Microdata.from_frame(pl.DataFrame({"age": [1.5, 2.0]}), qi=["age"])
    assert error.value.code == "not-whole"
