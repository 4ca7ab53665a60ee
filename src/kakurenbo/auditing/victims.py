"""Who is found: by how many attackers, with how little knowledge, and what gives him away.

For everybody who is found, the least knowledge that suffices is looked up, and in it the fewest keys (goods,
goods with days, ...) that he has in the release and nobody else has in the original. All of this is about
single persons, so it is secret like the pairing; only counts go into a report. Of people who were drawn the
rarest keys among them are taken, and it is asked of everybody who else has them.

The table has a row for every name and each of its owners; who has several names is counted once, as found by
whoever finds one of them.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import compress
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from kakurenbo.attacks.search.keys import Forms, Laid, Reading
from kakurenbo.attacks.search.overlap import keys as shared_keys
from kakurenbo.auditing.proof.controls import luck
from kakurenbo.auditing.results import People
from kakurenbo.kernels.scan import Codes

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from kakurenbo.attacks.purchases.view import View
    from kakurenbo.attacks.search.keys import Grain
    from kakurenbo.auditing.input import AuditInput
    from kakurenbo.auditing.panel.outcomes import PanelRun
    from kakurenbo.data.purchases import Purchases

CERTAIN = 0.9  # who is named rightly with at least this chance is found all but certainly
FOUND = 0.5  # who is named rightly with at least this chance is found
_BINS = 10
_KEYS = 3
_LOOKED_AT = 50


def victims(
    ran: PanelRun[Any],
    given: AuditInput[Any],
    rungs: Sequence[str],
    alike: Callable[[Purchases], Purchases] | None = None,
) -> People:
    """Return who is found by whom, and why: of everybody, or of the people drawn.

    Args:
        ran: what attackers achieved.
        given: whose the names are, and of how many they are.
        rungs: what attackers may know, least first.
        alike: writes a block of the original in the words of the release; None where it is written so.
    """
    assert given.owners is not None  # noqa: S101 - nobody is found where no pairing says who is who
    outcomes, rows = ran.outcomes, given.owners.owned.frame
    made = np.array([outcome.chance for outcome in outcomes]).reshape(len(outcomes), rows.height)
    chances, asked = np.nan_to_num(made), _asked(rows, ~np.isnan(made))
    # whoever names more than half of all finds people
    among = None if given.complete else given.names
    lucky = np.array([min(luck(names, among), FOUND * names) for names in asked])
    beyond_luck = chances.sum(axis=1) > lucky
    found = (chances >= FOUND) & beyond_luck[:, None]
    knowledge = [outcome.attacker.knowledge for outcome in outcomes]
    names = [f"{rung}: {outcome.finding.name}" for rung, outcome in zip(knowledge, outcomes, strict=True)]
    first = _least(knowledge, found, rungs)
    most = chances.max(axis=0, initial=0.0)
    certain = ((chances >= CERTAIN) & beyond_luck[:, None]).any(axis=0)
    table = rows.with_columns(
        highest_chance=pl.Series(most),
        attackers=pl.Series(found.sum(axis=0)),
        found_by=pl.Series(["; ".join(compress(names, column)) for column in found.T], dtype=pl.String),
        least_knowledge=pl.Series([None if at < 0 else knowledge[at] for at in first], dtype=pl.String),
        why=pl.Series(_reasons(ran, given, rows, first, alike), dtype=pl.String),
    )
    persons = _Persons(rows["original"])
    found = persons.gathered(np.logical_or, found)
    attackers, least = found.sum(axis=0), _least(knowledge, found, rungs)
    found_on = Counter(knowledge[at] for at in least[least >= 0].tolist())
    counts, edges = np.histogram(persons.gathered(np.maximum, most), bins=_BINS, range=(0, 1))
    return People(
        found=int((attackers > 0).sum()),
        certain=int(persons.gathered(np.logical_or, certain).sum()),
        people=len(attackers),
        by_attackers=tuple(_counted(attackers)),
        by_chance=tuple(zip(edges[:-1].tolist(), edges[1:].tolist(), counts.tolist(), strict=True)),
        least=tuple((rung, found_on[rung]) for rung in rungs),
        attackers=len(outcomes),
        drawn_from=None if given.complete else given.people,
        table=table.sort("attackers", "released", descending=[True, False]),
    )


def _asked(rows: pl.DataFrame, asked: NDArray[np.bool_]) -> list[int]:
    """Return of how many names each attacker was asked."""
    names = rows["released"].rank("dense").to_numpy()
    return [len(np.unique(names[row])) for row in asked]


class _Persons:
    """Gathers what is known of names by the persons who own them."""

    def __init__(self, owners: pl.Series) -> None:
        codes = owners.rank("dense").to_numpy()
        self._order = np.argsort(codes, kind="stable")
        self._starts = np.flatnonzero(np.diff(codes[self._order], prepend=0))

    def gathered(self, how: np.ufunc, values: NDArray[Any]) -> NDArray[Any]:
        """Return one value a person, from those of his names in the last axis."""
        gathered: NDArray[Any] = how.reduceat(values[..., self._order], self._starts, axis=-1)
        return gathered


def _counted(values: NDArray[np.int64]) -> list[tuple[int, int]]:
    numbers, counts = np.unique(values, return_counts=True)
    return list(zip(numbers.tolist(), counts.tolist(), strict=True))


def _least(knowledge: Sequence[str], found: NDArray[np.bool_], rungs: Sequence[str]) -> NDArray[np.int64]:
    """Return for everybody the attacker on the lowest rung that finds him, -1 for none."""
    order = sorted(range(len(knowledge)), key=lambda i: rungs.index(knowledge[i]))
    first = np.full(found.shape[1], -1, dtype=np.int64)
    for i in reversed(order):
        first[found[i]] = i
    return first


def _reasons(
    ran: PanelRun[Any],
    given: AuditInput[Any],
    rows: pl.DataFrame,
    first: NDArray[np.int64],
    alike: Callable[[Purchases], Purchases] | None,
) -> list[str | None]:
    """Return what gives everybody away to the attacker who needs least to find him."""
    why: list[str | None] = [None] * rows.height
    drawn: list[_Clue] = []
    for i in np.unique(first[first >= 0]):
        attack, alone = ran.outcomes[i].attacker.attack, ran.outcomes[i].finding.releases == 1
        view = shared_keys(attack, ran.tables) if alone else None
        clues = None if view is None else _Clues(view, rows)
        for j in np.flatnonzero(first == i).tolist():
            why[j] = attack.about.because if clues is None or not ran.whole else clues.of(j)
            if clues is not None and not ran.whole and not any("master" in grain for grain in clues.grains):
                drawn.append(_Clue(j, clues, clues.rarest(j)))
    for clue, others in zip(drawn, _others(drawn, given, alike), strict=True):
        why[clue.row] = clue.said(others)
    return why


class _Clues:
    """Finds the few keys that a person shows in the release and nobody else has, there or in the original."""

    def __init__(self, seen: View, rows: pl.DataFrame) -> None:
        self._seen = seen
        self._sides = (seen.theirs, seen.theirs.tocsc()), (seen.mine, seen.mine.tocsc())
        mine = {name: row for row, name in enumerate(seen.originals.cast(pl.String))}
        theirs = {name: row for row, name in enumerate(seen.released.cast(pl.String))}
        self._rows = [(theirs[released], mine.get(original)) for released, original in rows.iter_rows()]

    @property
    def grains(self) -> tuple[Grain, ...]:
        """The parts of a record that keys are made of."""
        return tuple(block.sight.parts for block in self._seen.blocks)

    def of(self, person: int) -> str:
        """Return the clues to a person in a sentence."""
        return self.said(*self._fewest(self._common(person)))

    def said(self, keys: Sequence[int], others: int) -> str:
        """Return a sentence about keys that so many others have as well."""
        if not keys:
            return "nothing in common: who is left over must be he"
        named = ", ".join(self._seen.word(key) for key in keys)
        if not others:
            return f"{named}: nobody else has {'all of these' if len(keys) > 1 else 'this'}"
        have = "1 other has" if others == 1 else f"{others:,} others have"
        return f"{named}, which {have}, and the likeness of the rest"

    def rarest(self, person: int) -> list[int]:
        """Return the three keys of a person that fewest have."""
        common = self._common(person)
        keys: list[int] = common[np.argsort(self._held(common), kind="stable")][:_KEYS].tolist()
        return keys

    def hashed(self, keys: NDArray[np.int64], forms: Forms) -> list[tuple[Grain, int]]:
        """Return keys as they are known in any block: the parts of a record, and their hash."""
        made: list[tuple[Grain, int]] = [((), 0)] * len(keys)
        start = 0
        for block in self._seen.blocks:
            places = np.flatnonzero((keys >= start) & (keys < start + len(block.first)))
            rows, grain = block.first[keys[places] - start], block.sight.parts
            known, released = block.tables
            sides = known[rows[rows < known.height]], released[rows[rows >= known.height] - known.height]
            bits = np.empty(len(rows), np.uint64)
            bits[rows < known.height], bits[rows >= known.height] = (
                forms.hashes(records, [grain])[grain] for records in sides
            )
            for place, key in zip(places.tolist(), bits.tolist(), strict=True):
                made[place] = grain, key
            start += len(block.first)
        return made

    def _held(self, keys: NDArray[np.int32]) -> NDArray[np.int64]:
        """Return how many people hold each key, before and after."""
        starts = [by_key.indptr for _, by_key in self._sides]
        held: NDArray[np.int64] = np.sum([start[keys + 1] - start[keys] for start in starts], axis=0)
        return held

    def _common(self, person: int) -> NDArray[np.int32]:
        """Return the keys that the person has before and after."""
        rows = [
            matrix.indices[matrix.indptr[row] : matrix.indptr[row + 1]]
            for (matrix, _), row in zip(self._sides, self._rows[person], strict=True)
            if row is not None
        ]
        return np.intersect1d(rows[0], rows[1]) if len(rows) == 2 else np.empty(0, dtype=np.int32)

    def _fewest(self, common: NDArray[np.int32]) -> tuple[list[int], int]:
        """Choose greedily, rarest first, three keys at most that leave the fewest others on either side."""
        chosen: list[int] = []
        left: list[NDArray[np.int32]] = []
        for key in common[np.argsort(self._held(common), kind="stable")][:_LOOKED_AT]:
            holders = [
                by_key.indices[by_key.indptr[key] : by_key.indptr[key + 1]] for _, by_key in self._sides
            ]
            still = (
                [np.intersect1d(a, b, assume_unique=True) for a, b in zip(left, holders, strict=True)]
                if left
                else holders
            )
            if not left or sum(map(len, still)) < sum(map(len, left)):
                chosen.append(int(key))
                left = still
            if len(chosen) == _KEYS or all(len(side) == 1 for side in left):
                break
        return chosen, max(map(len, left), default=1) - 1


@dataclass(frozen=True, eq=False)
class _Clue:
    """Keys that may give somebody away who was drawn, and in which row of the table he stands."""

    row: int
    clues: _Clues
    keys: list[int]

    def said(self, others: NDArray[np.int64]) -> str:
        """Return the first of them that nobody else has, or all, given how many have the first, and more."""
        count = len(self.keys)
        alone = np.flatnonzero(others[:count] == 0)
        used = int(alone[0]) + 1 if len(alone) else count
        return self.clues.said(self.keys[:used], int(others[used - 1]) if used else 0)


@dataclass(frozen=True, eq=False)
class _Holders:
    """Work: how many people of a block have the first of each one's keys, the first two, and all of them.

    Attributes:
        reading: how records are read, with a dictionary of the keys.
        keys: of every person, by grain and their place there.
        alike: writes a block as the keys were read; None where it is written so.
    """

    reading: Reading
    keys: tuple[tuple[tuple[Grain, int], ...], ...]
    alike: Callable[[Purchases], Purchases] | None

    def __call__(self, block: Purchases) -> NDArray[np.int64]:
        laid = Laid(block if self.alike is None else self.alike(block), self.reading)
        held = {grain: (laid.at(grain).starts.tolist(), laid.at(grain).who) for grain in self.reading.codes}
        counts = np.zeros((len(self.keys), _KEYS), np.int64)
        for person, keys in enumerate(self.keys):
            left: NDArray[np.int32] | None = None
            for place, (grain, code) in enumerate(keys):
                starts, who = held[grain]
                here = who[starts[code] : starts[code + 1]]
                left = here if left is None else np.intersect1d(left, here, assume_unique=True)
                if not len(left):
                    break
                counts[person, place] = len(left)
        return counts


def _others(
    drawn: Sequence[_Clue], given: AuditInput[Any], alike: Callable[[Purchases], Purchases] | None
) -> NDArray[np.int64]:
    """Return how many others have the first of each one's keys, the first two, and all, on either side."""
    if not drawn or given.blocks is None:
        return np.zeros((len(drawn), _KEYS), np.int64)
    grains = {grain for one in drawn for grain in one.clues.grains}
    forms = Forms.common(
        given.original.records, given.released.records, {part for grain in grains for part in grain}
    )
    hashed = _hashed(drawn, forms)
    codes = {
        grain: Codes.of(np.array([key for one in hashed for own, key in one if own == grain], np.uint64))
        for grain in grains
    }
    placed = tuple(
        tuple((grain, int(codes[grain].keys.searchsorted(np.uint64(key)))) for grain, key in one)
        for one in hashed
    )
    held = np.zeros((2, len(drawn), _KEYS), np.int64)
    for side, (table, words) in enumerate(zip(given.blocks, (alike, None), strict=True)):
        work = _Holders(Reading(forms, codes), placed, words)
        for counts in table.map(work, doing="asking who else has what gives people away"):
            held[side] += counts
    others: NDArray[np.int64] = held.max(axis=0) - 1
    return others


def _hashed(drawn: Sequence[_Clue], forms: Forms) -> list[list[tuple[Grain, int]]]:
    """Return everybody's keys as they are known in any block."""
    made: list[list[tuple[Grain, int]]] = [[] for _ in drawn]
    for clues in dict.fromkeys(one.clues for one in drawn):
        mine = [place for place, one in enumerate(drawn) if one.clues is clues]
        keys = np.array([key for place in mine for key in drawn[place].keys], np.int64)
        each = iter(clues.hashed(keys, forms))
        for place in mine:
            made[place] = [next(each) for _ in drawn[place].keys]
    return made
