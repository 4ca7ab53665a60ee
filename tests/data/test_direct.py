"""Which columns of a master look direct: realistic good and bad ones, by content and by name."""

import random

import polars as pl
import pytest

import kakurenbo as kb
from kakurenbo.data.checks.direct import named_directly, why_direct

PEOPLE = 200
OWNERS = pl.Series([f"{10_000 + 7 * i}" for i in range(PEOPLE)])
CHANCE = random.Random(4)
FIRST = ["Ann", "Bob", "Cem", "Dora", "Emil", "Fay", "Gus", "Hana", "Ines", "Jon"]
LAST = ["Smith", "Jones", "Sato", "Meyer", "Rossi", "Silva", "Novak", "Dupont"]
TOWNS = ["Oslo", "Bergen", "Chiba", "Nagoya"]


def draw(values):
    return [CHANCE.choice(values) for _ in range(PEOPLE)]


GOOD = {
    "sex": draw(["f", "m"]),
    "country": draw(["United Kingdom", "Germany", "France", "Others"]),
    "age_band": draw(["18-24", "25-34", "35-44", "45-64", "65+"]),
    "prefecture": draw(["Tokyo", "Osaka", "Chiba", "Aichi", "Hokkaido"] * 9),
    "都道府県": draw(["東京都", "大阪府", "千葉県", "北海道"]),
    "status": draw(["gold", "silver", "bronze"]),
    "birth": draw(["1950/1/1", "1960/1/1", "1970/1/1"]),
    "age": [18 + i % 60 for i in range(PEOPLE)],
    "year": [1950 + i % 50 for i in range(PEOPLE)],
    "email_consent": draw(["yes", "no"]),
    "phone_kind": draw(["mobile", "landline", "none"]),
    "country_name": draw(["Norway", "Sweden", "Denmark", "Japan", "France", "Spain", "Italy"]),
    "newsletter": draw([True, False]),
    "postcode_area": draw(["OX1", "OX2", "OX3", "CB1", "CB2"]),
    "nothing": [None] * PEOPLE,
}
BAD = {
    "contact": (draw(["-", "x@y.jp", "none"]), "e-mail"),
    "c1": ([f"{first}.{i}@mail.example" for i, first in enumerate(draw(FIRST))], "e-mail"),
    "c2": ([f"+44 20 7946 {i % 90:04}" for i in range(PEOPLE)], "telephone"),
    "c3": ([f"090-1234-{i % 80:04}" for i in range(PEOPLE)], "telephone"),
    "c4": ([f"{1 + i % 60} Mill Road, {town}" for i, town in enumerate(draw(TOWNS))], "postal"),
    "c5": ([f"東京都千代田区丸の内{1 + i % 30}" for i in range(PEOPLE)], "postal"),
    "c6": (OWNERS.to_list(), "customer ids"),
    "c7": ([f"K/{owner}" for owner in OWNERS], "customer ids"),
    "c8": (OWNERS.reverse().to_list(), "customer ids"),
    "c9": ([f"{first} {LAST[i % 8]} {i}" for i, first in enumerate(draw(FIRST))], "alone"),
    "postcode": ([f"OX{i % 9} {i}XY" for i in range(PEOPLE)], "alone"),
    "born": ([f"19{i % 90:02}-0{1 + i % 9}-{1 + i % 28:02}" for i in range(PEOPLE)], "alone"),
    "score": ([i / 7 for i in range(PEOPLE)], "alone"),
    "first_name": (draw(FIRST), "name says"),
    "LastName": (draw(LAST), "name says"),
    "氏名": (draw(["山田 太郎", "佐藤 花子", "鈴木 一郎", "高橋 実", "田中 愛", "伊藤 誠"]), "name says"),
}


@pytest.mark.parametrize("name", GOOD)
def test_what_many_share_may_be_kept(name):
    assert why_direct(pl.Series(name, GOOD[name], strict=False), OWNERS) is None


@pytest.mark.parametrize("name", BAD)
def test_what_says_who_it_is_is_refused(name):
    values, sign = BAD[name]
    assert sign in (why_direct(pl.Series(name, values), OWNERS) or "passed")


@pytest.mark.parametrize(
    "name",
    [
        "name",
        "Full Name",
        "customerName",
        "E-Mail",
        "mobile no",
        "住所",
        "電話番号",
        "姓",
        "card_number",
        "IP",
    ],
)
def test_names_of_columns_that_say_so(name):
    assert named_directly(name)


@pytest.mark.parametrize(
    "name", ["country name", "plan_name", "国名", "都道府県名", "会員ランク", "shipping", "female"]
)
def test_names_of_columns_that_only_sound_alike(name):
    assert not named_directly(name)


def shop(**options):
    frame = pl.DataFrame({"c": OWNERS, "g": ["milk"] * PEOPLE})
    master = pl.DataFrame({"c": OWNERS, "sex": GOOD["sex"], "email": BAD["c1"][0], "first_name": draw(FIRST)})
    return kb.Purchases.from_frame(frame, customer="c", goods="g", master=master, **options)


def test_only_columns_that_were_named_are_released():
    silent = kb.methods.Pseudonymize().release(shop())
    assert silent.data.master is None
    assert shop().master_dropped == ("sex", "email", "first_name")
    told = kb.methods.Pseudonymize().release(shop(keep_master=["sex"]))
    assert told.data.master.columns == ["customer", "sex"]
    assert set(told.data.master["customer"]) == set(told.pairing.released)
    assert shop(keep_master=["sex"]).master_dropped == ("email", "first_name")


def test_a_direct_column_must_be_named_twice():
    with pytest.raises(kb.InputError, match="e-mail") as error:
        shop(keep_master=["sex", "email"])
    assert (error.value.code, error.value.column, error.value.parameter) == ("direct", "email", "keep_direct")
    assert "@" not in str(error.value)
    both = shop(keep_master=["sex", "email"], keep_direct=["email"])
    release = kb.methods.Delete(share=0.1).release(both)
    assert release.data.master.columns == ["customer", "sex", "email"]


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"keep_master": ["sexes"]}, "column-missing"),
        ({"keep_master": ["customer"]}, "column-missing"),
        ({"keep_direct": ["email"]}, "column-missing"),
        ({"keep_master": ["sex", "sex"]}, "roles"),
    ],
)
def test_what_cannot_be_kept_is_refused(options, code):
    with pytest.raises(kb.InputError) as error:
        shop(**options)
    assert error.value.code == code


def test_keeping_columns_needs_a_master(small_frame, roles):
    with pytest.raises(kb.InputError, match="no master"):
        kb.Purchases.from_frame(small_frame, **roles, keep_master=["sex"])


def test_a_release_read_again_and_released_again_keeps_nothing_unasked(tmp_path):
    first = kb.methods.Pseudonymize().release(shop(keep_master=["sex"]))
    kb.write_release(first, tmp_path / "out", secret=tmp_path / "s.csv")
    again = kb.read_purchases(tmp_path / "out", customer="c", goods="g")
    assert again.master.columns == ["customer", "sex"]
    assert kb.methods.Pseudonymize().release(again).data.master is None
