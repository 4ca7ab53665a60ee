"""Kakurenbo hides people in data, seeks them again, and judges honestly how well they were hidden.

A *release* is data with a secret pairing P. An *attack* maps (what the attacker knows, the released data) to
a guess Q. *Risk* compares Q with P. *Utility* compares the data with its release.

This module is the shop window: names only, each loaded when it is first used, so that `import kakurenbo`
costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kakurenbo import datasets as datasets
    from kakurenbo import demo as demo
    from kakurenbo import microdata as microdata
    from kakurenbo import report as report
    from kakurenbo import theory as theory
    from kakurenbo.attacks.order import OrderAttack as OrderAttack
    from kakurenbo.attacks.purchases.chance import ChanceAttack as ChanceAttack
    from kakurenbo.attacks.purchases.evidence import EvidenceAttack as EvidenceAttack
    from kakurenbo.attacks.purchases.likeness import ContainmentAttack as ContainmentAttack
    from kakurenbo.attacks.purchases.likeness import CosineAttack as CosineAttack
    from kakurenbo.attacks.purchases.likeness import JaccardAttack as JaccardAttack
    from kakurenbo.attacks.purchases.likeness import MultisetAttack as MultisetAttack
    from kakurenbo.attacks.purchases.likeness import WeightedAttack as WeightedAttack
    from kakurenbo.attacks.purchases.rows import RowsAttack as RowsAttack
    from kakurenbo.attacks.purchases.strip import StripAttack as StripAttack
    from kakurenbo.attacks.purchases.totals import TotalsAttack as TotalsAttack
    from kakurenbo.auditing.audit import audit as audit
    from kakurenbo.catalogue import CATALOGUE as CATALOGUE
    from kakurenbo.data.baskets import Baskets as Baskets
    from kakurenbo.data.guess import Guess as Guess
    from kakurenbo.data.microdata import Microdata as Microdata
    from kakurenbo.data.pairing import Pairing as Pairing
    from kakurenbo.data.purchases import Purchases as Purchases
    from kakurenbo.data.release import Release as Release
    from kakurenbo.deidentify.chain import Chain as Chain
    from kakurenbo.deidentify.pseudonymize import Pseudonymize as Pseudonymize
    from kakurenbo.deidentify.pseudonymize import PseudonymizeMicrodata as PseudonymizeMicrodata
    from kakurenbo.deidentify.purchases.cheats import MultiRandom as MultiRandom
    from kakurenbo.deidentify.purchases.cheats import PushAway as PushAway
    from kakurenbo.deidentify.purchases.cheats import Random as Random
    from kakurenbo.deidentify.purchases.cheats import Shift as Shift
    from kakurenbo.deidentify.purchases.clustered import Balanced as Balanced
    from kakurenbo.deidentify.purchases.clustered import Compact as Compact
    from kakurenbo.deidentify.purchases.clustered import KMeans as KMeans
    from kakurenbo.deidentify.purchases.clustered import Tfidf as Tfidf
    from kakurenbo.deidentify.purchases.deal import Deal as Deal
    from kakurenbo.deidentify.purchases.simple import Alter as Alter
    from kakurenbo.deidentify.purchases.simple import Coarsen as Coarsen
    from kakurenbo.deidentify.purchases.simple import Delete as Delete
    from kakurenbo.deidentify.purchases.simple import Noise as Noise
    from kakurenbo.errors import InputError as InputError
    from kakurenbo.errors import KakurenboError as KakurenboError
    from kakurenbo.errors import ParameterError as ParameterError
    from kakurenbo.errors import WriteError as WriteError
    from kakurenbo.files.pairings import read_pairing as read_pairing
    from kakurenbo.files.pairings import write_pairing as write_pairing
    from kakurenbo.files.read import read_microdata as read_microdata
    from kakurenbo.files.read import read_purchases as read_purchases
    from kakurenbo.files.release_folder import write_release as write_release
    from kakurenbo.risk.excess.judge import Excess as Excess
    from kakurenbo.risk.found import reidentification as reidentification
    from kakurenbo.risk.profile import profile as profile
    from kakurenbo.tuning.search import tune as tune

__version__ = "0.1.0"

_HOME = {
    "datasets": "kakurenbo.datasets",
    "demo": "kakurenbo.demo",
    "microdata": "kakurenbo.microdata",
    "report": "kakurenbo.report",
    "theory": "kakurenbo.theory",
    "ChanceAttack": "kakurenbo.attacks.purchases.chance",
    "EvidenceAttack": "kakurenbo.attacks.purchases.evidence",
    "ContainmentAttack": "kakurenbo.attacks.purchases.likeness",
    "CosineAttack": "kakurenbo.attacks.purchases.likeness",
    "JaccardAttack": "kakurenbo.attacks.purchases.likeness",
    "MultisetAttack": "kakurenbo.attacks.purchases.likeness",
    "WeightedAttack": "kakurenbo.attacks.purchases.likeness",
    "OrderAttack": "kakurenbo.attacks.order",
    "RowsAttack": "kakurenbo.attacks.purchases.rows",
    "StripAttack": "kakurenbo.attacks.purchases.strip",
    "TotalsAttack": "kakurenbo.attacks.purchases.totals",
    "audit": "kakurenbo.auditing.audit",
    "tune": "kakurenbo.tuning.search",
    "CATALOGUE": "kakurenbo.catalogue",
    "Baskets": "kakurenbo.data.baskets",
    "Guess": "kakurenbo.data.guess",
    "Microdata": "kakurenbo.data.microdata",
    "Pairing": "kakurenbo.data.pairing",
    "profile": "kakurenbo.risk.profile",
    "Purchases": "kakurenbo.data.purchases",
    "Release": "kakurenbo.data.release",
    "Chain": "kakurenbo.deidentify.chain",
    "MultiRandom": "kakurenbo.deidentify.purchases.cheats",
    "PushAway": "kakurenbo.deidentify.purchases.cheats",
    "Random": "kakurenbo.deidentify.purchases.cheats",
    "Shift": "kakurenbo.deidentify.purchases.cheats",
    "Balanced": "kakurenbo.deidentify.purchases.clustered",
    "Compact": "kakurenbo.deidentify.purchases.clustered",
    "KMeans": "kakurenbo.deidentify.purchases.clustered",
    "Tfidf": "kakurenbo.deidentify.purchases.clustered",
    "Deal": "kakurenbo.deidentify.purchases.deal",
    "Pseudonymize": "kakurenbo.deidentify.pseudonymize",
    "PseudonymizeMicrodata": "kakurenbo.deidentify.pseudonymize",
    "Alter": "kakurenbo.deidentify.purchases.simple",
    "Coarsen": "kakurenbo.deidentify.purchases.simple",
    "Delete": "kakurenbo.deidentify.purchases.simple",
    "Noise": "kakurenbo.deidentify.purchases.simple",
    "InputError": "kakurenbo.errors",
    "KakurenboError": "kakurenbo.errors",
    "ParameterError": "kakurenbo.errors",
    "WriteError": "kakurenbo.errors",
    "read_pairing": "kakurenbo.files.pairings",
    "write_pairing": "kakurenbo.files.pairings",
    "read_microdata": "kakurenbo.files.read",
    "read_purchases": "kakurenbo.files.read",
    "write_release": "kakurenbo.files.release_folder",
    "Excess": "kakurenbo.risk.excess.judge",
    "reidentification": "kakurenbo.risk.found",
}

__all__ = ["__version__", *_HOME]  # noqa: PLE0604 - the names are the keys of the table above


def __getattr__(name: str) -> Any:  # noqa: ANN401 - the table says what comes
    if name not in _HOME:
        raise AttributeError(f"module 'kakurenbo' has no attribute {name!r}")
    home = import_module(_HOME[name])
    value = home if home.__name__ == f"kakurenbo.{name}" else getattr(home, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
