"""Bots for contests in the format of PWS Cup 2017.

There a submission is T itself, row by row, under a new name every month. So the methods of the catalogue that
change records and make none are run on T with every row's place in the column of receipts, by which what
became of a row is found again; a row that is gone is written `DEL`. Seekers go the way of the sample attacks,
by one key or by several of which the first that answers counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

import polars as pl

from kakurenbo.catalogue import build
from kakurenbo.chance import Chance
from kakurenbo.contest.bots.uploads import Upload
from kakurenbo.contest.judging.pws2017.attacks import KEYS, guessed
from kakurenbo.contest.judging.pws2017.tables import (
    CELLS,
    DAY,
    DELETED,
    GOOD,
    ID,
    LEVELS,
    PRICE,
    QUANTITY,
    TIME,
    Original,
    rows_of,
)  # fmt: skip
from kakurenbo.contest.zips import zipped
from kakurenbo.data.purchases import Purchases
from kakurenbo.plan import Plan, Step

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from kakurenbo.contest.judging.pws2017.tables import Month, Row

_GONE: Final = [DELETED, *[""] * (CELLS - 1)]
_DAY, _CLOCK = "%Y/%m/%d", "%H:%M"


@dataclass(frozen=True)
class LongTerm:
    """A player of PWS Cup 2017.

    Attributes:
        name: what its team is called.
        steps: how it hides: methods that change or delete records.
        keys: by which keys it seeks, the last one counting most.
    """

    name: str
    steps: tuple[Step, ...]
    keys: tuple[str, ...]

    def hide(self, data: Path, seed: int | None) -> Sequence[Upload]:
        """Return T as its methods leave it, under a new name for every customer and month."""
        original, chance = Original.read(data), Chance(seed)
        rows = _changed(original, self.steps, chance)
        _rename(rows, original, chance)
        return [Upload("A.csv", _text(rows))]

    def hide_again(self, data: Path, seed: int | None) -> Upload | None:  # noqa: ARG002 - nothing else is known
        """Return nothing: what it does is valid in every contest of this format."""
        return None

    def seek(self, data: Path, published: Mapping[str, bytes], seed: int | None) -> Upload:  # noqa: ARG002 - nothing is drawn
        """Return a map for every level of knowledge."""
        original = Original.read(data)
        rows = rows_of(published["S.csv"].decode())
        maps = {f"Fh{level[1:]}.csv": _text(self._map(rows, original, level)) for level in LEVELS}
        return Upload("guess.zip", zipped(maps))

    def _map(self, rows: list[Row], original: Original, level: str) -> list[Row]:
        guess: dict[tuple[str, Month], str] = {}
        for key in self.keys:
            guess |= guessed(rows, original.known[level], KEYS[key])
        return [
            [customer, *(guess.get((customer, month), DELETED) for month in original.months)]
            for customer in original.customers
        ]


def _changed(original: Original, steps: tuple[Step, ...], chance: Chance) -> list[Row]:
    """Return the rows of T as the methods leave them, those that are gone as such."""
    rows = [list(_GONE) for _ in original.rows]
    shop = _as_shop(original)
    if not steps:
        return [list(row) for row in original.rows]
    left = build(Plan("purchases", steps)).change(shop, chance).data.to_frame()
    for place, time, good, price, quantity in left.select(
        "receipt", "time", "goods", "price", "quantity"
    ).iter_rows():
        before = original.rows[int(place)]
        rows[int(place)] = [
            before[ID], "0", *_moment(time), good, _number(min(price, 99_999.0)), str(min(quantity, 999_999)),
        ]  # fmt: skip
    return rows


def _as_shop(original: Original) -> Purchases:
    """Return T as purchases, the place of every row as its receipt."""
    rows = original.rows
    columns: dict[str, list[Any]] = {
        "customer": [row[ID] for row in rows],
        "receipt": [str(place) for place in range(len(rows))],
        "time": [datetime.strptime(f"{row[DAY]} {row[TIME]}", f"{_DAY} {_CLOCK}") for row in rows],
        "goods": [row[GOOD] for row in rows],
        "price": [float(row[PRICE]) for row in rows],
        "quantity": [int(row[QUANTITY]) for row in rows],
    }
    return Purchases.from_frame(
        pl.DataFrame(columns), customer="customer", receipt="receipt", time="time", goods="goods",
        price="price", quantity="quantity",
    )  # fmt: skip


def _moment(time: datetime) -> tuple[str, str]:
    return f"{time.year}/{time.month}/{time.day}", f"{time.hour}:{time:%M}"


def _number(price: float) -> str:
    """Return a price as the contest writes it."""
    return f"{max(price, 0.01):.2f}".rstrip("0").rstrip(".")


def _rename(rows: list[Row], original: Original, chance: Chance) -> None:
    """Give every customer another name in every month, one that is nobody's id."""
    pairs = sorted({(row[ID], month) for row, month in zip(original.rows, original.row_months, strict=True)})
    ids = pl.Series([f"{customer} {month}" for customer, month in pairs])
    tokens = chance.tokens("month", ids, avoid=pl.Series(original.customers))
    names = dict(zip(pairs, tokens, strict=True))
    for row, before, month in zip(rows, original.rows, original.row_months, strict=True):
        if row[ID] != DELETED:
            row[ID] = names[before[ID], month]


def _text(rows: Iterable[Row]) -> bytes:
    return "".join(f"{','.join(row)}\n" for row in rows).encode()


def _bot(name: str, keys: str, **steps: Mapping[str, Any]) -> LongTerm:
    return LongTerm(
        name, tuple(Step(method, parameters) for method, parameters in steps.items()), tuple(keys.split())
    )


BOTS: Final = (
    _bot("new names", "S4"),
    _bot("delete 40", "S5", delete={"share": 0.4}),
    _bot("noise 30", "S6", noise={"quantity_spread": 0.3, "price_spread": 0.1}),
    _bot("alter 20", "S3 S2", alter={"share": 0.2}),
    _bot("months", "S1 S4 S6", coarsen={"times": "month"}),
    _bot("bands", "S2 S5", coarsen={"price_bands": 4, "quantity_bands": 3}),
    _bot("months + delete 20", "S3 S2 S1 S4", coarsen={"times": "month"}, delete={"share": 0.2}),
    _bot("months + noise + alter", "S3 S2 S1 S5 S6",
         coarsen={"times": "month"}, noise={"quantity_spread": 0.5, "price_spread": 0.2},
         alter={"share": 0.1}),
)  # fmt: skip
