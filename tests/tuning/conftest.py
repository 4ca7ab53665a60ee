"""A search that several tests look at, and the tables it is made on."""

import pytest

import kakurenbo as kb
from shops import light_shop


@pytest.fixture(scope="module")
def shop():
    return light_shop(30, seed=1)


@pytest.fixture(scope="module")
def households():
    return kb.demo.households(80, seed=1)


@pytest.fixture(scope="module")
def found(shop):
    return kb.tune(shop, 0.2, "goods", max_learnt=1.0, trials=12, seed=5, jobs=1)
