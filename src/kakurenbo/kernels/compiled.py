"""One door to the compiler: numba's decorator, with its cache on and the types of the function kept.

What is compiled is imported only when it is called, because numba takes a second to import.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar, cast

from numba import njit

if TYPE_CHECKING:
    from collections.abc import Callable

F = TypeVar("F", bound="Callable[..., Any]")


def compiled(function: F) -> F:
    """Compile a function on its first call and keep the machine code on disk; threads may run it together."""
    return cast("F", njit(cache=True, nogil=True)(function))
