"""How to read a table: options given, else `kakurenbo.toml` beside the data, else what is recognised."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING, Any

from kakurenbo.data.checks.policy import Policy
from kakurenbo.errors import InputError, ParameterError
from kakurenbo.files.guard import Encoding
from kakurenbo.parameters import Parameters

if TYPE_CHECKING:
    from pathlib import Path

    from kakurenbo.data.layout import Role

SETTINGS = "kakurenbo.toml"
_ROLES: tuple[Role, ...] = ("customer", "goods", "receipt", "time", "price", "quantity")


class ReadOptions(Parameters):
    """All that can be said of how to read a table. The same names work as options, in Python and in TOML.

    The roles name columns (`time` may name two, date and clock, with a comma between); a file without a
    header has columns 1, 2, 3 and so on. `qi`, `sa` and `id` make it microdata. `keep_master` names the
    columns of the master that may be released, `keep_direct` those of them that may although they look like
    direct identifiers.
    """

    customer: str | None = None
    goods: str | None = None
    receipt: str | None = None
    time: str | None = None
    price: str | None = None
    quantity: str | None = None
    qi: tuple[str, ...] = ()
    sa: tuple[str, ...] = ()
    id: str | None = None
    policy: Policy | None = None
    cancelled: str | None = None
    time_format: str | None = None
    encoding: Encoding = "utf-8"
    header: bool = True
    separator: str | None = None
    keep_master: tuple[str, ...] = ()
    keep_direct: tuple[str, ...] = ()

    @property
    def roles(self) -> dict[Role, tuple[str, ...]]:
        """The roles named, each with its column or columns."""
        named: dict[Role, tuple[str, ...]] = {}
        for role in _ROLES:
            text = getattr(self, role)
            if text is not None:
                parts = tuple(part.strip() for part in text.split(",")) if role == "time" else (text,)
                named[role] = parts
        if named and not {"customer", "goods"} <= named.keys():
            raise InputError("Naming columns needs at least the customer and the goods.", code="roles")
        return named


def options_for(folder: Path, given: dict[str, Any]) -> ReadOptions:
    """Return the options given (None counts as not given) over those of `kakurenbo.toml` in the folder."""
    return ReadOptions(
        **{**_settings(folder / SETTINGS), **{k: v for k, v in given.items() if v not in (None, ())}}
    )


def options_like(original: Path, given: dict[str, Any]) -> ReadOptions:
    """Return the options that hold for an original, to read its release with.

    What stands in the release is not asked: who made it could otherwise say how it is to be judged. Of its
    master everything is read, whatever was to be kept.
    """
    folder = original if original.is_dir() else original.parent
    return options_for(folder, given).model_copy(update={"keep_master": (), "keep_direct": ()})


def _settings(path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {}
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        reason = (
            str(error) if isinstance(error, tomllib.TOMLDecodeError) else "it cannot be read as UTF-8 text"
        )
        raise ParameterError(
            f"{SETTINGS} beside the data is not valid: {reason}.", code="parameter"
        ) from None
