"""Groups of at least k rows that lie close together: the ground of microaggregation and k-anonymity.

MDAV (Domingo-Ferrer and Mateo-Sanz, 2002) works from the edges of the cloud inward: the row farthest from
the centre takes its k - 1 nearest, then so does the row farthest from that one, until fewer than 2k are left.
Time grows with the square of the rows over k.

Mondrian (LeFevre, DeWitt and Ramakrishnan, 2006) cuts a table into ever smaller groups, always across the
widest column. Strict groups never part rows with equal values in the column that is cut; relaxed ones may,
and come out between k and 2k - 1 rows as long as rows differ. A cut is made nearest to the middle where both
sides keep k, so more cuts succeed than with the median alone.
"""

from kakurenbo.kernels.groups.methods import Column as Column
from kakurenbo.kernels.groups.methods import Protected as Protected
from kakurenbo.kernels.groups.methods import mdav as mdav
from kakurenbo.kernels.groups.methods import mondrian as mondrian
