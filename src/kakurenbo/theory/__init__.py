"""The papers' formulas, numbers in and numbers out.

Every function tells its formula, symbols, valid range, source and the misprints known in it, and raises
ValueError outside the range. Papers are named by number: 000 (JIP 2020), 002 (short paper), 003 (MDAI 2019),
004 (JIP 2018). Nothing here knows about tables, files or people, and nothing else of ours is imported.
"""

from kakurenbo.theory.dummies import (
    SharingMeans,
    cluster_dummies,
    expected_dummies_bound,
    expected_dummies_occupancy,
    expected_dummies_sharing,
    fewest_clusters,
    sharing_dummies,
    sharing_means,
    total_dummies,
)
from kakurenbo.theory.fixed_points import (
    fixed_point_probability,
    fixed_points_at_most,
    format_certainty,
    grouped_fixed_point_probability,
    grouped_fixed_points_at_most,
    log2_complement,
    smallest_limit,
)
from kakurenbo.theory.optimum import (
    alpha_occupancy,
    alpha_sharing,
    best_clusters,
    best_clusters_occupancy,
    best_clusters_sharing,
    closed_form_clusters,
    expected_reidentification,
    joint_objective,
)
from kakurenbo.theory.sets import jaccard, mean_intersection, mean_jaccard, multiset_jaccard_distance, tf_idf
from kakurenbo.theory.tables import histogram_distance, relative_error
from kakurenbo.theory.thresholds import (
    Admissible,
    admissible_thresholds,
    is_excessive,
    nearest_distances,
    s_exact_0,
    s_lower,
    shortage_bound,
)

__all__ = [
    "Admissible",
    "SharingMeans",
    "admissible_thresholds",
    "alpha_occupancy",
    "alpha_sharing",
    "best_clusters",
    "best_clusters_occupancy",
    "best_clusters_sharing",
    "closed_form_clusters",
    "cluster_dummies",
    "expected_dummies_bound",
    "expected_dummies_occupancy",
    "expected_dummies_sharing",
    "expected_reidentification",
    "fewest_clusters",
    "fixed_point_probability",
    "fixed_points_at_most",
    "format_certainty",
    "grouped_fixed_point_probability",
    "grouped_fixed_points_at_most",
    "histogram_distance",
    "is_excessive",
    "jaccard",
    "joint_objective",
    "log2_complement",
    "mean_intersection",
    "mean_jaccard",
    "multiset_jaccard_distance",
    "nearest_distances",
    "relative_error",
    "s_exact_0",
    "s_lower",
    "sharing_dummies",
    "sharing_means",
    "shortage_bound",
    "smallest_limit",
    "tf_idf",
    "total_dummies",
]
