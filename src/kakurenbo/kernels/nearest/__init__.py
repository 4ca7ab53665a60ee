"""Nearest: for every released customer, all originals that look most like it; the core of linking attacks.

An attacker who holds the originals and a release compares each released basket with each original one
(Algorithm 1 of 000, 002 and 003) and names the most similar. Here all are compared with all, exactly: no
hashing, no sampling, since a missed match would be a risk reported too low. Ties are all returned, since
which of them is named must be left to chance and not to the order of rows.

| similarity | of a released basket R and an original K | compared |
|---|---|---|
| `jaccard` | goods in both / goods in either; any value above 0 is a good | exactly |
| `jaccard` with `weights` | weight of the goods in both / in either; weights such as the IDF | rounded |
| `containment` | goods in both / goods in K: how much of what is known of K was released | exactly |
| `multiset` | sum of the smaller / sum of the larger of the two quantities, which are whole | exactly |
| `votes` | sum of the smaller of the two quantities, which are whole | exactly |
| `cosine` | cosine of the rows as they are given, such as TF-IDF values | rounded |

Exactly means whole numbers, compared by cross multiplication. Rounded scores tie when they lie within 1e-12
of the best, relatively, so equal originals always tie. With `containment` every original wholly inside R
scores 1, small ones by chance: among equal scores the larger known set is the better one, so only originals
equal in score **and** size tie.
"""

from kakurenbo.kernels.nearest.rows import Matrix as Matrix
from kakurenbo.kernels.nearest.rows import Similarity as Similarity
from kakurenbo.kernels.nearest.search import Nearest as Nearest
from kakurenbo.kernels.nearest.search import Top as Top
from kakurenbo.kernels.nearest.search import best_in as best_in
from kakurenbo.kernels.nearest.search import nearest as nearest
from kakurenbo.kernels.nearest.search import row_by_row as row_by_row
from kakurenbo.kernels.nearest.search import similarity_block as similarity_block
from kakurenbo.kernels.nearest.search import top as top
