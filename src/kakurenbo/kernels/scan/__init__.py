"""Scan: targets held in memory, a table gone through block by block, and the best places of each target kept.

A key of a record (a good, a good with its month) is a hashed number, the same in every block. `Codes` turn
those that targets have into places of a dictionary, `spread` lays a block out by them, and `look_up` adds up
for every target what each person of the block holds of what is known of him. What a person scores depends on
him and the target alone, never on the block, so the best of all blocks are the best of the whole.
"""

from kakurenbo.kernels.scan.look_up import KEPT as KEPT
from kakurenbo.kernels.scan.look_up import Beside as Beside
from kakurenbo.kernels.scan.look_up import Postings as Postings
from kakurenbo.kernels.scan.look_up import Ties as Ties
from kakurenbo.kernels.scan.look_up import look_up as look_up
from kakurenbo.kernels.scan.look_up import own_scores as own_scores
from kakurenbo.kernels.scan.look_up import tied as tied
from kakurenbo.kernels.scan.records import Records as Records
from kakurenbo.kernels.scan.spread import Codes as Codes
from kakurenbo.kernels.scan.spread import Spread as Spread
from kakurenbo.kernels.scan.spread import distinct as distinct
from kakurenbo.kernels.scan.spread import joined as joined
from kakurenbo.kernels.scan.spread import spread as spread
from kakurenbo.kernels.scan.spread import tally as tally
