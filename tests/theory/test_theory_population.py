"""Models of a population against populations that are known: who is alone in a sample and there."""

import numpy as np
import pytest

from kakurenbo.theory import population_models


def sampled(people: np.ndarray, share: float, seed: int) -> tuple[np.ndarray, float, float, float]:
    """Draw a share of people given by their groups; return the sample's sizes and the truth about it."""
    drawn = np.random.default_rng(seed).permutation(people)[: round(len(people) * share)]
    there, here = np.bincount(people), np.bincount(drawn, minlength=people.max() + 1)
    alone = here[drawn] == 1
    size = there[drawn]
    return here[here > 0], (size[alone] == 1).mean(), (1 / size[alone]).mean(), (1 / size).mean()


def mixed(seed: int) -> np.ndarray:
    """Return a register by age, town, sex and trade."""
    rng = np.random.default_rng(seed)
    age = np.clip(rng.normal(45, 18, 20_000), 0, 99).astype(int)
    town, trade = rng.zipf(1.5, 20_000) % 80, rng.geometric(0.15, 20_000) % 30
    return np.unique(((age * 80 + town) * 2 + rng.integers(0, 2, 20_000)) * 30 + trade, return_inverse=True)[
        1
    ]


def spread(seed: int) -> np.ndarray:
    """Return groups whose sizes are Poisson with log-normal means."""
    rng = np.random.default_rng(seed)
    sizes = rng.poisson(np.exp(rng.normal(0, 1.5, 12_000)))
    return np.repeat(np.arange(len(sizes)), sizes)


@pytest.mark.parametrize(
    ("people", "model", "share"), [(mixed(1), "pitman", 0.2), (spread(2), "lognormal", 0.2)]
)
def test_a_model_that_fits_says_who_is_alone_in_the_population(people, model, share):
    sizes, there, journalist, marketer = sampled(people, share, 3)
    made = {one.model: one for one in population_models(sizes, len(people))}[model]
    assert made.fits
    assert made.alone == (sizes == 1).sum()
    assert made.alone_there == pytest.approx(there, abs=0.05)
    assert made.journalist == pytest.approx(journalist, abs=0.04)
    assert made.marketer == pytest.approx(marketer, abs=0.02)


def test_a_model_that_does_not_fit_says_so():
    sizes, there, *_ = sampled(np.random.default_rng(5).integers(0, 4000, 6000), 0.5, 4)
    made = {one.model: one for one in population_models(sizes, 6000)}
    assert not made["pitman"].fits
    assert made["lognormal"].fits
    assert made["lognormal"].alone_there == pytest.approx(there, abs=0.05)


def test_the_whole_population_is_known_and_nonsense_is_refused():
    for one in population_models([1, 1, 2, 4], 8):
        assert one.alone_there == pytest.approx(1)
        assert one.journalist == pytest.approx(1)
        assert one.marketer == pytest.approx(4 / 8)
    for sizes, people in (([], 5), ([0, 2], 5), ([3, 3], 5)):
        with pytest.raises(ValueError, match=r"sizes|at least"):
            population_models(sizes, people)
