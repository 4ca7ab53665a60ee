"""Seeking: who of the panel can go through the tables block by block, and what they find there.

What all of them know of the targets is laid out once. Then both tables are gone through twice: a counting
pass tells how rare keys are among all people, and the scan itself finds the best places of every target.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, cast

import numpy as np
import polars as pl

from kakurenbo.attacks.purchases.view import of_targets, people_of, with_master
from kakurenbo.attacks.search.agree import Room, ScanUnits, Together, Weigh, unit_searches
from kakurenbo.attacks.search.compare import Comparison, ScanPeople, columns_of
from kakurenbo.attacks.search.counts import Count, counted
from kakurenbo.attacks.search.keys import Forms, Laid, Reading
from kakurenbo.attacks.search.lookup import ScanRelease, Search, beside, flat, within
from kakurenbo.attacks.search.scores import Agreement, LookUp, Overlap, Points
from kakurenbo.attacks.search.targets import Member, Own, Places, Targets, bits_of
from kakurenbo.data.blocks import InMemory
from kakurenbo.data.hierarchy import known_trees
from kakurenbo.errors import KakurenboError
from kakurenbo.kernels.nearest import Nearest
from kakurenbo.kernels.scan import KEPT, Codes
from kakurenbo.progress import Progress

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from kakurenbo.attacks.base import Tables
    from kakurenbo.attacks.purchases.base import PurchasesAttack
    from kakurenbo.attacks.search.agree import UnitSearch
    from kakurenbo.attacks.search.counts import Counts
    from kakurenbo.attacks.search.keys import Grain
    from kakurenbo.attacks.search.scores import Pairwise, Score
    from kakurenbo.chance import Chance
    from kakurenbo.data.blocks import Blocks
    from kakurenbo.data.owners import Owners
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.kernels.nearest import Matrix
    from kakurenbo.kernels.scan import Ties

    Ints = NDArray[np.int64]

UNBOUNDED = 2**62
WORK = 100_000_000_000  # additions of all look-ups together; beyond, the costliest are of the first targets
CLOSE = 1e-9  # likelihoods whose logarithms lie so close, relatively, are a tie
REMEMBERED = 1000  # targets of whom it is remembered who ties
_REACHED = 1 - 1e-6  # of what somebody is known to score, which the best must
_TRIED = 50  # people to one among whom targets are looked up first
_WORTH_IT = 100  # of these few
_FEW = 1000  # people whom a function compares at a time
DENSE = 1_000_000_000  # pairs of names and people that are compared by likeness; beyond, fewer names are


@dataclass(frozen=True, eq=False)
class Sought:
    """What came of a scan.

    Attributes:
        places: of every attacker who could be set on both tables, the best places of all targets: of people
            where he looks them up in the release, of names where he compares them with the original.
        people: the targets, as they are numbered there.
        names: their names, as they are numbered there.
        compared: how many of the targets, the first, everybody sought; the costliest stopped there.
        skipped: who could not, and why.
        looking: who of them looked people up in the release.
    """

    places: dict[tuple[str, str, str], Ties]
    people: pl.Series
    names: pl.Series
    compared: int
    skipped: tuple[tuple[Member, str], ...]
    looking: frozenset[tuple[str, str, str]] = frozenset()

    def by_person(self, who: Member) -> bool:
        """Tell whether an attacker looked people up in the release; else names were compared with people."""
        return who.key in self.looking

    def located(self, who: Member, people: pl.Series, released: pl.Series, chance: Chance) -> Places:
        """Return where an attacker took some of the targets to be, as far as it is remembered who ties.

        Args:
            who: an attacker who looked people up.
            people: some of the first targets.
            released: the names among which these places are.
            chance: that of the tables that were searched.
        """
        ties, order = self.places[who.key], row_of(people, self.people)
        names = bits_of(chance.under("scan"), released)
        sorter = np.argsort(names, kind="stable")
        taken, kept = ties.remembered[order], ties.kept[order]
        indices = sorter[np.searchsorted(names, kept[taken], sorter=sorter)].astype(np.int64)
        indptr = np.concatenate([[0], np.cumsum(taken.sum(axis=1))]).astype(np.int64)
        return Places(Nearest(indptr, indices, ties.score[order]), ties.strength[order])


def in_blocks(who: Member, shown: frozenset[str]) -> Score | None:
    """Return how an attacker compares two people in tables gone through in blocks; None where that cannot be.

    Who pairs everybody at once sees everybody; and who names people by a part of what is known of them is
    compared in no block: what is known is drawn of those who are at hand.
    """
    attack, reading = cast("PurchasesAttack", who.attack), getattr(who.attack, "reading", "nearest")
    how = attack.score(shown)
    if how is None or reading == "assignment" or not all(need in shown for need in attack.needs):
        return None
    if reading == "target":
        return None if isinstance(how, Overlap) else how
    return None if isinstance(how, LookUp) or not attack.knows_all or attack.needs_everybody else how


def seek(
    tables: Tables[Purchases],
    owners: Owners | None,
    blocks: tuple[Blocks, Blocks],
    members: Sequence[Member],
    *,
    alike: Callable[[Purchases], Purchases] | None = None,
    progress: Progress | None = None,
    dense: int = DENSE,
    work: int = WORK,
    compare: bool = True,
    people: pl.Series | None = None,
    ties: int = KEPT,
) -> Sought:
    """Go through both tables.

    Args:
        tables: the targets in the words of the release, and what stands under their names.
        owners: whose these names are; without them only people are looked up.
        blocks: everybody before and after.
        members: the attackers.
        alike: writes a block of the original in the words of the release.
        progress: told how far it is.
        dense: how many pairs are compared by likeness at most.
        work: how many additions look-ups may take, beyond the first targets of whom places are remembered.
        compare: whether names are compared with the original as well.
        people: who of the targets is looked up, and where each of them may be is remembered; none given
            means all.
        ties: how many of those who tie are remembered, drawn at random.
    """
    progress = progress or Progress()
    scored = [(who, in_blocks(who, tables.shown)) for who in members]
    able = [(who, how) for who, how in scored if how is not None]
    keeps = all(isinstance(side, InMemory) and len(side) == 1 for side in blocks)
    reading, known = _reading(tables, {grain for _, how in able for grain in _grains(how)}, keeps=keeps)
    remembering = REMEMBERED if people is None else len(people)
    people = _by_draw(tables.original.customers if people is None else people, tables.chance)
    names = _names(people, tables.released.customers, owners)
    asked = _Asked(
        tables, owners, reading, known, people, names, (remembering, ties), tables.chance.under("scan")
    )
    looking = [(who, how) for who, how in able if _looks_up(who)]
    comparing = [(who, how) for who, how in able if compare and owners is not None and not _looks_up(who)]
    skipped: list[tuple[Member, str]] = []
    before, after = blocks
    places = _in_release(asked, after, looking, work, skipped, progress.part(0.0, 0.5)) if looking else {}
    if comparing:
        most = min(max(int(dense // max(before.whole.counts["customers"], 1)), 1), len(names))
        first = replace(asked, names=names.head(most))
        places |= _in_original(first, before, comparing, alike, skipped, progress.part(0.5, 1.0))
    looked = frozenset(who.key for who, _ in looking)
    asked_of = {key: len(people) if key in looked else len(names) for key in places}
    cut = (len(ties.ties) for key, ties in places.items() if len(ties.ties) < asked_of[key])
    return Sought(places, people, names, min(cut, default=len(people)), tuple(skipped), looked)


@dataclass(frozen=True, eq=False)
class _Asked:
    """Who is sought, and how tables are read.

    Attributes:
        tables: the targets in the words of the release, and what stands under their names.
        owners: whose these names are, where that is known.
        reading: how records are read.
        known: the number of the key of every record of the targets, at each grain.
        people: the targets in the order in which they were drawn.
        names: their names, in the same order.
        remembering: of how many of the first it is remembered who ties, and of how many who tie.
        chance: draws who is remembered.
    """

    tables: Tables[Purchases]
    owners: Owners | None
    reading: Reading
    known: Mapping[Grain, NDArray[np.int32]]
    people: pl.Series
    names: pl.Series
    remembering: tuple[int, int]
    chance: Chance

    def targets(self, *, turned: bool) -> Targets:
        """Return the targets, or, turned around, their names, and who they are on the other side."""
        return _sought(self.people, self.names, self.owners, self.chance, self.remembering, turned=turned)

    def room(self, people: int, held: pl.Series) -> Room:
        """Return how many units are compared, given how many people there are in all and who is at hand."""
        return Room(people / max(len(held), 1), REMEMBERED)


def _looks_up(who: Member) -> bool:
    """Whether people are looked up in the release; else names are compared with the original."""
    return getattr(who.attack, "reading", "") == "target"


def _in_release(  # noqa: PLR0917 - as it was asked
    asked: _Asked,
    after: Blocks,
    looking: Sequence[tuple[Member, Score]],
    work: int,
    skipped: list[tuple[Member, str]],
    progress: Progress,
) -> dict[tuple[str, str, str], Ties]:
    """Look people up in the release: who counts keys, who asks how far records agree, and all others."""
    tables, reading = asked.tables, asked.reading
    order = row_of(asked.people, tables.original.customers)
    by_keys = [(who, how) for who, how in looking if isinstance(how, LookUp)]
    by_units = [who for who, how in looking if isinstance(how, Agreement)]
    others = [(who, how) for who, how in looking if not isinstance(how, LookUp | Agreement)]
    searches, rules = _searches(asked, by_keys, skipped)
    room = asked.room(after.whole.counts["customers"], tables.released.customers)
    units, levels = unit_searches(tables, by_units, order, room, skipped)
    compared = tuple(
        _compared_whole(how, cast("PurchasesAttack", who.attack).known(tables), asked.people)
        for who, how in others
    )
    if not searches and not units and not compared:
        return {}
    used = tuple(sorted({grain for one in searches for grain in one.how.grains}))
    counts, units = _counting(
        after, Count(reading, used), units, None, progress.part(0.0, 0.3), "counting what is released"
    )
    targets = asked.targets(turned=False)
    scan = ScanRelease(reading, searches, counts, targets, asked.chance)
    if asked.owners is not None:
        scan = scan.barred(tables.released)
    scan = replace(scan, searches=within(scan.searches, counts, work, REMEMBERED))
    scan = _raised(scan, tables.released, after.whole.counts["customers"], asked.chance)
    works = (
        ScanUnits(units, targets, asked.chance),
        ScanPeople(reading, compared, counts, targets, asked.chance),
    )
    ties, agreed, near = _looked_up(scan, works, after, progress.part(0.3, 1.0))
    places = {who.key: ties[rule] for who, rule in rules}
    places |= {who.key: agreed[level] for who, level in levels}
    return places | {who.key: near[place] for place, (who, _) in enumerate(others)}


def _in_original(  # noqa: PLR0917 - as it was asked
    asked: _Asked,
    before: Blocks,
    comparing: Sequence[tuple[Member, Score]],
    alike: Callable[[Purchases], Purchases] | None,
    skipped: list[tuple[Member, str]],
    progress: Progress,
) -> dict[tuple[str, str, str], Ties]:
    """Compare names with everybody in the original: whole histories, and how far their units agree."""
    tables, reading, names = asked.tables, asked.reading, asked.names
    by_likeness = [(who, how) for who, how in comparing if not isinstance(how, Agreement)]
    by_units = [who for who, how in comparing if isinstance(how, Agreement)]
    compared = _comparisons(tables, reading, by_likeness, names)
    order = row_of(names, tables.released.customers)
    room = asked.room(before.whole.counts["customers"], tables.original.customers)
    units, levels = unit_searches(tables, by_units, order, room, skipped)
    used = tuple(sorted({
        sight.parts for one in compared if isinstance(one.how, Overlap) and one.how.rare
        for sight in one.how.sights
    }))  # fmt: skip
    counts, units = _counting(
        before, Count(reading, used), units, alike, progress.part(0.0, 0.3), "counting what is known"
    )
    targets = asked.targets(turned=True)
    scan = ScanPeople(reading, compared, counts, targets, asked.chance)
    if asked.owners is not None:
        scan = scan.barred(tables.original, _owning(names, asked.owners, tables.original.customers))
    ties, agreed = _compared(
        scan, ScanUnits(units, targets, asked.chance), before, alike, progress.part(0.3, 1.0)
    )
    places = {who.key: ties[place] for place, (who, _) in enumerate(by_likeness)}
    return places | {who.key: agreed[level] for who, level in levels}


def _counting(  # noqa: PLR0917 - as it was asked
    table: Blocks,
    count: Count,
    units: tuple[UnitSearch, ...],
    alike: Callable[[Purchases], Purchases] | None,
    progress: Progress,
    doing: str,
) -> tuple[Counts, tuple[UnitSearch, ...]]:
    """Count keys, and what units weigh, in one pass; those of one block are weighed as they are compared."""
    weigh = Weigh(units if len(table) > 1 else ())
    works = Together((count, weigh), alike)
    counted_parts, weighed_parts = [], []
    for keys, weights in table.map(works, progress=progress, doing=doing):
        counted_parts.append(keys)
        weighed_parts.append(weights)
    counts = counted(counted_parts, count.reading, count.grains)
    return counts, weigh.added(weighed_parts) if weigh.searches else units


def _raised(scan: ScanRelease, released: Purchases, people: int, chance: Chance) -> ScanRelease:
    """Look the targets up among a few people first, where these are worth it: who is found is the same."""
    few = people // _TRIED
    if few < _WORTH_IT:
        return scan
    names = released.customers
    return scan.raised(released.of(names.gather(np.sort(chance.order("tried", names)[:few]))))


def _looked_up(
    scan: ScanRelease, works: tuple[ScanUnits, ScanPeople], release: Blocks, progress: Progress
) -> tuple[tuple[Ties, ...], ...]:
    """Go through the release; again without bars, should somebody's best be below what was known."""
    rules = tuple(one.how.close for one in scan.searches for _ in one.shorter)
    parts = release.map(Together((scan, *works)), progress=progress, doing="going through the release")
    close = rules, _close_of(works[0]), tuple(one.how.close for one in works[1].comparisons)
    ties, agreed, near = _merged(((flat(by_keys), *others) for by_keys, *others in parts), close)
    bars = [one.reached for one in scan.searches for _ in one.shorter]
    if _all_reach(ties, bars):
        return ties, agreed, near
    free = replace(scan, searches=tuple(replace(one, reached=None) for one in scan.searches))
    nothing = replace(works[0], searches=()), replace(works[1], comparisons=())
    return _looked_up(free, nothing, release, progress)[0], agreed, near


def _compared(
    scan: ScanPeople,
    units: ScanUnits,
    original: Blocks,
    alike: Callable[[Purchases], Purchases] | None,
    progress: Progress,
) -> tuple[tuple[Ties, ...], ...]:
    """Go through the original; again without bars, should nobody be as like a name as its owner."""
    works = Together((scan, units), alike)
    parts = original.map(works, progress=progress, doing="going through the original")
    close = tuple(one.how.close for one in scan.comparisons), _close_of(units)
    ties, agreed = _merged(parts, close)
    bars = [
        None if one.reached is None else one.reached[:, 0] / one.reached[:, 1] for one in scan.comparisons
    ]
    if _all_reach(ties, bars):
        return ties, agreed
    free = replace(scan, comparisons=tuple(replace(one, reached=None) for one in scan.comparisons))
    return _compared(free, replace(units, searches=()), original, alike, progress)[0], agreed


def _close_of(units: ScanUnits) -> tuple[float, ...]:
    return (CLOSE,) * sum(len(search.sought) for search in units.searches)


def _merged(
    parts: Iterable[tuple[tuple[Ties, ...], ...]], close: tuple[tuple[float, ...], ...]
) -> tuple[tuple[Ties, ...], ...]:
    """Return the best places of all blocks, work by work."""
    merged: tuple[tuple[Ties, ...], ...] | None = None
    for part in parts:
        both = part if merged is None else zip(merged, part, close, strict=True)
        merged = tuple(part) if merged is None else tuple(beside(*one) for one in both)
    return merged or tuple(() for _ in close)


def _all_reach(ties: tuple[Ties, ...], bars: Sequence[NDArray[np.float64] | None]) -> bool:
    """Whether every best place scores what was known beforehand to be there."""
    return all(
        bar is None or bool((one.score >= bar * _REACHED).all()) for one, bar in zip(ties, bars, strict=True)
    )


def _owning(names: pl.Series, owners: Owners, known: pl.Series) -> Ints:
    """Return the place of every name's owner among known people, -1 where there is none."""
    places = pl.DataFrame({"original": known.cast(pl.String)}).with_row_index("at")
    rows = owners.owned.frame.join(places, on="original").unique("released", keep="any")
    asked = pl.DataFrame({"released": names.cast(pl.String)}).join(
        rows, on="released", how="left", maintain_order="left"
    )
    return asked["at"].cast(pl.Int64).fill_null(-1).to_numpy()


def _grains(how: Score) -> tuple[Grain, ...]:
    if isinstance(how, LookUp):
        return how.grains
    return tuple(sight.parts for sight in how.sights) if isinstance(how, Overlap) else ()


def _reading(
    tables: Tables[Purchases], grains: Iterable[Grain], *, keeps: bool
) -> tuple[Reading, dict[Grain, NDArray[np.int32]]]:
    """Return how records are read, and the keys of the targets' records.

    The dictionary has all keys of the targets and of their names.
    """
    known, released = tables.original.records, tables.released.records
    wanted = sorted(grains)
    parts = {part for grain in wanted for part in grain}
    beside, trees = None, None
    if "master" in parts:
        trees = known_trees(tables.plain, tables.released)
        known, released = with_master(tables.original, tables.released, trees)
        beside = tables.released
    forms = Forms.common(known, released, parts)
    both = forms.hashes(known, wanted), forms.hashes(released, wanted)
    codes = {grain: Codes.of(both[0][grain], both[1][grain]) for grain in wanted}
    places = {grain: codes[grain].place(both[0][grain]) for grain in wanted}
    return Reading(forms, codes, beside, trees, keeps=keeps), places


def _by_draw(people: pl.Series, chance: Chance) -> pl.Series:
    """Return the targets in the order in which they were drawn: the first of them are a sample too."""
    return people.gather(np.argsort(chance.numbers("targets", people), kind="stable"))


def _names(people: pl.Series, released: pl.Series, owners: Owners | None) -> pl.Series:
    """Return the names of the targets in the order of their owners."""
    if owners is None:
        return released
    order = pl.DataFrame({"original": people}).with_row_index("place")
    rows = owners.owned.frame.join(order, on="original").sort("place", "released")
    return rows.unique("released", keep="first", maintain_order=True)["released"]


def _sought(
    people: pl.Series,
    names: pl.Series,
    owners: Owners | None,
    chance: Chance,
    remembering: tuple[int, int],
    *,
    turned: bool,
) -> Targets:
    """Return the targets, or, turned around, their names, and who they are on the other side."""
    mine = names if turned else people
    own = Own.of(np.empty(0, np.uint64), np.empty(0, np.int64), len(mine))
    if owners is not None:
        sides = ("released", "original") if turned else ("original", "released")
        places = pl.DataFrame({sides[0]: mine}).with_row_index("place")
        rows = owners.owned.frame.join(places, on=sides[0])
        own = Own.of(bits_of(chance, rows[sides[1]]), rows["place"].to_numpy().astype(np.int64), len(mine))
    return Targets(bits_of(chance.under("sought"), mine), own, *remembering)


def _searches(
    asked: _Asked, looking: Sequence[tuple[Member, LookUp]], skipped: list[tuple[Member, str]]
) -> tuple[tuple[Search, ...], list[tuple[Member, int]]]:
    """Return the look-ups, each once for all who differ only in what they prefer among equals, and whose."""
    laid: dict[object, tuple[Search, list[tuple[Member, bool]]]] = {}
    tables, order = asked.tables, row_of(asked.people, asked.tables.original.customers)
    for who, how in looking:
        attack = cast("PurchasesAttack", who.attack)
        try:
            known = attack.known_rows(tables)
        except KakurenboError as error:  # such as nobody having so many records
            skipped.append((who, str(error)))
            continue
        key = replace(how, shorter=False), None if known is None else known.tobytes()
        if key not in laid:
            bounds, keys = _known_keys(asked, how, known, order)
            laid[key] = Search(how, (), bounds, keys), []
        laid[key][1].append((who, how.shorter))
    searches, rules, place = [], [], 0
    for search, askers in laid.values():
        kinds = tuple(sorted({shorter for _, shorter in askers}))
        searches.append(replace(search, shorter=kinds))
        rules += [(who, place + kinds.index(shorter)) for who, shorter in askers]
        place += len(kinds)
    return tuple(searches), rules


def row_of(people: pl.Series, among: pl.Series) -> Ints:
    """Return where each of these people stands among others."""
    places = pl.DataFrame({"who": among.cast(pl.String)}).with_row_index("at")
    asked = pl.DataFrame({"who": people.cast(pl.String)})
    return asked.join(places, on="who", how="left", maintain_order="left")["at"].to_numpy().astype(np.int64)


def _known_keys(
    asked: _Asked, how: LookUp, known: Ints | None, order: Ints
) -> tuple[Ints, NDArray[np.int32]]:
    """Return the keys of what is known of every target: record by record, or each key once."""
    rows, place = of_targets(people_of(asked.tables.original), known, order)
    width = [len(asked.reading.codes[grain]) for grain in how.grains]
    shift = np.cumsum([0, *width])
    keys = np.stack([
        asked.known[grain][rows] + start
        for grain, start in zip(how.grains, shift[:-1].tolist(), strict=True)
    ], axis=1)  # fmt: skip
    targets = np.arange(len(order) + 1)
    if how.least:
        return np.searchsorted(place, targets).astype(np.int64), keys.astype(np.int32)
    each = np.unique((place[:, None] * shift[-1] + keys).ravel())
    bounds = np.searchsorted(each, targets * shift[-1]).astype(np.int64)
    return bounds, (each % max(shift[-1], 1))[:, None].astype(np.int32)


def _comparisons(
    tables: Tables[Purchases],
    reading: Reading,
    comparing: Sequence[tuple[Member, Score]],
    names: pl.Series,
) -> tuple[Comparison, ...]:
    """Lay out what stands under these names, for everybody who compares."""
    laid: dict[object, Matrix] = {}
    made: list[Comparison] = []
    for who, how in comparing:
        released = who.attack.prepare(tables).released
        if not isinstance(how, Overlap):
            made.append(_compared_whole(how, released, names))
            continue
        key = id(released), how.sights
        if key not in laid:
            master = any("master" in sight.parts for sight in how.sights)
            held = Laid(released, _of_names(tables, reading)) if master else reading.lay(released)
            laid[key] = columns_of(held, reading, how.sights)[row_of(names, released.customers)]
        made.append(Comparison(how, theirs=laid[key]))
    return tuple(made)


def _compared_whole(how: Score, sought: Purchases, order: pl.Series) -> Comparison:
    """Lay out those who are sought, in this order, for who compares points or whole tables."""
    if isinstance(how, Points):
        return Comparison(how, points=how.of(sought)[row_of(order, sought.customers)])
    asked = [order[at : at + _FEW] for at in range(0, len(order), _FEW)]
    some = ((sought.of(people), people) for people in asked)
    parts = tuple((table, row_of(people, table.customers)) for table, people in some)
    return Comparison(cast("Pairwise", how), sought=parts)


def _of_names(tables: Tables[Purchases], reading: Reading) -> Reading:
    """Return the reading of the released side, whose master is compared with the known one."""
    return replace(reading, known=tables.original)
