"""Masters and quasi-identifiers in the words of a release: ranges, cuts, roundings and hierarchies."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

import kakurenbo as kb
from kakurenbo.attacks.microdata.coarser import coarser
from kakurenbo.catalogue import entries
from kakurenbo.mappings import common_vocabulary
from shops import light_shop

CITIES = {
    "Oslo": "Norway", "Bergen": "Norway", "Paris": "France", "Lyon": "France", "Tokyo": "Japan",
}  # fmt: skip
AGE, CODE, CITY = pl.col("age"), pl.col("postcode"), pl.col("city")
DECADE = AGE // 10 * 10
METHODS = [entry.what for entry in entries("method", "microdata")]


def people(count, seed):
    rng = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "age": rng.integers(18, 90, count),
            "postcode": rng.integers(10000, 99999, count).astype(str),
            "city": rng.choice([*CITIES], count),
            "born": pl.Series(rng.integers(0, 20000, count)).cast(pl.Date),
            "income": rng.integers(100, 9000, count).astype(float),
        }
    )


@pytest.fixture(scope="module")
def shop():
    data = light_shop(120, 5)
    return replace(data, master=data.master.select("customer").hstack(people(120, 1)))


def generalised(data, **columns):
    return replace(data, master=data.master.with_columns(**columns))


MASTERS = [
    ({"age": DECADE.cast(pl.String) + "-" + (DECADE + 9).cast(pl.String)}, "age in ranges or sets"),
    ({"age": pl.format("[{}..{}]", DECADE, DECADE + 9)}, "age in ranges or sets"),
    ({"age": pl.when(AGE < 40).then(pl.lit("<40")).otherwise(pl.lit("40+"))}, "age in ranges or sets"),
    ({"age": DECADE}, "age rounded down to multiples of 10"),
    ({"age": pl.when(AGE < 30).then(25).when(AGE < 60).then(45).otherwise(72)}, "age in 3 bands"),
    ({"postcode": CODE.str.slice(0, 2)}, "postcode cut to 2 characters"),
    ({"postcode": CODE.str.slice(0, 2) + "***"}, "postcode in ranges or sets"),
    ({"born": pl.col("born").dt.truncate("1y")}, "born by year"),
    ({"born": pl.col("born").dt.strftime("%Y-%m")}, "born in ranges or sets"),
    ({"age": pl.lit("*")}, "age in ranges or sets"),
]


@pytest.mark.parametrize(("columns", "words"), MASTERS)
def test_a_generalised_master_is_read(shop, columns, words):
    released = generalised(shop, **columns)
    made = common_vocabulary(shop, released)
    assert made.inferred == (f"master: {words}",)
    (name,) = columns
    assert made.original.master[name].cast(pl.String).equals(released.master[name].cast(pl.String))


def test_a_hierarchy_that_another_column_gives_is_read_and_the_attackers_compare_alike(shop):
    """Country beside city: the release shows the country alone, under the name of the city."""
    with_country = generalised(shop, country=CITY.replace_strict(CITIES))
    released = replace(with_country, master=with_country.master.with_columns(city="country").drop("country"))
    made = common_vocabulary(with_country, released)
    assert made.inferred == ("master: city by the words of country",)
    attack = kb.attacks.RowsAttack(columns=("master",))
    guess = attack.guess(with_country, released, seed=1)
    pairing = kb.Pairing(shop.customers, shop.customers)
    assert kb.reidentification(pairing, guess).rate.value == 1


def test_a_kept_master_and_overlapping_ranges_are_left_alone(shop):
    assert common_vocabulary(shop, shop).original is shop
    either = np.random.default_rng(1).random(120) < 0.5
    wide = pl.when(pl.Series(either)).then(pl.lit("18-60")).otherwise(pl.lit("50-90"))
    assert common_vocabulary(shop, generalised(shop, age=wide)).original is shop


@pytest.fixture(scope="module")
def table():
    return kb.Microdata.from_frame(people(400, 2), qi=["age", "postcode", "city", "born"], sa=["income"])


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        ({"postcode": CODE.str.slice(0, 2)}, "postcode cut to 2 characters"),
        pytest.param({"age": DECADE}, "age rounded down to multiples of 10", marks=pytest.mark.campaign),
        pytest.param(
            {"city": CITY.replace_strict(CITIES)},
            "city by other words, as people show who are alone in all else",
            marks=pytest.mark.campaign,
        ),
    ],
)
def test_coarser_quasi_identifiers_are_read(table, columns, words):
    released = table.with_columns(*(made.alias(name) for name, made in columns.items()))
    assert [str(column) for column in coarser(table, released)] == [words]
    pairing = kb.Pairing(table.ids, table.ids)
    made = kb.audit(table, released, pairing, seed=1)
    assert made.inferred == (words,)
    assert made.worst.rate.value > 0.95
    found = kb.reidentification(pairing, kb.attacks.Within().guess(table, released, seed=1))
    assert found.rate.value > 0.5, "within reads them by himself"


def test_words_that_nothing_tells_are_left_as_they_are(table):
    """Words dealt to anybody agree with nobody."""
    rng = np.random.default_rng(3)
    dealt = pl.Series("city", rng.choice(["north", "south"], len(table)))
    assert coarser(table, table.with_columns(dealt)) == ()


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.about.name)
def test_what_our_own_methods_do_to_quasi_identifiers_is_left_to_who_reads_ranges(method):
    data = kb.demo.households(200, seed=1)
    released = method(**method.about.example).release(data, seed=1).data
    assert coarser(data, released) == ()
