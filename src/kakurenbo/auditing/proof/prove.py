"""The panel proves itself: every attacker tried on a verbatim copy and on noise, before any audit counts.

An attack that finds nobody may be a weak attack, a wrong reading of the columns or a fault of this program.
So before its low rate counts, it must find in a copy those whom what it compares tells apart, and in noise
nobody beyond chance. Both are tried on a sample of the people, by the same code as the release. Who is meant
to see through a disguise is tried on it too, in a made-up shop where much can be found.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kakurenbo.attacks.base import Practice, Tables
from kakurenbo.auditing.panel.panel import Panel
from kakurenbo.auditing.proof import controls
from kakurenbo.auditing.proof.disguises import seen_through
from kakurenbo.auditing.proof.distinct import attainable
from kakurenbo.auditing.proof.remembered import identity, proofs
from kakurenbo.auditing.results import Proof, Proved
from kakurenbo.chance import Chance
from kakurenbo.progress import Progress

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable

    from kakurenbo.auditing.panel.outcomes import PanelRun
    from kakurenbo.data.release import Release
    from kakurenbo.data.table import Data

    Key = tuple[str, str, str]

PEOPLE = 300
ENOUGH = 0.9  # of those who can be found in a copy: rival claims and draws cost a few
HALF = 0.5  # of those who could be found without the disguise that he is meant to see through
_LUCK = 1e-6  # how unlikely a number of lucky hits in noise must be to count as a fault


def prove(
    original: Data,
    *,
    seed: int,
    progress: Progress | None = None,
    without: Collection[Key] = (),
    practised: bool = False,
) -> Proof:
    """Try the panel on both controls of a sample of the original; who was tried before is not tried again.

    Args:
        original: what is known.
        seed: repeats the sample and what attackers know.
        progress: told about each step.
        without: attackers to be left out.
        practised: whether attackers practised the release's method; then those who do are among them, and
            practise the control.
    """
    steps, chance = progress or Progress(), Chance(seed).under("proof")
    data = controls.sample(original, PEOPLE, chance)
    panel = blind = Panel.of(data)
    if practised:
        again = chance.under("practice")
        half = controls.sample(data, len(data.people) // 2, again)
        panel = Panel.of(data, practice=_practice(half, controls.copy(half)))
        blind = Panel.of(data, practice=_practice(half, controls.noise(half, again)))
    wanted = panel.without(without).members
    made = proofs(original, seed, practised=practised)
    before = {who.key for who in panel.members if identity(who) in made}
    copy, left_out = controls.copy(data), {*without, *before}
    if any(who.key not in left_out for who in wanted):
        panel, blind = panel.without(left_out), blind.without(left_out)
        steps.step("proving the attackers on a copy", 0.0)
        on_copy = panel.attack(copy.data, copy.pairing, seed=seed, everybody=True)
        steps.step("proving the attackers on noise", 0.5)
        noise = controls.noise(data, chance)
        on_noise = blind.attack(noise.data, noise.pairing, seed=seed, everybody=True)
        made |= dict.fromkeys(map(identity, panel.members)) | _proofs(panel, on_copy, on_noise)
    found = (made[identity(who)] for who in wanted)
    return Proof(len(copy.pairing), tuple(proved for proved in found if proved is not None))


def _practice(people: Data, release: Release[Data]) -> Practice[Data]:
    return Practice(Tables(people, release.data, Chance(0)), release.pairing)


def _proofs(panel: Panel[Data], on_copy: PanelRun[Data], on_noise: PanelRun[Data]) -> dict[Hashable, Proved]:
    in_copy = {outcome.attacker.key: outcome.finding for outcome in on_copy.outcomes}
    in_noise = {outcome.attacker.key: outcome.finding for outcome in on_noise.outcomes}
    made: dict[Hashable, Proved] = {}
    best: dict[tuple[str, str], float] = {}  # some stand on several rungs
    for attacker in panel.members:
        if attacker.key not in in_copy or attacker.key not in in_noise:
            continue
        copied, lucky = in_copy[attacker.key], in_noise[attacker.key]
        alike = attacker.attack.about.name, attacker.attack.model_dump_json()
        if alike not in best:
            best[alike] = attainable(attacker.attack, on_copy.tables)
        finds_copies = copied.rate.value >= ENOUGH * best[alike]
        through = seen_through(attacker)
        holds = (
            finds_copies
            and lucky.rate.value * lucky.people <= luck(lucky.people)
            and all(found >= HALF * best_there for _, found, best_there in through)
        )
        made[identity(attacker)] = Proved(
            attacker.name, attacker.reading, attacker.knowledge,
            copied.rate.value, best[alike], lucky.rate.value, lucky.chance, holds,
            copied.parameters, through,
        )  # fmt: skip
    return made


def luck(people: int, among: int | None = None) -> float:
    """Return how many of so many people may be named rightly by luck alone: one of all to be expected.

    Args:
        people: who are sought.
        among: how many there are in all; none given means no more than these.
    """
    from scipy.stats import binom  # noqa: PLC0415 - slow to load

    return float(binom.isf(_LUCK, people, 1 / (among or people))) if people > 1 else 1.0
