"""Seeking: who of the panel can go through the tables block by block, and what they find there.

What all of them know of the targets is laid out once. Then both tables are gone through twice: a counting
pass tells how rare keys are among all people, and the scan itself finds the best places of every target.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, cast

import numpy as np
import polars as pl

from kakurenbo.attacks.purchases.scans import Alike, LookUp, Near
from kakurenbo.attacks.purchases.view import of_targets, people_of, with_master
from kakurenbo.auditing.linear.budget import within
from kakurenbo.auditing.linear.compare import Comparison, ScanOriginal, columns_of
from kakurenbo.auditing.linear.counts import Count, counted
from kakurenbo.auditing.linear.keys import Forms, Laid, Reading
from kakurenbo.auditing.linear.sample import bits_of
from kakurenbo.auditing.linear.scan import ScanRelease, Search, flat, merged
from kakurenbo.auditing.linear.targets import Own, Targets, first_of
from kakurenbo.data.hierarchy import known_trees
from kakurenbo.errors import KakurenboError
from kakurenbo.kernels.scan import Codes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from kakurenbo.attacks.base import Tables
    from kakurenbo.attacks.purchases.base import PurchasesAttack
    from kakurenbo.attacks.purchases.scans import Scan
    from kakurenbo.auditing.linear.keys import Grain
    from kakurenbo.auditing.panel.members import Attacker
    from kakurenbo.chance import Chance
    from kakurenbo.data.blocks import Blocks
    from kakurenbo.data.owners import Owners
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.kernels.scan import Ties
    from kakurenbo.progress import Progress

    Ints = NDArray[np.int64]

WORK = 100_000_000_000  # additions of all look-ups together; beyond, the costliest are of the first targets
REMEMBERED = 1000  # targets of whom it is remembered who ties
_REACHED = 1 - 1e-6  # of what somebody is known to score, which the best must
_TRIED = 50  # people to one among whom targets are looked up first
_WORTH_IT = 100  # of these few
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
    skipped: tuple[tuple[Attacker, str], ...]
    looking: frozenset[tuple[str, str, str]] = frozenset()

    def by_person(self, who: Attacker) -> bool:
        """Tell whether an attacker looked people up in the release; else names were compared with people."""
        return who.key in self.looking


def scan_of(who: Attacker, shown: frozenset[str]) -> Scan | None:
    """Return how an attacker goes through tables block by block; None where that cannot be."""
    how: Scan | None = getattr(who.attack, "scan", lambda _: None)(shown)
    return how if all(need in shown for need in who.attack.needs) else None


def scanning(members: Iterable[Attacker], shown: frozenset[str]) -> list[tuple[Attacker, Scan]]:
    """Return who can go through tables block by block, and how."""
    able = ((who, scan_of(who, shown)) for who in members)
    return [(who, how) for who, how in able if how is not None]


def seek(
    tables: Tables[Purchases],
    owners: Owners | None,
    blocks: tuple[Blocks, Blocks],
    members: Sequence[Attacker],
    *,
    alike: Callable[[Purchases], Purchases] | None,
    progress: Progress,
    dense: int = DENSE,
    work: int = WORK,
    compare: bool = True,
    people: pl.Series | None = None,
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
    """
    chance = tables.chance.under("scan")
    able = scanning(members, tables.shown)
    grains = {grain for _, how in able for grain in _grains(how)}
    reading = _reading(tables, grains)
    remembering = REMEMBERED if people is None else len(people)
    people = _by_draw(tables.original.customers if people is None else people, tables.chance)
    names = _names(people, tables.released.customers, owners)
    looking = [(who, how) for who, how in able if isinstance(how, LookUp)]
    compare = compare and owners is not None
    comparing = [(who, how) for who, how in able if compare and not isinstance(how, LookUp)]
    skipped: list[tuple[Attacker, str]] = []
    places: dict[tuple[str, str, str], Ties] = {}
    searches, rules = _searches(tables, reading, looking, people, skipped)
    before, after = blocks
    if searches:
        used = tuple(sorted({grain for one in searches for grain in one.how.grains}))
        count = Count(reading, used)
        counts = counted(
            after.map(count, progress=progress.part(0.0, 0.15), doing="counting what is released"),
            reading, used,
        )  # fmt: skip
        targets = _sought(people, names, owners, chance, remembering, turned=False)
        scan_release = ScanRelease(reading, searches, counts, targets, chance)
        if owners is not None:
            scan_release = scan_release.barred(tables.released)
        scan_release = replace(scan_release, searches=within(scan_release.searches, counts, work, REMEMBERED))
        scan_release = _raised(scan_release, tables.released, after.whole.counts["customers"], chance)
        ties = _looked_up(scan_release, after, progress.part(0.15, 0.5))
        places |= {who.key: ties[rule] for who, rule in rules}
    asked = min(max(int(dense // max(before.whole.counts["customers"], 1)), 1), len(names))
    if comparing:
        compared = _comparisons(tables, reading, comparing, names.head(asked))
        used = tuple(sorted({
            sight.parts for one in compared if isinstance(one.how, Alike) and one.how.rarity
            for sight in one.how.sights
        }))  # fmt: skip
        count = Count(reading, used, alike)
        counts = counted(
            before.map(count, progress=progress.part(0.5, 0.65), doing="counting what is known"),
            reading, used,
        )  # fmt: skip
        targets = first_of(_sought(people, names, owners, chance, remembering, turned=True), asked)
        scan = ScanOriginal(reading, compared, counts, targets, chance, alike)
        if owners is not None:
            scan = scan.barred(tables.original, _owning(names.head(asked), owners, tables.original.customers))
        ties = _compared(scan, before, progress.part(0.65, 1.0))
        places |= {who.key: ties[place] for place, (who, _) in enumerate(comparing)}
    fewest = min((len(ties.ties) for ties in places.values()), default=len(people))
    looked = frozenset(who.key for who, _ in looking)
    return Sought(places, people, names, fewest, tuple(skipped), looked)


def _raised(scan: ScanRelease, released: Purchases, people: int, chance: Chance) -> ScanRelease:
    """Look the targets up among a few people first, where these are worth it: who is found is the same."""
    few = people // _TRIED
    if few < _WORTH_IT:
        return scan
    names = released.customers
    return scan.raised(released.of(names.gather(np.sort(chance.order("tried", names)[:few]))))


def _looked_up(scan: ScanRelease, release: Blocks, progress: Progress) -> tuple[Ties, ...]:
    """Go through the release; again without bars, should somebody's best be below what was known."""
    made = flat(release.map(scan, progress=progress, doing="going through the release"))
    ties = merged(made, tuple(one.how.close for one in scan.searches for _ in one.shorter))
    bars = [one.reached for one in scan.searches for _ in one.shorter]
    if _all_reach(ties, bars):
        return ties
    free = replace(scan, searches=tuple(replace(one, reached=None) for one in scan.searches))
    return _looked_up(free, release, progress)


def _compared(scan: ScanOriginal, original: Blocks, progress: Progress) -> tuple[Ties, ...]:
    """Go through the original; again without bars, should nobody be as like a name as its owner."""
    made = original.map(scan, progress=progress, doing="going through the original")
    ties = merged(made, tuple(one.how.close for one in scan.comparisons))
    bars = [
        None if one.reached is None else one.reached[:, 0] / one.reached[:, 1] for one in scan.comparisons
    ]
    if _all_reach(ties, bars):
        return ties
    free = replace(scan, comparisons=tuple(replace(one, reached=None) for one in scan.comparisons))
    return _compared(free, original, progress)


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


def _grains(how: Scan) -> tuple[Grain, ...]:
    if isinstance(how, LookUp):
        return how.grains
    return tuple(sight.parts for sight in how.sights) if isinstance(how, Alike) else ()


def _reading(tables: Tables[Purchases], grains: Iterable[Grain]) -> Reading:
    """Return how records are read, with a dictionary of all keys of the targets and of their names."""
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
    return Reading(forms, codes, beside, trees)


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
    remembering: int,
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
    return Targets(bits_of(chance.under("sought"), mine), own, remembering)


def _searches(
    tables: Tables[Purchases],
    reading: Reading,
    looking: Sequence[tuple[Attacker, LookUp]],
    people: pl.Series,
    skipped: list[tuple[Attacker, str]],
) -> tuple[tuple[Search, ...], list[tuple[Attacker, int]]]:
    """Return the look-ups, each once for all who differ only in what they prefer among equals, and whose."""
    laid: dict[object, tuple[Search, list[tuple[Attacker, bool]]]] = {}
    order = _places_of(tables.original.customers, people)
    for who, how in looking:
        attack = cast("PurchasesAttack", who.attack)
        try:
            known = attack.known_rows(tables)
        except KakurenboError as error:  # such as nobody having so many records
            skipped.append((who, str(error)))
            continue
        key = replace(how, shorter=False), None if known is None else known.tobytes()
        if key not in laid:
            bounds, keys = _known_keys(tables, reading, how, known, order)
            laid[key] = Search(how, (), bounds, keys), []
        laid[key][1].append((who, how.shorter))
    searches, rules, place = [], [], 0
    for search, askers in laid.values():
        kinds = tuple(sorted({shorter for _, shorter in askers}))
        searches.append(replace(search, shorter=kinds))
        rules += [(who, place + kinds.index(shorter)) for who, shorter in askers]
        place += len(kinds)
    return tuple(searches), rules


def _places_of(customers: pl.Series, people: pl.Series) -> Ints:
    """Return the numbers of these people among the customers."""
    places = pl.DataFrame({"who": customers.cast(pl.String)}).with_row_index("at")
    asked = pl.DataFrame({"who": people.cast(pl.String)}).join(
        places, on="who", how="left", maintain_order="left"
    )
    return asked["at"].to_numpy().astype(np.int64)


def _known_keys(
    tables: Tables[Purchases], reading: Reading, how: LookUp, known: Ints | None, order: Ints
) -> tuple[Ints, NDArray[np.int32]]:
    """Return the keys of what is known of every target: record by record, or each key once."""
    rows, place = of_targets(people_of(tables.original), known, order)
    hashes = reading.forms.hashes(tables.original.records[rows], how.grains)
    width = [len(reading.codes[grain]) for grain in how.grains]
    shift = np.cumsum([0, *width])
    keys = np.stack([
        reading.codes[grain].place(hashes[grain]) + start
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
    comparing: Sequence[tuple[Attacker, Scan]],
    names: pl.Series,
) -> tuple[Comparison, ...]:
    """Lay out what stands under these names, for everybody who compares."""
    made: list[Comparison] = []
    once: dict[object, object] = {}
    for who, how in comparing:
        attack = cast("PurchasesAttack", who.attack)
        drops = getattr(attack, "drops", "")
        if drops not in once:
            once[drops] = attack.takes(tables.released) if drops else tables.released
        released = cast("Purchases", once[drops])
        rows = _places_of(released.customers, names)
        if isinstance(how, Near):
            made.append(Comparison(how, points=how.by.located(released)[rows]))
            continue
        key = drops, cast("Alike", how).sights
        if key not in once:
            master = any("master" in sight.parts for sight in cast("Alike", how).sights)
            laid = Laid(released, _of_names(tables, reading) if master else reading)
            once[key] = columns_of(laid, reading, cast("Alike", how).sights)[rows]
        made.append(Comparison(how, theirs=once[key]))  # type: ignore[arg-type]
    return tuple(made)


def _of_names(tables: Tables[Purchases], reading: Reading) -> Reading:
    """Return the reading of the released side, whose master is compared with the known one."""
    return replace(reading, known=tables.original)
