"""Agreement: how far do two units agree, and how telling is that?

A unit is a record or a visit: a few numbers, in a block of units that may be the same. Two of them agree in
each number up to some level: equal, nearly, roughly, not at all. That a person shows a unit is as likely as
his own units agree with it, each level counting by how much oftener units of one person agree so far than
those of anybody; and it is telling by how few others agree as well. How often that is nobody needs to know
beforehand: it is learnt from the people who are surest, again and again (Fellegi and Sunter 1969).
"""

from kakurenbo.kernels.agreement.search import PUPILS as PUPILS
from kakurenbo.kernels.agreement.search import CandidateUnits as CandidateUnits
from kakurenbo.kernels.agreement.search import Comparison as Comparison
from kakurenbo.kernels.agreement.search import Levels as Levels
from kakurenbo.kernels.agreement.search import TargetUnits as TargetUnits
from kakurenbo.kernels.agreement.search import agreeing as agreeing
from kakurenbo.kernels.agreement.search import compacted as compacted
from kakurenbo.kernels.agreement.search import learn as learn
