"""One door to the compiler: numba's decorator, with its cache on and the types of the function kept.

What is compiled is imported only when it is called, because numba takes a second to import. The cache lies in
the package's own folder, else in the user's (or where NUMBA_CACHE_DIR says). It saves seconds and nothing
else: where no folder can be written, or the cache is damaged or the disk full, code is compiled anew.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any, TypeVar, cast

from numba import njit

if TYPE_CHECKING:
    from collections.abc import Callable

F = TypeVar("F", bound="Callable[..., Any]")


def compiled(function: F) -> F:
    """Compile a function on its first call and keep the machine code on disk; threads may run it together."""
    made = njit(nogil=True)(function)
    try:
        made.enable_caching()
    except RuntimeError:  # no folder can be written
        return cast("F", made)
    cache = cast("Any", made)._cache  # noqa: SLF001 - numba has no other way to say that a cache may fail
    for verb in ("load_overload", "save_overload"):
        setattr(cache, verb, _patient(getattr(cache, verb)))
    return cast("F", made)


def _patient(verb: Callable[..., Any]) -> Callable[..., Any]:
    """Return a verb of the cache that answers with nothing where it fails."""

    def tried(*arguments: Any) -> Any:  # noqa: ANN401 - numba's own
        with contextlib.suppress(Exception):
            return verb(*arguments)

    return tried
