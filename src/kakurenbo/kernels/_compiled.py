"""One door to the compiler: numba's decorator, with its cache on and the types of the function kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar, cast

from numba import njit

if TYPE_CHECKING:
    from collections.abc import Callable

F = TypeVar("F", bound="Callable[..., Any]")


def compiled(function: F) -> F:
    """Compile a function on its first call and keep the machine code on disk for the next process."""
    return cast("F", njit(cache=True)(function))
