"""A made-up household survey: one row a household, none of which exists.

Microdata of the kind statistical offices hold (and PWS Cup 2015 was played with) is not public. This
stands in for it: thirteen discrete quasi-identifiers that an acquaintance might know, and twelve
sensitive amounts of money that nobody should learn. Each of the thirteen is drawn given those before it.
The amounts are drawn at random, skewed as incomes are, tied together through income, and one of them is
nothing at all for about three households in four.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from kakurenbo.data.microdata import Microdata
from kakurenbo.demo import nation as levels
from kakurenbo.demo.draw import at_least_one, generator, pick
from kakurenbo.demo.nation import Nation

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from kakurenbo.demo.draw import Floats, Ints, Numbers

QUASI_IDENTIFIERS: Final = (
    "region", "settlement", "age_band", "sex", "education", "work", "household_size", "children", "earners",
    "tenure", "dwelling", "rooms", "cars",
)  # fmt: skip
SENSITIVE: Final = (
    "income", "food", "housing", "energy", "furniture", "clothing", "health", "transport", "communication",
    "education_costs", "leisure", "other",
)  # fmt: skip
_UNIT: Final = 100


def households(rows: int = 8333, *, seed: int | None = None) -> Microdata:
    """Return the made-up survey, ready to be de-identified.

    Args:
        rows: Number of households.
        seed: Repeats a survey exactly; without it every call makes another.
    """
    return Microdata.from_frame(
        households_frame(rows, seed=seed), qi=list(QUASI_IDENTIFIERS), sa=list(SENSITIVE)
    )


def households_frame(rows: int = 8333, seed: int | None = None, nation: Nation | None = None) -> pl.DataFrame:
    """Return a made-up survey: `QUASI_IDENTIFIERS`, then `SENSITIVE` in yen a month, to the nearest hundred.

    Education costs are zero for about three rows in four: most households have nobody at school.

    Args:
        rows: Number of households.
        seed: Repeats a survey exactly; without it every call makes another.
        nation: The nation's other numbers, if they are to differ.
    """
    at_least_one("rows", rows)
    nation = nation or Nation()
    rng = generator(seed)
    homes = _homes(rng, nation, rows)
    income = _incomes(rng, nation, homes)
    amounts = {"income": income, **_spending(rng, nation, homes, income)}
    rounded = {name: _UNIT * np.rint(amount / _UNIT).astype(np.int64) for name, amount in amounts.items()}
    return pl.DataFrame({**_columns(homes), **rounded}).select(*QUASI_IDENTIFIERS, *SENSITIVE)


def _homes(rng: np.random.Generator, nation: Nation, rows: int) -> dict[str, Ints]:
    """Draw the thirteen quasi-identifiers as numbers: a level's position, or a count."""
    anyone = np.zeros(rows, dtype=np.int64)
    age = _level(rng, [nation.age_shares], anyone)
    life = nation.life()[age]
    settlement = _level(rng, [levels.SETTLEMENTS.values()], anyone)
    work = _level(rng, nation.work_by_life, life)
    family = _family(rng, nation, age, work)
    company = np.minimum(family["household_size"] - 1, 1)
    start, step, spread = nation.education
    return {
        "region": _level(rng, [levels.REGIONS.values()], anyone),
        "settlement": settlement,
        "age_band": age,
        "sex": (rng.random(rows) < np.asarray(nation.women)[company]).astype(np.int64),
        "education": _count(rng, start - step * age, spread, 0, 2),
        "work": work,
        "tenure": _level(rng, nation.tenure_by_life, life),
        **family,
        **_property(rng, nation, settlement, family),
    }


def _family(rng: np.random.Generator, nation: Nation, age: Ints, work: Ints) -> dict[str, Ints]:
    """Draw how many live together, and how many of them are children or earn."""
    size = _count(rng, np.asarray(nation.size_by_age)[age], nation.size_spread, 1, 6)
    share = np.asarray(nation.children_by_age)[age]
    children = np.minimum(_count(rng, share * (size - 1), nation.children_spread, 0, 4), size - 1)
    adults = size - children
    others = np.asarray(nation.earning_by_life)[nation.life()[age]] * (adults - 1)
    head = (work != levels.WORK.index("retired")).astype(np.int64)
    earners = np.minimum(head + _count(rng, others, nation.earners_spread, 0, 3), adults)
    return {"household_size": size, "children": children, "earners": earners}


def _property(
    rng: np.random.Generator, nation: Nation, settlement: Ints, family: dict[str, Ints]
) -> dict[str, Ints]:
    """Draw the dwelling, its rooms and the cars in front of it."""
    dwelling = _level(rng, nation.dwelling_by_settlement, settlement)
    least, a_head, a_house, spread = nation.rooms
    space = (
        least + a_head * family["household_size"] + a_house * (dwelling == levels.DWELLINGS.index("house"))
    )
    an_earner, cars_spread = nation.cars
    cars = np.asarray(nation.cars_by_settlement)[settlement] + an_earner * (family["earners"] - 1)
    return {
        "dwelling": dwelling,
        "rooms": _count(rng, space, spread, 1, 7),
        "cars": _count(rng, cars, cars_spread, 0, 3),
    }


def _columns(homes: dict[str, Ints]) -> dict[str, pl.Series]:
    """Return the columns as a reader of the survey sees them: words for levels, numbers for counts."""
    words: dict[str, Sequence[str]] = {
        "region": tuple(levels.REGIONS),
        "settlement": tuple(levels.SETTLEMENTS),
        "age_band": levels.AGE_BANDS,
        "sex": ("m", "f"),
        "education": levels.EDUCATION,
        "work": levels.WORK,
        "tenure": levels.TENURE,
        "dwelling": levels.DWELLINGS,
    }
    return {
        name: pl.Series(words[name]).gather(drawn) if name in words else pl.Series(drawn)
        for name, drawn in homes.items()
    }


def _level(rng: np.random.Generator, weights: Iterable[Iterable[float]], given: Ints) -> Ints:
    """Draw a level by the row of weights that `given` names."""
    return pick(rng, np.asarray([list(row) for row in weights]), given)


def _count(rng: np.random.Generator, centre: Numbers, spread: float, least: int, most: int) -> Ints:
    """Draw a whole number around each centre, kept between `least` and `most`."""
    drawn = np.rint(centre + spread * rng.standard_normal(len(centre)))
    return np.asarray(np.clip(drawn, least, most), dtype=np.int64)


def _incomes(rng: np.random.Generator, nation: Nation, homes: dict[str, Ints]) -> Floats:
    """Draw income by work, schooling, earners and age, with a log-normal rest."""
    log = nation.schooling * (homes["education"] - 1) + nation.earner * (homes["earners"] - 1)
    log -= nation.ageing * (homes["age_band"] - nation.best_paid) ** 2
    log += nation.income_spread * rng.standard_normal(len(log))
    return np.asarray(nation.work_income)[homes["work"]] * nation.median_income * np.exp(log)


def _spending(
    rng: np.random.Generator, nation: Nation, homes: dict[str, Ints], income: Floats
) -> dict[str, Floats]:
    """Draw what goes to each kind of things, by income, heads and the household's thrift."""
    wealth = np.log(income / nation.median_income)
    heads = np.log(homes["household_size"])
    thrift = nation.thrift * rng.standard_normal(len(income))
    amounts = {}
    for name, kind in nation.spending.items():
        rest = kind.spread * rng.standard_normal(len(income))
        amounts[name] = kind.typical * np.exp(kind.elasticity * wealth + kind.by_size * heads + thrift + rest)
    chance = np.where(homes["children"] > 0, nation.pays_with, nation.pays_without)
    amounts["education_costs"] *= rng.random(len(income)) < chance
    return amounts
