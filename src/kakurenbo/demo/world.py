"""The numbers that make up the shop: its calendar, its tills' hours, its goods and its customers' habits.

Nothing here was learnt by a model. The values were set by hand until the shop of 400 customers looked like
TC400, the contest table of 2016, in the figures that decide how hard people are to hide: how many goods a
customer buys, how long the tails are and how much two customers have in common.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Final

FIRST_DAY: Final = date(2010, 12, 1)
LAST_DAY: Final = date(2011, 12, 9)


@dataclass(frozen=True, slots=True)
class ShopWorld:
    """The made-up shop's parameters; the defaults resemble TC400.

    Attributes:
        receipts_mean: Mean number of receipts a customer (at least one each).
        activity_spread: Log-normal spread of how often customers come.
        lines_mean: Mean number of lines a customer, before equal goods on one receipt become one line.
        habit_spread: Log-normal spread between customers of how much they take at a visit.
        mood_spread: Log-normal spread between the visits of one customer.
        goods_base: Size of the catalogue for 400 customers.
        goods_growth: Exponent by which the catalogue grows with the number of customers; 1/8 keeps what
            the full Online Retail table shows (ten times the customers, a third more goods).
        departments: Number of departments the goods are divided into.
        taste: Dirichlet concentration of a customer's mixture over departments; small means picky.
        stroll: Share of every mixture that all customers have in common: nobody shuns a department wholly.
        popularity_exponent: Zipf-Mandelbrot exponent of the goods' popularity.
        popularity_shift: Zipf-Mandelbrot shift; it flattens the head, so that no good is everybody's.
        repeat: Chance that a line repeats one from the customer's own earlier receipts.
        season_spread: Spread of how strongly departments follow the months.
        christmas: Strength of the season in the one department that peaks in November.
        price_median: Median list price.
        price_spread: Log-normal spread of list prices.
        price_rise: Factor on the list price, from the new year on, of the goods that become dearer.
        dearer: Share of goods that become dearer.
        rebate: Factor on the price of a line that takes many packs.
        rebate_packs: Packs from which the rebate counts.
        rebate_from: Pieces below which there is no rebate, however small the packs.
        loose: Chance that a line is sold by the piece, not by the pack.
        few: Geometric parameter of the number of loose pieces.
        bulk_tail: Pareto exponent of the number of packs; small means long-tailed.
        quantity_limit: Largest quantity of a line.
        pack_sizes: Sizes of packs.
        pack_shares: How common each pack size is among goods.
        month_shares: Relative sales of a day in January, ..., December.
        weekday_shares: Relative sales of Monday, ..., Sunday; closed on Saturdays.
        opening, closing: Hours between which the tills run.
        rush: The two Beta parameters of the time within the day.
    """

    receipts_mean: float = 4.41
    activity_spread: float = 1.3
    lines_mean: float = 106.0
    habit_spread: float = 0.6
    mood_spread: float = 0.75
    goods_base: int = 2950
    goods_growth: float = 0.125
    departments: int = 16
    taste: float = 8.0
    stroll: float = 0.1
    popularity_exponent: float = 1.3
    popularity_shift: float = 70.0
    repeat: float = 0.25
    season_spread: float = 0.4
    christmas: float = 1.2
    price_median: float = 1.95
    price_spread: float = 0.95
    price_rise: float = 1.06
    dearer: float = 0.3
    rebate: float = 0.87
    rebate_packs: int = 4
    rebate_from: int = 24
    loose: float = 0.3
    few: float = 0.35
    bulk_tail: float = 1.6
    quantity_limit: int = 50_000
    pack_sizes: tuple[int, ...] = (1, 2, 4, 6, 8, 10, 12, 24, 48)
    pack_shares: tuple[float, ...] = (0.04, 0.04, 0.07, 0.2, 0.06, 0.1, 0.4, 0.08, 0.01)
    month_shares: tuple[float, ...] = (0.9, 0.7, 0.8, 0.6, 0.85, 0.9, 0.85, 0.95, 1.15, 1.5, 2.0, 1.0)
    weekday_shares: tuple[float, ...] = (1.0, 1.1, 1.3, 1.5, 1.2, 0.0, 0.6)
    opening: int = 8
    closing: int = 18
    rush: tuple[float, float] = (2.5, 3.0)

    def goods(self, customers: int) -> int:
        """Return the catalogue's size: `goods_base` x (customers / 400) ^ `goods_growth`."""
        growth = float((customers / 400) ** self.goods_growth)
        return max(self.departments, round(self.goods_base * growth))
