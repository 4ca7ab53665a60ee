"""Properties tried on a fixed table and a few drawn ones in `make test`, and on many in the campaign."""

from copy import deepcopy
from functools import wraps
from inspect import Parameter, Signature, signature

import pytest
from hypothesis import example, given, settings

# Every entry of the catalogue meets every promise, so few suffice; in development the profile says how many.
FEW, MANY = 3, 40


def drawn(fixed, /, **strategies):
    """Return a decorator like Hypothesis's `given`, whose test runs twice: on few examples and on many.

    Args:
        fixed: values tried besides the drawn ones, rich enough to show what is meant.
        strategies: what is drawn, by the names of the property; its other names are for pytest to fill.
    """

    def decorate(check):
        @wraps(check)
        def test(examples, **others):
            trial = settings(max_examples=examples)(example(**deepcopy(fixed))(given(**strategies)(check)))
            trial(**others)

        others = [name for name in signature(check).parameters if name not in strategies]
        test.__signature__ = Signature(
            [Parameter(name, Parameter.KEYWORD_ONLY) for name in ("examples", *others)]
        )
        few = FEW if settings.get_current_profile_name() == "ci" else settings().max_examples
        counts = [pytest.param(few, id="few"), pytest.param(MANY, id="many", marks=pytest.mark.campaign)]
        return pytest.mark.parametrize("examples", counts)(test)

    return decorate
