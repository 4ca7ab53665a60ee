"""Weights of measures in a TOML file: a line each, such as `rules = 2`."""

from __future__ import annotations

from pathlib import Path

from kakurenbo import toml
from kakurenbo.errors import InputError

_WEIGHTS = "weights"


def read_weights(path: str | Path) -> dict[str, float]:
    """Read how much each measure counts: the lines of the file, or of a table [weights] in it."""
    try:
        with Path(path).open(encoding="utf-8-sig", newline="") as file:
            read = toml.loads(file.read(toml.LARGEST + 1))
    except FileNotFoundError:
        raise InputError("The file of weights does not exist.", code="path-missing") from None
    except (OSError, UnicodeDecodeError):
        raise InputError("The file of weights cannot be read as text.", code="path-unreadable") from None
    except toml.TomlError as error:
        raise InputError(f"The file of weights is not valid: {error}.", code="file-broken") from None
    lines = read.get(_WEIGHTS, read)
    if not isinstance(lines, dict) or not lines or not all(map(_is_number, lines.values())):
        raise InputError("A weight is a measure's name and a number, such as rules = 2.", code="not-number")
    return {str(name): float(weight) for name, weight in lines.items()}


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
