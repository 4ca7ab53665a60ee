"""Releases beyond memory: a release block by block, the one that the whole table gets in memory.

Every person's pseudonym and every receipt's new id is drawn by id, so a block can be released on its own. Two
ids may draw the same token, in two blocks too: then all of them are drawn again, as they are in memory. So
the draws of all blocks are compared, eight bytes each, and what clashes is known to the blocks before they
are released once more. At fifty bits that is rare below ten million ids.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np
import polars as pl

from kakurenbo.chance import Chance, spelled, token_numbers
from kakurenbo.data.pairing import Pairing
from kakurenbo.data.release import Facts, Release
from kakurenbo.deidentify.fitted import Fitted, Through, declared, one_after_another
from kakurenbo.deidentify.pseudonyms import Receipts, renamed
from kakurenbo.errors import InputError
from kakurenbo.provenance import Provenance

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from numpy.typing import NDArray

    from kakurenbo.data.blocks import Blocks
    from kakurenbo.data.hierarchy import Hierarchy
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.deidentify.base import Method
    from kakurenbo.progress import Progress

    Numbers = NDArray[np.uint64]

Made = TypeVar("Made")
_PURPOSES = ("pseudonym", "receipt")


def release_in_blocks(
    method: Method[Any], blocks: Blocks, *, seed: int | None = None, progress: Progress | None = None
) -> ReleaseInBlocks:
    """De-identify a table that is larger than memory.

    Args:
        method: a method or a chain of them; each must run in blocks.
        blocks: the table to hide people in.
        seed: as for `Method.release`, and with the same release.
        progress: told how far the passes are.
    """
    chance = Chance(seed)
    fitted = method.fitted(blocks, chance, progress)
    return ReleaseInBlocks(fitted, chance, Provenance(method.plan, seed is not None))


@dataclass(frozen=True)
class Drawn:
    """The tokens that the ids of a block drew, by number, and old ids that could be tokens; by purpose."""

    tokens: Mapping[str, Numbers]
    avoid: Mapping[str, Numbers]


@dataclass(frozen=True, eq=False)
class Part(Generic[Made]):
    """What came of a block.

    Attributes:
        facts: what there is to tell of it.
        drawn: the tokens of its people and receipts; None where nobody is left.
        trees: what the words of the released block stand for.
        made: what the work made of the released block; None where nobody is left.
    """

    facts: Facts
    drawn: Drawn | None = None
    trees: Mapping[str, Hierarchy] = field(default_factory=dict)
    made: Made | None = None


@dataclass(frozen=True, eq=False)
class Told:
    """What is told of all blocks together.

    Attributes:
        facts: of the whole release.
        counts: how many names and receipts there are, by what their tokens were drawn for.
        trees: what the words of the release stand for, by column.
        drawn: the tokens of all blocks.
    """

    facts: Facts
    counts: Mapping[str, int]
    trees: Mapping[str, Hierarchy]
    drawn: tuple[Drawn, ...]


@dataclass(frozen=True, eq=False)
class ReleaseInBlocks:
    """A release that is made block by block.

    Attributes:
        fitted: the method, with what it needs of the whole.
        chance: of names.
        provenance: the plan, and whether a seed can repeat it.
        again: ids whose first draws were taken -> their tokens, by purpose.
    """

    fitted: Fitted
    chance: Chance
    provenance: Provenance
    again: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def parts(
        self,
        work: Callable[[Release[Purchases]], Made] | None,
        *,
        progress: Progress | None = None,
        doing: str = "",
    ) -> Iterator[Part[Made]]:
        """Yield what comes of every block; the work gets the released block with its part of the secret.

        Without work names are drawn and nothing is released, and so it is of a block where two people drew
        one name, which `redrawn` mends.
        """
        job = _Released(self.fitted.work, self.fitted.pairing, self.chance, self.provenance, self.again, work)
        yield from self.fitted.blocks.map(job, progress=progress, doing=doing or "releasing the blocks")

    def settled(self, progress: Progress | None = None) -> ReleaseInBlocks:
        """Return the release with every token its owner's alone; it takes a pass."""
        drawn = [part.drawn for part in self.parts(None, progress=progress, doing="drawing names")]
        return self.redrawn([one for one in drawn if one is not None]) or self

    def redrawn(self, drawn: Iterable[Drawn]) -> ReleaseInBlocks | None:
        """Return the release with clashing tokens drawn again, given those of all blocks; None: no clash."""
        parts = list(drawn)
        again = {}
        for purpose in _PURPOSES:
            tokens = _joined([part.tokens.get(purpose) for part in parts])
            avoid = _joined([part.avoid.get(purpose) for part in parts])
            again[purpose] = self._redrawn(purpose, tokens, avoid)
        return replace(self, again=again) if any(again.values()) and again != self.again else None

    def _redrawn(self, purpose: str, tokens: Numbers, avoid: Numbers) -> dict[str, str]:
        """Return the ids that do not keep their first draw, with their tokens: turn after turn, as in memory.

        Tokens are the first draws of all ids.
        """
        known: dict[str, np.uint64] = {}
        turn = 0
        while len(clash := _clashing(tokens, known, avoid)):
            turn += 1
            names = [name for name, token in known.items() if token in clash]
            names += self._holders(purpose, clash, known)
            tokens = tokens[~np.isin(tokens, clash)]
            ids = pl.Series(names, dtype=pl.String)
            known.update(zip(names, self.chance.drawn_tokens(purpose, ids, turn), strict=True))
        letters = spelled(np.array([*known.values()], dtype=np.uint64)) if known else []
        return dict(zip(known, letters, strict=True))

    def _holders(self, purpose: str, clash: Numbers, known: Mapping[str, np.uint64]) -> list[str]:
        """Return the ids whose first draws are among these, but for those that are known."""
        seen = Through(self.fitted.blocks, self.fitted.work)
        held = seen.map(_Holders(self.chance, purpose, clash), doing="drawing names again")
        return [name for names in held for name in names if name not in known]

    def told(self, parts: Iterable[Part[Any]]) -> Told:
        """Return what is told of all parts together; refuse a release of nobody."""
        facts, trees, drawn = Facts(), {}, []
        for part in parts:
            facts = facts.beside(part.facts)
            trees = {**part.trees, **trees}
            drawn += [] if part.drawn is None else [part.drawn]
        if not drawn:
            raise InputError("Nothing is left to be released.", code="file-empty")
        counts = {
            purpose: sum(len(one.tokens[purpose]) for one in drawn)
            for purpose in _PURPOSES
            if purpose in drawn[0].tokens
        }
        return Told(facts.then(self.fitted.facts), counts, trees, tuple(drawn))

    def __iter__(self) -> Iterator[Release[Purchases]]:
        """Yield the released blocks, each with its part of the secret and its facts."""
        for part in self.settled().parts(_itself):
            if part.made is not None:
                yield replace(part.made, facts=part.facts)


@dataclass(frozen=True, eq=False)
class _Released:
    """The work on a block: change it, give new names, and let others work on what is released."""

    change: Callable[[Purchases], Any]
    before: Pairing | None
    chance: Chance
    provenance: Provenance
    again: Mapping[str, Mapping[str, str]]
    work: Callable[[Release[Purchases]], Any] | None

    def __call__(self, block: Purchases) -> Part[Any]:
        changed = self.change(block)
        data = changed.data
        if not len(data):
            return Part(changed.facts)
        people, receipts = data.customers, None
        tokens = {"pseudonym": self.chance.drawn_tokens("pseudonym", people)}
        avoid = {"pseudonym": token_numbers(people)}
        if "receipt" in data.roles:
            receipts = Receipts.of(data.records)
            tokens["receipt"] = self.chance.drawn_tokens("receipt", receipts.keys)
            avoid["receipt"] = token_numbers(receipts.old)
            receipts = receipts.under(self._names("receipt", receipts.keys, tokens["receipt"]))
        pseudonyms, drawn = self._names("pseudonym", people, tokens["pseudonym"]), Drawn(tokens, avoid)
        if self.work is None or pseudonyms.n_unique() < len(people):
            return Part(changed.facts, drawn)
        released = renamed(data, pseudonyms, receipts)
        owners = declared(people, one_after_another(self.before, changed.pairing))
        release = Release(released, Pairing(pseudonyms, owners), changed.facts, self.provenance)
        return Part(changed.facts, drawn, released.hierarchies, self.work(release))

    def _names(self, purpose: str, ids: pl.Series, tokens: Numbers) -> pl.Series:
        names, again = spelled(tokens), self.again.get(purpose) or {}
        if not again:
            return names
        other = ids.replace_strict(list(again), list(again.values()), default=None, return_dtype=pl.String)
        return other.fill_null(names)


@dataclass(frozen=True, eq=False)
class _Holders:
    """Who drew one of these tokens first."""

    chance: Chance
    purpose: str
    clash: Numbers

    def __call__(self, data: Purchases) -> list[str]:
        ids = data.customers if self.purpose == "pseudonym" else Receipts.of(data.records).keys
        return ids.filter(
            pl.Series(np.isin(self.chance.drawn_tokens(self.purpose, ids), self.clash))
        ).to_list()


def _clashing(tokens: Numbers, known: Mapping[str, np.uint64], avoid: Numbers) -> Numbers:
    """Return the tokens that are drawn twice, or that are old ids."""
    drawn = np.sort(np.concatenate([tokens, np.array([*known.values()], dtype=np.uint64)]))
    twice = drawn[1:][drawn[1:] == drawn[:-1]]
    return np.unique(np.concatenate([twice, np.intersect1d(drawn, avoid)]))


def _joined(parts: list[Numbers | None]) -> Numbers:
    return np.concatenate([np.empty(0, dtype=np.uint64), *(part for part in parts if part is not None)])


def _itself(release: Release[Purchases]) -> Release[Purchases]:
    return release
