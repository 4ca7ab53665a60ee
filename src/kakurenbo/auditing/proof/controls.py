"""Two releases whose risk is known beforehand: the verbatim copy, and records that belong to nobody.

A proof is believed when it shows full where it is full and nothing where there is nothing. The copy leaves
ids, rows and receipts as they are, so whoever knows enough to tell a person apart must find him. In the noise
every record (every value, of microdata) is dealt to anybody, under fresh names in a fresh order, so that
nobody can be found but by luck.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from kakurenbo.attacks.base import Practice, Tables
from kakurenbo.auditing.panel.panel import Panel
from kakurenbo.auditing.proof.distinct import attainable
from kakurenbo.chance import Chance
from kakurenbo.data.pairing import Pairing
from kakurenbo.data.release import Release
from kakurenbo.data.table import ByKind
from kakurenbo.progress import Progress

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kakurenbo.auditing.panel.members import Attacker
    from kakurenbo.data.microdata import Microdata
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.data.table import Data

    Key = tuple[str, str, str]

PEOPLE = 60  # of the user's own: those made up are many more
ENOUGH = 0.9  # of those who can be found in a copy: rival claims and draws cost a few
_PRACTISED = 150  # people, at most: fewer teach little
_LUCK = 1e-6  # how unlikely a number of lucky hits in noise must be to count as a fault


@dataclass(frozen=True)
class OnControls:
    """What one attacker finds on both controls.

    Attributes:
        copy: the share that he finds in the copy.
        attainable: the share that anybody could find there who knows as much.
        noise: the share that he finds in noise.
        chance: what is to be expected there.
        people: how many there are.
        parameters: the attack's, as a finding says them.
    """

    copy: float
    attainable: float
    noise: float
    chance: float
    people: int
    parameters: Mapping[str, Any]

    @property
    def holds(self) -> bool:
        """Whether he finds what can be found, and nothing where there is nothing."""
        return passes(self.copy, self.attainable, self.noise * self.people, luck(self.people))


def on_controls(
    data: Data,
    members: Sequence[Attacker],
    chance: Chance,
    *,
    seed: int,
    others: Data | None = None,
    progress: Progress | None = None,
) -> dict[Key, OnControls]:
    """Set attackers on both controls of some people; who cannot attack them is not in what is returned.

    Args:
        data: the people.
        members: the attackers.
        chance: draws the noise, and on whom is practised.
        seed: repeats what attackers know.
        others: people of whom those are drawn who are put into the same control for whoever must practise;
            none given means that half of these people are.
        progress: told about each step.
    """
    steps = progress or Progress()
    copied, dealt = copy(data), noise(data, chance)
    panels = [
        Panel.among(data, members, practice=made)
        for made in _practice(data if others is None else others, members, chance)
    ]
    ran = []
    for place, (panel, release) in enumerate(zip(panels, (copied, dealt), strict=True)):
        steps.step(f"proving the attackers on {'noise' if place else 'a copy'}", place / 2)
        ran.append(panel.attack(release.data, release.pairing, seed=seed, everybody=True))
    in_copy, in_noise = ({one.attacker.key: one.finding for one in run.outcomes} for run in ran)
    best: dict[tuple[str, str], float] = {}  # some stand on several rungs
    made = {}
    for who in members:
        if who.key not in in_copy or who.key not in in_noise:
            continue
        alike = who.name, who.attack.model_dump_json()
        if alike not in best:
            best[alike] = attainable(who.attack, ran[0].tables)
        found, lucky = in_copy[who.key], in_noise[who.key]
        made[who.key] = OnControls(
            found.rate.value, best[alike], lucky.rate.value, lucky.chance, lucky.people, found.parameters
        )
    return made


def passes(copy: float, best: float, hits: float, lucky: float) -> bool:
    """Tell whether who finds so much of a copy, and so many in noise, may be believed."""
    return copy >= ENOUGH * best and hits <= lucky


def luck(people: int, among: int | None = None, *, tables: int = 1) -> float:
    """Return how many people may be named rightly by luck alone: of all in a table one is to be expected.

    Args:
        people: who are sought, in each table.
        among: how many there are in all; none given means no more than these.
        tables: how many tables there are.
    """
    from scipy.stats import binom  # noqa: PLC0415 - slow to load

    return float(binom.isf(_LUCK, people * tables, 1 / (among or people))) if people > 1 else float(tables)


def _practice(data: Data, members: Sequence[Attacker], chance: Chance) -> Sequence[Practice[Data] | None]:
    """Return what is practised on for the copy and for the noise."""
    if not any(who.stand.practised for who in members):
        return None, None
    again = chance.under("practice")
    half = sample(data, min(len(data.people) // 2, _PRACTISED), again)
    return [
        Practice(Tables(half, release.data, Chance(0)), release.pairing)
        for release in (copy(half), noise(half, again))
    ]


def sample(data: Data, people: int, chance: Chance) -> Data:
    """Return the data of so many people drawn at random, or all of it where there are no more.

    Who has most records is always among them: an attacker who knows k of them can be tried.
    """
    if len(data.people) <= people:
        return data
    order, longest = chance.order("sample", data.people), int(data.records_each.argmax())
    return data.of(data.people.gather([longest, *order[order != longest][: people - 1].tolist()]))


def copy(data: Data) -> Release[Data]:
    """Return the data as its own release."""
    return Release(data, Pairing(data.people, data.people))


def _under_fresh_names(released: Any, names: pl.Series, people: pl.Series, chance: Chance) -> Release[Any]:  # noqa: ANN401 - either kind
    return Release(released, Pairing(names, people.gather(chance.order("owner", people))))


def _shuffled(data: Microdata, chance: Chance) -> Release[Microdata]:
    columns = [column.gather(chance.order(f"column {column.name}", data.ids)) for column in data.records]
    names = chance.tokens("pseudonym", data.ids, avoid=data.ids)
    released = replace(data, records=pl.DataFrame(columns), ids=names.alias("id"), id_column="id")
    return _under_fresh_names(released, names, data.ids, chance)


def _dealt(data: Purchases, chance: Chance) -> Release[Purchases]:
    """Deal the records round, so that everybody has as many, each on a receipt of its own."""
    people, rng = data.customers, chance.stream("records")
    names = chance.tokens("pseudonym", people, avoid=people)
    records = data.by_content()[rng.permutation(len(data))]
    records = records.with_columns(names.gather(np.arange(len(data)) % len(people)).alias("customer"))
    if "receipt" in data.roles:
        numbers = pl.int_range(len(data), eager=True).cast(pl.String)
        fresh = chance.tokens("receipt", numbers, avoid=records["receipt"].unique())
        records = records.with_columns(fresh.alias("receipt"))
    master = data.master
    if master is not None:
        rows = people.to_frame("customer").join(master, on="customer", maintain_order="left")
        master = rows[chance.order("row of the master", people)].with_columns(names.alias("customer"))
    return _under_fresh_names(data.with_records(records, master=master), names, people, chance)


# A release in which nothing has to do with its owner.
noise: ByKind[Release[Any]] = ByKind(purchases=_dealt, microdata=_shuffled)
