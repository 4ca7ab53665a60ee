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


def test_fractional_quasi_identifiers_are_numbers():
    read = kb.Microdata.from_frame(pl.DataFrame({"age": [1.5, 2.0]}), qi=["age"]).records["age"]
    assert (read.dtype, read.to_list()) == (pl.Float64, [1.5, 2.0])


def test_a_sensitive_attribute_may_be_a_category(people):
    micro = kb.Microdata.from_frame(people, qi=["age"], sa=["income", "town"])
    assert micro.numbers == ("income",)
    assert micro.records["town"].to_list() == ["Oslo", "Oslo", "Bergen", "Oslo"]
    coded = kb.Microdata.from_frame(people, qi=["age"], sa=["income"], as_categories=["income"])
    assert (coded.numbers, coded.records["income"][1]) == ((), "200.5")
    for odd in (pl.Series([True, False, True, True]), pl.Series([dt.date(2024, 1, 2)] * 4)):
        assert (
            kb.Microdata.from_frame(people.with_columns(income=odd), qi=["age"], sa=["income"]).numbers == ()
        )


def read_text(tmp_path, text, **options):
    (tmp_path / "people.csv").write_text(text)
    return kb.read_microdata(tmp_path / "people.csv", **options)


TYPES = """age,height,born,zip,plain,code,word,visit
30,1.75,1990-01-31,90210,0401,17,a,3/4/2011
41,2,1985-12-01,10001,1200,18,b,5/6/2011
"""


def test_columns_of_text_are_typed_by_all_their_values(tmp_path):
    qi = TYPES.split("\n", maxsplit=1)[0].split(",")
    kinds = read_text(tmp_path, TYPES, qi=qi).records.schema
    assert [kinds["age"], kinds["height"], kinds["born"]] == [pl.Int64, pl.Float64, pl.Date]
    assert {kinds[name] for name in ("zip", "plain", "code", "word", "visit")} == {pl.String}
    told = read_text(tmp_path, TYPES, qi=qi, as_numbers=["zip"], as_categories=["age"]).records.schema
    assert (told["zip"], told["age"]) == (pl.Int64, pl.String)


def test_ages_are_generalised_to_ranges(tmp_path):
    text = "age,job\n" + "\n".join(f"{50 + i // 2},x" for i in range(8))
    release = kb.methods.KAnonymize(k=4).release(read_text(tmp_path, text, qi=["age"], sa=["job"]), seed=1)
    assert set(release.data.records["age"]) == {"[50..51]", "[52..53]"}


def test_marks_are_missing_among_numbers_and_a_category_among_names(tmp_path):
    text = "age,job\n30,?\n?,a\n40,b\n"
    with pytest.raises(kb.InputError) as error:
        read_text(tmp_path, text, qi=["age", "job"])
    assert (error.value.row, error.value.column) == (2, "age")
    kept = read_text(tmp_path, text, qi=["age", "job"], policy="drop")
    assert (kept.dropped, kept.records.rows()) == (1, [(30, "?"), (40, "b")])
    assert read_text(tmp_path, text, qi=["age", "job"], policy="drop", missing=["?"]).dropped == 2


def test_a_word_among_numbers_is_refused_with_its_row(tmp_path):
    text = "pay\n" + "\n".join(map(str, range(100, 120))) + "\n12O\n"
    with pytest.raises(kb.InputError) as error:
        read_text(tmp_path, "age," + text.replace("\n", "\n1,")[:-2], qi=["age"], sa=["pay"])
    assert (error.value.code, error.value.row, error.value.column) == ("not-number", 21, "pay")
    named = read_text(tmp_path, text, qi=["pay"], as_categories=["pay"])
    assert named.records["pay"].dtype == pl.String
