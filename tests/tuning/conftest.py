"""Searches that several tests look at, and the tables they are made on."""

from dataclasses import replace

import pytest

import kakurenbo as kb
from campaign import in_campaign
from kakurenbo.tuning.laboratory import Laboratory
from searches import Imagined, imagined
from shops import light_shop


@pytest.fixture(scope="session")
def shop():
    return light_shop(30, seed=1)


@pytest.fixture(scope="session")
def households():
    return kb.demo.households(80, seed=1)


@pytest.fixture(scope="session", params=[Imagined, *in_campaign(Laboratory)], ids=lambda kind: kind.__name__)
def laboratory(request):
    """What judges plans where a test asks what a search tries, with which seeds, and what it keeps."""
    return request.param


@pytest.fixture
def imagining(laboratory):
    """For tests that are not about releases: the campaign attacks real ones in them."""
    with imagined(laboratory):
        yield


@pytest.fixture(scope="session")
def thought_up(shop, laboratory):
    """A search of plans that were judged by what is written in them."""
    with imagined(laboratory):
        return kb.tune(shop, 0.2, "goods", max_learnt=1.0, trials=12, seed=5, jobs=1)


@pytest.fixture(scope="session")
def real(shop):
    """Two searches of real releases, with limits on what is found and on both; each plan is tried once."""
    outcomes, measure = {}, Laboratory.measure

    def once(self, task):
        key = repr(task)
        if key not in outcomes:
            outcomes[key] = measure(self, task)
        return replace(outcomes[key], scale=self.scale)  # by which the limits tell them apart, no more

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Laboratory, "measure", once)
        return [
            kb.tune(shop, 0.2, "goods", max_learnt=learnt, trials=4, seed=5, jobs=1) for learnt in (1.0, None)
        ]


@pytest.fixture(scope="session")
def found(real):
    return real[0]
