"""The papers' formulas, numbers in and numbers out.

Every function tells its formula, symbols, valid range, source and the misprints known in it, and raises
ValueError outside the range. Papers are named by number: 000 (JIP 2020), 002 (short paper), 003 (MDAI 2019),
004 (JIP 2018). Nothing here knows about tables, files or people, and nothing else of ours is imported.
"""

from kakurenbo.theory.dummies import SharingMeans as SharingMeans
from kakurenbo.theory.dummies import cluster_dummies as cluster_dummies
from kakurenbo.theory.dummies import expected_dummies_bound as expected_dummies_bound
from kakurenbo.theory.dummies import expected_dummies_occupancy as expected_dummies_occupancy
from kakurenbo.theory.dummies import expected_dummies_sharing as expected_dummies_sharing
from kakurenbo.theory.dummies import fewest_clusters as fewest_clusters
from kakurenbo.theory.dummies import sharing_dummies as sharing_dummies
from kakurenbo.theory.dummies import sharing_means as sharing_means
from kakurenbo.theory.dummies import total_dummies as total_dummies
from kakurenbo.theory.fixed_points import fixed_point_probability as fixed_point_probability
from kakurenbo.theory.fixed_points import fixed_points_at_most as fixed_points_at_most
from kakurenbo.theory.fixed_points import format_certainty as format_certainty
from kakurenbo.theory.fixed_points import grouped_fixed_point_probability as grouped_fixed_point_probability
from kakurenbo.theory.fixed_points import grouped_fixed_points_at_most as grouped_fixed_points_at_most
from kakurenbo.theory.fixed_points import log2_complement as log2_complement
from kakurenbo.theory.fixed_points import smallest_limit as smallest_limit
from kakurenbo.theory.optimum import alpha_occupancy as alpha_occupancy
from kakurenbo.theory.optimum import alpha_sharing as alpha_sharing
from kakurenbo.theory.optimum import best_clusters as best_clusters
from kakurenbo.theory.optimum import best_clusters_occupancy as best_clusters_occupancy
from kakurenbo.theory.optimum import best_clusters_sharing as best_clusters_sharing
from kakurenbo.theory.optimum import closed_form_clusters as closed_form_clusters
from kakurenbo.theory.optimum import expected_reidentification as expected_reidentification
from kakurenbo.theory.optimum import joint_objective as joint_objective
from kakurenbo.theory.population import Population as Population
from kakurenbo.theory.population import population_models as population_models
from kakurenbo.theory.sets import jaccard as jaccard
from kakurenbo.theory.sets import mean_intersection as mean_intersection
from kakurenbo.theory.sets import mean_jaccard as mean_jaccard
from kakurenbo.theory.sets import multiset_jaccard_distance as multiset_jaccard_distance
from kakurenbo.theory.sets import tf_idf as tf_idf
from kakurenbo.theory.tables import histogram_distance as histogram_distance
from kakurenbo.theory.tables import relative_error as relative_error
from kakurenbo.theory.thresholds import Admissible as Admissible
from kakurenbo.theory.thresholds import admissible_thresholds as admissible_thresholds
from kakurenbo.theory.thresholds import is_excessive as is_excessive
from kakurenbo.theory.thresholds import nearest_distances as nearest_distances
from kakurenbo.theory.thresholds import s_exact_0 as s_exact_0
from kakurenbo.theory.thresholds import s_lower as s_lower
from kakurenbo.theory.thresholds import shortage_bound as shortage_bound
