"""What every attack shares: an attacker who knows something of the original guesses who is who in a release.

An attack is four verbs at most. `prepare` drops or translates something of a release before anybody is
compared; `fit` learns from the people at hand; `score` says how well two people match, whoever else is there;
and where that does not say it all, `rerank` names people with everybody at hand. What becomes of scores is
none of the attack's business: its reading says whether a name goes to the best person, a person to the best
names, or everybody to somebody at once.

Many attackers look at the same tables in an audit, so what they have in common is made once and kept in
`Tables`. And each says what it compares, so that independent code can count whom it could find in a copy: an
attack that finds fewer is broken, whatever its low rates say.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, TypeVar

from kakurenbo.about import AttackAbout, Stand
from kakurenbo.chance import Chance
from kakurenbo.data.table import Data, require_shown, require_tables
from kakurenbo.parameters import Parameters

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Sequence

    import polars as pl

    from kakurenbo.attacks.search.scores import Score
    from kakurenbo.data.guess import Guess
    from kakurenbo.data.pairing import Pairing

Made = TypeVar("Made")
PERIODS = {"month": "time", "day": "time"}  # parts of a record that are a role read coarsely


class Tables(Generic[Data]):
    """An original and its release side by side, with what attackers have in common, each made once.

    Attributes:
        original: what may be known.
        released: what was released.
        chance: draws what is known of everybody: the same for all who know as much.
        plain: the original as it was, where `original` was written as the release writes.
        practice: other people, released in the same way, of whom it is known who is who.
    """

    def __init__(
        self,
        original: Data,
        released: Data,
        chance: Chance,
        plain: Data | None = None,
        practice: Practice[Data] | None = None,
    ) -> None:
        self.original, self.released, self.chance, self.practice = original, released, chance, practice
        self.plain = original if plain is None else plain
        self._made: dict[Hashable, Any] = {}

    @property
    def shown(self) -> frozenset[str]:
        """What both tables show."""
        return self.original.shown & self.released.shown

    def once(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """Return what was made under this key, or make it."""
        if key not in self._made:
            self._made[key] = make()
        made: Made = self._made[key]
        return made

    def forget(self) -> None:
        """Let go of all that was made: it is made anew where it is asked for again."""
        self._made.clear()

    def with_release(self, released: Data) -> Tables[Data]:
        """Return the same original beside another release, nothing of which was made yet."""
        return Tables(self.original, released, self.chance, self.plain, self.practice)

    def after(self, released: Data, carry: Callable[[Hashable, Any], Any]) -> Tables[Data]:
        """Return the original beside another release, with what was made before as far as it is carried over.

        Args:
            released: the other release.
            carry: given a key and what was made under it, returns it as it is for the other, or None.
        """
        other = Tables(self.original, released, self.chance, self.plain)
        carried = {key: carry(key, made) for key, made in self._made.items()}
        other._made = {key: made for key, made in carried.items() if made is not None}
        return other


@dataclass(frozen=True, eq=False)
class Practice(Generic[Data]):
    """Tables to practise on, and who is who in them.

    Attributes:
        tables: other people, and their release.
        secret: who is who.
        guessed: the plan in words, where it was guessed from the release that is attacked; empty where known.
    """

    tables: Tables[Data]
    secret: Pairing
    guessed: str = ""


def roles_of(grains: Iterable[Iterable[str]]) -> frozenset[str]:
    """Return the roles that the parts of these grains are read from."""
    return frozenset(PERIODS.get(part, part) for grain in grains for part in grain)


@dataclass(frozen=True)
class Traces:
    """Compares which traces of their records people have in common.

    Attributes:
        grains: the parts of a record that make a trace, several grains side by side.
        counting: a trace counts once a person, once a record, or by pieces.
        similarity: whether presence, counts or proportions are compared, or how likely the known records are
            to be drawn from a person's, as they are or against those of all people.
        reading: who is named: the nearest, or everybody somebody else, or whoever claims a person best.
    """

    grains: tuple[tuple[str, ...], ...]
    counting: Literal["set", "records", "pieces"]
    similarity: Literal["presence", "counts", "proportions", "likelihood", "likelihood ratio"]
    reading: Literal["nearest", "assignment", "target"] = "nearest"

    @property
    def roles(self) -> frozenset[str]:
        """What of a record is looked at."""
        return roles_of(self.grains) | ({"quantity"} if self.counting == "pieces" else set())


@dataclass(frozen=True)
class Owned:
    """Asks whose each receipt is: the likeliest person's against all people, a name his who owns most of it.

    Attributes:
        grains: the parts of a record that make a trace, several grains side by side.
        receipt: the roles that tell receipts apart; none, where every record is taken on its own.
    """

    grains: tuple[tuple[str, ...], ...]
    receipt: tuple[str, ...]

    @property
    def roles(self) -> frozenset[str]:
        """What of a record is looked at; receipts are only told apart."""
        return roles_of(self.grains)


@dataclass(frozen=True)
class Values:
    """Compares values that every person has: columns of his row, or numbers made of his records."""

    of: Sequence[pl.Expr]

    @property
    def roles(self) -> frozenset[str]:
        """The columns they are made of."""
        return frozenset(name for value in self.of for name in value.meta.root_names())


@dataclass(frozen=True)
class Places:
    """Compares places in an order of the people: by their old ids as numbers or as text, or by rows."""

    by: Literal["names", "text", "rows"]

    @property
    def roles(self) -> frozenset[str]:
        """The people's ids alone."""
        return frozenset({"customer"})


@dataclass(frozen=True)
class Bet:
    """Bets on a carelessness that a copy need not show, so that nobody is sure to be found in one."""

    roles: frozenset[str]


Compared = Traces | Owned | Values | Places | Bet


class Attack(Parameters, ABC, Generic[Data]):
    """A way to seek: knowledge and parameters in the constructor, `guess` what it is for."""

    about: ClassVar[AttackAbout]

    @classmethod
    def stands(cls, data: Data) -> Iterable[Stand]:  # noqa: ARG003 - some stand once for each of its columns
        """Return where it stands on the ladder against this data."""
        return cls.about.stands

    @property
    def needs(self) -> tuple[str, ...]:
        """What both tables must show."""
        return self.about.needs

    @property
    def by_rows(self) -> bool:
        """Whether it goes by the order in which rows stand, which a table in blocks does not keep."""
        return False

    @property
    def beside(self) -> bool:
        """Whether it takes long and leaves the interpreter alone, as who pairs everybody at once."""
        return getattr(self, "reading", "") == "assignment"

    def idle(self, tables: Tables[Data]) -> str:  # noqa: ARG002 - most may matter anywhere
        """Return why he cannot matter on this release, whatever he finds; nothing where he may."""
        return ""

    def guess(self, original: Data, released: Data, *, seed: int | None = None) -> Guess:
        """Guess who is who.

        Args:
            original: what the attacker could know; he sees the part of it that he holds.
            released: the de-identified data, under pseudonyms.
            seed: repeats what is known and how ties are broken.
        """
        require_tables(f"{type(self).__name__}.guess", original=original, released=released)
        require_shown(type(self).__name__, self.needs, original, released)
        tables = Tables(self.read_alike(original, released), released, Chance(seed), original)
        return self.named(tables, tables.chance)

    def read_alike(self, original: Data, released: Data) -> Data:  # noqa: ARG002 - as they are, if nobody knows better
        """Return what is known, written as the release writes it."""
        return original

    def named(self, tables: Tables[Data], chance: Chance) -> Guess:
        """Return whom he names, given both tables whole; chance draws among equals."""
        return self.rerank(tables, chance)

    def prepare(self, tables: Tables[Data]) -> Tables[Data]:
        """Return the tables as he compares them, such as without what he takes for dummies: as they are."""
        return tables

    def fit(self, tables: Tables[Data], scale: float = 1.0) -> Any:  # noqa: ANN401, ARG002 - whatever it learns
        """Return what is learnt of people before they are compared: nothing.

        Args:
            tables: both, or some people and what was released of them.
            scale: how many pairs of people will be compared for each pair of those at hand.
        """
        return None

    def score(self, shown: frozenset[str]) -> Score | None:  # noqa: ARG002 - the same whatever is shown
        """Return how well two people match in tables that show this; None where that takes everybody."""
        return None

    def rerank(self, tables: Tables[Data], chance: Chance) -> Guess:
        """Name people with everybody at hand, where no score of two people says who is who."""
        raise NotImplementedError

    @abstractmethod
    def compares(self, data: Data) -> Compared:
        """Return what is compared of people, in terms that independent code can count."""

    def reads(self, data: Data) -> frozenset[str]:
        """Return the roles he goes by: whatever a release does to others, he survives it."""
        return self.compares(data).roles | frozenset(self.needs)

    def survives(self, data: Data, changed: Iterable[str]) -> bool:
        """Whether he finds as many where these roles cannot be compared; who says so is held to it."""
        return self.reads(data).isdisjoint(changed)

    def doubts(self, tables: Tables[Data]) -> pl.DataFrame | None:  # noqa: ARG002 - most take all for real
        """Return (released, goods, real): how real everything released looks, from who weighs that."""
        return None
