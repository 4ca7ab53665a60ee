"""One reproduction on a made-up shop, for all who look at it."""

import pytest

from kakurenbo.reproduction.paper import PAPERS, reproduce
from shops import light_shop


@pytest.fixture(scope="session")
def made_up():
    return light_shop(60, seed=1)


@pytest.fixture(scope="session")
def reproduced(made_up):
    return reproduce(made_up, PAPERS, [0, 1], clusters=(5, 10, 20))
