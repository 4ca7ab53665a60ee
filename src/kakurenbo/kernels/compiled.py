"""One door to the compiler: numba's decorator, with its cache on and the types of the function kept.

What is compiled is imported only when it is called, because numba takes a second to import. The cache lies in
the package's own folder, else in the user's (or where NUMBA_CACHE_DIR says). It saves seconds and nothing
else: where no folder can be written, or the cache is damaged or the disk full, code is compiled anew. So it
is where any file of the kernels has changed: numba itself looks at the function's own file alone, and would
go on with what an older version of another file was compiled to.
"""

from __future__ import annotations

import contextlib
from functools import lru_cache
from pathlib import Path
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
    cache = cast("Any", made)._cache  # noqa: SLF001 - numba has no other way to say what follows
    cache._cache_file._source_stamp = _stamp()  # noqa: SLF001 - the same
    for verb in ("load_overload", "save_overload"):
        setattr(cache, verb, _patient(getattr(cache, verb)))
    return cast("F", made)


@lru_cache
def _stamp() -> tuple[tuple[str, int, int], ...]:
    """Return what tells these sources from all others."""
    folder = Path(__file__).parent
    stats = ((path, path.stat()) for path in sorted(folder.rglob("*.py")))
    return tuple((str(path.relative_to(folder)), stat.st_mtime_ns, stat.st_size) for path, stat in stats)


def _patient(verb: Callable[..., Any]) -> Callable[..., Any]:
    """Return a verb of the cache that answers with nothing where it fails."""

    def tried(*arguments: Any) -> Any:  # noqa: ANN401 - numba's own
        with contextlib.suppress(Exception):
            return verb(*arguments)

    return tried
