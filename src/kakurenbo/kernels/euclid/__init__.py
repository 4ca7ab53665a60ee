"""Nearest by Euclid among candidates: for each released row, the closest originals of its own group.

Groups are slices of a sorted table, so nothing is ever compared across them. Within a group the rows are
sorted by the column that varies most, and the search goes outward from where a row would stand: exact, with
all ties, and for a single column as fast as a binary search. Memory is linear in the rows.
"""

from kakurenbo.kernels.euclid.search import assign_in_groups as assign_in_groups
from kakurenbo.kernels.euclid.search import nearest_in_groups as nearest_in_groups
