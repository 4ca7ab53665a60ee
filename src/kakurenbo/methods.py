"""Ways to hide, the catalogue's list of them: a method is registered by its line here.

`kb.methods.Balanced(clusters=50, min_size=8).release(shop)`. Names that serve both kinds of data end in
Microdata for the second. The cheats of 004 stand apart, in `kb.cheats`.
"""

from kakurenbo.deidentify.base import Chain as Chain
from kakurenbo.deidentify.levels import GeneralizeMaster as GeneralizeMaster
from kakurenbo.deidentify.levels import GeneralizeMicrodata as GeneralizeMicrodata
from kakurenbo.deidentify.microdata.k_anonymize import KAnonymize as KAnonymize
from kakurenbo.deidentify.microdata.microaggregate import Microaggregate as Microaggregate
from kakurenbo.deidentify.microdata.simple import Average as Average
from kakurenbo.deidentify.microdata.simple import DeleteMicrodata as DeleteMicrodata
from kakurenbo.deidentify.microdata.simple import NoiseMicrodata as NoiseMicrodata
from kakurenbo.deidentify.microdata.simple import Swap as Swap
from kakurenbo.deidentify.microdata.simple import Unify as Unify
from kakurenbo.deidentify.pseudonymize import Pseudonymize as Pseudonymize
from kakurenbo.deidentify.pseudonymize import PseudonymizeMicrodata as PseudonymizeMicrodata
from kakurenbo.deidentify.purchases.clustered import Balanced as Balanced
from kakurenbo.deidentify.purchases.clustered import Compact as Compact
from kakurenbo.deidentify.purchases.clustered import KMeans as KMeans
from kakurenbo.deidentify.purchases.clustered import Tfidf as Tfidf
from kakurenbo.deidentify.purchases.coarsen import Coarsen as Coarsen
from kakurenbo.deidentify.purchases.consensus import Consensus as Consensus
from kakurenbo.deidentify.purchases.deal import Deal as Deal
from kakurenbo.deidentify.purchases.generalize import Generalize as Generalize
from kakurenbo.deidentify.purchases.master import CoarsenMaster as CoarsenMaster
from kakurenbo.deidentify.purchases.omit import Omit as Omit
from kakurenbo.deidentify.purchases.rotate import Rotate as Rotate
from kakurenbo.deidentify.purchases.sample import Sample as Sample
from kakurenbo.deidentify.purchases.simple import Alter as Alter
from kakurenbo.deidentify.purchases.simple import Delete as Delete
from kakurenbo.deidentify.purchases.simple import Noise as Noise
from kakurenbo.deidentify.purchases.suppress import Suppress as Suppress
