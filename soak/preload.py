"""The shim under which a program's input and output fail or end it at the Nth call (see `shim.c`)."""

from __future__ import annotations

import ctypes
import hashlib
import mmap
import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from pathlib import Path

_SOURCE = Path(__file__).with_name("shim.c")


class Action(IntEnum):
    """What happens at the Nth call."""

    COUNT = 0  # nothing: the calls are counted
    FAIL = 1  # the call fails with an error of the system
    KILL = 2  # the process is killed before the call
    TERMINATE = 3  # the process gets SIGTERM before the call
    FULL = 4  # this and every later call that needs room on the disk fails


@dataclass(frozen=True)
class Strike:
    """What to do at which call of a run.

    Attributes:
        action: what happens.
        at: the number of the call, from 1.
        error: the number of the error, where calls fail.
        reads: whether calls that read are counted too.
    """

    action: Action = Action.COUNT
    at: int = 0
    error: int = 0
    reads: bool = False


def why_not() -> str | None:
    """Return why there is no shim on this machine, None if there is one."""
    if os.uname().sysname != "Linux":
        return "the shim needs Linux"
    return None if shutil.which("cc") else "there is no C compiler called cc"


@cache
def library(source: Path = _SOURCE) -> Path:
    """Return a compiled shim, compiling it once for all processes."""
    name = f"kakurenbo-{source.stem}-{hashlib.sha256(source.read_bytes()).hexdigest()[:16]}-{os.getuid()}.so"
    made = Path(tempfile.gettempdir()) / name
    if not made.exists():
        with tempfile.NamedTemporaryFile(dir=made.parent, suffix=".so", delete=False) as aside:
            pass
        subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", aside.name, source, "-ldl"], check=True)  # noqa: S607
        Path(aside.name).rename(made)
    return made


def environment() -> dict[str, str]:
    """Return what must be in the environment of a process that runs under the shim."""
    why = why_not()
    if why is not None:
        raise RuntimeError(why)
    return {"LD_PRELOAD": str(library()), "PYTHONDONTWRITEBYTECODE": "1"}


def is_loaded() -> bool:
    """Tell whether this process runs under the shim."""
    return hasattr(ctypes.CDLL(None), "soak_arm")


class Counter:
    """A number that a child process counts up and its parent reads, even of a child that was killed."""

    def __init__(self) -> None:
        self._memory = mmap.mmap(-1, mmap.PAGESIZE)
        self._number = ctypes.c_long.from_buffer(self._memory)

    @property
    def value(self) -> int:
        """The calls so far."""
        return self._number.value

    def arm(self, strike: Strike, under: Path) -> None:
        """Arm the shim in this process, for calls on paths under a folder."""
        ctypes.CDLL(None).soak_arm(
            ctypes.c_long(strike.at), int(strike.action), strike.error, int(strike.reads),
            os.fsencode(under), ctypes.byref(self._number),
        )  # fmt: skip
