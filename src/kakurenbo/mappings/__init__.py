"""The common vocabulary: what a release made coarser or wrote otherwise, the original is told to match.

A release may show only the first three characters of a good's code, round times down to months, move the
clock by 400 days, multiply prices by 1.37 or put them in bands. Whoever has both tables sees that at once and
maps what he knows alike; an attacker who did not would compare nothing and find nobody. What is inferred here
is what anybody would infer from the two tables alone, one role a file:

| file | what is inferred |
|---|---|
| `goods` | cut to their first characters, with a text before or after |
| `tree` | generalised by a hierarchy that the release carries, or that is known |
| `clock` | moved by one span, rounded down to a period (see `periods`), or weekday and hour alone |
| `numbers` | multiplied by a factor, moved by a constant, rounded, put in bands |
| `amounts` | prices set so that price times quantity is in bands |
| `masters` | columns of the master: ranges, sets, masks, first characters, rounded numbers, coarser words |

A mapping is believed only if it explains a release clearly better than the plain values do; a role that was
kept is left alone. Noise is no mapping. Goods in other codes are not read here: nothing in a code tells what
it stands for.
"""

from kakurenbo.mappings.clock import Clock as Clock
from kakurenbo.mappings.goods import Spelling as Spelling
from kakurenbo.mappings.numbers import Scale as Scale
from kakurenbo.mappings.periods import EVERY as EVERY
from kakurenbo.mappings.periods import Period as Period
from kakurenbo.mappings.tree import Generalised as Generalised
from kakurenbo.mappings.vocabulary import Mapping as Mapping
from kakurenbo.mappings.vocabulary import Vocabulary as Vocabulary
from kakurenbo.mappings.vocabulary import common_vocabulary as common_vocabulary
