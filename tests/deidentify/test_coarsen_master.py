"""A master in coarser words: ranges, first characters, years; and what of it a profile counts."""

from dataclasses import replace

import polars as pl
import pytest

import kakurenbo as kb
from kakurenbo.attacks.purchases.rows import RowsAttack
from kakurenbo.auditing.sheet.make import sheet_of
from kakurenbo.auditing.vocabulary import vocabulary
from kakurenbo.chance import Chance
from kakurenbo.deidentify.base import Chain

PEOPLE = [
    ("a", 20, "1300011", "1985-07-21"), ("b", 29, "1300999", "1985-01-01"),
    ("c", 30, "1500001", "1990-02-28"),
    ("d", 61, "99", None),
]  # fmt: skip
MASTER = pl.DataFrame(PEOPLE, schema=["who", "age", "post", "birth"], orient="row")
Coarser = kb.methods.CoarsenMaster


@pytest.fixture
def shop():
    frame = pl.DataFrame({"who": ["a", "b", "c", "c"], "what": ["x", "y", "x", "z"]})
    goods = pl.DataFrame({"what": ["x", "y", "z", "w"], "name": ["Cup", None, "Mug", "Jar"]})
    return kb.Purchases.from_frame(
        frame, customer="who", goods="what", master=MASTER, goods_table=goods,
        keep_master=("age", "post", "birth"),
    )  # fmt: skip


def told(release, column):
    back = release.pairing.to_dict()
    return {back[who]: value for who, value in release.data.master.select("customer", column).iter_rows()}


@pytest.mark.parametrize(
    ("column", "how", "expected"),
    [
        ("age", {"width": 10}, {"a": "[20..29]", "b": "[20..29]", "c": "[30..39]"}),
        ("age", {"width": 2.5}, {"a": "[20.0, 22.5)", "b": "[27.5, 30.0)", "c": "[30.0, 32.5)"}),
        ("post", {"characters": 3}, {"a": "130*", "b": "130*", "c": "150*"}),
        ("birth", {"dates": "year"}, {"a": "1985", "b": "1985", "c": "1990"}),
        ("birth", {"dates": "month"}, {"a": "1985-07", "b": "1985-01", "c": "1990-02"}),
    ],
)
def test_each_form_has_its_coarser_words(shop, column, how, expected):
    release = Coarser(columns=(column,), **how).release(shop, seed=1)
    assert told(release, column) == expected
    assert release.data.hierarchies == {}


def test_missing_stays_missing_short_codes_stay_and_bad_calls_say_what_to_do(shop):
    changed = Coarser(columns=("birth",), dates="year").change(shop, None).data.master
    assert changed["birth"].to_list() == ["1985", "1985", "1990", None]
    ages = Coarser(width=10).change(shop, None).data.master
    assert ages["age"].to_list()[0] == "[20..29]"
    assert ages.drop("age").equals(MASTER.drop("age").rename({"who": "customer"}))
    codes = Coarser(columns=("post",), characters=3).change(shop, None).data.master["post"]
    assert codes.to_list()[-1] == "99"
    with pytest.raises(kb.ParameterError, match="choose one"):
        Coarser(columns=("age",), width=10, characters=2)
    with pytest.raises(kb.InputError, match="it has: age, post, birth"):
        Coarser(columns=("Age",), width=10).release(shop)
    with pytest.raises(kb.InputError, match="no numbers"):
        Coarser(columns=("birth",), width=10).release(shop)


def test_attackers_who_know_the_master_read_its_coarser_words(shop):
    chain = Chain(methods=(Coarser(columns=("age",), width=10), Coarser(columns=("post",), characters=3)))
    release = chain.release(replace(shop, keep_master=("age", "post")), seed=1)
    spoken = vocabulary(shop, release.data).original
    attack = next(stand for stand in RowsAttack.about.stands if stand.rung == "master")
    found = kb.reidentification(release.pairing, RowsAttack(**attack.parameters).guess(spoken, release.data))
    assert found.rate.value == pytest.approx(
        2 / 3
    )  # a and b share their row, c is alone: (1/2 + 1/2 + 1) / 3


def test_who_bought_nothing_is_counted_and_told_but_not_released(shop):
    release = kb.methods.Pseudonymize().release(shop, seed=1)
    assert shop.without_purchases == 1
    assert release.data.master.height == 3
    assert sheet_of(release.data, shop).no_purchases == 10  # about


def test_the_profile_counts_whom_the_master_leaves_alone(shop):
    profile = kb.profile(shop, seed=1)
    columns = {column.name: (column.values, column.missing, column.alone) for column in profile.master}
    assert columns == {"age": (3, 0, 3), "post": (3, 0, 3), "birth": (3, 0, 3), "": (3, 0, 3)}
    assert (profile.without_purchases, profile.goods_known) == (1, {"name": 2})
    coarse = Chain(methods=(Coarser(columns=("age",), width=10), Coarser(columns=("post",), characters=3)))
    less = kb.profile(coarse.change(shop, Chance(1)).data.without(["birth"]), seed=1)
    assert {column.name: column.alone for column in less.master} == {"age": 1, "post": 1, "": 1}
