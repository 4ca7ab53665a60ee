"""A made-up household survey: one row a household, none of which exists.

Microdata of the kind statistical offices hold (and PWS Cup 2015 was played with) is not public. This
stands in for it: thirteen discrete quasi-identifiers that an acquaintance might know, and twelve
sensitive amounts of money that nobody should learn. The amounts are drawn at random, skewed as incomes
are, tied together through income, and one of them is nothing at all for about three households in four.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from kakurenbo.data.microdata import Microdata
from kakurenbo.demo.draw import at_least_one, generator
from kakurenbo.demo.homes import home_columns, make_homes
from kakurenbo.demo.nation import Nation

if TYPE_CHECKING:
    from kakurenbo.demo.draw import Floats, Ints

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
    homes = make_homes(rng, nation, rows)
    income = _incomes(rng, nation, homes)
    amounts = {"income": income, **_spending(rng, nation, homes, income)}
    rounded = {name: _UNIT * np.rint(amount / _UNIT).astype(np.int64) for name, amount in amounts.items()}
    return pl.DataFrame({**home_columns(homes), **rounded}).select(*QUASI_IDENTIFIERS, *SENSITIVE)


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
