"""The scan proves itself: tables gone through in blocks, where it is known what is to be found.

The proof tries attackers on a copy and on noise as they stand in the panel. Who goes through tables block by
block does so by other code, so he is tried in that way as well, on the same people and in several blocks: he
must find in a copy what the attack itself finds in the whole, and in noise nobody beyond chance.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from kakurenbo.attacks.base import Tables
from kakurenbo.attacks.purchases.claims import Places
from kakurenbo.attacks.purchases.scans import LookUp
from kakurenbo.auditing.linear.found import outcomes
from kakurenbo.auditing.linear.sample import Sample
from kakurenbo.auditing.linear.seek import scanning, seek
from kakurenbo.auditing.proof import controls
from kakurenbo.auditing.proof.prove import ENOUGH, PEOPLE, luck
from kakurenbo.chance import Chance
from kakurenbo.data.blocks import InMemory
from kakurenbo.data.owners import Owners
from kakurenbo.errors import KakurenboError
from kakurenbo.progress import Progress

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kakurenbo.attacks.purchases.base import PurchasesAttack
    from kakurenbo.auditing.panel.members import Attacker
    from kakurenbo.auditing.results import Finding, Proof, Proved
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.data.release import Release

_BLOCKS = 3  # so that what stands in several of them is put together too


def tried(
    proof: Proof, original: Purchases, members: Sequence[Attacker], *, seed: int, progress: Progress
) -> Proof:
    """Return a proof in which who scans holds only if his scan does.

    Args:
        proof: of the panel.
        original: what it was made on.
        members: the attackers.
        seed: of the proof.
        progress: told about each step.
    """
    chance = Chance(seed).under("proof")
    data = controls.sample(original, PEOPLE, chance)
    copy, noise = controls.copy(data), controls.noise(data, chance)
    able = [who for who, _ in scanning(members, data.shown)]
    progress.step("proving the scan on a copy", 0.0)
    in_copy = _found(data, copy, able, seed)
    progress.step("proving the scan on noise", 0.5)
    in_noise = _found(data, noise, able, seed)
    tables = Tables(data, copy.data, Chance(seed))
    whole = {_named(who): _in_whole(who, tables) for who in able}

    def marked(one: Proved) -> Proved:
        who = _key(one.knowledge, one.attack, one.parameters)
        if who not in whole or (who not in in_copy and who not in in_noise):
            return one
        there = one.copy if whole[who] is None else cast("float", whole[who])
        return replace(one, holds=one.holds and _holds(in_copy.get(who), in_noise.get(who), there))

    return replace(proof, attackers=tuple(map(marked, proof.attackers)))


def _holds(copied: Finding | None, lucky: Finding | None, there: float) -> bool:
    if copied is None or lucky is None:
        return False
    return copied.rate.value >= ENOUGH * there and lucky.rate.value * lucky.people <= luck(lucky.people)


def _found(
    data: Purchases, release: Release[Purchases], members: Sequence[Attacker], seed: int
) -> dict[str, Finding]:
    """Return what the scan finds of everybody, by who seeks."""
    owners = Owners.of(release.pairing)
    tables = Tables(data, release.data, Chance(seed))
    blocks = InMemory(data, _BLOCKS), InMemory(release.data, _BLOCKS)
    sought = seek(tables, owners, blocks, members, alike=None, progress=Progress())
    sample = Sample(data, release.data, owners, len(data.customers), len(release.data.customers))
    return {_named(one.attacker): one.finding for one in outcomes(sought, sample, owners, members, 0.0)}


def _in_whole(who: Attacker, tables: Tables[Purchases]) -> float | None:
    """Return whom an attack that looks people up finds in a copy, as a panel does; None for who compares."""
    attack = cast("PurchasesAttack", who.attack)
    if not isinstance(attack.scan(tables.shown), LookUp):
        return None
    people = np.arange(len(tables.original.customers))
    try:
        places = attack.supposes(tables, people)
    except KakurenboError:  # such as nobody having so many records
        return None
    if not isinstance(places, Places):
        return None
    count = np.diff(places.best.indptr)
    owner = np.repeat(people, count)
    return float((1 / count[owner])[places.best.indices == owner].sum() / len(people))


def _named(who: Attacker) -> str:
    return _key(who.knowledge, who.name, who.attack.model_dump(mode="json"))


def _key(knowledge: str, name: str, parameters: Any) -> str:  # noqa: ANN401 - plain values
    return json.dumps([knowledge, name, parameters], sort_keys=True, default=str)
