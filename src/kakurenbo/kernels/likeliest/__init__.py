"""Likeliest: for every target, the released people from whose records the known ones were most likely drawn.

log p(known | y) is the sum over the known records of log(e + p(record | y)), where p(record | y) is the share
of y's records that match it, the mean over the grains at which records are compared. A short history that
fits is likelier than a long one that has everything. Only who matches something is visited, so the cost
follows the matches and never targets x people.
"""

from kakurenbo.kernels.likeliest.search import Postings as Postings
from kakurenbo.kernels.likeliest.search import heaviest as heaviest
from kakurenbo.kernels.likeliest.search import likeliest as likeliest
