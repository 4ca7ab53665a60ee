"""Contests about purchases: PWS Cup 2016, and rules of one's own.

A submission is a table of transactions T, the secret pairing P, and where the rules ask for it a master M
(one row a customer), each in the layout of the original: `T.csv` or `transactions.csv`, `P.csv`,
`pairing.csv` or `secret.csv`, `M.csv` or `master.csv`, tables also as Parquet. Every customer has one name of
his own. A column of the original may be left out, or be empty where no header names it, unless a measure of
the rules looks at it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from kakurenbo.chance import Chance
from kakurenbo.contest.judging.shop import Shop
from kakurenbo.contest.judging.shop_files import ShopReading
from kakurenbo.contest.judging.tabled import Tabled
from kakurenbo.data.purchases import Purchases

if TYPE_CHECKING:
    from pathlib import Path

    from kakurenbo.contest.judging.formats import Files
    from kakurenbo.contest.judging.originals import Original
    from kakurenbo.contest.rules import Rules


class PurchasesFormat(Tabled[Purchases]):
    """Transactions, a master and a pairing; see the module."""

    def read_original(self, rules: Rules, original: Path) -> Shop:
        """Read the tables of the contest; `data.columns` of the rules names columns that are not known."""
        return Shop.read(original, dict(rules.data.columns))

    def reading(self, rules: Rules, original: Original[Purchases], files: Files) -> ShopReading:
        """Return a submission to be read."""
        return ShopReading(rules, cast("Shop", original), files)

    def shuffled(self, released: Purchases, chance: Chance) -> Purchases:
        """Return the release with its records and its master in an order of chance."""
        records, master = (
            None if table is None else table[chance.stream(f"shown {name}").permutation(table.height)]
            for name, table in (("T", released.records), ("M", released.master))
        )
        return released if records is None else released.with_records(records, master=master)

    def published(
        self, rules: Rules, original: Path, submission: Files, *, seed: int | None = None
    ) -> dict[str, bytes]:
        """Return T and M, their rows in an order of chance; the pairing stays behind."""
        tables = self.submitted(rules, original, submission).tables
        chance = Chance(seed)
        return {
            f"{letter}.csv": cells.written(chance.stream(f"published {letter}"))
            for letter, cells in tables.items()
            if letter != "P"
        }


FORMAT = PurchasesFormat()
