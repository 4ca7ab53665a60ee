"""Ways to seek, the catalogue's list of them: an attack is registered by its line here.

Each tells what the attacker holds, what he does, and when he has won:
`kb.attacks.RowsAttack(points=2).guess(shop, release.data)`.
"""

from kakurenbo.attacks.microdata.euclid import Euc1 as Euc1
from kakurenbo.attacks.microdata.euclid import Euc2 as Euc2
from kakurenbo.attacks.microdata.euclid import IdentifyRand as IdentifyRand
from kakurenbo.attacks.microdata.euclid import IdentifySa as IdentifySa
from kakurenbo.attacks.microdata.euclid import IdentifySa21 as IdentifySa21
from kakurenbo.attacks.microdata.sort import IdentifySort as IdentifySort
from kakurenbo.attacks.microdata.within import Within as Within
from kakurenbo.attacks.order import OrderAttack as OrderAttack
from kakurenbo.attacks.order import OrderMicrodata as OrderMicrodata
from kakurenbo.attacks.purchases.agreement import AgreementAttack as AgreementAttack
from kakurenbo.attacks.purchases.chance import ChanceAttack as ChanceAttack
from kakurenbo.attacks.purchases.dummies import DummiesAttack as DummiesAttack
from kakurenbo.attacks.purchases.evidence import EvidenceAttack as EvidenceAttack
from kakurenbo.attacks.purchases.fingerprint import FingerprintAttack as FingerprintAttack
from kakurenbo.attacks.purchases.learned import LearnedAttack as LearnedAttack
from kakurenbo.attacks.purchases.likelihood import LikelihoodAttack as LikelihoodAttack
from kakurenbo.attacks.purchases.likeness import ContainmentAttack as ContainmentAttack
from kakurenbo.attacks.purchases.likeness import CosineAttack as CosineAttack
from kakurenbo.attacks.purchases.likeness import JaccardAttack as JaccardAttack
from kakurenbo.attacks.purchases.likeness import MultisetAttack as MultisetAttack
from kakurenbo.attacks.purchases.likeness import WeightedAttack as WeightedAttack
from kakurenbo.attacks.purchases.owners import OwnersAttack as OwnersAttack
from kakurenbo.attacks.purchases.renamed import RenamedAttack as RenamedAttack
from kakurenbo.attacks.purchases.rows import RowsAttack as RowsAttack
from kakurenbo.attacks.purchases.strip import StripAttack as StripAttack
from kakurenbo.attacks.purchases.totals import TotalsAttack as TotalsAttack
from kakurenbo.attacks.purchases.visits import VisitsAttack as VisitsAttack
