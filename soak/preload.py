"""The shim under which a program's input and output fail or end it at the Nth call (see `shim.c`)."""

from __future__ import annotations


def environment() -> dict[str, str]:
    """Return what must be in the environment of a process that runs under the shim."""
    return {}
