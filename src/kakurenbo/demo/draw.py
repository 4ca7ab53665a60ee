"""Drawing many categories at once: the one trick both made-up worlds stand on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kakurenbo.errors import ParameterError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]
    Flags = NDArray[np.bool_]
    Numbers = NDArray[np.number]


def pick(rng: np.random.Generator, weights: Floats, row: Ints) -> Ints:
    """Draw one level for every entry of `row`, each by the weights of the row it names.

    Row r's cumulative shares are shifted by r, so that all rows lie end to end on one line; then a single
    sorted search answers for everybody. Memory stays at the table plus the answer, however many draw.

    Args:
        rng: The run's generator.
        weights: Non-negative weights, one row a situation, one column a level; no row sums to zero.
        row: For each draw the situation it is in.

    Returns:
        The level drawn, from 0.
    """
    levels = weights.shape[1]
    shares = np.cumsum(weights, axis=1)
    shares /= shares[:, -1:]
    shares += np.arange(len(weights))[:, None]
    place = np.searchsorted(shares.ravel(), row + rng.random(len(row)), side="right")
    place -= row * levels
    # Adding a row number may round a draw up to the next row's first level.
    np.minimum(place, levels - 1, out=place)
    return place


def generator(seed: int | None) -> np.random.Generator:
    """Return a generator of the run's own: repeatable with a seed, else from the operating system."""
    if seed is not None and seed < 0:
        raise ParameterError(
            f"seed must be at least 0, got {seed}; give a whole number or none", code="parameter"
        )
    return np.random.default_rng(seed)


def at_least_one(name: str, value: int) -> None:
    """Refuse a world without people (or goods), in one form of message."""
    if value < 1:
        raise ParameterError(
            f"{name} must be at least 1, got {value}; give a larger number", code="parameter"
        )
