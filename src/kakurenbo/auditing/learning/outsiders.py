"""Outsiders: people who are not in the release, on whom the same attacks show what would be learnt anyway.

Who knows nothing of a person still knows what people buy. So what an attacker learns counts only as far as
it exceeds what he learns of people of the same population whose records are not in the release. Where the
plan of a release is known, it is carried out once more without a part of the people; else a file of outsiders
may be given; and where there is neither, the control is the best that can be claimed without a release.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Generic, Literal, cast

import numpy as np
import polars as pl

from kakurenbo.auditing.words import in_words_of
from kakurenbo.catalogue import build, find
from kakurenbo.data.blocks import Blocks
from kakurenbo.data.sampling import draw_and_fetch, drawn
from kakurenbo.data.table import ByKind, Data
from kakurenbo.errors import InputError, KakurenboError
from kakurenbo.mappings.tree import generalised

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from kakurenbo.about import Kind
    from kakurenbo.chance import Chance
    from kakurenbo.data.microdata import Microdata
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.plan import Plan, Step

    Bits = NDArray[np.uint64]
    Ints = NDArray[np.int64]
    Counting = Callable[[Bits], Ints]

MOST = 1000  # people, where not everybody can be taken
_LEFT_OUT = 5  # one in so many people is left out
_OUTSIDE = "\0outside "
_FEW = 3  # people of a file who may have all that somebody inside has, or as many as inside and by luck
_LUCK = 4.0  # standard deviations


@dataclass(frozen=True, eq=False)
class Outsiders(Generic[Data]):
    """People outside a release.

    Attributes:
        kind: how they were come by.
        known: the table that attackers may know, the outsiders among them.
        released: a release without them.
        targets: their numbers among the known people.
        drawn_from: how many people outside were given, where these were drawn from them.
    """

    kind: Literal["plan", "file"]
    known: Data
    released: Data
    targets: NDArray[np.int64]
    drawn_from: int | None = None


def some_outside(control: Data | Blocks, chance: Chance, *, whole: bool) -> tuple[Data, int | None]:
    """Return people of a file in memory, and of how many they were drawn where they are not all of them.

    Args:
        control: the people of the file.
        chance: draws some, by their ids: the same ones in memory and in blocks.
        whole: whether all people of a table in memory are taken, however many.
    """
    if isinstance(control, Blocks):
        people, some = control.whole.counts["customers"], draw_and_fetch(control, MOST, chance)
        return cast("Data", some), people if people > MOST else None
    people = len(control.people)
    if whole or people <= MOST:
        return control, None
    return control.of(drawn(control.people, MOST, chance)), people


def left_out(
    original: Data, plan: Plan, chance: Chance, released: Data | None = None
) -> Outsiders[Data] | str:
    """Carry out the plan without a part of the people; return why not, where it cannot be.

    Kinds of goods that the release has learnt stay as they are: in fewer or other words more or less would be
    learnt of anybody, and that would not be the people's doing.

    Args:
        original: the data that was released.
        plan: what made the release.
        chance: draws who is left out, and what the plan draws.
        released: the release, which may say what its words stand for.
    """
    original, plan = _in_its_words(original, plan, released)
    people = original.people
    order = chance.order("left out", people)
    out = order[: max(min(len(people) // _LEFT_OUT, MOST), 1)]
    inside = people.gather(np.sort(order[len(out) :]))
    if not len(inside):
        return "nobody would be left"
    try:
        method = build(plan.scaled(len(inside) / len(people)))
        release = method.release(original.of(inside), seed=int(chance.stream("left out").integers(2**31)))
    except KakurenboError as error:
        return f"the plan cannot be carried out without some of the people: {error.message}"
    return Outsiders("plan", in_words_of(original, release.data), release.data, np.sort(out))


def _in_its_words(original: Data, plan: Plan, released: Data | None) -> tuple[Data, Plan]:
    """Return the original in the kinds of goods of a release, and what else its plan does."""
    learnt = [step for step in plan.steps if _generalises(step, plan.kind)]
    if released is None or not learnt or "goods" not in released.hierarchies:
        return original, plan
    words = generalised(cast("Purchases", original), cast("Purchases", released))
    others = replace(plan, steps=tuple(step for step in plan.steps if step not in learnt))
    mapped = original if words is None else words.apply(cast("Purchases", original))
    return cast("Data", mapped), others


def _generalises(step: Step, kind: Kind) -> bool:
    slot: str | None = find(step.method, "method", kind).what.about.slot
    return slot == "goods"


def _purchases_of(
    original: Purchases, released: Purchases, others: Purchases, holders: Counting | None = None
) -> Outsiders[Purchases]:
    """Set people of a file beside those of the original, under names of their own."""
    missing = [role for role in original.roles if role not in others.roles]
    if missing:
        raise InputError(f"The people outside the release lack the role {missing[0]}.", code="roles")
    roles = original.roles
    _apart(_histories(original, roles), _histories(others, roles), holders)
    apart = others.under(None).select(roles).with_columns(customer=pl.lit(_OUTSIDE) + pl.col("customer"))
    known = original.with_records(
        pl.concat([original.under(None).select(roles), apart], how="vertical_relaxed")
    )
    outside = known.customers.str.starts_with(_OUTSIDE).arg_true().to_numpy().astype(np.int64)
    return Outsiders("file", known, released, outside)


def _rows_of(
    original: Microdata,
    released: Microdata,
    others: Microdata,
    holders: Counting | None = None,
) -> Outsiders[Microdata]:
    """Return the people of a file; it must have the original's columns."""
    original.require_columns_of(others)
    columns = original.records.columns
    inside, outside = (data.records.select(columns).hash_rows().to_numpy() for data in (original, others))
    _apart(inside, outside, holders)
    return Outsiders("file", others, released, np.arange(len(others)))


def _histories(data: Purchases, roles: Sequence[str]) -> Bits:
    """Return a number for everybody, the same for those who have the same records."""
    records = data.under(None).select(role for role in roles if role != "receipt")
    each = records.select("customer", record=records.drop("customer").hash_rows())
    made = each.group_by("customer").agg(pl.col("record").sort()).select(pl.col("record").hash())
    return made.to_series().to_numpy()


@dataclass(frozen=True, eq=False)
class _Holders:
    """Work: how many people of a block have each of these histories, read by these roles."""

    histories: Bits
    roles: tuple[str, ...]
    alike: Callable[[Purchases], Purchases]

    def __call__(self, block: Purchases) -> Ints:
        return _among(_histories(self.alike(block), self.roles), self.histories)


def holders_in(
    original: Blocks, roles: Sequence[str], alike: Callable[[Purchases], Purchases]
) -> Callable[[Bits], Ints]:
    """Return what counts how many people of a whole original have each of some histories.

    Args:
        original: everybody in it.
        roles: by which records are compared.
        alike: writes a block in the words of the release.
    """

    def count(histories: Bits) -> Ints:
        work, made = _Holders(histories, tuple(roles), alike), np.zeros(len(histories), np.int64)
        for held in original.map(work, doing="looking for the people outside it in the original"):
            made += held
        return made

    return count


def _among(histories: Bits, wanted: Bits) -> Ints:
    """Count how often each of the wanted, ascending, stands among these."""
    inside = histories[np.isin(histories, wanted)]
    return np.bincount(np.searchsorted(wanted, inside), minlength=len(wanted)).astype(np.int64)


def _at_most(count: int, among: int, people: int) -> float:
    """Return the share that luck may make of another one among so many people (Wilson's upper bound)."""
    share, room = count / among, _LUCK**2 / people
    spread = _LUCK * math.sqrt(share * (1 - share) / people + room / (4 * people))
    return (share + room / 2 + spread) / (1 + room)


def _apart(inside: Bits, outside: Bits, holders: Counting | None) -> None:
    """Refuse a file of people who are in the original: no release has an advantage over its own people.

    Short and coarse histories may be another's too, and as many are to be expected outside as inside.

    Args:
        inside: what people of the original have.
        outside: what those of the file have.
        holders: counts who has it, where the original holds more people than these.
    """
    wanted = np.unique(np.concatenate([inside, outside]))
    held = _among(inside, wanted) if holders is None else holders(wanted)
    there = int((held[np.searchsorted(wanted, outside)] > 0).sum())
    twice = int((held[np.searchsorted(wanted, inside)] > 1).sum())
    usual = _at_most(twice, len(inside), min(len(inside), len(outside)))
    if there > max(_FEW, usual * len(outside)):
        raise InputError(
            f"{there:,} of {len(outside):,} people outside the release stand in the original with all they "
            "have. Give people who are not in it.",
            code="duplicate-id",
        )


of_file: ByKind[Outsiders[Any]] = ByKind(purchases=_purchases_of, microdata=_rows_of)
