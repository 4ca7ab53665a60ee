"""Everything for microdata under one name: `kb.microdata.Euc1`, `kb.microdata.KAnonymize`, and so on.

Methods and attacks whose name also serves purchases end in Microdata, so that two classes never share a name.
"""

from kakurenbo.attacks.microdata.euclid import Euc1, Euc2, IdentifyRand, IdentifySa, IdentifySa21
from kakurenbo.attacks.microdata.sort import IdentifySort
from kakurenbo.attacks.microdata.within import Within
from kakurenbo.attacks.order import OrderMicrodata
from kakurenbo.auditing.method_guess import guess_methods
from kakurenbo.deidentify.chain import ChainMicrodata
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
from kakurenbo.deidentify.pseudonymize import PseudonymizeMicrodata
from kakurenbo.risk.classical.chances import JournalistRisk, MarketerRisk, ProsecutorRisk
from kakurenbo.risk.classical.groups import KAnonymity, LDiversity, MeanGroupMicrodata, TCloseness, UniqueRows
from kakurenbo.utility.microdata.contest import (
    CorrelationError,
    CrossCount,
    CrossMean,
    InformationLoss,
    MeanError,
    RowsLost,
)

__all__ = [
    "Average",
    "ChainMicrodata",
    "CheatMicrodata",
    "CorrelationError",
    "CrossCount",
    "CrossMean",
    "DeleteMicrodata",
    "Euc1",
    "Euc2",
    "IdentifyRand",
    "IdentifySa",
    "IdentifySa21",
    "IdentifySort",
    "InformationLoss",
    "JournalistRisk",
    "KAnonymity",
    "KAnonymize",
    "LDiversity",
    "MarketerRisk",
    "MeanError",
    "MeanGroupMicrodata",
    "Microaggregate",
    "NoiseMicrodata",
    "OrderMicrodata",
    "ProsecutorRisk",
    "PseudonymizeMicrodata",
    "RowsLost",
    "Swap",
    "TCloseness",
    "Unify",
    "UniqueRows",
    "Within",
    "guess_methods",
]
