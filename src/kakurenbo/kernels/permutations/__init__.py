"""s_exact(r): the least distance of a permutation that leaves at most r people in place (004 eq. 6).

004 found no way but for r = 0 (an assignment problem with a forbidden diagonal). Put a price L on every
person left in place and solve the assignment: the permutation found costs least among all with as few fixed
points, and cost + L (fixed points - r) bounds s_exact(r) from below **for every r** (Lagrange). Taking for L
the slope between two points found, again and again, visits every corner of the lower convex hull of (fixed
points, cost): there the value is exact. Between two corners the hull is the lower end of a certified bracket;
its upper end is the cost of a permutation made from those at the corners, by letting one more person stay, or
go. An integer programme may close what is left open.

Values are sums of float64 numbers: "exact" means that both ends agree to about twelve digits, or to about
ten of the bracket's width where the programme closed it.
"""

from kakurenbo.kernels.permutations.brackets import Bracket as Bracket
from kakurenbo.kernels.permutations.brackets import s_exact as s_exact
