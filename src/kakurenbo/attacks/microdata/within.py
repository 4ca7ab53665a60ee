"""Within: does my person's value lie inside what was released?

The attacks of 001 compare quasi-identifiers by equality, so a range, a set or a star hides everybody from
them, and a low rate flatters the release. An attacker who reads those is not held up: everybody whose values
lie inside a released combination is a candidate, and the amounts decide among them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np
import polars as pl
from pydantic import Field, model_validator

from kakurenbo.about import AttackAbout, Stand
from kakurenbo.attacks.base import Values
from kakurenbo.attacks.microdata.base import MicrodataAttack, Scaling, Side, SomeQi, SomeSa, chosen, numbers
from kakurenbo.attacks.microdata.candidates import Candidates, Rows
from kakurenbo.attacks.microdata.coarser import coarser, written_alike
from kakurenbo.attacks.microdata.euclid import nearest_groups
from kakurenbo.data.groups import group_codes
from kakurenbo.data.guess import Guess, Links
from kakurenbo.data.hierarchy import known_trees
from kakurenbo.kernels.assignment import NEIGHBOURS, assign_among

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from kakurenbo.attacks.base import Tables
    from kakurenbo.chance import Chance
    from kakurenbo.data.microdata import Microdata

    Ints = NDArray[np.int64]

_ROOM = 2**23  # numbers held at a time
_LUCK = 1e-9  # far below any difference of amounts that counts


class Within(MicrodataAttack):
    """Knows everything of everybody and reads ranges, sets, stars and coarser words: who lies inside a row?

    Of the originals whose every quasi-identifier lies in the released one he names the nearest by Euclid over
    the sensitive attributes, or any of them where there are none to compare. Generalising does not hide a row
    from him whose amounts were left alone; who knows the quasi-identifiers alone finds one in s of a group.
    """

    about: ClassVar = AttackAbout(
        name="within", kind="microdata", source="ours", promises=("finds-copies",),
        stands=(
            Stand(
                rung="quasi-identifiers", story="Names anybody who fits into what was released",
                parameters={"knows": "qi"},
            ),
            Stand(
                rung="everything",
                story="Among those who fit into what was released names the nearest in all attributes",
            ),
        ),
    )  # fmt: skip

    q: SomeQi = ()
    s: SomeSa = ()
    scaling: Scaling = "spread"
    knows: Literal["all", "qi"] = Field(
        "all", description="what he knows: everything, or the quasi-identifiers alone"
    )
    otherwise: Literal["most", "abstain"] = Field(
        "most", description="where nobody fits: those who fit in the most quasi-identifiers, or abstain"
    )

    def read_alike(self, original: Microdata, released: Microdata) -> Microdata:
        """Return what is known in the coarser words of the release; the papers' attackers do not."""
        return written_alike(original, coarser(original, released))

    @model_validator(mode="after")
    def _what_is_compared_is_known(self) -> Within:
        if self.knows == "qi" and self.s:
            raise ValueError("s names sensitive attributes to compare, but knows is qi")
        return self

    @classmethod
    def stands(cls, data: Microdata) -> Iterable[Stand]:
        """Return both stands; without sensitive attributes who knows everything knows no more."""
        return cls.about.stands if data.sa else cls.about.stands[:1]

    def compares(self, data: Microdata) -> Values:
        """Return the columns he looks at."""
        s = (self.s or data.sa) if self.knows == "all" else ()
        return Values([pl.col(name) for name in (*(self.q or data.qi), *s)])

    def rerank(self, tables: Tables[Microdata], chance: Chance) -> Guess:
        """Name the nearest of those who lie inside, for every released row."""
        original, released = tables.original, tables.released
        q = chosen(self.q, original, released, "qi")
        s = chosen(self.s, original, released, "sa") if self.knows == "all" else []
        a, b = numbers(original, released, s, self.scaling)
        (mine, known), (theirs, shown) = _combined(original, q, a), _combined(released, q, b)
        at_a_time = max(1, _ROOM // (len(mine.ids) * max(1, len(s))))
        candidates = Candidates(
            shown, known, partly=self.otherwise == "most", at_a_time=at_a_time,
            trees=known_trees(tables.plain, released),
        )  # fmt: skip
        (group, first), (my_group, my_first) = theirs.groups, mine.groups
        if self.reading == "assignment":
            paired = _assigned(candidates, theirs, mine, chance.stream("assignment"))
            return Guess.paired(theirs.ids, mine.ids, (group, my_group), paired)
        indptr, indices = _nearest(candidates, Rows.of(theirs, first), Rows.of(mine, my_first))
        links = Links.evenly(indptr, indices, np.bincount(my_group))
        return Guess.among(theirs.ids, mine.ids, (group, my_group), links, chance)


def _combined(data: Microdata, q: list[str], values: NDArray[np.float64]) -> tuple[Side, pl.DataFrame]:
    """Return the rows with the combination of quasi-identifiers that each has, and all combinations."""
    (combination,) = group_codes([data.records], q)
    first = np.unique(combination, return_index=True)[1]
    return Side(data.ids, combination, values), data.records.select(q)[first]


def _nearest(candidates: Candidates, theirs: Rows, mine: Rows) -> tuple[Ints, Ints]:
    """Return (indptr, indices): for each released row the nearest of its candidates."""
    counts, indices = [np.zeros(1, dtype=np.int64)], []
    for block in candidates.blocks(theirs, mine):
        start, nearest = nearest_groups(
            theirs.values[block.rows], block.group, mine.values[block.originals], block.owner
        )
        counts.append(np.diff(start))
        indices.append(block.originals[nearest])
    return np.cumsum(np.concatenate(counts)), np.concatenate(indices)


def _assigned(candidates: Candidates, theirs: Side, mine: Side, rng: np.random.Generator) -> Ints:
    """Return draws x rows: the best one-to-one pairing over the nearest candidates of each, -1 for nobody."""
    rows, columns = _by_chance(theirs.combination, rng), _by_chance(mine.combination, rng)
    released, known = _with_luck(Rows.of(theirs, rows), Rows.of(mine, columns), rng)
    close = [
        _close(*group, released, known)
        for block in candidates.blocks(released, known)
        for group in block.groups()
    ]
    if not close:
        return np.full((1, len(rows)), -1, dtype=np.int64)
    who, whom, far, share = (np.concatenate(part) for part in zip(*close, strict=True))
    near = 1 - far / max(float(far.max()), _LUCK)
    shape = (len(rows), len(columns))
    return assign_among(rows[who], columns[whom], (share + near) / 2, shape, rng)


def _by_chance(combination: Ints, rng: np.random.Generator) -> Ints:
    """Return the rows in the order of their combinations, at random within each."""
    order = rng.permutation(len(combination))
    return order[np.argsort(combination[order], kind="stable")]


def _with_luck(theirs: Rows, mine: Rows, rng: np.random.Generator) -> list[Rows]:
    """Return both with numbers of at most 1, and one far smaller beside them that parts equals by chance."""
    both = (theirs, mine)
    largest = max(float(np.abs(rows.values).max(initial=_LUCK)) for rows in both)
    luck = [_LUCK * rng.random((len(rows.values), 1)) for rows in both]
    return [
        Rows(rows.combination, np.hstack([rows.values / largest, small]))
        for rows, small in zip(both, luck, strict=True)
    ]


def _close(
    share: float, rows: Ints, originals: Ints, released: Rows, known: Rows
) -> tuple[Ints, Ints, NDArray[np.float64], NDArray[np.float64]]:
    """Return (who, whom, how far, share) of the pairs of these rows with the nearest of these originals.

    Luck decides who are the nearest where too many are as near, and does not count in how far they are.
    """
    from scipy.spatial import cKDTree  # noqa: PLC0415 - slow to load

    few = min(NEIGHBOURS, len(originals))
    nearest = cKDTree(known.values[originals]).query(released.values[rows], k=few)[1]
    who, whom = np.repeat(rows, few), originals[np.asarray(nearest).ravel()]
    far = np.linalg.norm(released.values[who, :-1] - known.values[whom, :-1], axis=1)
    return who, whom, far, np.full(len(who), share)
