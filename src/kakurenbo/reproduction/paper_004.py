"""004 (JIP 2018): table 1, the numbers of its text, figure 6, and the cheats of figures 8 to 10.

Numbers that 004 prints to nine digits and more are compared as text, digit by digit. The cheats are tried
10,000 times each, as in the paper. Its multi-random cheat shuffles within 47 groups of sex and nation; the
sex is not in the public data, so ours shuffles within countries, and what depends on the groups' sizes is
not comparable.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from kakurenbo import theory
from kakurenbo.data.groups import groups
from kakurenbo.kernels.distances import matrix
from kakurenbo.kernels.permutations import s_exact
from kakurenbo.reproduction.compare import NO_MASTER, Within, beside
from kakurenbo.reproduction.results import Figure, Point, Series, Spread, Table
from kakurenbo.risk.excess.limits import CONTEST_LIMIT, limits
from kakurenbo.risk.excess.trials import trials

if TYPE_CHECKING:
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.kernels.permutations import Bracket
    from kakurenbo.progress import Progress
    from kakurenbo.reproduction.results import Parts, Row
    from kakurenbo.reproduction.runs import Laboratory
    from kakurenbo.risk.excess.limits import Limits
    from kakurenbo.risk.excess.trials import Cheat, Trials

PAPER = "004"
OMITTED = ("004 figures 1 to 5 and 7 explain and hold no measured number.",)
TRIALS = 10_000
TABLE_1 = {99: "0.64352876022", 47: "0.763481675361", 19: "0.829107320761", 1: "0.872342498246",
           0: "0.87483931124"}  # fmt: skip
S_EXACT_0 = "356.395595858"
CONTEST_T = 0.64  # eq. 13, for the mean
_BIN = 0.001
_GROUPS = {"sex", "country", "nation", "nationality"}
_FIGURE: dict[Cheat, str] = {"shift": "figure 8", "random": "figure 9", "multi-random": "figure 10"}

QUANTITY = (
    "004 says that customer and good are used, which reads like sets; its digits come out only with the "
    "quantity bought as multiplicity."
)
COUNTRIES = (
    "The paper's 47 groups are of sex and nation; the public data has no sex, so ours are the countries "
    "alone, and sizes of groups and what follows from them cannot be compared."
)
WHOLE = "The print is the whole exponent, 1 - 1/2^62."
TOO_FEW = "The data has too few customers."
RELABELLED = "The shift is tried after people were put into a random order, else all trials would be one."
NOT_SMALLER = "004 prints t < s_lower(99) in eq. 13 and t <= 0.64 n, called s_lower(100), in eq. 15."
_REASON: dict[Cheat, str] = {"shift": RELABELLED, "random": "", "multi-random": COUNTRIES}


@dataclass(frozen=True, eq=False)
class Study:
    """What 004's tables and figures are made of; measured once."""

    limits: Limits
    curve: tuple[Bracket, ...]
    countries: tuple[int, ...]
    tried: tuple[Trials, ...]


def study(shop: Purchases, seed: int, progress: Progress, count: int = TRIALS) -> Study:
    """Measure limits, the whole curve, and every cheat `count` times."""
    people = shop.baskets(quantity=True).matrix
    n = people.shape[0]
    nowhere = np.zeros(n, dtype=np.int64)
    known = [] if shop.master is None else shop.master.columns
    named = [name for name in known if name.lower() in _GROUPS]
    nation = groups(shop, named)
    progress.step("the least distance of a shuffle")
    lowest = limits(people, "multiset", r=range(n + 1), groups=nowhere, solves=0)
    curve = tuple(s_exact(matrix(people, "multiset")))
    progress.step(f"{count:,} trials of every cheat")
    tried = trials(people, "multiset", nation, count, np.random.default_rng(seed))
    sizes = tuple(np.unique(nation, return_counts=True)[1].tolist()) if named else ()
    return Study(lowest, curve, sizes, tried)


def reproduced(lab: Laboratory) -> Parts:
    """Return the tables beside ours, and the figures."""
    made = study(lab.shop, lab.seeds[0], lab.progress)
    return tables(made), figures(made)


def tables(made: Study) -> tuple[Table, ...]:
    """Return table 1, the numbers of the text, and the cheats that were caught."""
    return _table_1(made), _text(made), _cheats(made)


def figures(made: Study) -> tuple[Figure, ...]:
    """Return figure 6, and a histogram for every cheat that could be tried."""
    return _figure_6(made), *(_histogram(tried, made.limits.people) for tried in made.tried)


def _table_1(made: Study) -> Table:
    n, lower = made.limits.people, dict(made.limits.s_lower)
    rows = tuple(
        _digits(f"s_lower({r})/n", printed, lower[r] / n if r in lower else None)
        for r, printed in TABLE_1.items()
    )
    return Table(PAPER, "table 1", "Least mean distance of a shuffle, quantity multiset", rows, QUANTITY)


def _text(made: Study) -> Table:
    n, lower = made.limits.people, dict(made.limits.s_lower)
    most = min(CONTEST_LIMIT, n)
    stay = theory.log2_complement(theory.fixed_points_at_most(n, min(19, n)))
    rows = [
        _digits("s_exact(0)", S_EXACT_0, made.curve[0].upper),
        _number("Min", 0.713362, made.limits.minimum, 5e-7),
        _number("log2(1 - q*(19)), random", -62.0, stay, 0.5, WHOLE),
        _number("lower end of t/n", 0.357, made.limits.low / n, 5e-4),
        _number("upper end of t/n", CONTEST_T, lower[most] / n, 5e-3, NOT_SMALLER),
    ]
    count = stay_grouped = None
    if made.countries:
        count = float(len(made.countries))
        stay_grouped = theory.log2_complement(theory.grouped_fixed_points_at_most(made.countries, most))
    apart = (("log2(1 - q*(99)), multi-random", -51.0, stay_grouped), ("groups", 47.0, count))
    rows += [_number(*row, reason=COUNTRIES, comparable=False) for row in apart]
    return Table(PAPER, "text", "Numbers of sections 4.3 and 4.4", tuple(rows))


def _cheats(made: Study) -> Table:
    caught = {
        tried.cheat: tried.rejected(CONTEST_T * made.limits.people) / len(tried.sums) for tried in made.tried
    }
    rows = tuple(
        _number(
            f"{figure}: share of trials of {cheat} above 0.64", 1.0, caught.get(cheat), reason=_REASON[cheat]
        )
        for cheat, figure in _FIGURE.items()
    )
    return Table(PAPER, "figures 8 to 10", "Cheats caught at t = 0.64 n", rows)


def _figure_6(made: Study) -> Figure:
    n = made.limits.people
    lower = tuple(Point(float(r), value / n) for r, value in made.limits.s_lower)
    exact = tuple(Point(float(b.r), b.upper / n, b.lower / n, b.upper / n) for b in made.curve)
    printed = tuple(Point(float(r), float(value)) for r, value in sorted(TABLE_1.items()))
    solved = sum(bracket.exact for bracket in made.curve)
    return Figure(
        PAPER, "figure 6", "Least mean distance of a shuffle", "people left in place, at most",
        "mean distance",
        (Series("s_lower", "ours", "line", lower), Series("s_exact", "ours", "line", exact),
         Series("s_lower, printed", "printed", "points", printed)),
        f"s_exact, which 004 has for r = 0 only, is exact for {solved} of {n + 1} r; elsewhere its "
        "certified bracket is the band.",
    )  # fmt: skip


def _histogram(tried: Trials, n: int) -> Figure:
    means = tried.sums / n
    first = min(CONTEST_T - _BIN / 2, float(means.min()) - _BIN)
    edges = np.arange(first, float(means.max()) + 2 * _BIN, _BIN)
    counts, _ = np.histogram(means, edges)
    bars = tuple(
        Point(float(low + _BIN / 2), float(count)) for low, count in zip(edges, counts.tolist(), strict=False)
    )
    return Figure(
        PAPER, _FIGURE[tried.cheat], f"Mean distance over {len(means):,} trials of {tried.cheat}",
        f"mean distance (bins of {_BIN})", "trials",
        (Series("ours", "ours", "bars", bars),
         Series("t/n = 0.64, printed", "printed", "rule", (Point(CONTEST_T, 0.0),))),
        _REASON[tried.cheat],
    )  # fmt: skip


def _digits(label: str, printed: str, ours: float | None) -> Row:
    """Compare as text, to every digit that is printed."""
    if ours is None:
        return beside(label, printed, None, reason=TOO_FEW)
    difference = ours - float(printed)
    row = beside(label, printed, f"{ours:.{len(printed.partition('.')[2])}f}")
    return replace(row, difference=difference, percent=100 * difference / float(printed))


def _number(
    label: str,
    printed: float,
    ours: float | None,
    allowed: float = 0.0,
    reason: str = "",
    *,
    comparable: bool = True,
) -> Row:
    """Compare as numbers; without countries, or with too few people, there is none of ours."""
    measured = None
    if ours is None:
        reason = NO_MASTER
    elif not np.isfinite(ours):
        reason = TOO_FEW
    else:
        measured = Spread.of([ours])
    return beside(label, printed, measured, Within(allowed), reason, comparable=comparable)
