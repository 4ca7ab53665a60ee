"""The numbers that make up the household survey: who lives where, with whom, and how they spend.

All of it is invented. The tables only make the columns hang together as one expects: the old live in
small households and own their homes, villages need cars, those who earn more spend more, and more on
leisure than on bread.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np

REGIONS: Final = {"capital": 0.5, "centre": 0.25, "west": 0.15, "north": 0.1}
SETTLEMENTS: Final = {"city": 0.72, "town": 0.2, "village": 0.08}
AGE_BANDS: Final = ("under 30", "30-39", "40-49", "50-59", "60-69", "70 and over")
EDUCATION: Final = ("school", "college", "university")
WORK: Final = ("employee", "self-employed", "part-time", "retired")
TENURE: Final = ("owned", "rented")
DWELLINGS: Final = ("house", "flat")


@dataclass(frozen=True, slots=True)
class Spending:
    """How a household spends on one kind of things, as a formula in logarithms.

    Attributes:
        typical: Yen a month of a median household of one.
        elasticity: Per cent more spent for one per cent more income.
        by_size: Per cent more spent for one per cent more heads.
        spread: Log-normal spread between equal households.
    """

    typical: float
    elasticity: float
    by_size: float
    spread: float


def _kinds() -> dict[str, Spending]:
    return {
        "food": Spending(34_000, 0.4, 0.55, 0.3),
        "housing": Spending(22_000, 0.5, 0.1, 0.9),
        "energy": Spending(10_500, 0.2, 0.5, 0.35),
        "furniture": Spending(5_000, 0.7, 0.3, 0.8),
        "clothing": Spending(5_500, 0.8, 0.35, 0.75),
        "health": Spending(6_000, 0.3, 0.4, 0.9),
        "transport": Spending(15_000, 0.9, 0.3, 0.7),
        "communication": Spending(7_500, 0.3, 0.45, 0.4),
        "education_costs": Spending(12_000, 0.9, 0.4, 0.9),
        "leisure": Spending(16_000, 1.0, 0.2, 0.6),
        "other": Spending(28_000, 0.9, 0.2, 0.7),
    }


@dataclass(frozen=True, slots=True)
class Nation:
    """The made-up nation's parameters.

    Attributes:
        age_shares: Share of each age band among heads of households.
        size_by_age: Typical household size by the head's age band.
        children_by_age: Typical share of children among the others in the household, by the same.
        size_spread, children_spread: How far these two stray from what is typical.
        work_by_life: Weights of the kinds of work for the young, the middle-aged and the old.
        tenure_by_life: Weights of the kinds of tenure for the same three.
        dwelling_by_settlement: Weights of the kinds of dwelling, from city to village.
        earning_by_life: Share of the further adults who earn, for the same three stages of life.
        earners_spread: How far the number of further earners strays.
        education: Typical step of education of the youngest heads, what each age band takes from it, and how
            far it strays.
        rooms: Rooms of the smallest flat, further rooms a head and of a house, and how far the sum strays.
        cars_by_settlement: Typical number of cars of one earner, from city to village.
        cars: What each further earner adds to the cars, and how far the sum strays.
        women: Share of women among heads, of those living alone and of others.
        median_income: Yen a month of the median household.
        income_spread: Log-normal spread of income between equal households.
        work_income: Factor on income by kind of work.
        schooling: Log-income gained with each step of education.
        earner: Log-income gained with each further earner.
        ageing: Log-income lost with the squared distance, in age bands, from the best paid one.
        best_paid: The age band that earns most.
        thrift: Log-normal spread of a factor common to all spending of a household.
        pays_with, pays_without: Chance of spending on education with and without children.
        spending: How each kind of spending follows income and size.
    """

    age_shares: tuple[float, ...] = (0.08, 0.15, 0.2, 0.2, 0.2, 0.17)
    size_by_age: tuple[float, ...] = (1.2, 2.4, 3.2, 2.7, 2.0, 1.7)
    children_by_age: tuple[float, ...] = (0.1, 0.45, 0.45, 0.03, 0.0, 0.0)
    size_spread: float = 0.7
    children_spread: float = 0.25
    work_by_life: tuple[tuple[float, ...], ...] = (
        (0.88, 0.04, 0.08, 0.0),
        (0.84, 0.11, 0.05, 0.0),
        (0.18, 0.1, 0.07, 0.65),
    )
    tenure_by_life: tuple[tuple[float, ...], ...] = ((0.2, 0.8), (0.75, 0.25), (0.92, 0.08))
    dwelling_by_settlement: tuple[tuple[float, ...], ...] = ((0.5, 0.5), (0.85, 0.15), (0.98, 0.02))
    earning_by_life: tuple[float, ...] = (0.6, 0.6, 0.2)
    earners_spread: float = 0.3
    education: tuple[float, float, float] = (1.5, 0.2, 0.6)
    rooms: tuple[float, float, float, float] = (1.3, 0.6, 1.2, 0.35)
    cars_by_settlement: tuple[float, ...] = (0.6, 1.1, 1.5)
    cars: tuple[float, float] = (0.3, 0.35)
    women: tuple[float, float] = (0.45, 0.06)
    median_income: float = 340_000
    income_spread: float = 0.35
    work_income: tuple[float, ...] = (1.0, 0.9, 0.6, 0.65)
    schooling: float = 0.18
    earner: float = 0.3
    ageing: float = 0.025
    best_paid: int = 3
    thrift: float = 0.2
    pays_with: float = 0.8
    pays_without: float = 0.04
    spending: dict[str, Spending] = field(default_factory=_kinds)

    def life(self) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        """Return the stage of life of each age band: young (0), middle-aged (1) or old (2)."""
        return np.digitize(np.arange(len(AGE_BANDS)), [2, 4]).astype(np.int64)
