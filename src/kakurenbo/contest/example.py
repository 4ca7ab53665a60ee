"""Made-up data to play with: what a contest needs when nobody may hand out real people.

A teacher who tries a contest has no data yet, and an organiser wants to see every page full before the Cup's
own tables are ready. So a shop, or a survey of households, that never was is written in the layout that the
rules ask for, under the names that the judge looks for.
"""

from __future__ import annotations

import csv
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl

from kakurenbo.data.purchases import Purchases
from kakurenbo.demo import QUASI_IDENTIFIERS, SENSITIVE, ShopWorld, households_frame, shop_frame, shop_master
from kakurenbo.errors import ParameterError
from kakurenbo.files.release_folder import fill

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from kakurenbo.contest.rules import Rules

PEOPLE: Final = 300
FEW_LINES: Final = 40.0  # a customer: enough to tell people apart, few enough to be judged in a second
KNOWN: Final = {"T25": 0.25, "T50": 0.5, "T75": 0.75, "T100": 1.0}
ROLES: Final = ("customer", "goods", "receipt", "time", "price", "quantity")
_LAST_MONTH_ENDS: Final = date(2011, 12, 1)  # twelve months from the shop's first day on
_UNKNOWN: Final = ("DEL", "", "", "", "", "", "")
_COARSE: Final = 2  # characters of a good that an attacker knows


def write_example(
    rules: Rules, folder: Path, people: int = PEOPLE, *, lines: float = FEW_LINES, seed: int | None = None
) -> None:
    """Write made-up tables into an existing folder.

    Args:
        rules: those of the contest; their format says which tables there must be.
        folder: where they go.
        people: how many customers or households.
        lines: purchases alone: about how many lines a customer has.
        seed: repeats the same tables; without it every call makes others.
    """
    if rules.format == "microdata":
        _survey(rules, folder, people, seed)
        return
    world = replace(ShopWorld(), lines_mean=lines)
    frame, master = shop_frame(people, seed=seed, world=world), shop_master(people, seed=seed)
    if rules.format == "pws2017":
        _long_term(frame, master, folder, np.random.default_rng(seed))
    else:
        _shop(rules, frame, master, folder)


def _shop(rules: Rules, frame: pl.DataFrame, master: pl.DataFrame, folder: Path) -> None:
    """Write T.csv and M.csv, with the columns that the rules name."""
    names = {role: rules.data.columns.get(role, role) for role in ROLES}
    roles: dict[str, Any] = {role: name.split(",")[0] for role, name in names.items()}
    shop = Purchases.from_frame(
        frame.rename(roles), **roles, master=master.rename({"customer": roles["customer"]}),
        keep_master=("sex", "birth", "country"),
    )  # fmt: skip
    fill(shop, folder)
    (folder / "transactions.csv").rename(folder / "T.csv")
    (folder / "master.csv").rename(folder / "M.csv")


def _survey(rules: Rules, folder: Path, people: int, seed: int | None) -> None:
    """Write X.csv: its columns have the rules' names, or, where these are others, take them in order."""
    wanted = (*rules.data.qi, *rules.data.sa)
    frame = households_frame(people, seed=seed)
    if not set(wanted) <= set(frame.columns):
        if len(rules.data.qi) > len(QUASI_IDENTIFIERS) or len(rules.data.sa) > len(SENSITIVE):
            raise ParameterError(
                f"Made-up households have {len(QUASI_IDENTIFIERS)} quasi-identifiers and {len(SENSITIVE)} "
                "sensitive attributes, and the rules name more; give data of your own.",
                code="parameter",
                parameter="data",
            )
        taken = dict(zip(QUASI_IDENTIFIERS, rules.data.qi, strict=False))
        frame = frame.rename(taken | dict(zip(SENSITIVE, rules.data.sa, strict=False)))
    shown = frame.select(wanted)
    if rules.data.id is not None:
        shown = shown.insert_column(0, pl.Series(rules.data.id, range(1, people + 1)))
    shown.write_csv(folder / "X.csv")


def _long_term(frame: pl.DataFrame, master: pl.DataFrame, folder: Path, rng: np.random.Generator) -> None:
    """Write the tables of PWS Cup 2017: M, T, and what an attacker knows of T."""
    time = pl.col("time")
    kept = frame.filter(time < _LAST_MONTH_ENDS).with_columns(price=pl.col("price").round(2))
    rows = [
        (
            customer,
            "0",
            f"{at:%Y}/{at.month}/{at.day}",
            f"{at.hour}:{at:%M}",
            good,
            f"{price:g}",
            str(quantity),
        )
        for customer, at, good, price, quantity in kept.select(
            "customer", "time", "goods", "price", "quantity"
        ).iter_rows()
    ]
    people = [
        (customer, sex, f"{birth.year}/{birth.month}/{birth.day}", country)
        for customer, sex, birth, country in master.iter_rows()
    ]
    _lines(folder / "M.csv", people)
    _lines(folder / "T.csv", rows)
    coarse = [(*row[:4], row[4][:_COARSE], *row[5:]) for row in rows]
    for name, share in KNOWN.items():
        known = rng.random(len(coarse)) < share
        _lines(
            folder / f"{name}.csv",
            (row if is_known else _UNKNOWN for row, is_known in zip(coarse, known, strict=True)),
        )


def _lines(path: Path, rows: Iterable[Iterable[str]]) -> None:
    with path.open("x", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)
