"""The proof of the attackers: each is tried on a verbatim copy and on noise, in every audit.

An attack that finds nobody may be a weak attack, a wrong reading of the columns or a fault of this program.
So before its low rate counts, it must find in a copy those whom its knowledge tells apart, and in noise
nobody beyond chance. Both are tried on a sample of the people, by the same code as the release.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import polars as pl

from kakurenbo.attacks.order import natural
from kakurenbo.attacks.purchases.likeness import LikenessAttack
from kakurenbo.attacks.purchases.strip import StripAttack
from kakurenbo.auditing.panel.panel import Panel
from kakurenbo.auditing.proof import controls
from kakurenbo.auditing.proof.distinct import told_apart
from kakurenbo.auditing.results import Proof, Proved
from kakurenbo.data.groups import group_codes
from kakurenbo.data.purchases import Purchases

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from kakurenbo.auditing.panel.members import Attacker
    from kakurenbo.auditing.panel.panel import Ran
    from kakurenbo.auditing.panel.views import Shared
    from kakurenbo.data.microdata import Microdata

PEOPLE = 300
ENOUGH = 0.9  # of those who can be found in a copy: rival claims and lots cost a few
_LUCK = 1e-6  # how unlikely a number of lucky hits in noise must be to count as a fault


def prove(
    original: Purchases | Microdata, *, seed: int, progress: Callable[[str], None] | None = None
) -> Proof:
    """Try the whole panel on both controls of a sample of the original."""
    rng = np.random.default_rng([seed, 1])
    told = progress or (lambda _: None)
    data: Any = controls.sample(cast("Any", original), PEOPLE, rng)
    panel = Panel.of(data)
    copy, noise = controls.copy(data), controls.noise(data, rng)
    told("proving the attackers on a copy")
    on_copy = panel.attack(copy.data, copy.pairing, seed=seed)
    told("proving the attackers on noise")
    on_noise = panel.attack(noise.data, noise.pairing, seed=seed)
    return Proof(len(copy.pairing), _proofs(panel, on_copy, on_noise))


def _proofs(panel: Panel, on_copy: Ran, on_noise: Ran) -> tuple[Proved, ...]:
    by_copy = {one.attacker.key: one.finding for one in on_copy.outcomes}
    by_noise = {one.attacker.key: one.finding for one in on_noise.outcomes}
    proofs = []
    for attacker in panel.members:
        if attacker.key not in by_copy or attacker.key not in by_noise:
            continue
        found, lucky = by_copy[attacker.key], by_noise[attacker.key]
        best = attainable(attacker, panel.original, on_copy.shared)
        holds = found.rate.value >= ENOUGH * best and lucky.rate.value * lucky.people <= luck(lucky.people)
        proofs.append(
            Proved(
                attacker.name, attacker.reading, attacker.knowledge,
                found.rate.value, best, lucky.rate.value, lucky.chance, holds, found.parameters,
            )
        )  # fmt: skip
    return tuple(proofs)


def luck(people: int) -> float:
    """Return how many of so many people may be named rightly by luck alone: one is to be expected."""
    from scipy.stats import binom  # noqa: PLC0415 - slow to load

    return float(binom.isf(_LUCK, people, 1 / people)) if people > 1 else 1.0


def attainable(attacker: Attacker, original: Any, shared: Shared | None) -> float:  # noqa: ANN401 - either kind
    """Return the share of people that this attacker's knowledge tells apart in a copy.

    For one who knows everything: people / crowds of equals, as naming anybody of a crowd of s finds one in s.
    For one who knows a few records: those whose records nobody else has all of. For one who drops dummies:
    those whom plain arithmetic finds by what he leaves, since in a copy all that he drops is real.
    """
    if attacker.knowledge == "order":
        return _in_order(attacker, original)
    if isinstance(attacker.attack, LikenessAttack) and shared is not None:
        seen = shared.look(attacker.attack)
        if attacker.attack.points is not None:
            return _held_by_one(seen.mine, seen.theirs)
        if isinstance(attacker.attack, StripAttack):
            return _left_over(seen.mine, seen.theirs)
        return told_apart(original, [block.sight for block in seen.blocks], attacker.attack.scored_by())
    return _different(attacker, original)


def _in_order(attacker: Attacker, original: Any) -> float:  # noqa: ANN401 - either kind
    """Return the share of people at the same place in both orders: ids sorted as text need not be."""
    ids = (original.customers if isinstance(original, Purchases) else original.ids).to_list()
    if attacker.attack.model_dump()["by"] != "text":
        return 1.0
    return float(
        np.mean([one == other for one, other in zip(sorted(ids), sorted(ids, key=natural), strict=True)])
    )


def _different(attacker: Attacker, original: Any) -> float:  # noqa: ANN401 - either kind
    """Return the share told apart by totals, or by what an attack on microdata compares."""
    if isinstance(original, Purchases):
        table = original.records.group_by("customer").agg(
            pl.len(), amount=(pl.col("price") * pl.col("quantity")).sort().sum().round_sig_figs(9)
        )
        return table.select("len", "amount").unique().height / table.height
    compared = _compared(attacker, original)
    (codes,) = group_codes([compared], compared.columns)
    return len(np.unique(codes)) / len(codes)


def _compared(attacker: Attacker, original: Microdata) -> Any:  # noqa: ANN401 - a table
    """Return what an attack on microdata compares, as columns."""
    asked = attacker.attack.model_dump()
    s = list(asked.get("s") or original.sa)
    if attacker.name == "identify-sort":
        sums = [math.fsum(row) for row in original.records.select(s).iter_rows()]
        return pl.DataFrame({"sum": sums}).select(pl.col("sum").round_sig_figs(12))
    wants_qi = attacker.name != "identify-sa21"
    wants_sa = attacker.name != "identify-rand" and asked.get("knows") != "qi"
    return original.records.select((list(original.qi) if wants_qi else []) + (s if wants_sa else []))


def _held_by_one(known: Any, released: Any) -> float:  # noqa: ANN401 - sparse matrices
    """Return the share of known people whose keys only one released person has all of."""
    mine, theirs = ((matrix > 0).astype(np.int32) for matrix in (known, released))
    common = (mine @ theirs.T).toarray()
    size: NDArray[np.int64] = np.diff(mine.indptr)
    return float(((common == size[:, None]).sum(axis=1) == 1).mean())


def _left_over(known: Any, released: Any) -> float:  # noqa: ANN401 - sparse matrices
    """Return the share whose own goods set is nearest by Jaccard to what is left of it in the release."""
    mine, theirs = ((matrix > 0).astype(np.int32).toarray() for matrix in (known, released))
    common = theirs @ mine.T
    likeness = common / (theirs.sum(axis=1)[:, None] + mine.sum(axis=1) - common)
    best = np.isclose(likeness, likeness.max(axis=1, keepdims=True), rtol=1e-9, atol=0)
    return float((best.diagonal() / best.sum(axis=1)).mean())
