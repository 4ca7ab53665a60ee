"""Who lives in the made-up households: thirteen discrete columns, each drawn given those before it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from kakurenbo.demo import nation as levels
from kakurenbo.demo.draw import pick

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from kakurenbo.demo.draw import Ints, Numbers
    from kakurenbo.demo.nation import Nation


def make_homes(rng: np.random.Generator, nation: Nation, rows: int) -> dict[str, Ints]:
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


def home_columns(homes: dict[str, Ints]) -> dict[str, pl.Series]:
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
