"""Boosting: what examples with known answers teach, as the odds of every new case."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_LEAST = 1e-6  # nothing is quite sure
_TREES = 80
_LEAVES = 15


def taught(examples: Floats, truth: NDArray[np.bool_], seed: int) -> Any:  # noqa: ANN401 - scikit-learn's
    """Return a classifier taught by examples: gradient boosting on histograms, fitted to the log-likelihood.

    It is taught on one thread: of so few examples each step is done before others have woken up, and where
    the processors are busy, waiting for them takes ten times as long as the work.

    Args:
        examples: a row each.
        truth: the answer of each.
        seed: repeats it.
    """
    from sklearn.ensemble import HistGradientBoostingClassifier  # noqa: PLC0415 - slow to load
    from threadpoolctl import threadpool_limits  # noqa: PLC0415

    model = HistGradientBoostingClassifier(
        max_iter=_TREES,
        max_leaf_nodes=_LEAVES,
        l2_regularization=1.0,
        early_stopping=False,
        random_state=seed,
    )
    with threadpool_limits(1):
        return model.fit(examples, truth)


def log_odds(model: Any, cases: Floats) -> Floats:  # noqa: ANN401 - scikit-learn's
    """Return the odds of every case, in logs."""
    from threadpoolctl import threadpool_limits  # noqa: PLC0415 - slow to load

    with threadpool_limits(1):
        likely = np.clip(model.predict_proba(cases)[:, 1], _LEAST, 1 - _LEAST)
    odds: Floats = np.log(likely / (1 - likely))
    return odds
