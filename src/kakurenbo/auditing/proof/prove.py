"""The proof of the attackers: in a copy whoever can be found is, and in noise nobody is but by luck.

An attacker who finds nobody says nothing about a release until it is known that he can find anybody. So every
attacker is tried where the answer is known: among many made-up people, in every way (`strong.py`), which is
done once for a program and remembered; and in every audit anew on some of the user's own people, since his
table may be like no other. Who fails anywhere has failed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kakurenbo.auditing.panel.members import attackers, naming
from kakurenbo.auditing.proof import controls
from kakurenbo.auditing.proof.remembered import validated
from kakurenbo.auditing.results import Proof, Proved
from kakurenbo.chance import Chance
from kakurenbo.files.private_cache import PrivateCache
from kakurenbo.progress import Progress

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

    from kakurenbo.auditing.proof.controls import Key
    from kakurenbo.data.table import Data


def prove(
    original: Data,
    *,
    seed: int,
    progress: Progress | None = None,
    without: Collection[Key] = (),
    practised: bool = False,
    cache: bool = True,
    apart: Collection[Path] = (),
) -> Proof:
    """Try attackers on both controls of a sample of the original, and among made-up people like them.

    Args:
        original: what is known.
        seed: repeats the sample and what attackers know.
        progress: told about each step.
        without: attackers to be left out.
        practised: whether attackers practised the release's method; then those who do are among them, and
            practise the control.
        cache: whether the validation on made-up people is remembered; else all of it is made now.
        apart: folders that somebody else may have made: nothing is remembered there.
    """
    steps, chance = progress or Progress(), Chance(seed).under("proof")
    data = controls.sample(original, controls.PEOPLE, chance)
    able = [who for who in naming(attackers(data)) if practised or not who.stand.practised]
    wanted = [who for who in able if who.key not in without]
    own = controls.on_controls(
        data, wanted, chance, seed=seed, others=original, progress=steps.part(0.0, 0.3)
    )
    tried = [who for who in wanted if who.key in own]
    memory = PrivateCache.of_user(apart=apart) if cache else None
    steps.step("proving the attackers on made-up people", 0.3)
    strong = validated(original, tried, memory, steps.part(0.3, 1.0))
    made = tuple(
        Proved(
            who.name, who.reading, who.knowledge, found.copy, found.attainable, found.noise, found.chance,
            found.holds and strong.holds(who.key), found.parameters, strong.through[who.key],
            strong.made_up.get(who.key),
        )
        for who, found in ((who, own[who.key]) for who in tried)
    )  # fmt: skip
    return Proof(len(data.people), made, strong.about)
