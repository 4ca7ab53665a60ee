import dataclasses
import datetime as dt

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given

import kakurenbo as kb
from kakurenbo.data.baskets import Baskets
from strategies import purchases_of, rows


def code_of(error):
    return error.value.code, error.value.row, error.value.column


@pytest.mark.parametrize("turn", [lambda f: f, lambda f: f.to_pandas(), lambda f: f.to_arrow()])
def test_any_dataframe_comes_in_and_the_same_kind_goes_out(small_frame, roles, turn):
    frame = turn(small_frame)
    shop = kb.Purchases.from_frame(frame, **roles)
    back = shop.to_frame()
    assert type(back) is type(frame)
    again = kb.Purchases.from_frame(back, **roles)
    assert again.records.equals(shop.records)
    assert list(shop.customers) == ["ann", "bob", "cem"]
    assert list(shop.goods) == ["milk", "rice", "tea"]
    assert (len(shop), shop.receipts) == (6, 4)


def test_something_that_is_no_dataframe_is_refused(roles):
    with pytest.raises(kb.InputError) as error:
        kb.Purchases.from_frame([1, 2, 3], **roles)
    assert error.value.code == "frame"


def test_float_ids_with_gaps_become_whole_number_text():
    frame = pd.DataFrame({"who": [17850.0, np.nan, 12583.0], "what": [1, 2, 2]})
    shop = kb.Purchases.from_frame(frame, customer="who", goods="what", policy="drop")
    assert list(shop.customers) == ["12583", "17850"]
    assert shop.dropped.missing_id == 1


def test_a_fraction_in_an_id_is_refused():
    with pytest.raises(kb.InputError) as error:
        kb.Purchases.from_frame(
            pl.DataFrame({"who": [1.0, 2.5], "what": [1, 1]}), customer="who", goods="what"
        )
    assert code_of(error) == ("not-whole", 2, "who")


def test_blank_ids_are_missing_ids(small_frame, roles):
    frame = small_frame.with_columns(who=pl.Series(["ann", "  ", "bob", "cem", None, "cem"]))
    with pytest.raises(kb.InputError) as error:
        kb.Purchases.from_frame(frame, **roles)
    assert code_of(error) == ("missing-id", 2, "who")
    assert "2 of 6" in str(error.value)
    assert kb.Purchases.from_frame(frame, **roles, policy="drop").dropped.missing_id == 2


def test_each_reason_is_counted_once_and_kept_plus_dropped_is_read():
    frame = pl.DataFrame({
        "who": [None, "a", "a", "a", "b", "b"],
        "what": ["x"] * 6,
        "slip": ["C1", "C2", "CX", "3", "4", "5"],
        "cost": [0.0, 0.0, 1.0, 0.0, 1.0, 2.0],
        "pieces": [-1, -1, 1, -1, 0, 1],
    })  # fmt: skip
    named = {"customer": "who", "goods": "what", "receipt": "slip", "price": "cost", "quantity": "pieces"}
    shop = kb.Purchases.from_frame(frame, **named, policy="drop")
    expected = {"missing_id": 1, "cancellation": 1, "quantity_not_positive": 2, "price_not_positive": 0}
    expected["deleted"] = 0
    assert shop.dropped.as_dict() == expected
    assert len(shop) + shop.dropped.total == 6
    kept = kb.Purchases.from_frame(frame.tail(4), **named, policy="drop", cancelled="CX")
    assert kept.dropped.cancellation == 0, "a cancellation is the prefix and digits, not the prefix alone"


@pytest.mark.parametrize(
    ("column", "values", "expected"),
    [
        ("slip", ["r1", "r1", "C77", "r3", "r3", "r4"], ("cancellation", 3, "slip")),
        ("pieces", [1, 2, 1, 0, 4, 2], ("not-positive", 4, "pieces")),
        ("cost", [1.0, 2.0, -0.5, 1.0, 1.0, 1.0], ("not-positive", 3, "cost")),
        ("cost", ["1", "2", "three", "4", "5", "6"], ("not-number", 3, "cost")),
        ("cost", ["1", "2", "\u0663", "4", "5", "6"], ("not-number", 3, "cost")),
        ("cost", ["1", "2", "nan", "4", "5", "6"], ("not-number", 3, "cost")),
        ("cost", [1.0, float("inf"), 1.0, 1.0, 1.0, 1.0], ("not-number", 2, "cost")),
        ("cost", [1.0, None, 1.0, 1.0, 1.0, 1.0], ("not-number", 2, "cost")),
        ("pieces", [1.0, 2.0, 1.0, 1.5, 4.0, 2.0], ("not-whole", 4, "pieces")),
        ("when", ["2024-01-05", "2024-02-30", *["2024-01-05"] * 4], ("not-date", 2, "when")),
        ("when", ["soon"] * 6, ("not-date", 1, "when")),
    ],
)
def test_bad_values_are_refused_with_row_and_column_and_without_the_value(
    small_frame, roles, column, values, expected
):
    frame = small_frame.with_columns(pl.Series(column, values))
    with pytest.raises(kb.InputError) as error:
        kb.Purchases.from_frame(frame, **roles)
    assert code_of(error) == expected
    assert not any(
        str(value) in str(error.value) for value in ("three", "2024-02-30", "\uff13", "soon", "C77")
    )


def test_two_readings_of_a_date_are_refused_until_one_is_declared(small_frame, roles):
    frame = small_frame.with_columns(when=pl.Series(["3/4/2011"] * 6))
    with pytest.raises(kb.InputError, match="more than one way"):
        kb.Purchases.from_frame(frame, **roles)
    shop = kb.Purchases.from_frame(frame, **roles, time_format="%d/%m/%Y")
    assert shop.records["time"][0] == dt.datetime(2011, 4, 3)
    told = small_frame.with_columns(when=pl.Series(["3/4/2011"] * 5 + ["3/14/2011"]))
    assert kb.Purchases.from_frame(told, **roles).records["time"][0] == dt.datetime(2011, 3, 4)


def test_a_time_may_stand_in_two_columns(small_frame, roles):
    frame = small_frame.with_columns(
        when=pl.Series(["2010/12/1"] * 6), clock=pl.Series(["8:45", "10:03", "9:00", "0:01", "23:59", "8:45"])
    )
    shop = kb.Purchases.from_frame(frame, **{**roles, "time": ("when", "clock")})
    assert shop.records["time"][0] == dt.datetime(2010, 12, 1, 8, 45)
    patterns = {column.name: column.pattern for column in shop.layout.columns}
    assert (patterns["when"], patterns["clock"]) == ("%Y/%-m/%-d", "%-H:%M")


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"customer": "nobody"}, "column-missing"),
        ({"goods": "who"}, "roles"),
    ],
)
def test_roles_must_name_columns_that_are_there_once_each(small_frame, roles, change, code):
    with pytest.raises(kb.InputError) as error:
        kb.Purchases.from_frame(small_frame, **{**roles, **change})
    assert error.value.code == code


def test_a_near_miss_is_suggested(small_frame, roles):
    with pytest.raises(kb.InputError, match="did you mean 'pieces'"):
        kb.Purchases.from_frame(small_frame, **{**roles, "quantity": "piecez"})


def test_an_unknown_policy_is_refused(small_frame, roles):
    with pytest.raises(kb.ParameterError):
        kb.Purchases.from_frame(small_frame, **roles, policy="ignore")


def test_the_object_cannot_be_changed(small):
    with pytest.raises(dataclasses.FrozenInstanceError):
        small.records = None
    with pytest.raises(ValueError, match="read-only"):
        small.baskets().matrix.data[0] = 5


def test_baskets_have_a_row_for_every_customer_and_a_column_for_every_good(small):
    baskets = small.baskets()
    with pytest.raises(kb.InputError) as error:
        Baskets(baskets.matrix, baskets.customers, baskets.goods.head(1), "set")
    assert error.value.code == "frame"


def test_the_master_must_hold_every_customer_once(small_frame, roles):
    master = pl.DataFrame({"who": ["ann", "bob", "cem", "dan"], "sex": ["f", "m", "m", "m"]})
    shop = kb.Purchases.from_frame(small_frame, **roles, master=master)
    assert shop.master.columns == ["customer", "sex"]
    for bad, code in ((master.head(2), "unknown-id"), (pl.concat([master, master]), "duplicate-id")):
        with pytest.raises(kb.InputError) as error:
            kb.Purchases.from_frame(small_frame, **roles, master=bad)
        assert error.value.code == code


def test_a_master_with_a_second_customer_column_is_refused(small_frame, roles):
    master = pl.DataFrame({"who": ["ann", "bob", "cem"], "customer": ["x", "y", "z"]})
    with pytest.raises(kb.InputError) as error:
        kb.Purchases.from_frame(small_frame, **roles, master=master)
    assert error.value.code == "roles"


def test_new_records_keep_the_layout_and_recode_the_ids(small):
    fewer = small.with_records(small.records.filter(pl.col("customer") != "bob"))
    assert list(fewer.customers) == ["ann", "cem"]
    assert fewer.layout == small.layout
    with pytest.raises(kb.ParameterError):
        small.with_records(small.records.drop("price"))


@given(rows)
def test_baskets_are_the_sets_and_sums_of_plain_python(table):
    sets, pieces = {}, {}
    for who, what, _, _, _, count in table:
        sets.setdefault(f"c{who}", set()).add(f"g{what}")
        pieces[f"c{who}", f"g{what}"] = pieces.get((f"c{who}", f"g{what}"), 0) + count
    shop = purchases_of(table)
    for counting, expected in ((False, dict.fromkeys(pieces, 1)), (True, pieces)):
        baskets = shop.baskets(quantity=counting)
        cells = baskets.matrix.tocoo()
        found = {
            (baskets.customers[int(i)], baskets.goods[int(j)]): int(v)
            for i, j, v in zip(cells.row, cells.col, cells.data, strict=True)
        }
        assert found == expected
    baskets = shop.baskets()
    assert dict(zip(baskets.customers, baskets.sizes.tolist(), strict=True)) == {
        c: len(s) for c, s in sets.items()
    }
    buyers = {g: sum(g in s for s in sets.values()) for g in baskets.goods}
    assert dict(zip(baskets.goods, baskets.buyers.tolist(), strict=True)) == buyers


@given(rows)
def test_baskets_over_more_goods_only_gain_empty_columns(table):
    baskets = purchases_of(table).baskets()
    wider = pl.Series(["a", *[f"g{i}" for i in range(8)], "z"])
    over = baskets.over(wider)
    for good in wider:
        mine = over.matrix[:, [wider.to_list().index(good)]].toarray()
        at = baskets.goods.to_list()
        expected = baskets.matrix[:, [at.index(good)]].toarray() if good in at else 0 * mine
        assert (mine == expected).all()


def test_baskets_refuse_to_lose_goods(small):
    with pytest.raises(kb.InputError):
        small.baskets().over(pl.Series(["milk"]))


def test_pyarrow_table_is_a_table(small):
    assert isinstance(kb.Purchases.from_frame(
        pa.table({"a": ["x"], "b": ["y"]}), customer="a", goods="b"
    ).to_frame(), pa.Table)  # fmt: skip
