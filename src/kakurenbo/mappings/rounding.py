"""Rounding: to multiples of a unit, or to some significant digits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

Way = Literal["to the nearest", "halves up", "all halves up", "all halves to even", "down to", "up to"]

_UNITS = (1000.0, 500.0, 100.0, 50.0, 25.0, 20.0, 10.0, 5.0, 2.0, 1.0, 0.5, 0.25, 0.2, 0.1, 0.05, 0.01)
_DIGITS = (1, 2, 3)
_CLOSE = 1e-6
# Halves as a machine multiplies them lie on either side; who counts in decimals rounds them all one way.
_COUNTED: dict[Way, Callable[[Floats], Floats]] = {
    "to the nearest": np.rint,
    "halves up": lambda counts: np.floor(counts + 0.5),
    "all halves up": lambda counts: np.floor(counts + 0.5 + _CLOSE),
    "all halves to even": lambda counts: np.rint(np.round(counts, 6)),
    "down to": lambda counts: np.floor(counts + _CLOSE),
    "up to": lambda counts: np.ceil(counts - _CLOSE),
}


@dataclass(frozen=True)
class Rounding:
    """Numbers with fewer digits.

    Attributes:
        unit: what they are multiples of; None where they have some significant digits.
        digits: how many.
        way: in which direction.
        least: the least number there is, so that nothing is rounded to zero.
    """

    unit: float | None = None
    digits: int | None = None
    way: Way = "to the nearest"
    least: float = 0.0

    def of(self, values: Floats) -> Floats:
        """Return these numbers rounded."""
        unit = _place(values, self.digits or 1) if self.unit is None else self.unit
        rounded: Floats = np.round(_COUNTED[self.way](values * (1 / unit)) * unit, 4)
        return np.maximum(rounded, self.least)

    def __str__(self) -> str:
        way = self.way if self.way in {"down to", "up to"} else "to"
        if self.unit is None:
            return f"rounded to {self.digits} significant digit{'s' * (self.digits != 1)}"
        what = "whole numbers" if self.unit == 1 else f"multiples of {self.unit:g}"
        return f"rounded {way} {what}"


def roundings(mine: Floats, theirs: Floats) -> Iterator[Rounding]:
    """Yield the roundings that leave all released numbers as they are, and not all of the original's."""
    least = float(theirs[0])
    for unit in _UNITS:
        if _multiples(theirs, unit):
            if not _multiples(mine, unit):
                yield from (Rounding(unit, None, way, least) for way in _COUNTED)
            break
    for digits in _DIGITS:
        if _has(theirs, digits):
            if not _has(mine, digits):
                yield from (Rounding(None, digits, way, least) for way in _COUNTED)
            break


def _multiples(values: Floats, unit: float) -> bool:
    """Whether all but the least of these ascending numbers, which cannot be zero, are multiples."""
    counts = values[1:] / unit
    return bool(len(counts)) and bool((np.abs(counts - np.rint(counts)) < _CLOSE).all())


def _has(values: Floats, digits: int) -> bool:
    return _multiples(values / _place(values, digits), 1.0)


def _place(values: Floats, digits: int) -> Floats:
    """Return what the last of so many significant digits counts."""
    place: Floats = 10.0 ** (np.floor(np.log10(values) + _CLOSE) - digits + 1)
    return place
