"""Practice: the plan of a release carried out on other people, so that attackers can learn how to undo it.

Who knows a method can try it himself. What an audit gives him is more than he may have: a random half of the
very people of the release, released once more by another seed. So he knows the method and people like these,
but nothing of the release: names, receipts, groups and every draw are others. What he then finds is counted
on the release's own pairing. Where nobody says how a release was made, the plan is guessed from both tables.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kakurenbo.attacks.base import Practice, Tables
from kakurenbo.auditing.panel.members import attackers
from kakurenbo.auditing.plan_guess import GuessedPlan, guess_plan
from kakurenbo.auditing.words import in_words_of
from kakurenbo.catalogue import build
from kakurenbo.data.table import ByKind
from kakurenbo.errors import KakurenboError

if TYPE_CHECKING:
    from kakurenbo.chance import Chance
    from kakurenbo.data.table import Data
    from kakurenbo.plan import Plan

guessed: ByKind[GuessedPlan] = ByKind(
    purchases=guess_plan, microdata=lambda *_: GuessedPlan(None, ("nobody practises on microdata",))
)
_LEAST = 150  # people: fewer teach little, and an audit of few people is to be quick
_MOST = 500


def practised(
    original: Data,
    plan: Plan | None,
    chance: Chance,
    *,
    released: Data,
) -> Practice[Data] | str:
    """Carry out the plan on a half of the people, or return why not.

    Args:
        original: the data that was released.
        plan: what made the release, where it is known; else it is guessed.
        chance: draws the people, and what the plan draws.
        released: the release.
    """
    if not any(who.stand.practised for who in attackers(original)):
        return "nobody practises"
    half = min(len(original.people) // 2, _MOST)
    if half < _LEAST:
        return f"fewer than {2 * _LEAST} people: too few to practise on"
    missing = sorted(original.shown - released.shown - {"master"})
    if missing:
        return f"the release lacks the role {missing[0]}, which the plan keeps"
    guess = GuessedPlan(plan, ()) if plan is not None else guessed(original, released)
    if guess.plan is None:
        return f"nobody knows how the release was made, and it cannot be guessed: {guess.reasons[0]}"
    people = original.people.gather(np.sort(chance.order("practice", original.people)[:half]))
    some = original.of(people)
    try:
        method = build(guess.plan.scaled(half / len(original.people)))
        release = method.release(some, seed=int(chance.stream("practice").integers(2**31)))
    except KakurenboError as error:
        return f"the plan cannot be carried out on half of the people: {error.message}"
    tables = Tables(in_words_of(some, release.data), release.data, chance, some)
    return Practice(tables, release.pairing, "" if plan is not None else str(guess.plan))
