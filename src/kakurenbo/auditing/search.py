"""The search: where attackers take people to be, worked out once for what is found and for what is learnt.

Attackers who judge a pair of people at a time go through both tables block by block; a table in memory is one
block. Attackers who must see everybody at once (they pair all people, or learn from all of them first) are
set on a pool: on all people where everybody is looked for, and else on the first targets and those who look
most like them. What is remembered of a search is small, and says of the first targets who may be they.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Generic, cast

import numpy as np
import polars as pl

from kakurenbo.attacks.base import Tables
from kakurenbo.attacks.purchases.receipts import asked_of_some
from kakurenbo.attacks.search.seek import DENSE, REMEMBERED, UNBOUNDED, WORK, Sought, seek
from kakurenbo.auditing.pool import Pool, candidates
from kakurenbo.auditing.sample import Fetch, gathered
from kakurenbo.data.blocks import InMemory
from kakurenbo.data.table import Data
from kakurenbo.memory import give_back
from kakurenbo.progress import Progress

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from kakurenbo.attacks.purchases.base import PurchasesAttack
    from kakurenbo.attacks.purchases.owners import OwnersAttack
    from kakurenbo.attacks.purchases.receipts import Asked
    from kakurenbo.auditing.input import AuditInput
    from kakurenbo.auditing.panel.members import Attacker
    from kakurenbo.data.blocks import Blocks
    from kakurenbo.data.purchases import Purchases

    Bits = NDArray[np.uint64]


@dataclass(frozen=True, eq=False)
class Search(Generic[Data]):
    """What came of going through a release.

    Attributes:
        given: the targets, and everybody.
        tables: the targets in the words of the release, and what stands under their names.
        matches: where the attackers who went through the blocks take them to be.
        pool: for who must see everybody at once.
        fetched: what stands under the names that are remembered.
        drops: what was dropped from the release before, in words.
        receipts: whose released receipts are, by who asked block by block; None where everybody is at hand.
        recode: writes a block of the original in the words of the release; None where it is written so.
    """

    given: AuditInput[Data]
    tables: Tables[Data]
    matches: Sought
    pool: Pool[Data]
    fetched: Data
    drops: str = ""
    receipts: Asked | None = None
    recode: Callable[[Data], Data] | None = None

    @property
    def beside(self) -> Tables[Data]:
        """The targets, and what stands under all names that are remembered."""
        tables = self.tables
        if self.fetched is tables.released:
            return tables
        return Tables(tables.original, self.fetched, tables.chance, tables.plain)


def search(
    given: AuditInput[Data],
    tables: Tables[Data],
    members: Sequence[Attacker],
    *,
    recode: Callable[[Data], Data] | None = None,
    people: pl.Series | None = None,
    compare: bool = True,
    progress: Progress | None = None,
) -> Search[Data]:
    """Let all attackers go through both tables who can.

    Args:
        given: the targets, and everybody.
        tables: the targets in the words of the release, and what stands under their names.
        members: the attackers.
        recode: writes a block of the original in the words of the release; None where it is written so.
        people: who of the targets is looked up; none given means all.
        compare: whether released names are compared with the original as well.
        progress: told how far it is.
    """
    steps = progress or Progress()
    if given.blocks is None:
        everybody, nobody = len(tables.original.people), tables.original.people.head(0)
        matches = Sought({}, nobody, nobody, everybody, ())
        return Search(given, tables, matches, Pool.whole(given, tables), given.released)
    found = _of_purchases(
        cast("Any", given), cast("Any", tables), members, cast("Any", recode), people, compare, steps
    )
    return cast("Search[Data]", found)


def _of_purchases(  # noqa: PLR0917 - as it was asked
    given: AuditInput[Purchases],
    tables: Tables[Purchases],
    members: Sequence[Attacker],
    recode: Callable[[Purchases], Purchases] | None,
    people: pl.Series | None,
    compare: bool,
    steps: Progress,
) -> Search[Purchases]:
    give_back()
    everybody = len(given.original.people) == given.people
    dense, work = (UNBOUNDED, UNBOUNDED) if everybody else (DENSE, WORK)
    blocks = cast("tuple[Blocks, Blocks]", given.blocks)
    if given.complete and given.keeps_order:  # a table in memory: written in the words of the release already
        blocks, recode = (InMemory(tables.original, 1), blocks[1]), None
    matches = seek(
        tables, given.owners, blocks, members, alike=recode, people=people, compare=compare,
        progress=steps.part(0.0, 0.9 if given.complete else 0.7), dense=dense, work=work,
    )  # fmt: skip
    found = Search(given, tables, matches, Pool.nobody(tables), given.released, recode=recode)
    if given.complete:
        return replace(found, pool=Pool.whole(given, tables))
    first = matches.people.head(REMEMBERED if people is None else len(people))
    found = replace(found, receipts=_receipts(found, members, first, steps.part(0.7, 0.9)))
    return _fetched(found, members, recode, steps.part(0.9, 1.0))


def _receipts(
    found: Search[Purchases], members: Sequence[Attacker], people: pl.Series, progress: Progress
) -> Asked:
    """Ask of these people, block by block, which receipts are theirs."""
    given, shown = found.given, found.tables.shown
    asking = {
        who.key: cast("OwnersAttack", who.attack) for who in members
        if cast("PurchasesAttack", who.attack).by_receipts
        and all(need in shown for need in who.attack.needs)
    }  # fmt: skip
    return asked_of_some(
        asking, found.tables, people, given.people, cast("tuple[Blocks, Blocks]", given.blocks),
        alike=found.recode, progress=progress,
    )  # fmt: skip


def _fetched(
    found: Search[Purchases],
    members: Sequence[Attacker],
    recode: Callable[[Purchases], Purchases] | None,
    steps: Progress,
) -> Search[Purchases]:
    """Fetch what stands under remembered names, and the people most like the first targets as a pool."""
    given, tables, matches = found.given, found.tables, found.matches
    before, after = cast("tuple[Blocks, Blocks]", given.blocks)
    chance, bits = tables.chance.under("scan"), remembered(matches, members)
    likened = [
        who.key for who in members
        if who.key in matches.places and not matches.by_person(who)
    ]  # fmt: skip
    count, alike = candidates(matches, likened)
    original, owners, names = None, None, pl.Series([], dtype=pl.String)
    if count and given.secret is not None and given.owners is not None:
        rows = given.owners.owned.frame
        first = rows.filter(pl.col("released").is_in(matches.names.head(count).implode()))["original"]
        work = Fetch(first.unique().sort(), chance, alike)
        original = gathered(before, work, steps.part(0, 0.5), "gathering look-alikes")
        owners = given.secret.of(original.customers)
        names = owners.names
    if len(names) or len(bits):
        fetched = gathered(after, Fetch(names, chance, bits), steps.part(0.5, 1), "gathering their names")
        found = replace(found, fetched=fetched)
    if original is None or owners is None:
        return found
    known, _ = (original if recode is None else recode(original)).common_with(given.released)
    plain, _ = original.common_with(given.released)
    beside = Tables(
        known, found.fetched.of(owners.names), tables.chance.under("pool"), plain, tables.practice
    )
    return replace(found, pool=Pool(beside, owners, count, tuple(likened)))


def remembered(matches: Sought, members: Iterable[Attacker]) -> Bits:
    """Return the bits of all names where somebody may be, by whoever believes something of people."""
    learning = (who for who in members if who.stand.learns and matches.by_person(who))
    kept = [ties.kept[ties.remembered] for ties in (matches.places[who.key] for who in learning)]
    return np.unique(np.concatenate(kept)) if kept else np.empty(0, np.uint64)
