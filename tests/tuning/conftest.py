"""A search that several tests look at, and the tables it is made on."""

from contextlib import contextmanager

import pytest

import kakurenbo as kb
from kakurenbo.tuning.laboratory import Laboratory
from shops import light_shop


@pytest.fixture(scope="module")
def shop():
    return light_shop(30, seed=1)


@pytest.fixture(scope="module")
def households():
    return kb.demo.households(80, seed=1)


@pytest.fixture(scope="session")
def trying_once():
    """Return a context in which the same plan on the same data and seed is tried once, whoever asks."""
    outcomes, measure = {}, Laboratory.measure

    def asked(self, task):
        key = self.data.fingerprint(), self.knowledge, self.scale, repr(self.aim), self.limit, repr(task)
        if key not in outcomes:
            outcomes[key] = measure(self, task)
        return outcomes[key]

    @contextmanager
    def once():
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Laboratory, "measure", asked)
            yield

    return once


@pytest.fixture
def tried_once(trying_once):
    """For tests of what a search tries, with which seeds: others show that the same gives the same."""
    with trying_once():
        yield


@pytest.fixture(scope="module")
def found(shop, trying_once):
    with trying_once():
        return kb.tune(shop, 0.2, "goods", max_learnt=1.0, trials=12, seed=5, jobs=1)
