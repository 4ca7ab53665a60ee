"""The door of the program: the surroundings, looked at before anything heavy is loaded.

Three things must be right before the libraries below us start. A standard stream that is closed would give
its number to the next file opened, which might be somebody's data. A stream that cannot say `█` must not end
a run. And where the address space is limited, those libraries do not raise an error but abort or hang, so too
little of it is refused here, and a little is not spent on threads.
"""

from __future__ import annotations

import codecs
import contextlib
import io
import os
import resource
import sys
from typing import NoReturn

LEAST = 2 * 2**30  # bytes of address space; measured: the largest audit step needs 1.8e9
_THREADS = ("POLARS_MAX_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS")
_IN_ASCII = {"█": "#", "±": "+-", "′": "'", "–": "-", "…": "..."}  # noqa: RUF001 - glyphs of our own output
_LIMITED = 2


def enter() -> None:
    """Make the surroundings safe, or end; to enter twice does no harm."""
    _open_closed_streams()
    _let_streams_say_everything()
    os.environ.setdefault("LOKY_MAX_CPU_COUNT", "1")  # else a library starts a program to count processors
    _refuse_too_little()


def _refuse_too_little() -> None:
    """Refuse surroundings in which nothing could work, and save what is scarce."""
    if sys.flags.optimize > 1:
        end(
            "Python was told to leave out all docstrings (PYTHONOPTIMIZE), and this program lives by its own."
        )
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit == resource.RLIM_INFINITY:
        return
    if limit < LEAST:
        end(
            f"The address space is limited to {limit >> 20:,} MiB, and at least {LEAST >> 20:,} MiB are "
            "needed (ulimit -v)."
        )
    for name in _THREADS:
        os.environ.setdefault(name, "1")


def end(why: str) -> NoReturn:
    """Say why nothing can work here, and end."""
    with contextlib.suppress(OSError):
        sys.stderr.write(f"kakurenbo: {why} [limit]\n")
    sys.exit(_LIMITED)


def _open_closed_streams() -> None:
    """Give closed standard streams a place of their own; what is written to a closed output still fails."""
    for number, flags in ((0, os.O_RDONLY), (1, os.O_RDONLY), (2, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, flags)  # takes the lowest free number, which is this one
    sys.stdin = sys.stdin or open(0, closefd=False, encoding="utf-8")  # noqa: SIM115 - for the whole run
    sys.stdout = sys.stdout or open(1, "w", closefd=False, encoding="utf-8")  # noqa: SIM115 - the same
    sys.stderr = sys.stderr or open(2, "w", closefd=False, encoding="utf-8")  # noqa: SIM115 - the same


def _let_streams_say_everything() -> None:
    """Write what a stream's encoding does not have in ASCII."""
    codecs.register_error("kakurenbo", _in_ascii)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="kakurenbo")


def _in_ascii(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    bad = error.object[error.start : error.end]
    said = (_IN_ASCII.get(char) or char.encode("ascii", "backslashreplace").decode() for char in bad)
    return "".join(said), error.end
