"""How many are alone in the population, estimated from who is alone in a sample of it.

Somebody who is alone with his quasi-identifiers among n released people may have twins among the N - n people
of the population who were not drawn. A model of how people fall into groups is fitted to the sizes f_1, ...,
f_K of the sample's groups, and then says how large the group of somebody is in the population, F.

| model | groups | F given f | after |
|---|---|---|---|
| `pitman` | Pitman's sampling formula, 0 < a < 1, t > -a | f + beta-binomial | Hoshino 2001 |
| `lognormal` | Poisson with log-normal means, none unseen | f + mixed Poisson | Skinner and Holmes 1993 |

Both are fitted by maximum likelihood. Neither knows the people, so each also says how well it fits: the share
of people whom it puts into groups of another size than they are in, in the sample itself. Estimates hold for
a simple random sample of the population and for nothing else.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from kakurenbo.theory._checks import require

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

Model = Literal["pitman", "lognormal"]
FITS = 0.05  # of the people may be put into groups of another size
_NODES = 64  # of the quadrature
_REACH = 40.0  # beyond exp(-40) nothing counts
_BANDS = (1, 2, 3, 4, 5, 8, 16, 32, 64, 128)  # sizes of groups are compared from one of these to the next


@dataclass(frozen=True, slots=True)
class Population:
    """What a model says of the population.

    Attributes:
        model: which.
        alone: people alone in the sample.
        alone_there: of those who are alone in the sample, the share who are alone in the population too.
        journalist: the chance to name somebody who is alone in the sample rightly, the mean of 1 / F.
        marketer: the share of all sampled people named rightly by naming anybody of their group, mean of 1/F.
        misfit: the share of sampled people whom the model puts into groups of another size.
        fits: whether that is little enough for the model to be believed.
    """

    model: Model
    alone: int
    alone_there: float
    journalist: float
    marketer: float
    misfit: float
    fits: bool


def population_models(sizes: ArrayLike, population: int) -> tuple[Population, ...]:
    """Return what each model says of a population of N people from the sizes of a sample's groups.

    Args:
        sizes: people in each group of the sample, at least one group, all at least 1.
        population: N, at least the number of people in the sample.
    """
    groups = np.asarray(sizes, dtype=np.int64)
    require(groups.ndim == 1 and len(groups) > 0 and bool((groups >= 1).all()), "sizes of groups", "others")
    n = int(groups.sum())
    require(population >= n, f"a population of at least {n}", population)
    size, count = np.unique(groups, return_counts=True)
    return _pitman(size, count, population), _lognormal(size, count, population)


def _pitman(size: Ints, count: Ints, population: int) -> Population:
    """Fit Pitman's formula; F - f is beta-binomial(N - n, f - a, n - f + t + a)."""
    from scipy.special import betaln, gammaln  # noqa: PLC0415 - slow to load

    n, groups = int((size * count).sum()), int(count.sum())

    def unlikely(given: Floats) -> float:
        a, t = _shares(given)
        grown = (groups - 1) * math.log(a) + gammaln(t / a + groups) - gammaln(t / a + 1)
        inside = (count * (gammaln(size - a) - gammaln(1 - a))).sum()
        return float(gammaln(t + n) - gammaln(t + 1) - grown - inside)

    a, t = _shares(_least(unlikely, [(-3.0, 2.0), (0.0, 5.0), (2.0, 1.0), (-6.0, 7.0)]))
    every = np.arange(1, n + 1)
    expected: Floats = every.astype(np.float64) * np.exp(
        gammaln(n + 1) - gammaln(every + 1) - gammaln(n - every + 1) + gammaln(every - a) - gammaln(1 - a)
        + gammaln(t + a + n - every) - gammaln(t + a) - gammaln(t + n) + gammaln(t + 1)
    )  # fmt: skip

    def chance_of(f: int) -> tuple[float, float]:
        left, right, rest = f - a, n - f + t + a, population - n
        none = float(np.exp(betaln(left, right + rest) - betaln(left, right)))
        return none, float(np.mean(_one_over(f, rest * _quantiles(left, right))))

    return _told("pitman", size, count, expected, chance_of)


def _lognormal(size: Ints, count: Ints, population: int) -> Population:
    """Fit Poisson counts with log-normal means, none of them 0; F - f is Poisson with what is left of it."""
    from scipy.special import gammaln, logsumexp  # noqa: PLC0415 - slow to load

    n = int((size * count).sum())
    share = n / population
    nodes, weights = np.polynomial.hermite_e.hermegauss(_NODES)
    weights = np.log(weights / weights.sum())

    def log_seen(f: Floats, mean: float, spread: float) -> Floats:
        """Return log P(f) of a group, over the nodes of its mean: sum over nodes follows."""
        rate = mean + spread * nodes
        made: Floats = weights + f[:, None] * rate - np.exp(rate) - gammaln(f + 1)[:, None]
        return made

    def unlikely(given: Floats) -> float:
        mean, spread = float(given[0]), float(np.exp(np.clip(given[1], -6, 2)))
        none = logsumexp(log_seen(np.zeros(1), mean, spread))
        seen = logsumexp(log_seen(size.astype(np.float64), mean, spread), axis=1)
        return float(-(count * (seen - np.log(-np.expm1(min(none, -1e-12))))).sum())

    best = _least(unlikely, [(0.0, 0.0), (-2.0, 0.5), (1.0, -1.0), (-4.0, 0.7)])
    mean, spread = float(best[0]), float(np.exp(np.clip(best[1], -6, 2)))
    every = np.arange(1, max(int(size.max()), _BANDS[-1]) + 1).astype(np.float64)
    made = np.exp(logsumexp(log_seen(every, mean, spread), axis=1))
    made /= -np.expm1(min(float(logsumexp(log_seen(np.zeros(1), mean, spread))), -1e-12))
    expected = every * made * count.sum()
    rate = np.exp(mean + spread * nodes) * (1 - share) / share  # people of the group who were not drawn

    def chance_of(f: int) -> tuple[float, float]:
        likely = log_seen(np.array([float(f)]), mean, spread)[0]
        likely = np.exp(likely - likely.max())
        likely /= likely.sum()
        return float((likely * np.exp(-rate)).sum()), float((likely * _one_over(f, rate)).sum())

    return _told("lognormal", size, count, expected, chance_of)


def _told(
    model: Model, size: Ints, count: Ints, expected: Floats, chance_of: Callable[[int], tuple[float, float]]
) -> Population:
    people = size * count
    chances = [chance_of(int(f)) for f in size]
    alone = int(count[size == 1].sum())
    there, journalist = chances[0] if alone else (0.0, 0.0)
    marketer = float(sum(p * one for p, (_, one) in zip(people, chances, strict=True)) / people.sum())
    seen = np.zeros(max(len(expected), int(size.max())))
    seen[size - 1] = people
    meant = np.zeros_like(seen)
    meant[: len(expected)] = expected
    misfit = min(float(np.abs(_banded(seen) - _banded(meant)).sum() / 2 / people.sum()), 1.0)
    return Population(model, alone, there, journalist, marketer, misfit, misfit <= FITS)


def _banded(people: Floats) -> Floats:
    """Return how many people are in groups of each band of sizes; people in groups of s stand at s - 1."""
    starts = [start - 1 for start in _BANDS if start <= len(people)]
    return np.add.reduceat(people, starts)


def _least(cost: Callable[[Floats], float], starts: list[tuple[float, float]]) -> Floats:
    from scipy.optimize import minimize  # noqa: PLC0415 - slow to load

    tried = [minimize(cost, start, method="Nelder-Mead", options={"maxiter": 300}) for start in starts]
    best = min((one for one in tried if np.isfinite(one.fun)), key=lambda one: one.fun)
    return np.asarray(best.x, dtype=np.float64)


def _shares(given: Floats) -> tuple[float, float]:
    """Return 0 < a < 1 and t > -a of two free numbers."""
    a = float(1 / (1 + np.exp(-np.clip(given[0], -12, 12))))
    return a, float(np.exp(np.clip(given[1], -20, 25)) - a)


def _quantiles(left: float, right: float) -> Floats:
    """Return evenly spaced quantiles of a beta distribution: its mean over them is the mean."""
    from scipy.special import betaincinv  # noqa: PLC0415 - slow to load

    quantiles = (np.arange(_NODES * 4) + 0.5) / (_NODES * 4)
    return np.asarray(betaincinv(left, right, quantiles), dtype=np.float64)


def _one_over(f: int, rate: Floats) -> Floats:
    """Return the mean of 1 / (f + P) for P Poisson: the integral over 0..1 of (1 - u)^(f-1) exp(-rate u).

    Where the rate is large only small u count. A binomial of many people with small chances is as good as P.
    """
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    each = np.asarray(rate)[:, None]
    reach = np.minimum(_REACH / np.maximum(each, 1.0), 1.0)
    u = (nodes + 1) / 2 * reach
    made: Floats = (weights / 2 * reach * (1 - u) ** (f - 1) * np.exp(-each * u)).sum(axis=1)
    return made
