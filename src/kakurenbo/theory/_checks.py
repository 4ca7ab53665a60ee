"""The one form in which every formula refuses numbers outside its range: what was expected, what came."""

from __future__ import annotations

import math
import operator
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    Array = npt.NDArray[np.float64]


def require(condition: bool, expected: str, came: object) -> None:
    """Raise a ValueError that says what was expected and what came, unless the condition holds."""
    if not condition:
        raise ValueError(f"expected {expected}; got {came}")


def whole(name: str, value: object, low: int, high: int | None = None) -> int:
    """The value as an int, when it is a whole number in low..high (no upper end if high is None)."""
    expected = f"a whole number {name} " + (f"of at least {low}" if high is None else f"from {low} to {high}")
    try:
        number = operator.index(value)  # type: ignore[arg-type] # refusing the wrong type is the purpose
    except TypeError:
        raise ValueError(f"expected {expected}; got {value!r}") from None
    require(number >= low and (high is None or number <= high), expected, number)
    return number


def real(name: str, value: float, low: float, high: float = math.inf) -> None:
    """Refuse a value that is not a finite number in low..high."""
    expected = f"a finite {name} of at least {low}" + ("" if high == math.inf else f" and at most {high}")
    require(math.isfinite(value) and low <= value <= high, expected, value)


def positive(name: str, value: float) -> None:
    """Refuse a value that is not finite and greater than zero."""
    require(math.isfinite(value) and value > 0, f"a finite {name} greater than 0", value)


def same_shape(name: str, first: npt.ArrayLike, second: npt.ArrayLike) -> tuple[Array, Array]:
    """Both arguments as float arrays, when they have one shape and hold only finite values of at least 0."""
    a, b = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    require(a.shape == b.shape, f"two {name} of one shape", f"{a.shape} and {b.shape}")
    good = bool(np.all(np.isfinite(a) & (a >= 0) & np.isfinite(b) & (b >= 0)))
    require(good, f"{name} of finite values of at least 0", "a negative, infinite or missing one")
    return a, b
