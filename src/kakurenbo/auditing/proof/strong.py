"""The strong validation: attackers among many made-up people, in several shops and in every way.

On a few dozen people of a user's own an attacker may pass who finds four fifths of what he should, and where
nobody can be found a sixth of them may be luck. Here are hundreds of people in each of several shops: copied,
dealt at random, changed in what an attacker says does not concern him, and in every disguise that he
is meant to see through. It takes a while. Nothing in it depends on a user's data but which columns it has, so
it is worth remembering (`remembered.py`), and everything that it refers to is part of the digest under which
it is remembered: what is judged of it is not (`prove.py`).
"""

from __future__ import annotations

from statistics import mean
from typing import TYPE_CHECKING, cast

from kakurenbo.auditing.proof.controls import ENOUGH, luck, on_controls, passes
from kakurenbo.auditing.proof.disguises import seen_through
from kakurenbo.auditing.proof.made_up import PEOPLE, shop
from kakurenbo.auditing.proof.transformations import fresh_codes, multiplying, permuted_codes, shifting
from kakurenbo.auditing.proof.transformed import unconcerned
from kakurenbo.auditing.results import OnMadeUp
from kakurenbo.chance import Chance

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kakurenbo.auditing.panel.members import Attacker
    from kakurenbo.auditing.proof.controls import OnControls
    from kakurenbo.auditing.proof.made_up import MadeUp
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.data.table import Data
    from kakurenbo.progress import Progress

    Key = tuple[str, str, str]
    Through = tuple[tuple[str, float, float], ...]

SEEDS = (1, 2, 3, 4, 5)  # a shop each
HALF = 0.5  # of those who could be found without the disguise that he is meant to see through
_CHANGES = (  # one in each shop
    fresh_codes(), permuted_codes(), shifting(400), multiplying("price", 1.37), multiplying("quantity", 0.6),
)  # fmt: skip


def on_made_up(members: Sequence[Attacker], like: MadeUp[Data], progress: Progress) -> dict[Key, OnMadeUp]:
    """Return what attackers find among made-up people in each shop; who cannot attack one is left out."""
    shops: list[dict[Key, OnControls]] = []
    changed: dict[Key, list[tuple[str, float, float]]] = {}
    for place, (seed, change) in enumerate(zip(SEEDS, _CHANGES, strict=True)):
        people, steps = like.draw(PEOPLE, seed), progress.part(place / len(SEEDS), (place + 1) / len(SEEDS))
        found = on_controls(people, members, Chance(seed).under("noise"), seed=seed, progress=steps)
        shops.append(found)
        if change.role in people.shown:
            for key, share in unconcerned(members, cast("Purchases", people), change, seed=seed).items():
                changed.setdefault(key, []).append((change.words, share, found[key].attainable))
    everywhere = (who.key for who in members if all(who.key in found for found in shops))
    return {key: _together([found[key] for found in shops], changed.get(key, ())) for key in everywhere}


def _together(tried: Sequence[OnControls], changed: Sequence[tuple[str, float, float]]) -> OnMadeUp:
    return OnMadeUp(
        copy=mean(one.copy for one in tried), attainable=mean(one.attainable for one in tried),
        noise=mean(one.noise for one in tried), chance=mean(one.chance for one in tried),
        unconcerned=tuple(changed),
    )  # fmt: skip


def through_disguises(members: Sequence[Attacker]) -> dict[Key, Through]:
    """Return what attackers find through the disguises that they are meant for, in the first of the shops."""
    if not any(who.stand.through for who in members):
        return {who.key: () for who in members}
    return seen_through(members, shop(PEOPLE, SEEDS[0]), shop(PEOPLE, SEEDS[1]))


def holds(made: OnMadeUp, through: Through) -> bool:
    """Tell whether an attacker found what he should."""
    return (
        passes(made.copy, made.attainable, made.noise * PEOPLE * len(SEEDS), luck(PEOPLE, tables=len(SEEDS)))
        and all(found >= ENOUGH * best for _, found, best in made.unconcerned)
        and all(found >= HALF * best for _, found, best in through)
    )
