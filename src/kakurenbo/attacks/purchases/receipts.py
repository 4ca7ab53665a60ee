"""Receipts: whose they are, asked of some people among many, block by block.

See `OwnersAttack` for whom a receipt is given to. It takes two passes. The first goes through the release:
each receipt is scored for some people at hand, and is kept if one of those asked about is alone best there
and above the bar, as its owner must be. The second goes through the original and asks of each receipt kept
whether anybody scores as much. Before each, a pass over the original counts how rare records are among all
that is known. So what is found of a person does not hang on who else is asked about, nor on how tables
are cut.

What is held is bounded. Receipts, or moments, of several blocks are gathered from these, so many records at a
time (of one moment at least all), by as many more passes over the release; to tell them apart some 16 bytes
are held for every receipt, or moment, of a block. Where more records are kept than `KEPT`, only the first
people are answered for, as many as fit.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from functools import reduce
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, get_args

import numpy as np
import polars as pl

from kakurenbo.attacks.base import Tables
from kakurenbo.attacks.purchases.likelihood import GRAINS
from kakurenbo.attacks.purchases.owners import (
    CLOSE,
    Attributed,
    Receipts,
    Unit,
    grouped,
    keys_of,
    numbered,
    often,
    people_by_keys,
    places_of,
    reading_of,
)
from kakurenbo.attacks.purchases.view import grains_shown, people_of
from kakurenbo.attacks.search.agree import Together
from kakurenbo.attacks.search.counts import Count, counted
from kakurenbo.attacks.search.keys import Forms, Laid
from kakurenbo.attacks.search.lookup import beside
from kakurenbo.data.checks.ids import stacked
from kakurenbo.errors import KakurenboError

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from kakurenbo.attacks.purchases.owners import OwnersAttack
    from kakurenbo.attacks.purchases.view import Part
    from kakurenbo.attacks.search.counts import Counts
    from kakurenbo.attacks.search.keys import Grain, Reading
    from kakurenbo.chance import Chance
    from kakurenbo.data.blocks import Blocks
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.kernels.scan import Postings, Ties
    from kakurenbo.progress import Progress

    Bits = NDArray[np.uint64]
    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]
    Alike = Callable[[Purchases], Purchases]

GATHERED = 1_000_000  # records of receipts that stand in several blocks, which are held at a time
KEPT = 8_000_000  # records that may be somebody's, of all who ask together
RIVALS = 5_000  # people at hand for whom each receipt is scored at first, those asked about among them


class Question(NamedTuple):
    """An attacker who asks, and at which grains he compares records."""

    key: Hashable
    attack: OwnersAttack
    grains: tuple[Grain, ...]


@dataclass(frozen=True, eq=False)
class Asked:
    """What was asked, and of whom.

    Attributes:
        tables: people of the original, and the released records that may be somebody's of whom it was asked.
        people: who was asked about.
        of: whose these records are taken to be, by the key of who asks; None for who need not, or cannot.
    """

    tables: Tables[Purchases]
    people: pl.Series
    of: Mapping[Hashable, Attributed | None]


@dataclass(frozen=True, eq=False)
class Kept:
    """The receipts of some records, as one attacker sees them.

    Attributes:
        rows: of the records, receipt after receipt.
        bounds: receipt r has rows[bounds[r]:bounds[r+1]].
        whose: whose each receipt may be, of those asked about; -1 where it only has a record of theirs.
        score: how likely that is.
        turn: the first of those about whom it is kept.
    """

    rows: Ints
    bounds: Ints
    whose: Ints
    score: Floats
    turn: Ints

    def where(self, chosen: NDArray[np.bool_]) -> Kept:
        """Return these receipts alone."""
        count = np.diff(self.bounds)
        bounds = np.concatenate([[0], np.cumsum(count[chosen])]).astype(np.int64)
        rows = self.rows[np.repeat(chosen, count)]
        return Kept(rows, bounds, self.whose[chosen], self.score[chosen], self.turn[chosen])

    def beside(self, other: Kept, shift: int) -> Kept:
        """Return these receipts and others, whose rows come after so many."""
        bounds, each = other.bounds[1:] + self.bounds[-1], ("whose", "score", "turn")
        rest = (np.concatenate([getattr(self, name), getattr(other, name)]) for name in each)
        return Kept(
            np.concatenate([self.rows, other.rows + shift]), np.concatenate([self.bounds, bounds]), *rest
        )

    def owner(self, best: Ties, everybody: int, rows: int) -> Ints:
        """Return whose so many records are, given who is likeliest of all people; as of `Attributed`."""
        alone = (best.ties == 1) & (best.score > np.log(everybody))
        mine = alone & (self.whose >= 0) & (self.score >= best.score * (1 - CLOSE))
        owner = np.full(rows, -1, dtype=np.int64)
        owner[self.rows] = np.repeat(
            np.where(mine, self.whose, np.where(alone, -2, -1)), np.diff(self.bounds)
        )
        return owner


class Staying(NamedTuple):
    """Released records that may be somebody's, and their receipts, attacker by attacker."""

    records: Purchases
    kept: tuple[Kept, ...]

    def of_first(self, people: int) -> Staying | None:
        """Return what is kept about the first people; None where nothing is."""
        kept = [one.where(one.turn < people) for one in self.kept]
        used = np.unique(np.concatenate([one.rows for one in kept]))
        if not len(used):
            return None
        return Staying(
            self.records.with_records(self.records.records[used]),
            tuple(replace(one, rows=np.searchsorted(used, one.rows).astype(np.int64)) for one in kept),
        )


class _Knowing:
    """What is known of a block, drawn by person: who knows the same shares what is made of it."""

    def __init__(self, block: Purchases, reading: Reading, chance: Chance) -> None:
        self._tables, self._reading = Tables(block, block, chance), reading
        self._most = int(block.records_each.max())

    def of(self, attack: OwnersAttack) -> Purchases:
        """Return what an attacker knows; who knows more points than anybody here has knows all of them."""
        points = attack.points
        less = {} if points is None else {"points": min(points, self._most)}
        return attack.model_copy(update=less).known(self._tables)

    def counted(self, attack: OwnersAttack, grains: tuple[Grain, ...]) -> Any:  # noqa: ANN401 - as `Count` returns
        """Return how many people, and records, have which key."""
        known = self.of(attack)
        key = "counted", id(known), grains
        return self._tables.once(key, lambda: Count(self._reading, grains)(known))

    def postings(self, attack: OwnersAttack, grains: tuple[Grain, ...], counts: Counts) -> Postings:
        """Return the people by their keys."""
        known = self.of(attack)
        key = "postings", id(known), grains
        return self._tables.once(
            key, lambda: people_by_keys(Laid(known, self._reading), self._reading, counts, grains)
        )


@dataclass(frozen=True, eq=False)
class _Rarity:
    """Work: how rare keys are among what is known of a block, attacker by attacker, and among all of it."""

    questions: tuple[Question, ...]
    reading: Reading
    chance: Chance
    whole: tuple[Grain, ...] = ()

    def __call__(self, block: Purchases) -> tuple[Any, ...]:
        known = _Knowing(block, self.reading, self.chance)
        made = [known.counted(attack, grains) for _, attack, grains in self.questions]
        return *made, Count(self.reading, self.whole)(block)

    def over(self, original: Blocks, alike: Alike | None, progress: Progress) -> list[Counts]:
        """Go through the original and add up."""
        doing = "counting what is known of receipts"
        parts = [part for (part,) in original.map(Together((self,), alike), progress=progress, doing=doing)]
        made: dict[int, Counts] = {}  # who knows the same has one answer
        for place, (_, _, grains) in enumerate(self.questions):
            if id(parts[0][place]) not in made:
                made[id(parts[0][place])] = counted([part[place] for part in parts], self.reading, grains)
        everything = counted([part[-1] for part in parts], self.reading, self.whole)
        return [*(made[id(known)] for known in parts[0][:-1]), everything]


@dataclass(frozen=True, eq=False)
class _Bought:
    """Whose records are, by what they show: of those asked about, where nobody else has such a record.

    Attributes:
        by: the parts that are looked at.
        reading: the dictionary.
        whose: the turn of the person whose each key is; beyond who is asked about where it is nobody's, or
            several's.
        people: how many are asked about.
    """

    by: Grain
    reading: Reading
    whose: Ints
    people: int

    @classmethod
    def of(
        cls, mine: Purchases, people: pl.Series, by: Grain, reading: Reading, everywhere: Counts
    ) -> _Bought:
        """Return it, given what some bought, who of them is asked about, and how many have each key."""
        seen = Laid(mine, reading).at(by)
        there = np.flatnonzero(np.diff(seen.starts)[: len(reading.codes[by])] == 1)
        alone = there[everywhere.holders[by][there] == 1]
        whose, turn = np.full(len(reading.codes[by]) + 1, len(people)), _turns(people, mine.customers)
        whose[alone] = turn[seen.who[seen.starts[alone]]]
        return cls(by, reading, whose, len(people))

    def each(self, records: pl.DataFrame) -> Ints:
        """Return the turn of the person whose each record is."""
        hashes = self.reading.forms.hashes(records, (self.by,))[self.by]
        return self.whose[self.reading.codes[self.by].place(hashes)]


@dataclass(frozen=True, eq=False)
class _Claim:
    """Work: the receipts of a block that may be somebody's of whom it is asked, or hold a record of his.

    Attributes:
        questions: who asks.
        people: some people by their keys, attacker by attacker.
        turns: when each is asked about, as they are numbered there; others come after all of these.
        bought: whose records are.
        everybody: how many people there are.
        apart: receipts and moments of several blocks, which are not looked at.
        units: what is looked at.
    """

    questions: tuple[Question, ...]
    people: tuple[Postings, ...]
    turns: tuple[Ints, ...]
    bought: _Bought
    everybody: int
    apart: Mapping[Unit, Bits]
    units: tuple[Unit, ...] = get_args(Unit)

    def __call__(self, block: Purchases) -> tuple[int, Staying | None]:
        kept, made, bought = [], {}, self.bought.each(block.records)
        for (_, attack, grains), people, turns in zip(self.questions, self.people, self.turns, strict=True):
            if (attack.unit, grains) not in made:
                made[attack.unit, grains] = self._grouped(block, attack.unit, grains)
            rows, receipts = made[attack.unit, grains]
            best = receipts.likeliest(people)
            above = best.above(self.everybody)
            above &= turns[best.first] < self.bought.people
            whose = np.where(above, turns[best.first], -1)
            turn = np.minimum.reduceat(bought[rows], receipts.bounds[:-1]) if len(rows) else whose
            turn = np.where(above, np.minimum(turn, whose), turn)
            kept.append(Kept(rows, receipts.bounds, whose, best.ties.score, turn))
        return len(block), Staying(block, tuple(kept)).of_first(self.bought.people)

    def _grouped(self, block: Purchases, unit: Unit, grains: tuple[Grain, ...]) -> tuple[Ints, Receipts]:
        rows = np.arange(len(block) if unit in self.units else 0)
        if unit in self.apart:
            rows = rows[~np.isin(_hashed(block, unit)[rows], self.apart[unit])]
        order, bounds = grouped(numbered(block, unit)[rows])
        rows = rows[order]
        return rows, Receipts.of(bounds, keys_of(block.records[rows], self.bought.reading, grains))


@dataclass(frozen=True, eq=False)
class _Rival:
    """Work: how likely receipts are to be of anybody in a block, attacker by attacker."""

    questions: tuple[Question, ...]
    reading: Reading
    counts: tuple[Counts, ...]
    receipts: tuple[Receipts, ...]
    chance: Chance

    def __call__(self, block: Purchases) -> tuple[Ties, ...]:
        known = _Knowing(block, self.reading, self.chance)
        each = zip(self.questions, self.counts, self.receipts, strict=True)
        return tuple(
            receipts.likeliest(known.postings(attack, grains, counts)).ties
            for (_, attack, grains), counts, receipts in each
        )


@dataclass(frozen=True)
class _Meet:
    """Work: the receipts or moments of a block, how many records each has, and whether of several names."""

    units: tuple[Unit, ...]

    def __call__(self, block: Purchases) -> tuple[pl.DataFrame, ...]:
        people = pl.Series(people_of(block))
        return tuple(
            pl.DataFrame({"what": _hashed(block, unit), "who": people})
            .group_by("what")
            .agg(rows=pl.len(), mixed=pl.col("who").min() != pl.col("who").max())
            for unit in self.units
        )


@dataclass(frozen=True, eq=False)
class _Gather:
    """Work: the records of a block of these receipts or moments."""

    unit: Unit
    of: Bits

    def __call__(self, block: Purchases) -> Purchases | None:
        mine = np.isin(_hashed(block, self.unit), self.of)
        return block.with_records(block.records.filter(pl.Series(mine))) if mine.any() else None


class _Meetings(NamedTuple):
    """Receipts and moments of several blocks, the same in parts, and whether moments have several names."""

    apart: Mapping[Unit, Bits]
    parts: tuple[tuple[Unit, Bits], ...]
    mixed: bool

    @classmethod
    def of(cls, release: Blocks, units: Iterable[Unit], progress: Progress) -> _Meetings:
        """Go through the release."""
        role: Mapping[Unit, str] = {"moment": "time", "receipt": "receipt"}
        asked = tuple(unit for unit in units if role[unit] in release.whole.roles)
        if not asked:
            return cls({}, (), mixed=False)
        parts = list(release.map(_Meet(asked), progress=progress, doing="looking for receipts of several"))
        apart: dict[Unit, Bits] = {}
        turns: list[tuple[Unit, Bits]] = []
        mixed = False
        for place, unit in enumerate(asked):
            each = pl.concat([part[place] for part in parts]).group_by("what").agg(
                pl.col("rows").sum(), mixed=pl.col("mixed").any() | (pl.len() > 1), several=pl.len() > 1
            )  # fmt: skip
            mixed |= unit == "moment" and often(each["mixed"])
            several = each.filter("several").sort("what")
            apart[unit], turn = several["what"].to_numpy(), (several["rows"].cum_sum() // GATHERED).to_numpy()
            turns += [(unit, apart[unit][turn == one]) for one in np.unique(turn)]
        return cls(apart, tuple(turns), mixed)


def asked_of_some(
    attacks: Mapping[Any, OwnersAttack],
    tables: Tables[Purchases],
    people: pl.Series,
    everybody: int,
    blocks: tuple[Blocks, Blocks],
    *,
    alike: Alike | None,
    progress: Progress,
) -> Asked:
    """Give the released receipts of some people to them, block by block.

    Args:
        attacks: who asks, by key; who cannot, since nobody knows so much, or need not, since moments are
            receipts, is answered with None.
        tables: the people at hand in the words of the release, and what stands under some names.
        people: who of them is asked about: where not all can be, the first of these.
        everybody: how many people there are in all.
        blocks: all of them before and after.
        alike: writes a block of the original in the words of the release.
        progress: told how far it is.
    """
    before, after = blocks
    steps = [progress.part(part / 5, (part + 1) / 5) for part in range(5)]
    meetings = _Meetings.of(after, {attack.unit: 0 for attack in attacks.values()}, steps[0])
    questions, chance = _questions(attacks, tables, mixed=meetings.mixed), tables.chance
    if not questions:
        return Asked(tables, people, dict.fromkeys(attacks))
    mine, by = tables.original.of(_with_rivals(people, tables)), grains_shown(GRAINS, tables.shown)[-1]
    grains = {by, *(grain for question in questions for grain in question.grains)}
    forms = Forms.common(
        tables.original.records, tables.released.records, {p for grain in grains for p in grain}
    )
    reading = reading_of(forms, mine.records, grains)
    *counts, everywhere = _Rarity(questions, reading, chance, (by,)).over(before, alike, steps[1])
    known = _Knowing(mine, reading, chance)
    bought = _Bought.of(mine, people, by, reading, everywhere)
    asked = zip(questions, counts, strict=True)
    claim = _Claim(
        questions, tuple(known.postings(one.attack, one.grains, rare) for one, rare in asked),
        tuple(_turns(people, known.of(one.attack).customers) for one in questions),
        bought, everybody, meetings.apart,
    )  # fmt: skip
    staying, first, records = _staying(_claimed(claim, after, meetings.parts, steps[2]), len(people))
    if staying is None:
        return Asked(tables, people, dict.fromkeys(attacks) | _nothing(questions, tables))
    rivals = _rivals(staying, questions, forms, (before, alike), chance, steps[3:])
    released, person = staying.records, np.append(places_of(tables.original.customers, people), [-2, -1])
    turn = bought.each(released.records)
    turn[turn >= first] = -1
    of: dict[Hashable, Attributed | None] = dict.fromkeys(attacks)
    for question, kept, best in zip(questions, staying.kept, rivals, strict=True):
        truth = np.full(len(released), -1)
        truth[kept.rows] = person[turn[kept.rows]]
        of[question.key] = Attributed(
            person[kept.owner(best, everybody, len(released))], people_of(released), released.customers,
            tables.original.customers, truth=truth,
            told=min(int((truth >= 0).sum()) / first * everybody / records, 1.0),
        )  # fmt: skip
    return Asked(Tables(tables.original, released, chance, tables.plain), people.head(first), of)


def _questions(
    attacks: Mapping[Any, OwnersAttack], tables: Tables[Purchases], *, mixed: bool
) -> tuple[Question, ...]:
    """Return who asks of those who can, and for whom it matters what a receipt is."""
    made = []
    for key, attack in attacks.items():
        if attack.unit == "moment" and not mixed:
            continue
        with suppress(KakurenboError):  # such as nobody having so many records
            attack.known(tables)
            made.append(Question(key, attack, grains_shown(attack.compared, tables.shown)))
    return tuple(made)


def _with_rivals(people: pl.Series, tables: Tables[Purchases]) -> pl.Series:
    """Return who is asked about, and others at hand: what is theirs need not be kept."""
    everybody = tables.original.customers
    others = everybody.filter(~everybody.is_in(people.cast(pl.String).implode()))
    drawn = others.gather(tables.chance.order("rivals", others)[: max(RIVALS - len(people), 0)])
    return pl.concat([people.cast(pl.String), drawn.cast(pl.String)])


def _turns(people: pl.Series, of: pl.Series) -> Ints:
    """Return where these people stand among those asked about, beyond the last where they are not."""
    turns = pl.DataFrame({"who": people.cast(pl.String)}).with_row_index("turn")
    asked = pl.DataFrame({"who": of.cast(pl.String)}).join(turns, on="who", how="left", maintain_order="left")
    return asked["turn"].fill_null(len(people)).to_numpy().astype(np.int64)


def _claimed(
    claim: _Claim, release: Blocks, parts: Sequence[tuple[Unit, Bits]], progress: Progress
) -> Iterator[tuple[int, Staying | None]]:
    """Go through the release, and again for what stands in several blocks, so much of it at a time."""
    ends = np.linspace(0, 1, len(parts) + 2)
    steps = [progress.part(*stretch) for stretch in pairwise(ends.tolist())]
    yield from release.map(claim, progress=steps[0], doing="asking whose receipts may be")
    for step, (unit, bits) in zip(steps[1:], parts, strict=True):
        gathered = release.map(
            _Gather(unit, bits), progress=step, doing="gathering receipts of several blocks"
        )
        whole = _stacked([block for block in gathered if block is not None])
        yield 0, replace(claim, apart={}, units=(unit,))(whole)[1]


def _staying(parts: Iterable[tuple[int, Staying | None]], people: int) -> tuple[Staying | None, int, int]:
    """Return what is kept, about how many of the first people, so that it fits, and of how many records."""
    held: list[Staying | None] = []
    count, first, records = np.zeros(people, np.int64), people, 0
    for rows, part in parts:
        records += rows
        held.append(part and part.of_first(first))
        for kept in () if part is None else part.kept:
            count += np.bincount(np.repeat(kept.turn, np.diff(kept.bounds)), minlength=people)
        fits = max(int(np.searchsorted(np.cumsum(count), KEPT, "right")), 1)
        if fits < first:
            first, held = fits, [one and one.of_first(fits) for one in held]
    some = [one for one in held if one is not None]
    if not some:
        return None, first, records
    all_of_it, shift = some[0].kept, len(some[0].records)
    for part in some[1:]:
        all_of_it = tuple(one.beside(more, shift) for one, more in zip(all_of_it, part.kept, strict=True))
        shift += len(part.records)
    return Staying(_stacked([part.records for part in some]), all_of_it), first, records


def _nothing(questions: Iterable[Question], tables: Tables[Purchases]) -> dict[Hashable, Attributed]:
    """Return that no receipt is anybody's."""
    released, nobody = tables.released, np.full(len(tables.released), -1)
    made = Attributed(
        nobody, people_of(released), released.customers, tables.original.customers, truth=nobody, told=0.0
    )
    return {question.key: made for question in questions}


def _rivals(  # noqa: PLR0917 - what is kept, and all that is asked
    staying: Staying,
    questions: tuple[Question, ...],
    forms: Forms,
    original: tuple[Blocks, Alike | None],
    chance: Chance,
    steps: Sequence[Progress],
) -> tuple[Ties, ...]:
    """Return who of all people is likeliest to own each receipt that is kept, attacker by attacker."""
    records, (before, alike) = staying.records.records, original
    reading = reading_of(forms, records, {grain for question in questions for grain in question.grains})
    *counts, _ = _Rarity(questions, reading, chance).over(before, alike, steps[0])
    keys = {grains: keys_of(records, reading, grains) for grains in {one.grains for one in questions}}
    receipts = tuple(
        Receipts.of(kept.bounds, keys[question.grains][kept.rows])
        for question, kept in zip(questions, staying.kept, strict=True)
    )
    work = Together((_Rival(questions, reading, tuple(counts), receipts, chance),), alike)
    parts = before.map(work, progress=steps[1], doing="asking who else may own receipts")
    return reduce(lambda some, more: beside(some, more, (CLOSE,) * len(some)), (part for (part,) in parts))


def _hashed(block: Purchases, unit: Unit) -> Bits:
    """Return the receipt, or moment, of every record of a block as bits: the same in all blocks."""
    part: Part = "time" if unit == "moment" else "receipt"
    return Forms({part: "plain"}).hashed(block.records, part)


def _stacked(parts: Sequence[Purchases]) -> Purchases:
    """Return the records of several blocks as one table."""
    return parts[0].with_records(stacked([part.records for part in parts]))
