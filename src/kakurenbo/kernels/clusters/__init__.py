"""Clusters of customers as the papers make them: plain, by taste, and balanced (Methods 0, 1 and 2).

Everyone in a cluster is given the goods of all its members, so a cluster hides its members among one another
and costs dummy records. The papers group customers by k-means and then repair what is too small;
`kernels.compact` does better, and is measured against what is here. Functions take X, the customers x goods
set matrix (CSR, 1 where bought), and return one label a customer, 0..c-1, every label used.
"""

from kakurenbo.kernels.clusters.methods import balance as balance
from kakurenbo.kernels.clusters.methods import check_clusters as check_clusters
from kakurenbo.kernels.clusters.methods import dummies as dummies
from kakurenbo.kernels.clusters.methods import kmeans as kmeans
from kakurenbo.kernels.clusters.methods import tfidf_kmeans as tfidf_kmeans
