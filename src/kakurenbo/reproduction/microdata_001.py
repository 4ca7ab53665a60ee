"""Tables 12, 13 and 16 and figures 1 to 4 of paper 001, on made-up households.

The 8,333 households of PWS Cup 2015 are not public, so the numbers cannot be the printed ones; what can be
checked is their shape. Table 13: eight single methods on 100 sampled households against every measure and
attack. Table 12: the paper's expected effects, each held against what was measured, every deviation
explained. Table 16: chained methods, read from the paper's tables 14 and 15. Figures: time and rate of EUC1
against the number of quasi-identifiers |q| and of sensitive attributes |s|.
"""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np

from kakurenbo.attacks.microdata.euclid import Euc1, Euc2, IdentifyRand, IdentifySa, IdentifySa21
from kakurenbo.attacks.microdata.sort import IdentifySort
from kakurenbo.auditing.method_guess import UTILITY
from kakurenbo.data.microdata import Microdata
from kakurenbo.deidentify.chain import ChainMicrodata
from kakurenbo.deidentify.microdata.k_anonymize import KAnonymize
from kakurenbo.deidentify.microdata.simple import (
    Average,
    CheatMicrodata,
    DeleteMicrodata,
    NoiseMicrodata,
    Swap,
    Unify,
)
from kakurenbo.deidentify.pseudonymize import PseudonymizeMicrodata
from kakurenbo.demo.households import households
from kakurenbo.reproduction.printed_001 import CLAIMS, EXPLAINED, TABLE_13, TABLE_16
from kakurenbo.risk.classical.groups import KAnonymity, MeanGroupMicrodata
from kakurenbo.risk.found import reidentification
from kakurenbo.utility.microdata.contest import InformationLoss

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kakurenbo.attacks.microdata.base import MicrodataAttack
    from kakurenbo.data.release import Release
    from kakurenbo.deidentify.base import MicrodataMethod

ZERO_HEAVY: Final = "education_costs"  # stands for SA21: nothing for three households in four
USED, UNUSED = (
    ("region",),
    ("cars",),
)  # a quasi-identifier that the cells of U2 and U3 use, and one they do not

SINGLE: Final[dict[str, MicrodataMethod]] = {
    "original": PseudonymizeMicrodata(),
    "Da k-anonymize": KAnonymize(k=3, write="typical"),
    "Db noise": NoiseMicrodata(scale=0.05),
    "Dc cheat": CheatMicrodata(),
    "Dd unify, not used": Unify(q=UNUSED),
    "De unify, used": Unify(q=USED),
    "Df average": Average(),
    "Dg swap": Swap(),
    "Dh delete": DeleteMicrodata(share=0.1),
}
# The methods of each submission are marked in table 15, but the columns of the marks are lost in the text we
# have; these chains are our reading of the measures in table 14 (D10 is named in the text).
CHAINED: Final[dict[str, tuple[MicrodataMethod, ...]]] = {
    "D1": (Unify(q=USED), Unify(q=UNUSED)),
    "D2": (Unify(q=UNUSED), Swap(), CheatMicrodata(within=("region", "settlement", "age_band"))),
    "D3": (KAnonymize(k=3, write="typical"), CheatMicrodata(within=("region",))),
    "D5": (Unify(q=("cars", "rooms", "dwelling", "tenure")), Swap()),
    "D7": (KAnonymize(k=3, write="typical"), Unify(q=UNUSED), Swap(s=("food", "leisure"))),
    "D8": (Unify(q=("cars", "rooms", "dwelling", "tenure")), Swap(), CheatMicrodata()),
    "D10": (KAnonymize(k=41, write="typical"), Average()),
    "D11": (KAnonymize(k=8, write="typical"), Average()),
    "D12": (KAnonymize(k=4, write="typical"), Average()),
}
ATTACKS: Final[dict[str, MicrodataAttack]] = {
    "E1": IdentifyRand(), "E2": IdentifySa(), "E3": IdentifySort(), "E4": IdentifySa21(s=(ZERO_HEAVY,)),
    "EUC1": Euc1(), "EUC2": Euc2(),
}  # fmt: skip


@dataclass(frozen=True)
class Row:
    """One cell of a table: what was measured, and what the paper printed there, if it did."""

    table: Literal["13", "16"]
    data: str
    measure: str
    value: float
    printed: float | None


@dataclass(frozen=True)
class Claim:
    """One expectation of the paper (table 12 and section 4.2) and what became of it.

    `claimed` and `found` are in the paper's words; `why` explains a deviation and is empty where it holds.
    """

    data: str
    measure: str
    claimed: str
    found: str
    value: float
    holds: bool
    why: str


@dataclass(frozen=True)
class Point:
    """One point of figures 1 to 4: seconds and rate of EUC1 with `size` columns of a kind."""

    figure: Literal["1, 2", "3, 4"]
    columns: Literal["q", "s"]
    size: int
    seconds: float
    rate: float


@dataclass(frozen=True)
class Reproduction:
    """Everything of 001 that can be made anew."""

    table_13: tuple[Row, ...]
    table_12: tuple[Claim, ...]
    table_16: tuple[Row, ...]
    figures: tuple[Point, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        return asdict(self)


def reproduce(*, rows: int = 8333, sample: int = 100, seed: int = 1) -> Reproduction:
    """Make the tables and figures of 001 anew.

    Args:
        rows: households of the large table (8,333 in the paper), for table 16 and the figures.
        sample: households sampled from it for tables 12 and 13 (100 in the paper).
        seed: repeats a run exactly.
    """
    people = households(rows, seed=seed)
    single = table_13(sampled(people, sample, seed), seed=seed)
    return Reproduction(single, table_12(single), table_16(people, seed=seed), figures(people, seed=seed))


def sampled(people: Microdata, count: int, seed: int) -> Microdata:
    """Return that many rows, chosen at random."""
    chosen = np.sort(np.random.default_rng(seed).permutation(len(people))[:count])
    return Microdata.from_frame(people.records[chosen], qi=people.qi, sa=people.sa)


def table_13(people: Microdata, *, seed: int = 1) -> tuple[Row, ...]:
    """Return eight single methods, and the untouched table, against every measure and attack."""
    rows = []
    for name, method in SINGLE.items():
        release = method.release(people, seed=seed)
        printed = TABLE_13.get(name, {})
        found = {**measured(people, release), **rates(people, release, ATTACKS)}
        rows += [Row("13", name, measure, value, printed.get(measure)) for measure, value in found.items()]
    return tuple(rows)


def measured(people: Microdata, release: Release[Microdata]) -> dict[str, float]:
    """Return U1 to U6, S1 and S2 of a release."""
    data = release.data
    found = {name: measure.of(people, data).value for name, measure in UTILITY.items()}
    found["U5"] = InformationLoss().of(people, data, release.pairing).value
    found["S1"] = KAnonymity().of(people, data).value
    found["S2"] = MeanGroupMicrodata().of(people, data).value
    return dict(sorted(found.items(), key=lambda item: ("US".index(item[0][0]), item[0])))


def rates(
    people: Microdata, release: Release[Microdata], attacks: dict[str, MicrodataAttack]
) -> dict[str, float]:
    """Return the re-identification rate of each attack, expected over ties."""
    data = release.data
    return {
        name: reidentification(release.pairing, attack.guess(people, data, seed=0)).rate.value
        for name, attack in attacks.items()
    }


def table_12(rows: Iterable[Row]) -> tuple[Claim, ...]:
    """Hold the paper's expectations against a table 13."""
    values = {(row.data, row.measure): row.value for row in rows}
    made = []
    for data, measure, claimed in CLAIMS:
        value = values[data, measure]
        found = _found(measure, value, values["original", measure])
        holds = found == claimed or {found, claimed} <= {"slightly", "negative"}
        why = "" if holds else EXPLAINED.get((data, measure), "not explained")
        made.append(Claim(data, measure, claimed, found, value, holds, why))
    return tuple(made)


def _found(measure: str, value: float, before: float) -> str:
    """Return the effect in table 12's words; attacks against their rate on the untouched table."""
    if measure.startswith("U"):
        return "negative" if value > 0 else "unchanged"
    if measure.startswith("S"):
        return "positive" if value > before else "unchanged"
    left = value / before
    return "vulnerable" if left >= 0.9 else "slightly" if left >= 0.1 else "positive"


def table_16(people: Microdata, *, seed: int = 1) -> tuple[Row, ...]:
    """Return the chains of methods against the attacks of table 16."""
    attacks = {name: attack for name, attack in ATTACKS.items() if name != "EUC2"}
    rows = []
    for name, methods in CHAINED.items():
        release = ChainMicrodata(methods=methods).release(people, seed=seed)
        found = rates(people, release, attacks)
        rows += [Row("16", name, attack, value, TABLE_16[name][attack]) for attack, value in found.items()]
    return tuple(rows)


def figures(people: Microdata, *, seed: int = 1) -> tuple[Point, ...]:
    """Return time and rate of EUC1 as the numbers of columns it compares grow, on a noisy release."""
    release = NoiseMicrodata(scale=0.3).release(people, seed=seed)
    data = release.data
    Euc1().guess(people, data, seed=0)  # compile outside the measurement
    by_q = [
        Point("1, 2", "q", size, *_timed(Euc1(q=people.qi[:size]), people, data, release))
        for size in range(1, len(people.qi) + 1)
    ]
    by_s = [
        Point("3, 4", "s", size, *_timed(Euc1(s=people.sa[:size]), people, data, release))
        for size in range(1, len(people.sa) + 1)
    ]
    return (*by_q, *by_s)


def _timed(
    attack: Euc1, people: Microdata, data: Microdata, release: Release[Microdata]
) -> tuple[float, float]:
    start = time.perf_counter()
    guess = attack.guess(people, data, seed=0)
    seconds = time.perf_counter() - start
    return seconds, reidentification(release.pairing, guess).rate.value
