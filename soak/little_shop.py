"""A small shop made from a case's own chance: people, goods, receipts, and a master, written as a folder."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from random import Random

ROLES = ("customer", "receipt", "time", "goods", "price", "quantity")
_DAY = dt.datetime(2024, 1, 1)
_NAMES: dict[str, Callable[[Random, int], str]] = {
    "numbers": lambda chance, i: f"{chance.randrange(10, 99)}{i:03}",
    "codes": lambda chance, i: f"K{chance.randrange(100, 999)}-{i:03}",
    "hex": lambda chance, i: f"{chance.getrandbits(48):012x}{i:02x}",
    "words": lambda chance, i: f"ann.{chance.choice('bcdfg')}smith{i:02}",
}


@dataclass(frozen=True)
class LittleShop:
    """The tables as they would be written."""

    records: pl.DataFrame
    master: pl.DataFrame

    def write(self, folder: Path, ending: str = "csv") -> None:
        """Write both tables into a new folder, and the settings that name their columns."""
        folder.mkdir()
        for name, table in (("transactions", self.records), ("master", self.master)):
            write_table(table, folder / f"{name}.{ending}")
        roles = "\n".join(f'{role} = "{role}"' for role in ROLES)
        (folder / "kakurenbo.toml").write_text(f'{roles}\npolicy = "drop"\nkeep_master = ["sex"]\n')


def write_table(table: pl.DataFrame, path: Path) -> None:
    """Write a table in the format its name ends in."""
    match path.suffix:
        case ".csv":
            table.write_csv(path)
        case ".parquet":
            table.write_parquet(path)
        case ".xlsx":
            table.write_excel(path)


def little_shop(chance: Random, people: int = 24, records: int = 7) -> LittleShop:
    """Return a shop whose customers differ, under ids of a kind that the chance picks."""
    kind = _NAMES[chance.choice(sorted(_NAMES))]
    names = [kind(chance, i) for i in range(people)]
    rows = [
        (who, f"R{chance.getrandbits(40):010x}", str(_DAY + dt.timedelta(hours=chance.randrange(8000))),
         f"good{chance.randrange(25):02}", chance.randrange(1, 4000) / 100, chance.randrange(1, 6))
        for who in names
        for _ in range(records)
    ]  # fmt: skip
    master = [(who, chance.choice("fm"), f"{who}@mail.example") for who in names]
    chance.shuffle(rows)
    return LittleShop(
        pl.DataFrame(rows, schema=list(ROLES), orient="row"),
        pl.DataFrame(master, schema=["customer", "sex", "email"], orient="row"),
    )
