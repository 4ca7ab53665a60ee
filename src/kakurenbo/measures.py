"""Measures of utility and of risk, the catalogue's list of them: a measure is registered by its line here."""

from kakurenbo.risk.classical.diversity import LDiversity as LDiversity
from kakurenbo.risk.classical.diversity import TCloseness as TCloseness
from kakurenbo.risk.classical.groups import JournalistRisk as JournalistRisk
from kakurenbo.risk.classical.groups import KAnonymity as KAnonymity
from kakurenbo.risk.classical.groups import MarketerRisk as MarketerRisk
from kakurenbo.risk.classical.groups import MeanGroup as MeanGroup
from kakurenbo.risk.classical.groups import MeanGroupMicrodata as MeanGroupMicrodata
from kakurenbo.risk.classical.groups import ProsecutorRisk as ProsecutorRisk
from kakurenbo.risk.classical.groups import SmallestGroup as SmallestGroup
from kakurenbo.risk.classical.groups import UniqueRows as UniqueRows
from kakurenbo.utility.microdata.contest import CorrelationError as CorrelationError
from kakurenbo.utility.microdata.contest import CrossCount as CrossCount
from kakurenbo.utility.microdata.contest import CrossMean as CrossMean
from kakurenbo.utility.microdata.contest import InformationLoss as InformationLoss
from kakurenbo.utility.microdata.contest import MeanError as MeanError
from kakurenbo.utility.microdata.contest import RowsLost as RowsLost
from kakurenbo.utility.purchases.co_purchase import CoPurchase as CoPurchase
from kakurenbo.utility.purchases.cross_tables import U1 as U1
from kakurenbo.utility.purchases.cross_tables import U2 as U2
from kakurenbo.utility.purchases.goods import Popularity as Popularity
from kakurenbo.utility.purchases.goods import TopGoods as TopGoods
from kakurenbo.utility.purchases.likeness import Likeness as Likeness
from kakurenbo.utility.purchases.records import DeltaM as DeltaM
from kakurenbo.utility.purchases.records import RecordsAdded as RecordsAdded
from kakurenbo.utility.purchases.records import RecordsDeleted as RecordsDeleted
from kakurenbo.utility.purchases.rfm import U3 as U3
