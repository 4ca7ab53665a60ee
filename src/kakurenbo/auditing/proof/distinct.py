"""Whom an attacker can find in a copy at most, counted from the tables themselves.

The proof compares what an attacker finds in a copy with what could be found there. If that came from the
attacker's own view of the tables, a fault in the view would excuse itself: an attack that sees no goods would
be told that nobody can be told apart by goods. So nothing is shared with the attacks but what they say that
they compare. Here every word is read as text and every text is given a number; people are rows of these
numbers, and counting which they have in common is all that is done.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar, cast

import numpy as np
import polars as pl

from kakurenbo.attacks.base import Bet, Owned, Places, Traces, Values
from kakurenbo.attacks.order import natural
from kakurenbo.data.groups import group_codes

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from numpy.typing import NDArray
    from scipy import sparse

    from kakurenbo.attacks.base import Attack, Tables
    from kakurenbo.attacks.purchases.base import PurchasesAttack
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.data.table import Table

    Ints: TypeAlias = NDArray[np.int64]
    Floats: TypeAlias = NDArray[np.float64]
    Matrix: TypeAlias = sparse.csr_array[Any]
    Pairs: TypeAlias = tuple[Ints, Ints]
    Grains: TypeAlias = tuple[tuple[str, ...], ...]

Made = TypeVar("Made")

_LEAST = {"likelihood": 1e-3, "likelihood ratio": 1.0}  # what a record counts for that a person does not have
_TOLL = 1e-6  # what being right costs all in all, so that among equally good pairings it is avoided
_AT_ONCE = 20_000  # kinds of records that are held beside everybody who has the same
_PERIODS = {"month": "%Y-%m", "day": "%Y-%m-%d"}


def attainable(attack: Attack[Any], tables: Tables[Any]) -> float:
    """Return the share of people whom this attacker can find where the release is the original itself.

    Or as much of it as the release shows: what he compares is read from there.

    For one who knows everything: groups of equals / people, as naming anybody of s equals finds one in s. For
    one who knows a few records: one in as many as have all of them, or those whose records nobody else has.
    For one who drops dummies: those whom plain arithmetic finds by what he leaves, since in a copy all that
    he drops is real. For one who attributes receipts: those who own most of their own.
    """
    compared, original = attack.compares(tables.released), tables.original
    if isinstance(compared, Places | Values | Bet):
        return _by_person(compared, original)
    known = cast("PurchasesAttack", attack).known(tables)
    numbers = tables.once("numbers of texts", lambda: _Numbers(original))
    people = len(original.customers)
    if isinstance(compared, Owned):
        return _own_most(numbers, known, compared) / people
    if compared.similarity in _LEAST:
        claims = _claims(numbers, known, numbers.people(known), original, compared)
        return _own(_largest(claims)[:2]) / people
    grains, pieces = compared.grains, compared.counting == "pieces"
    whole = numbers.counts(original, grains, pieces=pieces)
    if known is not original:
        holders = _holders(numbers.counts(known, grains), whole)
        if compared.reading == "target":
            return _own(holders.fewest) / people
        return int((holders.places == 1).sum()) / len(known.customers)
    drops = cast("PurchasesAttack", attack).drops
    left = attack.prepare(tables).released if drops else tables.released
    if left is not tables.released:
        named = _paired if compared.reading == "assignment" else _nearest
        return named(numbers.counts(left, grains), whole) / people
    told = replace(compared, reading="nearest")  # whoever reads so finds as many
    return tables.once(("distinct", told), lambda: _distinct(whole, compared) / people)


def _by_person(compared: Places | Values | Bet, original: Table) -> float:
    """Return the share of people told apart by their place, or by values that each has; by a bet, nobody."""
    if isinstance(compared, Places):
        return _in_place(compared, original)
    if isinstance(compared, Bet):
        return 0.0
    table = original.summarised(compared.of)
    codes = group_codes([table], table.columns)[0]
    return len(np.unique(codes)) / len(codes)


def _in_place(compared: Places, original: Table) -> float:
    """Return the share of people at the same place in both orders: ids sorted as text need not be."""
    ids = original.people.to_list()
    if compared.by != "text":
        return 1.0
    moved = sum(first != second for first, second in zip(sorted(ids), sorted(ids, key=natural), strict=True))
    return 1.0 - float(moved) / len(ids)


class _Numbers:
    """Numbers for the texts of an original and of parts of it: the same text has the same number in all.

    Args:
        original: whose texts are numbered from 0, part by part; others get numbers beyond these.
    """

    def __init__(self, original: Purchases) -> None:
        self.original = original
        self._words: dict[str, pl.Series] = {}
        self._met: dict[tuple[str, ...], Ints] = {}
        self._made: dict[Hashable, Any] = {}

    def once(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """Return what was made under this key, or make it."""
        if key not in self._made:
            self._made[key] = make()
        made: Made = self._made[key]
        return made

    def of(self, data: Purchases, parts: tuple[str, ...]) -> Ints:
        """Return a number for every record, the same for those that say the same in all these parts."""
        if data is not self.original:
            self.of(self.original, parts)
        return self.once((data, parts), lambda: self._numbered(data, parts))

    def _numbered(self, data: Purchases, parts: tuple[str, ...]) -> Ints:
        if len(parts) == 1:
            values = self._read(_texts(data, parts[0]), parts[0])
        else:
            values = self.of(data, parts[:-1]) << 32 | self.of(data, parts[-1:])
        if data is self.original:
            self._met[parts], codes = np.unique(values, return_inverse=True)
            return codes
        met = self._met[parts]
        codes = np.searchsorted(met, values)
        strange = met[np.minimum(codes, len(met) - 1)] != values
        codes[strange] = len(met) + np.unique(values[strange], return_inverse=True)[1]
        return codes

    def _read(self, texts: pl.Series, part: str) -> Ints:
        """Return a number for every text, by the order in which they were first met."""
        words = self._words.get(part, texts.head(0))
        numbers = texts.cast(pl.Enum(words), strict=False).to_physical()
        if numbers.null_count():
            self._words[part] = words = pl.concat([words, texts]).unique(maintain_order=True)
            numbers = texts.cast(pl.Enum(words)).to_physical()
        return numbers.to_numpy().astype(np.int64)

    def people(self, data: Purchases) -> Ints:
        """Return whose every record is: of the original, people have their places in it."""
        return self.of(data, ("customer",))

    def traces(self, data: Purchases, grains: Grains) -> Ints:
        """Return grains x records: the number of every record's trace; no two grains have one in common."""
        return np.array([
            self.of(data, grain) * len(grains) + place for place, grain in enumerate(grains)
        ])  # fmt: skip

    def counts(self, data: Purchases, grains: Grains, *, pieces: bool = False) -> Matrix:
        """Return people x traces: on how many of a person's records a trace is, or on how many pieces."""

        def made() -> Matrix:
            count = data.records["quantity"].to_numpy() if pieces else np.ones(len(data), dtype=np.int64)
            places = np.tile(self.people(data), len(grains)), self.traces(data, grains).ravel()
            return _summed(np.tile(count, len(grains)), *places, len(self.original.customers))

        return self.once((data, grains, pieces), made)

    def kinds(self, data: Purchases, grains: Grains) -> tuple[Ints, Ints]:
        """Return a number for every record, the same for those of the same traces, and one of each kind."""
        parts = tuple(dict.fromkeys(part for grain in grains for part in grain))
        _, one, kinds = np.unique(self.of(data, parts), return_index=True, return_inverse=True)
        return kinds, one


def _texts(data: Purchases, part: str) -> pl.Series:
    """Return what is said in a part of every record."""
    if part == "master":
        people = data.customers.to_frame("customer").hstack(data.attributes.get_columns())
        rows = ["" if len(row) == 1 else repr(row[1:]) for row in people.iter_rows()]
        return pl.Series(rows, dtype=pl.String).gather(data.records["customer"].to_physical())
    if part in _PERIODS:
        return data.records["time"].dt.strftime(_PERIODS[part]).alias("")
    return data.records[part].cast(pl.String).alias("")


def _summed(values: NDArray[Any], rows: Ints, columns: Ints, height: int) -> Matrix:
    """Return the sum of the values at each place of a matrix that is at least so high."""
    from scipy import sparse  # noqa: PLC0415 - slow to load

    shape = (max(height, int(rows.max(initial=-1)) + 1), int(columns.max(initial=-1)) + 1)
    matrix: Matrix = sparse.coo_array((values, (rows, columns)), shape=shape).tocsr()
    matrix.sum_duplicates()
    return matrix


def _as_wide(matrix: Matrix, width: int, values: NDArray[Any]) -> Matrix:
    """Return a matrix of other values in the same places, and of so many columns, which are no fewer."""
    from scipy import sparse  # noqa: PLC0415 - slow to load

    return sparse.csr_array((values, matrix.indices, matrix.indptr), shape=(matrix.shape[0], width))


def _common(first: Matrix, second: Matrix) -> Matrix:
    """Return rows of the one x rows of the other: in how many columns both hold something, where in any."""
    width = max(first.shape[1], second.shape[1])
    there = [_as_wide(one, width, np.ones(one.nnz, dtype=np.int64)) for one in (first, second)]
    common: Matrix = (there[0] @ there[1].T).tocsr()
    return common


def _sizes(traces: Matrix) -> Ints:
    return np.diff(traces.indptr).astype(np.int64)


def _distinct(whole: Matrix, compared: Traces) -> int:
    """Return how many are left where each stands for all his equals.

    They are equal by which traces they have, how often, or in which proportion.
    """
    counts = np.ones_like(whole.data) if compared.counting == "set" else whole.data
    if compared.similarity == "presence":
        counts = np.ones_like(counts)
    elif compared.similarity == "proportions":
        counts = counts // np.repeat(np.gcd.reduceat(counts, whole.indptr[:-1]), _sizes(whole))
    spans = zip(whole.indptr[:-1], whole.indptr[1:], strict=True)
    return len({(whole.indices[a:b].tobytes(), counts[a:b].tobytes()) for a, b in spans})


class _Holders(NamedTuple):
    """Who has all that is known of whom.

    Attributes:
        fewest: (known, other): of all who do, only those with the fewest traces.
        places: how many they were before.
    """

    fewest: Pairs
    places: Ints


def _holders(known: Matrix, whole: Matrix) -> _Holders:
    held, size = _sizes(known)[:, None], _sizes(whole)
    fits = (_common(known, whole).toarray() == held) & (held > 0)
    least = np.where(fits, size, size.max() + 1).min(axis=1, keepdims=True)
    rows, columns = np.nonzero(fits & (size == least))
    return _Holders((rows, columns), fits.sum(axis=1))


def _own(named: Pairs) -> float:
    """Return how many are expected to be rightly named, where each is named any of his candidates."""
    who, other = named
    return float(((who == other) / np.bincount(who)[who]).sum())


def _largest(claims: Matrix) -> tuple[Ints, Ints, Floats]:
    """Return (row, column, claim): the largest of every row."""
    rows, most = np.repeat(np.arange(claims.shape[0]), _sizes(claims)), np.zeros(claims.shape[0])
    np.maximum.at(most, rows, claims.data)
    best = claims.data == most[rows]
    return rows[best], claims.indices[best], claims.data[best]


def _shares(numbers: _Numbers, data: Purchases, grains: Grains, *, relative: bool) -> Matrix:
    """Return traces x people: which share of a person's records leaves a trace; the last is nobody's.

    Where relative, how many times the share of all records.
    """
    counts = numbers.counts(data, grains)
    shares = counts.data / np.repeat(np.bincount(numbers.people(data)), _sizes(counts))
    if relative:
        shares = shares * len(data) / np.bincount(counts.indices, weights=counts.data)[counts.indices]
    made: Matrix = _as_wide(counts, counts.shape[1] + 1, shares).T.tocsr()
    return made


def _claims(
    numbers: _Numbers, drawn: Purchases, unit: Ints, holders: Purchases, compared: Traces | Owned
) -> Matrix:
    """Return units x people: how much likelier than with no match the records of a unit are whose.

    Kinds of records stand beside everybody who left the same traces, so some are looked at after the others.
    """
    likeness = compared.similarity if isinstance(compared, Traces) else "likelihood ratio"
    grains, relative = compared.grains, likeness == "likelihood ratio"
    shares = numbers.once(
        ("shares", holders, grains, relative), lambda: _shares(numbers, holders, grains, relative=relative)
    )
    kinds, one = numbers.kinds(drawn, grains)
    traces = np.minimum(numbers.traces(drawn, grains)[:, one], shares.shape[0] - 1)
    held = _summed(np.ones(len(kinds)), unit, kinds, 0)
    claims: Any = 0
    for first in range(0, len(one), _AT_ONCE):
        some = slice(first, first + _AT_ONCE)
        gains: Any = sum(shares[trace] for trace in traces[:, some]) / len(grains)
        gains.data = np.log(1 + gains.data / _LEAST[likeness])
        claims += held[:, some] @ gains
    return _as_wide(claims, claims.shape[1], pl.Series(claims.data).round_sig_figs(9).to_numpy())


def _own_most(numbers: _Numbers, known: Purchases, compared: Owned) -> float:
    """Return how many people own most of what stands under their own name.

    A receipt is his alone who is likelier its owner than all others together, all being alike before.
    """
    original = numbers.original
    mine, people = numbers.people(original), len(original.customers)
    receipt = numbers.of(original, compared.receipt) if compared.receipt else np.arange(len(original))
    receipts, others, claims = _largest(_claims(numbers, original, receipt, known, compared))
    alone = (np.bincount(receipts)[receipts] == 1) & (claims > math.log(people))
    owner = np.full(int(receipt.max()) + 1, -1)
    owner[receipts[alone]] = others[alone]
    there = owner[receipt] >= 0
    held = _summed(np.ones(int(there.sum())), mine[there], owner[receipt][there], people)
    return _own(_largest(held)[:2])


def _likeness(left: Matrix, whole: Matrix) -> Matrix:
    """Return people x people: the Jaccard similarity of what is left to all traces."""
    likeness = _common(left, whole)
    union = np.repeat(_sizes(left), _sizes(likeness)) + _sizes(whole)[likeness.indices] - likeness.data
    likeness.data = pl.Series(likeness.data / union).round_sig_figs(9).to_numpy()
    return likeness


def _nearest(left: Matrix, whole: Matrix) -> float:
    """Return how many own traces are nearest to what is left of them."""
    return _own(_largest(_likeness(left, whole))[:2])


def _paired(left: Matrix, whole: Matrix) -> float:
    """Return how many are expected to be named rightly when all are paired with somebody as alike as can be.

    Who is equal to others on either side is any of them. Of several best pairings he may come upon the
    unluckiest: the one that a small toll on being right leads to.
    """
    from scipy.optimize import linear_sum_assignment  # noqa: PLC0415 - slow to load

    cost = -_likeness(left, whole).toarray()
    theirs, mine = _equals(left), _equals(whole)
    both = np.zeros((theirs.max() + 1, mine.max() + 1))
    np.add.at(both, (theirs, mine), 1)
    right = (both / both.sum(axis=1, keepdims=True) / both.sum(axis=0))[np.ix_(theirs, mine)]
    return float(right[linear_sum_assignment(cost + _TOLL / len(cost) * right)].sum())


def _equals(traces: Matrix) -> Ints:
    """Return a number for everybody, the same for those of the same traces."""
    spans, met = zip(traces.indptr[:-1], traces.indptr[1:], strict=True), dict[bytes, int]()
    return np.array([met.setdefault(traces.indices[a:b].tobytes(), len(met)) for a, b in spans])
