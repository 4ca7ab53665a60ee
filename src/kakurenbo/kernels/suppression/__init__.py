"""Which traces of whom to delete, so that no combination of up to m of them is held by fewer than k people.

To delete what is rare makes other combinations rare, and so on; a person's own cheapest deletions end up with
more than half as much again as is needed. So nothing is deleted here: all traces are taken away and **given
back**, those of most people first. A trace goes to the largest set of its holders that keeps the promise: all
of them ask, and whoever has with it a combination that fewer than k would have steps back, until nobody has.
Every set that keeps the promise lies within that one, for stepping back only makes combinations rarer. The
promise holds after every step, and nothing that was given is taken again.

Memory: the people x traces there are, some 20 bytes each, and what the holders of one trace have.
"""

from kakurenbo.kernels.suppression.search import rare_combinations as rare_combinations
from kakurenbo.kernels.suppression.search import suppress as suppress
