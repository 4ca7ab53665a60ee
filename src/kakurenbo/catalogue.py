"""The one list of all methods, attacks and measures.

It feeds the command line, the docs and the contract tests: what is registered here is offered, documented
and tested, and nothing can be registered without saying what it obeys. Adding a method is one source file,
one test file, one line here and one in the changelog.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from kakurenbo.attacks.microdata.euclid import Euc1, Euc2, IdentifyRand, IdentifySa, IdentifySa21
from kakurenbo.attacks.microdata.sort import IdentifySort
from kakurenbo.attacks.microdata.within import Within
from kakurenbo.attacks.order import OrderAttack, OrderMicrodata
from kakurenbo.attacks.purchases.chance import ChanceAttack
from kakurenbo.attacks.purchases.evidence import EvidenceAttack
from kakurenbo.attacks.purchases.likeness import (
    ContainmentAttack,
    CosineAttack,
    JaccardAttack,
    MultisetAttack,
    WeightedAttack,
)
from kakurenbo.attacks.purchases.rows import RowsAttack
from kakurenbo.attacks.purchases.strip import StripAttack
from kakurenbo.attacks.purchases.totals import TotalsAttack
from kakurenbo.deidentify.microdata.k_anonymize import KAnonymize
from kakurenbo.deidentify.microdata.microaggregate import Microaggregate
from kakurenbo.deidentify.microdata.simple import (
    Average,
    CheatMicrodata,
    DeleteMicrodata,
    NoiseMicrodata,
    Swap,
    Unify,
)
from kakurenbo.deidentify.pseudonymize import Pseudonymize, PseudonymizeMicrodata
from kakurenbo.deidentify.purchases.cheats import MultiRandom, PushAway, Random, Shift
from kakurenbo.deidentify.purchases.clustered import Balanced, Compact, KMeans, Tfidf
from kakurenbo.deidentify.purchases.deal import Deal
from kakurenbo.deidentify.purchases.simple import Alter, Coarsen, Delete, Noise
from kakurenbo.errors import ParameterError
from kakurenbo.risk.classical.chances import JournalistRisk, MarketerRisk, ProsecutorRisk
from kakurenbo.risk.classical.goods_sets import MeanGroup, SmallestGroup
from kakurenbo.risk.classical.groups import KAnonymity, LDiversity, MeanGroupMicrodata, TCloseness, UniqueRows
from kakurenbo.utility.microdata.contest import (
    CorrelationError,
    CrossCount,
    CrossMean,
    InformationLoss,
    MeanError,
    RowsLost,
)
from kakurenbo.utility.purchases.co_purchase import CoPurchase
from kakurenbo.utility.purchases.cross_tables import U1, U2
from kakurenbo.utility.purchases.goods import Popularity, TopGoods
from kakurenbo.utility.purchases.likeness import Likeness
from kakurenbo.utility.purchases.records import DeltaM, RecordsAdded, RecordsDeleted
from kakurenbo.utility.purchases.rfm import U3

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kakurenbo.parameters import Parameters

Family = Literal["method", "attack", "measure"]
Kind = Literal["purchases", "microdata"]
Obeys = Literal[
    "keeps-records",
    "adds-only",
    "deletes-only",
    "equal-sets",
    "min-size",
    "deals",
    "cheats",
    "keeps-qi",
    "keeps-means",
    "k-anonymous",
    "finds-copies",
    "reads-order",
    "best-on-copy",
]

PROMISES: dict[Obeys, str] = {
    "keeps-records": "no record is added, deleted or altered: only ids change",
    "adds-only": "every record of the original is in the release, unaltered",
    "deletes-only": "every record of the release is in the original, unaltered",
    "equal-sets": "the customers of a cluster are released with one and the same goods set",
    "min-size": "no goods set is shared by fewer than min_size customers",
    "deals": "no record is added, deleted or altered; chance deals anew whose each is, in groups of min_size",
    "cheats": "everybody's records are released unaltered, declared to be another's: never a protection",
    "keeps-qi": "nobody's quasi-identifiers change",
    "keeps-means": "the mean of every sensitive attribute stays",
    "k-anonymous": "no combination of quasi-identifiers is shared by fewer than k people",
    "finds-copies": "on a release of unchanged records it finds everybody it can tell from the others",
    "reads-order": "it reads the names of people and the order of rows, and nothing else",
    "best-on-copy": "on a release of unchanged records it has its best value",
}


@dataclass(frozen=True)
class Entry:
    """One thing a user can ask for by name.

    Attributes:
        name: the name in the command line and the docs.
        family: method, attack or measure.
        kind: the data it works on; the same name may be registered once for each kind.
        what: the class that does it; its docstring tells the story, its fields are the parameters.
        source: where it comes from.
        obeys: promises beyond those of the whole family, each tested by `tests/contract`.
        example: parameters that work on any data, for docs and contract tests.
    """

    name: str
    family: Family
    kind: Kind
    what: type[Parameters]
    source: str
    obeys: frozenset[Obeys]
    example: Mapping[str, object] = field(default_factory=dict)

    @property
    def summary(self) -> str:
        """The first line of the story."""
        return (self.what.__doc__ or "").strip().partition("\n")[0]


def _method(name: str, what: type[Parameters], source: str, *obeys: Obeys, **example: object) -> Entry:
    return Entry(name, "method", "purchases", what, source, frozenset(obeys), example)


def _attack(name: str, what: type[Parameters], source: str, *obeys: Obeys) -> Entry:
    return Entry(name, "attack", "purchases", what, source, frozenset(obeys))


def _measure(name: str, what: type[Parameters], source: str, *obeys: Obeys) -> Entry:
    return Entry(name, "measure", "purchases", what, source, frozenset(obeys))


def _micro(
    family: Family, name: str, what: type[Parameters], source: str, *obeys: Obeys, **example: object
) -> Entry:
    return Entry(name, family, "microdata", what, source, frozenset(obeys), example)


CATALOGUE: tuple[Entry, ...] = (
    _method("pseudonymize", Pseudonymize, "common practice", "keeps-records"),
    _method("kmeans", KMeans, "000 Method 0", "adds-only", "equal-sets", clusters=1),
    _method("tfidf", Tfidf, "000, 002, 003 Method 1", "adds-only", "equal-sets", clusters=1),
    _method(
        "balanced",
        Balanced,
        "000, 002, 003 Method 2",
        "adds-only",
        "equal-sets",
        "min-size",
        clusters=1,
        min_size=1,
    ),
    _method("compact", Compact, "ours", "adds-only", "equal-sets", "min-size", min_size=1),
    _method("deal", Deal, "ours", "deals", min_size=1),
    _method("delete", Delete, "000 table 5", "deletes-only", share=0.0),
    _method("alter", Alter, "000 table 5", share=0.3),
    _method("noise", Noise, "common practice", quantity_spread=0.5, price_spread=0.5),
    _method("coarsen", Coarsen, "common practice", times="month", price_bands=3),
    _method("shift", Shift, "004 section 2.1.2", "cheats"),
    _method("random", Random, "004 algorithm 1", "cheats"),
    _method("multi-random", MultiRandom, "004 algorithm 2", "cheats"),
    _method("push-away", PushAway, "004 figure 4"),
    _attack("jaccard", JaccardAttack, "000, 002, 003 Algorithm 1", "finds-copies"),
    _attack("weighted", WeightedAttack, "ours, after 000's TF-IDF", "finds-copies"),
    _attack("cosine", CosineAttack, "ours, after 000's TF-IDF", "finds-copies"),
    _attack("containment", ContainmentAttack, "ours", "finds-copies"),
    _attack("multiset", MultisetAttack, "ours, with 004's distance", "finds-copies"),
    _attack("rows", RowsAttack, "ours, after PWS Cup 2017's sample attacks", "finds-copies"),
    _attack("evidence", EvidenceAttack, "ours", "finds-copies"),
    _attack("strip", StripAttack, "ours, against 000 figure 5"),
    _attack("totals", TotalsAttack, "ours", "finds-copies"),
    _attack("chance", ChanceAttack, "000 table 8, random Reid", "finds-copies"),
    _attack("order", OrderAttack, "common practice", "reads-order"),
    _measure("delta-m", DeltaM, "000 definition 2", "best-on-copy"),
    _measure("records-added", RecordsAdded, "ours", "best-on-copy"),
    _measure("records-deleted", RecordsDeleted, "ours", "best-on-copy"),
    _measure("u1-cmae", U1, "PWS Cup 2016, reconstructed", "best-on-copy"),
    _measure("u2-cmae", U2, "PWS Cup 2016, reconstructed", "best-on-copy"),
    _measure("u3-rfm", U3, "PWS Cup 2016, reconstructed", "best-on-copy"),
    _measure("top-goods", TopGoods, "PWS Cup 2017 E3", "best-on-copy"),
    _measure("popularity", Popularity, "ours", "best-on-copy"),
    _measure("co-purchase", CoPurchase, "ours, after PWS Cup 2017 E1", "best-on-copy"),
    _measure("likeness", Likeness, "000 table 8, Jaccard Reid", "best-on-copy"),
    _measure("smallest-group", SmallestGroup, "k-anonymity on goods sets"),
    _measure("mean-group", MeanGroup, "k-anonymity on goods sets"),
    _micro("method", "pseudonymize", PseudonymizeMicrodata, "common practice", "keeps-records", "keeps-qi"),
    _micro(
        "method",
        "k-anonymize",
        KAnonymize,
        "Mondrian, LeFevre et al. 2006",
        "k-anonymous",
        "keeps-means",
        k=2,
    ),
    _micro("method", "noise", NoiseMicrodata, "001 section 4.2", "keeps-qi", scale=0.1),
    _micro("method", "cheat", CheatMicrodata, "001 section 4.2, Yamaoka", "keeps-means"),
    _micro("method", "unify", Unify, "001 section 4.2", "keeps-means"),
    _micro("method", "average", Average, "001 section 4.2", "keeps-qi", "keeps-means"),
    _micro("method", "swap", Swap, "001 section 4.2", "keeps-qi", "keeps-means"),
    _micro("method", "delete", DeleteMicrodata, "001 section 4.2", "deletes-only", "keeps-qi", share=0.2),
    _micro(
        "method",
        "microaggregate",
        Microaggregate,
        "MDAV, Domingo-Ferrer and Mateo-Sanz 2002",
        "keeps-qi",
        "keeps-means",
        k=2,
    ),
    _micro("attack", "identify-rand", IdentifyRand, "001 E1"),
    _micro("attack", "identify-sa", IdentifySa, "001 E2"),
    _micro("attack", "identify-sort", IdentifySort, "001 E3", "finds-copies"),
    _micro("attack", "identify-sa21", IdentifySa21, "001 E4"),
    _micro("attack", "euc1", Euc1, "001 EUC1", "finds-copies"),
    _micro("attack", "euc2", Euc2, "001 EUC2", "finds-copies"),
    _micro("attack", "within", Within, "ours", "finds-copies"),
    _micro("attack", "order", OrderMicrodata, "common practice", "reads-order"),
    _micro("measure", "u1-mean", MeanError, "001 U1 meanMAE", "best-on-copy"),
    _micro("measure", "u2-cross-mean", CrossMean, "001 U2 crossMean, cells are ours", "best-on-copy"),
    _micro("measure", "u3-cross-count", CrossCount, "001 U3 crossCnt, cells are ours", "best-on-copy"),
    _micro("measure", "u4-correlation", CorrelationError, "001 U4 corMAE", "best-on-copy"),
    _micro("measure", "u5-loss", InformationLoss, "001 U5 IL, normaliser is ours", "best-on-copy"),
    _micro("measure", "u6-rows", RowsLost, "001 U6 nrow", "best-on-copy"),
    _micro("measure", "k-anonymity", KAnonymity, "001 S1; Sweeney 2002"),
    _micro("measure", "mean-group", MeanGroupMicrodata, "001 S2"),
    _micro("measure", "unique-rows", UniqueRows, "common practice"),
    _micro("measure", "l-diversity", LDiversity, "Machanavajjhala et al. 2007, distinct"),
    _micro("measure", "t-closeness", TCloseness, "Li et al. 2007"),
    _micro("measure", "prosecutor-risk", ProsecutorRisk, "El Emam and Dankar 2008"),
    _micro("measure", "journalist-risk", JournalistRisk, "El Emam and Dankar 2008"),
    _micro("measure", "marketer-risk", MarketerRisk, "Dankar and El Emam 2010"),
)


def entries(family: Family | None = None, kind: Kind | None = None) -> tuple[Entry, ...]:
    """Return the entries of a family and kind of data, in the order of the catalogue."""
    return tuple(e for e in CATALOGUE if family in {None, e.family} and kind in {None, e.kind})


def find(name: str, family: Family, kind: Kind) -> Entry:
    """Return the entry of this name, or say which there are."""
    offered = entries(family, kind)
    for entry in offered:
        if entry.name == name:
            return entry
    if any(entry.name == name for entry in entries(family)):
        raise ParameterError(f"The {family} {name} does not work on {kind}.", code="unknown-name")
    names = ", ".join(entry.name for entry in offered) or "none yet"
    raise ParameterError(
        f"There is no {family} of this name for {kind}; there are: {names}.", code="unknown-name"
    )
