"""What an audit found: frozen records of plain numbers, from which every report is made.

Nothing here computes. The audit fills these records, the report draws them, and machines get them as JSON
under the keys the design promises; from its JSON an audit can be read back. Only `People.table` names
persons: it is secret, stays out of JSON and every report, and is written to a file of its own.
"""

from kakurenbo.auditing.results.audit import Answer as Answer
from kakurenbo.auditing.results.audit import Audit as Audit
from kakurenbo.auditing.results.audit import Compared as Compared
from kakurenbo.auditing.results.audit import Distance as Distance
from kakurenbo.auditing.results.audit import Dots as Dots
from kakurenbo.auditing.results.audit import Kept as Kept
from kakurenbo.auditing.results.audit import Limits as Limits
from kakurenbo.auditing.results.audit import Shown as Shown
from kakurenbo.auditing.results.audit import Skipped as Skipped
from kakurenbo.auditing.results.earlier import Earlier as Earlier
from kakurenbo.auditing.results.found import Dummies as Dummies
from kakurenbo.auditing.results.found import Finding as Finding
from kakurenbo.auditing.results.found import Names as Names
from kakurenbo.auditing.results.found import People as People
from kakurenbo.auditing.results.found import Proof as Proof
from kakurenbo.auditing.results.found import Proved as Proved
from kakurenbo.auditing.results.found import Survivor as Survivor
from kakurenbo.auditing.results.found import TransformedProof as TransformedProof
from kakurenbo.auditing.results.learnt import Attribution as Attribution
from kakurenbo.auditing.results.learnt import Control as Control
from kakurenbo.auditing.results.learnt import Lesson as Lesson
from kakurenbo.auditing.results.learnt import Membership as Membership
from kakurenbo.auditing.results.synthetic import Copies as Copies
from kakurenbo.auditing.results.synthetic import Synthetic as Synthetic
from kakurenbo.auditing.results.synthetic import Told as Told
from kakurenbo.auditing.results.synthetic import Tried as Tried
from kakurenbo.auditing.results.targets import Engine as Engine
from kakurenbo.auditing.results.targets import Sampled as Sampled
from kakurenbo.auditing.results.targets import Targets as Targets
