"""Forecasts: a plain model taught on one table and tried on another, for the acid tests of utility.

Logistic regression on standardised features: it has no knobs that matter, is done in milliseconds, needs no
chance, and on histories of purchases it is as good as boosted trees.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Labels = NDArray[np.int64]

_PENALTY = 0.1  # inverse: features are many and alike
_STEPS = 500


def taught(examples: Floats, truth: Labels) -> Any:  # noqa: ANN401 - scikit-learn's
    """Return a model taught by examples, a row each, of two or more classes; on one thread, as `boosting`."""
    from sklearn.linear_model import LogisticRegression  # noqa: PLC0415 - slow to load
    from sklearn.pipeline import make_pipeline  # noqa: PLC0415
    from sklearn.preprocessing import StandardScaler  # noqa: PLC0415
    from threadpoolctl import threadpool_limits  # noqa: PLC0415

    model = make_pipeline(StandardScaler(), LogisticRegression(C=_PENALTY, max_iter=_STEPS))
    with threadpool_limits(1):
        return model.fit(examples, truth)


def auc(model: Any, cases: Floats, truth: Labels) -> float:  # noqa: ANN401 - scikit-learn's
    """Return how often a case of class 1 is called likelier than one of class 0; ties count half."""
    from sklearn.metrics import roc_auc_score  # noqa: PLC0415 - slow to load

    return float(roc_auc_score(truth, model.predict_proba(cases)[:, 1]))


def accuracy(model: Any, cases: Floats, truth: Labels) -> float:  # noqa: ANN401 - scikit-learn's
    """Return the share of cases whose likeliest class is the true one."""
    return float(np.mean(model.predict(cases) == truth))
