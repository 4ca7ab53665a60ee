"""TOML that somebody else wrote: settings beside data, and plans.

A parser of TOML takes a time and room that grow with the square of a key's parts, and Python refuses numbers
of thousands of digits and nesting of a thousand levels in ways of their own. Here all that would nest or
count without end is one kind of error with a reason.
"""

from __future__ import annotations

import tomllib
from typing import Any

LARGEST = 1 << 16  # letters; settings and plans are written by hand
_MOST_DOTS = 1000  # in one line: a key has a part for each


class TomlError(ValueError):
    """The text is no TOML that can be read; the message says why."""


def loads(text: str) -> dict[str, Any]:
    """Return what a TOML text says."""
    if len(text) > LARGEST:
        raise TomlError(f"it has more than {LARGEST:,} letters")
    if any(line.count(".") > _MOST_DOTS for line in text.split("\n")):
        raise TomlError("it is nested too deeply")
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise TomlError(str(error)) from None
    except RecursionError:
        raise TomlError("it is nested too deeply") from None
    except ValueError:
        raise TomlError("a number has too many digits") from None
