"""A tree of goods, learnt from who buys what together, and a cut through it that follows the risk.

| file | idea |
|---|---|
| `points` | a point for every good, near those that the same people buy and that are described alike |
| `levels` | the tree over the points, as one label a good for each level |
| `risk` | what every node would tell of people if its goods were released under one word |
| `loops` | the same in compiled code |
| `cut` | the cut that loses the least detail for a risk |
"""

from kakurenbo.kernels.taxonomy.cut import Cut as Cut
from kakurenbo.kernels.taxonomy.cut import Forest as Forest
from kakurenbo.kernels.taxonomy.cut import cut_for as cut_for
from kakurenbo.kernels.taxonomy.levels import tree_levels as tree_levels
from kakurenbo.kernels.taxonomy.points import described as described
from kakurenbo.kernels.taxonomy.points import points_of as points_of
from kakurenbo.kernels.taxonomy.risk import Bought as Bought
from kakurenbo.kernels.taxonomy.risk import Counted as Counted
