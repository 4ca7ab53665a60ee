"""How the numbers of a release become a score: all are better when they are lower, and 0 is best.

`utility` combines the losses of the measures, `security` the rates of the attacks, each averaged over its
levels of knowledge, as the rules say: the worst, or the mean. Where what is learnt counts, security is at
least the share of people who are laid open at the worst rung. The total is the weighted sum of both. What a
guess finds is one more attack: security is at least what it finds.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from kakurenbo.contest.judging.records import Judged, Score

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from kakurenbo.contest.rules import Combined, Rules

GUESS = "guess"


def mean(numbers: Collection[float]) -> float:
    """Return the mean, 0 of nothing."""
    return math.fsum(numbers) / len(numbers) if numbers else 0.0


def combined(numbers: Collection[float], how: Combined) -> float:
    """Return the worst of some numbers, or their mean; 0 of nothing."""
    return max(numbers, default=0.0) if how == "max" else mean(numbers)


def score(
    rules: Rules,
    losses: Mapping[str, float],
    attacks: Mapping[str, Sequence[float]],
    laid_open: Collection[float] = (),
) -> Score:
    """Return the score of a release.

    Args:
        rules: how it is made.
        losses: what every measure says was lost, between 0 and 1.
        attacks: what every attack finds at each level of knowledge.
        laid_open: the share of people laid open at each rung that the rules name.
    """
    how = rules.scoring
    security = combined([mean(rates) for rates in attacks.values()], how.security)
    if how.learnt_counts:
        security = max((security, *laid_open))
    return _total(rules, combined(list(losses.values()), how.utility), security)


def with_guess(rules: Rules, judged: Judged, rates: tuple[float, ...]) -> Judged:
    """Return what the judge says of a release that somebody has guessed at."""
    attacks = {**judged.attacks, GUESS: rates}
    if judged.score is None:
        return replace(judged, attacks=attacks)
    security = max(judged.score.security, mean(rates))
    return replace(judged, attacks=attacks, score=_total(rules, judged.score.utility, security))


def _total(rules: Rules, utility: float, security: float) -> Score:
    weight = rules.scoring.utility_weight
    return Score(utility, security, math.fsum((weight * utility, (1 - weight) * security)))
