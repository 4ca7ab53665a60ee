"""Owners: whose is each released receipt?

A release may deal the receipts of look-alikes among them, so that nobody's history is his own. Then the
released person is the wrong unit: a receipt was bought by one person, whatever name stands on it. This
attacker takes every released receipt on its own and asks to whom of the people he knows it most likely
belongs; what he believes of a person is what stands on the receipts that he gives him. Of some people among
many it is asked block by block: see `search.receipts`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple

import numpy as np
import polars as pl
from pydantic import Field
from scipy import sparse

from kakurenbo.about import AttackAbout, Stand
from kakurenbo.attacks.base import Owned
from kakurenbo.attacks.ladder import POINTS, SOME, records
from kakurenbo.attacks.purchases.base import PurchasesAttack
from kakurenbo.attacks.purchases.likelihood import GRAINS
from kakurenbo.attacks.purchases.view import Part, grains_shown, people_of
from kakurenbo.attacks.search.counts import Count, counted
from kakurenbo.attacks.search.keys import Forms, Laid, Reading
from kakurenbo.attacks.search.lookup import postings_of
from kakurenbo.data.belief import Belief
from kakurenbo.data.guess import Guess
from kakurenbo.kernels.scan import Beside, Codes, Records, Ties, distinct, joined, look_up

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from kakurenbo.attacks.base import Tables
    from kakurenbo.attacks.purchases.view import View
    from kakurenbo.attacks.search.counts import Counts
    from kakurenbo.attacks.search.keys import Grain
    from kakurenbo.chance import Chance
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.kernels.scan import Postings

    Ints = NDArray[np.int64]
    Keys = NDArray[np.int32]

Unit = Literal["receipt", "moment"]
CLOSE = 1e-9  # sums that lie so close, relatively, are a tie
_MIXED = 0.1


@dataclass(frozen=True, eq=False)
class Attributed:
    """Whose every released record is taken to be.

    Attributes:
        owner: of every released record the number of the person, -1 where nobody is likelier than all others,
            -2 where somebody is of whom it was not asked.
        names: under whose name every released record stands.
        released: who was released.
        originals: the known people.
        targets: whom something is to be believed of.
        truth: of every released record who bought it, as far as that is told of whom it was asked; None where
            all is at hand to tell it.
        told: the share of all released records of which it is told, where some were asked about.
    """

    owner: Ints
    names: Ints
    released: pl.Series
    originals: pl.Series
    targets: Ints | None = None
    truth: Ints | None = None
    told: float = 1.0
    best: ClassVar[None] = None

    def over(self, keys: View) -> Belief:
        """Return that a person has what stands on the receipts given to him."""
        (block,) = keys.blocks
        given = self._counted(self.owner, block.theirs, (len(self.originals), keys.theirs.shape[1]))
        return Belief.of_each(given if self.targets is None else given[self.targets])

    def held(self) -> sparse.csr_array[np.int64]:
        """Return released people x known people: how many records under a name are taken to be whose."""
        return self._counted(self.names, self.owner, (len(self.released), len(self.originals)))

    def _counted(
        self, rows: Ints, columns: Ints | Keys, shape: tuple[int, int]
    ) -> sparse.csr_array[np.int64]:
        some = self.owner >= 0
        ones = np.ones(int(some.sum()), dtype=np.int64)
        return sparse.coo_array((ones, (rows[some], columns[some])), shape=shape).tocsr()


class Likeliest(NamedTuple):
    """Who is likeliest to own each receipt.

    Attributes:
        ties: how well they fit, and how many they are.
        first: the first of them.
    """

    ties: Ties
    first: Ints

    def above(self, people: int) -> NDArray[np.bool_]:
        """Tell of which receipts one stands alone, and is likelier than all so many people together."""
        alone: NDArray[np.bool_] = (self.ties.ties == 1) & (self.ties.score > np.log(people))
        return alone


@dataclass(frozen=True, eq=False)
class Receipts:
    """Receipts by the keys of their records.

    Attributes:
        bounds: receipt r has the records bounds[r]:bounds[r+1].
        numbers: which of the different records each is.
        different: the different records x grains.
    """

    bounds: Ints
    numbers: Ints
    different: Keys

    @classmethod
    def of(cls, bounds: Ints, keys: Keys) -> Receipts:
        """Return receipts of records with these keys, receipt after receipt."""
        numbers, first = distinct(joined([column.astype(np.uint64) for column in keys.T], len(keys)))
        return cls(bounds, numbers.astype(np.int64), np.ascontiguousarray(keys[first]))

    def __len__(self) -> int:
        return len(self.bounds) - 1

    def likeliest(self, people: Postings) -> Likeliest:
        """Return which of these people are likeliest to own each receipt."""
        count, among = len(self), np.arange(people.people)
        if not count:
            return Likeliest(Ties.none(0, 0), among[:0])
        nobody = np.zeros(count + 1, np.int64), np.empty(0, np.int64)
        bits = np.zeros(count, np.uint64), np.zeros(len(among), np.uint64)
        beside = Beside(nobody, bits, 0, CLOSE)
        sizes = np.stack(
            [np.zeros(len(among)), among.astype(np.float64)]
        )  # how many are equal, and the first of them
        least, rows = float(self.different.shape[1] > 1), np.arange(count)
        records = Records(self.bounds, self.numbers, rows, self.different, (rows,), 0, np.zeros(count))
        if least and records.quicker(people):
            ((equal, first),) = records.look_up(people, least=least, sizes=sizes, beside=beside)
        else:
            keys = self.bounds, self.different[self.numbers]
            equal, first = look_up(keys, people, least=least, sizes=sizes, beside=beside)
        return Likeliest(equal, np.where(equal.ties > 0, first.size, -1).astype(np.int64))


def _stands(rung: str, knows: Mapping[str, object], how: str, *, names: bool = False) -> tuple[Stand, ...]:
    story = f"Gives every released receipt to its likeliest owner, {how}"
    return (
        Stand(rung=rung, story=story, parameters=knows, learns=True, names=names),
        Stand(
            rung=rung, story=f"{story}, taking all records of a moment for one receipt",
            parameters={**knows, "unit": "moment"}, learns=True, names=names, way="by time stamps",
        ),
    )  # fmt: skip


class OwnersAttack(PurchasesAttack):
    """Knows what everybody bought, and gives every released receipt to its likeliest owner.

    For each receipt the known person x of the greatest sum over its records of log(1 + p(record | x) /
    p(record)); to nobody, where he is not likelier than all others together, who were all alike before. A
    name goes to the owner of most of what stands under it. The attacker to hold against records dealt anew;
    where single records are dealt, the time stamp puts the receipt together again.
    """

    about: ClassVar = AttackAbout(
        name="owners", kind="purchases", source="ours",
        stands=tuple(
            stand
            for rung, knows in (*((records(k), {"points": k}) for k in POINTS), *SOME.items())
            for stand in _stands(rung, knows, f"knowing {rung} of everybody")
        )
        + _stands("goods", {"grains": "goods"}, "by the goods on it", names=True),
    )  # fmt: skip

    strips: ClassVar[bool] = False  # a dummy hardly moves a whole receipt
    by_receipts: ClassVar[bool] = True

    grains: Literal["all", "goods"] = Field(
        "all", description="compare records at every grain together, or their goods alone"
    )

    unit: Unit = Field(
        "receipt",
        description="what was bought by one person: a receipt, or all records of one moment, whatever name "
        "stands on them",
    )

    @property
    def needs(self) -> tuple[str, ...]:
        """The time, where it makes a receipt."""
        return ("time",) if self.unit == "moment" else ()

    @property
    def compared(self) -> tuple[tuple[Part, ...], ...]:
        """The grains at which records are compared, where both tables show them."""
        return GRAINS if self.grains == "all" else GRAINS[:1]

    def fit(self, tables: Tables[Purchases], scale: float = 1.0) -> Attributed:  # noqa: ARG002 - of all receipts
        """Give every receipt to its likeliest owner; who knows everything is asked again, and looks once."""
        if not self.knows_all:
            return attributed(tables, self)
        return tables.once(("attributed", self.unit, self.grains), lambda: attributed(tables, self))

    def rerank(self, tables: Tables[Purchases], chance: Chance) -> Guess:
        """Name the owner of most records under each name; where nobody owns any, nobody."""
        seen = self.fit(tables)
        held = seen.held()
        most = held.max(axis=1).toarray().ravel()
        held.data = (held.data == np.repeat(most, np.diff(held.indptr))).astype(np.int64)
        held.eliminate_zeros()
        named = np.diff(held.indptr) > 0
        indptr, indices = held.indptr.astype(np.int64), held.indices.astype(np.int64)
        guess = Guess.drawn(seen.released, seen.originals, indptr, indices, chance)
        return guess if named.all() else guess.without(seen.released.filter(pl.Series(~named)))

    def locate(self, tables: Tables[Purchases], targets: Ints) -> Attributed | None:
        """Return whose every receipt is taken to be; None where moments are receipts, as they mostly are."""
        if self.unit == "moment" and not tables.once("mixed", lambda: mixed(tables.released)):
            return None
        return replace(self.fit(tables), targets=targets)

    def compares(self, data: Purchases) -> Owned:
        """Return the grains, and what makes a receipt."""
        return Owned(grains_shown(self.compared, data.shown), parts_of(data, self.unit))


def attributed(tables: Tables[Purchases], attack: OwnersAttack) -> Attributed:
    """Give every released receipt to its likeliest owner among all people at hand."""
    grains, released = grains_shown(attack.compared, tables.shown), tables.released
    reading, keys = tables.once(("receipts by", grains), lambda: _read_released(tables, grains))

    def by_receipt() -> tuple[Ints, Receipts]:
        receipt = numbered(released, attack.unit)
        order, bounds = grouped(receipt)
        return receipt, Receipts.of(bounds, keys[order])

    def laid_out() -> tuple[Postings, Ints]:
        known = attack.known(tables)
        laid, count = Laid(known, reading), Count(reading, grains)
        counts = counted([count(known)], reading, grains)
        return people_by_keys(laid, reading, counts, grains), places_of(
            tables.original.customers, known.customers
        )

    receipt, receipts = tables.once(("receipts", grains, attack.unit), by_receipt)
    who = attack.model_copy(update={"unit": "receipt"})
    postings, person = tables.once(("owners", repr(who)), laid_out)
    best = receipts.likeliest(postings)
    owner = np.where(best.above(len(tables.original.customers)), person[best.first], -1)
    return Attributed(owner[receipt], people_of(released), released.customers, tables.original.customers)


def numbered(released: Purchases, unit: Unit) -> Ints:
    """Number the receipts: the number of that of each record."""
    parts = parts_of(released, unit)
    if not parts:
        return np.arange(len(released), dtype=np.int64)
    return released.records.select(pl.struct(parts).rank("dense") - 1).to_series().to_numpy().astype(np.int64)


def parts_of(released: Purchases, unit: Unit) -> tuple[str, ...]:
    """Return the roles of a receipt; without them one's records of a moment are one, or else each record."""
    roles = released.roles
    if unit == "moment":
        return ("time",)
    return ("receipt",) if "receipt" in roles else ("customer", "time") if "time" in roles else ()


def mixed(released: Purchases) -> bool:
    """Whether records of a moment stand under several names, for at least one moment in ten."""
    names = released.records.group_by("time").agg(several=pl.col("customer").n_unique() > 1)
    return often(names["several"])


def often(several: pl.Series) -> bool:
    """Whether so many are of several that it matters."""
    return int(several.sum()) >= _MIXED * len(several)


def reading_of(forms: Forms, records: pl.DataFrame, grains: Iterable[Grain]) -> Reading:
    """Return how records are read, with a dictionary of the keys of these."""
    hashes = forms.hashes(records, sorted(grains))
    return Reading(forms, {grain: Codes.of(keys) for grain, keys in hashes.items()})


def _read_released(tables: Tables[Purchases], grains: tuple[Grain, ...]) -> tuple[Reading, Keys]:
    """Return how both tables are read, with a dictionary of all that was released, and its keys."""
    known, released = tables.original.records, tables.released.records
    forms = Forms.common(known, released, {part for grain in grains for part in grain})
    reading = reading_of(forms, released, grains)
    return reading, keys_of(released, reading, grains)


def keys_of(records: pl.DataFrame, reading: Reading, grains: tuple[Grain, ...]) -> Keys:
    """Return the keys of records, all grains numbered through; of one that is in no dictionary, the last."""
    hashes, shift, made = reading.forms.hashes(records, grains), 0, []
    last = sum(len(reading.codes[grain]) for grain in grains)
    for grain in grains:
        place = reading.codes[grain].place(hashes[grain])
        made.append(np.where(place >= 0, place + shift, last).astype(np.int32))
        shift += len(reading.codes[grain])
    return np.stack(made, axis=1)


def people_by_keys(laid: Laid, reading: Reading, counts: Counts, grains: tuple[Grain, ...]) -> Postings:
    """Return people by the keys of a dictionary, and by one more that nobody has."""
    made = postings_of(laid, reading, counts, grains, counts="ratio", least=1.0)
    return replace(made, starts=np.append(made.starts, made.starts[-1]))


def grouped(receipt: Ints) -> tuple[Ints, Ints]:
    """Return the rows receipt by receipt, and where each begins."""
    order = np.argsort(receipt, kind="stable")
    starts = np.flatnonzero(np.diff(receipt[order], prepend=-1))
    return order, np.append(starts, len(order)).astype(np.int64)


def places_of(among: pl.Series, people: pl.Series) -> Ints:
    """Return where these people stand among others."""
    places = pl.DataFrame({"who": among.cast(pl.String)}).with_row_index("at")
    asked = pl.DataFrame({"who": people.cast(pl.String)})
    at = asked.join(places, on="who", how="left", maintain_order="left")["at"]
    return at.to_numpy().astype(np.int64)
