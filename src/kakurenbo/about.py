"""What a method, attack or measure says about itself: declared once, on the class, and read everywhere.

The command line, the docs, the contract tests, the panel with its proof and the tuner's space keep no table
of names: they read these records. What is missing fails when the class is made or registered, never silently.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

Kind = Literal["purchases", "microdata"]
Better = Literal["lower", "higher"]
Kept = Literal["share", "similarity", "points", "cost", "risk"]
Slot = Literal[
    "records", "columns", "coarse", "goods", "groups", "values", "numbers", "rare", "names"
]  # fmt: skip
Purpose = Literal["customers", "baskets", "trends", "papers"]
Words = Literal["own", "released"]
Reach = Literal["person", "table", "group", "whole"]
Promise = Literal[
    "keeps-records",
    "adds-only",
    "deletes-only",
    "equal-sets",
    "min-size",
    "omits",
    "maps-up",
    "deals",
    "rotates",
    "samples",
    "cheats",
    "keeps-qi",
    "keeps-means",
    "k-anonymous",
    "l-diverse",
    "t-close",
    "km-anonymous",
    "finds-copies",
    "reads-order",
    "best-on-copy",
]

# What a release may be for, in the words of who will use it.
PURPOSES: Mapping[Purpose, str] = {
    "customers": "who comes back, how often and for what: cohorts, segments, models of single customers",
    "baskets": "what is bought together",
    "trends": "what sells, and when",
    "papers": "the measures of the papers",
}

PROMISES: Mapping[Promise, str] = {
    "keeps-records": "no record is added, deleted or altered: only ids change",
    "adds-only": "every record of the original is in the release, unaltered",
    "deletes-only": "every record of the release is in the original, unaltered",
    "equal-sets": "the customers of a cluster are released with one and the same goods set",
    "min-size": "no goods set is shared by fewer than min_size customers",
    "omits": "the columns named are left out, and all else of every record stays",
    "maps-up": "every value is itself, or what a hierarchy calls it; people and records stay",
    "deals": "no record is added or altered, and none deleted but of who has only one; chance deals anew "
    "whose each is, in groups of min_size, and nobody's all go to one other",
    "samples": "whole people are left out, and everybody who is released keeps all his records",
    "rotates": "a name stands for one period or receipt of one person, and for all that he bought in it",
    "cheats": "everybody's records are released unaltered, declared to be another's: never a protection",
    "keeps-qi": "nobody's quasi-identifiers change",
    "keeps-means": "the mean of every sensitive attribute stays",
    "k-anonymous": "no combination of quasi-identifiers is shared by fewer than k people",
    "l-diverse": "every such combination is shared by people with l different values, where that is asked",
    "t-close": "their values are no farther than t from those of all people, where that is asked",
    "km-anonymous": "every combination of up to m traces of one person is shared by at least k people",
    "finds-copies": "on a release of unchanged records it finds everybody it can tell from the others",
    "reads-order": "it reads the names of people and the order of rows, and nothing else",
    "best-on-copy": "on a release of unchanged records it has its best value",
}

Disguise = Literal["noised", "replaced", "blurred", "shifted", "numbered", "recoded", "rotated", "padded"]

# What may be done to a release without hiding people, and what is meant to see through it.
DISGUISES: Mapping[Disguise, str] = {
    "noised": "quantities and prices blurred",
    "replaced": "every good replaced, at its price",
    "recoded": "goods in other codes, a fifth of the records deleted and numbers blurred",
    "blurred": "every good replaced, numbers blurred and times rounded down to months",
    "shifted": "every good replaced, and the clock moved by some days for each person",
    "numbered": "every good replaced, times rounded down to years, receipts numbered as they came",
    "rotated": "everybody under another name every month",
    "padded": "everybody given the goods of his group, as copies of their real purchases",
}


@dataclass(frozen=True, kw_only=True)
class About:
    """What everything in the catalogue says.

    Attributes:
        name: in the command line and the docs.
        kind: the data it works on; the same name may stand once for each kind.
        source: where it comes from.
        promises: beyond those of the whole family, each tested by `tests/contract`.
        needs: what the data must show: roles and `master` of purchases, `sa` of microdata.
        example: parameters that work on any data, for docs and contract tests.
    """

    name: str
    kind: Kind
    source: str
    promises: tuple[Promise, ...] = ()
    needs: tuple[str, ...] = ()
    example: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class Knob:
    """A parameter that the tuner varies: choices, or a range of whole or real numbers.

    Attributes:
        name: the parameter.
        choices: what it may be; the first stands for what the method does anyway.
        low: the least number.
        high: the greatest; of a size of groups it is half of the people.
        whole: whether only whole numbers count.
        log: whether 2 to 4 is as large a step as 50 to 100.
        size: whether it is a size of groups, which methods that make groups have in common.
        needs: what the data must show for it.
    """

    name: str
    choices: tuple[str | int, ...] = ()
    low: float = 0.0
    high: float = 1.0
    whole: bool = False
    log: bool = False
    size: bool = False
    needs: tuple[str, ...] = ()

    @classmethod
    def of_size(cls, name: str) -> Knob:
        """Return the knob of a size of groups, from 2 to half of the people."""
        return cls(name, low=2, whole=True, log=True, size=True)

    @property
    def first(self) -> str | int | float:
        """What it stands at if nobody turns it: the method's own way, the smallest."""
        if self.choices:
            return self.choices[0]
        return int(self.low) if self.whole else self.low

    @property
    def middle(self) -> str | int | float:
        """What it stands at to be tried once: the last choice, the middle of the range."""
        if self.choices:
            return self.choices[-1]
        middle = (self.low * self.high) ** 0.5 if self.log else (self.low + self.high) / 2
        return round(middle) if self.whole else middle


@dataclass(frozen=True, kw_only=True)
class MethodAbout(About):
    """What a method says of itself.

    Attributes:
        slot: its place in the chains that the tuner tries: records and columns are left out first, then times
            and numbers are coarsened and goods generalised, then people are hidden in groups, values and
            numbers changed, what is still rare left out and names changed. None where it is not tried.
        knobs: what the tuner varies.
        untuned: why it is not tried; needed where it has no slot.
        reach: of a method for purchases, how much of a table it has to see: one `person` at a time; something
            of the whole `table` first, gathered by passes over blocks, and then one person at a time; a
            `group` of people together; or the `whole` table at once, so that it does not run in blocks.
        because: why it has to see the whole table at once.
    """

    slot: Slot | None = None
    knobs: tuple[Knob, ...] = ()
    untuned: str = ""
    reach: Reach | None = None
    because: str = ""

    def __post_init__(self) -> None:
        if (self.reach is None) != (self.kind != "purchases"):
            raise TypeError(f"{self.name}: a method for purchases says how far it reaches, and no other does")
        if (self.reach == "whole") != bool(self.because):
            raise TypeError(f"{self.name}: a method runs in blocks, or says why it does not")
        if (self.slot is None) != bool(self.untuned):
            raise TypeError(f"{self.name}: a method has a slot in the tuner's chain, or says why it has none")


@dataclass(frozen=True, kw_only=True)
class Stand:
    """A place on the ladder of knowledge where an attack stands.

    Attributes:
        rung: the knowledge it needs, a rung of its kind's ladder.
        story: what the attacker does there, in a sentence without its full stop.
        parameters: of the attack.
        readings: the ways to answer that are tried.
        betrays: the carelessness that its success gives away, in words.
        beyond: a rung whose attackers it must clearly beat before that is said.
        papers: what the papers' attacker, if this is he, goes by, to be set beside the best informed one.
        way: what tells it from others of the same attack on the same rung, in a few words.
        learns: whether it looks people up one by one, and so believes something of each.
        names: whether it names people; one who does not counts for what is learnt alone.
        practised: whether it needs tables to practise on, and so a plan that is known or guessed.
        through: the disguises it is meant to see through; it is tried on each in every proof.
    """

    rung: str
    story: str
    parameters: Mapping[str, object] = field(default_factory=dict)
    readings: tuple[str, ...] = ("nearest",)
    betrays: str = ""
    beyond: str = ""
    papers: str = ""
    way: str = ""
    learns: bool = False
    names: bool = True
    practised: bool = False
    through: tuple[Disguise, ...] = ()


@dataclass(frozen=True, kw_only=True)
class AttackAbout(About):
    """What an attack says of itself.

    Attributes:
        stands: where it stands on the ladder; an attack whose stands depend on the data says so itself.
        absent: why it is not on the panel; needed where it has no stands.
        because: what gives somebody away to it, where no single key does.
    """

    stands: tuple[Stand, ...] = ()
    absent: str = ""
    because: str = "nobody else is as near in what is compared"

    def __post_init__(self) -> None:
        if bool(self.stands) == bool(self.absent):
            raise TypeError(f"{self.name}: an attack stands on the panel, or says why it does not")


@dataclass(frozen=True, kw_only=True)
class MeasureAbout(About):
    """What a measure says of itself.

    Attributes:
        kept: how its number x becomes the share of the use that is lost: a `share` is it, 1 at most; of a
            `similarity` it is 1 - x; of `points` it is their share of all that can be lost; of a `cost`, of
            something the original has s of, it is x / (s + x); and a measure of `risk` says nothing of use.
        unit: of the number.
        better: which direction is better.
        secret: whether it follows people through the pairing.
        names: whether, of a person with several names, each is looked at as it stands in the release, and not
            all of them gathered, which only who has the secret can do.
        serves: the purposes that it counts for, when a release is sought for one.
        words: whether the original is compared as it is, or first written in the words of the release: goods
            generalised, times rounded and prices in bands as there.
        own: roles that keep the original's own values all the same, such as prices of which sums are made.
        points: how many points there are to lose.
        says: what its number means, in words for who will use the release: `{value}` is the number and `{d}`
            the further figures by their names.
        grain: whether it speaks of the words that a release uses, and of no use of its own.
        teaches: whether models are taught for it: it is left out where nobody waits for them.
    """

    kept: Kept
    unit: str = "share"
    better: Better = "lower"
    secret: bool = False
    names: bool = False
    serves: tuple[Purpose, ...] = ()
    words: Words = "own"
    own: tuple[str, ...] = ()
    points: float = 100.0
    says: str = ""
    grain: bool = False
    teaches: bool = False

    def __post_init__(self) -> None:
        if self.kept == "similarity" and self.better == "lower":
            raise TypeError(f"{self.name}: a similarity is better when it is higher")
