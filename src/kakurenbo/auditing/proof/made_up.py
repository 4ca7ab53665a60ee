"""People who never were, of the same shape as a table: the same roles, or columns of the same kinds.

Attackers are validated on many more of them than a user's table may have, and what comes of it can be told to
everybody: nothing of a real person is in them, and nothing of a table but which columns it has.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Generic

import numpy as np
import polars as pl

from kakurenbo.chance import Chance
from kakurenbo.data.microdata import Microdata
from kakurenbo.data.purchases import Purchases
from kakurenbo.data.table import ByKind, Data
from kakurenbo.demo import shop_frame, shop_master
from kakurenbo.demo.world import ShopWorld

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

PEOPLE = 300
ROLES = ("customer", "receipt", "time", "goods", "price", "quantity")
_WORLD = ShopWorld(lines_mean=26.5)  # a quarter of the demo's: time goes with records, and power with people
_FIRST_DAY = dt.date(2020, 1, 1)
_WORDS, _COUNTS, _DAYS = 8, 30, 60  # different values of a column
_AMOUNT = 100


@dataclass(frozen=True)
class MadeUp(Generic[Data]):
    """Made-up people like those of a table.

    Attributes:
        shape: what they have of that table: enough to know that two tables have people alike.
        draw: draws as many as are asked for, by a seed.
    """

    shape: tuple[str, ...]
    draw: Callable[[int, int], Data]


def shop(people: int, seed: int, shown: Sequence[str] = (*ROLES, "master")) -> Purchases:
    """Return purchases like the demo's with fewer records each, of which only this is shown."""
    roles: dict[str, Any] = {role: role for role in ROLES if role in shown}
    if "master" in shown:
        master = shop_master(people, seed=seed)
        roles |= {"master": master, "keep_master": master.columns[1:]}
    return Purchases.from_frame(shop_frame(people, seed=seed, world=_WORLD), **roles)


def _shop_like(data: Purchases) -> MadeUp[Purchases]:
    shown = tuple(sorted(data.shown))
    return MadeUp(shown, partial(shop, shown=shown))


def _table_like(data: Microdata) -> MadeUp[Microdata]:
    kinds = {name: _kind(data.records[name].dtype) for name in (*data.qi, *data.sa)}
    shape = (
        *(f"qi {name} {kinds[name]}" for name in data.qi),
        *(f"sa {name} {kinds[name]}" for name in data.sa),
    )

    def draw(people: int, seed: int) -> Microdata:
        chance = Chance(seed)
        columns = [
            _DRAWN[kinds[name], role](chance.stream(f"{role} {place}"), people).alias(name)
            for role, names in (("qi", data.qi), ("sa", data.sa)) for place, name in enumerate(names)
        ]  # fmt: skip
        return Microdata.from_frame(pl.DataFrame(columns), qi=data.qi, sa=data.sa)

    return MadeUp(shape, draw)


def _kind(dtype: pl.DataType) -> str:
    if dtype.is_numeric():
        return "numbers"
    if dtype == pl.Boolean:
        return "flags"
    return "days" if dtype.is_temporal() else "words"


def _words(rng: np.random.Generator, people: int) -> pl.Series:
    return pl.Series([f"w{word}" for word in rng.integers(_WORDS, size=people)])


def _amounts(rng: np.random.Generator, people: int) -> pl.Series:
    return pl.Series(_AMOUNT * np.rint(np.exp(3 + rng.standard_normal(people))))


def _days(rng: np.random.Generator, people: int) -> pl.Series:
    return pl.Series([_FIRST_DAY + dt.timedelta(days=int(day)) for day in rng.integers(_DAYS, size=people)])


_DRAWN: dict[tuple[str, str], Callable[[np.random.Generator, int], pl.Series]] = {
    ("words", "qi"): _words,
    ("words", "sa"): _words,
    ("flags", "qi"): lambda rng, people: pl.Series(rng.integers(2, size=people) == 1),
    ("days", "qi"): _days,
    ("numbers", "qi"): lambda rng, people: pl.Series(rng.integers(_COUNTS, size=people)),
    ("numbers", "sa"): _amounts,
}

# What is made up for a table of each kind.
made_up: ByKind[MadeUp[Any]] = ByKind(purchases=_shop_like, microdata=_table_like)
