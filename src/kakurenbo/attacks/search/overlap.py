"""Overlap: how similar people are in the keys of their records, over a view of both sides.

The nearest are found without comparing every pair where that can be (`kernels.nearest`); groups of equals are
compared once where most people share what is known of them, since their ties would grow with the square of a
group.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from kakurenbo.attacks.purchases.view import Sight, by_rarity, joined, through
from kakurenbo.attacks.search.scores import LookUp, Overlap
from kakurenbo.data.baskets import equal_rows
from kakurenbo.data.guess import Guess, Links
from kakurenbo.kernels.assignment import assign
from kakurenbo.kernels.nearest import nearest, row_by_row

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from kakurenbo.attacks.base import Tables
    from kakurenbo.attacks.purchases.base import PurchasesAttack
    from kakurenbo.attacks.purchases.view import View
    from kakurenbo.chance import Chance
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.kernels.nearest import Matrix, Nearest

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

_MANY = 1000  # people; of fewer every tie can be written down


def views(attack: PurchasesAttack, tables: Tables[Purchases], sights: Sequence[Sight]) -> list[View]:
    """Return what an attacker sees through each of these sights, with as much of the original as is known."""
    rows = attack.known_rows(tables)
    whole = [through(tables, sight) for sight in sights]
    return whole if rows is None else [view.knowing(attack.known(tables), rows) for view in whole]


def seen(attack: PurchasesAttack, how: Overlap, tables: Tables[Purchases]) -> View:
    """Return all that an attacker compares as one view."""
    made, counts = views(attack, tables, how.sights), attack.fit(tables)
    return made[0] if len(made) == 1 and counts is None else joined(made, counts)


def keys(attack: PurchasesAttack, tables: Tables[Purchases]) -> View | None:
    """Return the view whose keys give people away to an attacker; None where no single key does."""
    left = attack.prepare(tables)
    match attack.score(left.shown):
        case Overlap() as how:
            return seen(attack, how, left)
        case LookUp(grains, "one" | "rarity"):
            return joined(views(attack, left, [Sight(grain) for grain in grains]))
    return None


def most_similar(how: Overlap, view: View, reached: Floats | None = None) -> tuple[Nearest, Floats]:
    """Return the known people most similar to each released one, and what decides among equal scores.

    Of known sets that lie wholly in a released one the larger is the better. Where somebody elsewhere is
    known to be as similar as `reached` says, those who are less so are left out.
    """
    best = nearest(*_sides(how, view), how.similarity, weights=_weights(how, view), reached=reached)
    sizes = np.diff(view.mine.indptr).astype(np.float64)
    return best, -sizes if how.similarity == "containment" else np.zeros(len(sizes))


def places(how: Overlap, view: View) -> Nearest:
    """Return the released people most similar to each known one."""
    theirs, mine = _sides(how, view)
    return nearest(mine, theirs, how.similarity, weights=_weights(how, view))


def reached(how: Overlap, view: View) -> Floats:
    """Return how similar to each released one is the known person in the same row."""
    return row_by_row(*_sides(how, view), how.similarity, weights=_weights(how, view))


def named(how: Overlap, view: View, chance: Chance) -> Guess:
    """Name the most similar known person for every released one."""
    if _many_equals(view):
        return _among_groups(how, view, chance)
    best, _ = most_similar(how, view)
    return Guess.drawn(view.released, view.originals, best.indptr, best.indices, chance)


def assigned(how: Overlap, view: View, chance: Chance) -> Guess:
    """Name somebody for everybody at once, so that similarities are greatest in sum."""
    rng = chance.stream("assignment")
    paired = assign(*_sides(how, view), how.similarity, rng, weights=_weights(how, view))
    groups = _equals(how, view.theirs), _equals(how, view.mine)
    return Guess.paired(view.released, view.originals, groups, paired)


def _sides(how: Overlap, view: View) -> tuple[Matrix, Matrix]:
    """Return released and known people x keys; angles are compared between keys weighed by their rarity."""
    if how.rare and how.similarity == "cosine":
        return by_rarity(view.theirs, view), by_rarity(view.mine, view)
    return view.theirs, view.mine


def _weights(how: Overlap, view: View) -> Floats | None:
    """Return what a common key counts, or None for one each."""
    return view.rarity if how.rare and how.similarity != "cosine" else None


def _equals(how: Overlap, matrix: Matrix) -> Ints:
    """Number the rows such that those have the same number that cannot be told apart."""
    return equal_rows(_in_proportion(matrix) if how.similarity == "cosine" else matrix)


def _in_proportion(matrix: Matrix) -> Matrix:
    """Return the rows of counts in their lowest terms: 2 and 4 are 1 and 2 to who looks at angles."""
    data, lengths = matrix.data.copy(), np.diff(matrix.indptr)
    some = lengths > 0
    data //= np.repeat(np.gcd.reduceat(data, matrix.indptr[:-1][some]), lengths[some])
    return sparse.csr_array((data, matrix.indices, matrix.indptr), shape=matrix.shape)


def _many_equals(view: View) -> bool:
    """Whether most known people share what is known of them with others, and they are many."""
    people = len(view.originals)
    if people <= _MANY or _told_apart(view.mine) >= people / 2:
        return False
    return len(np.unique(equal_rows(view.mine))) < people / 2


def _told_apart(matrix: Matrix) -> int:
    """Return how many rows are told apart by a sum over them: so many different ones there are at least."""
    worth = np.random.default_rng(0).random(matrix.shape[1])
    return len(np.unique(sparse.csr_array(matrix) @ worth))


def _among_groups(how: Overlap, view: View, chance: Chance) -> Guess:
    """Compare groups of equals instead of people."""
    theirs, mine = equal_rows(view.theirs), equal_rows(view.mine)
    first, my_first = (np.unique(group, return_index=True)[1] for group in (theirs, mine))
    a, b = _sides(how, view)
    best = nearest(a[first], b[my_first], how.similarity, weights=_weights(how, view))
    indptr, indices = _or_anybody(best, len(my_first))
    links = Links.evenly(indptr, indices, np.bincount(mine))
    return Guess.among(view.released, view.originals, (theirs, mine), links, chance)


def _or_anybody(best: Nearest, groups: int) -> tuple[Ints, Ints]:
    """Return the links found; who has nothing in common with anybody is linked with all groups."""
    counts = np.diff(best.indptr)
    everybody = np.arange(groups, dtype=np.int64)
    rows = np.split(best.indices, best.indptr[1:-1])
    linked = [row if count else everybody for row, count in zip(rows, counts, strict=True)]
    lengths = [len(row) for row in linked]
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64), np.concatenate(linked)
