"""Write `kakurenbo.toml` beside the data: what a proposal says, with the reasons as comments.

The file is for people to read and change, so every line says why it is there. It names columns and forms, and
holds no value of anybody.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from kakurenbo.errors import WriteError
from kakurenbo.files import atomic, places
from kakurenbo.files.options import SETTINGS, ReadOptions

if TYPE_CHECKING:
    from pathlib import Path

    from kakurenbo.files.proposal import Proposal

KEYS = tuple(ReadOptions.model_fields)


def place_of(data: Path) -> Path:
    """Return where the settings of a table stand."""
    return places.folder_of(data) / SETTINGS


def write(place: Path, proposal: Proposal, *, overwrite: bool = False) -> None:
    """Write the settings, whole or not at all; others are replaced only where that was asked for."""
    if place.exists() and not overwrite:
        raise WriteError(
            f"{place.name} exists already; replace it with overwrite.", code="exists", parameter="overwrite"
        )
    atomic.write_file(place, as_toml(proposal).encode(), replaces=(lambda _: True) if overwrite else None)


def as_toml(proposal: Proposal) -> str:
    """Return a proposal as TOML that explains itself."""
    lines = [
        "# How kakurenbo reads the table beside this file. Options of a command win over it.",
        "# Columns that are not named here are not read.",
        "",
    ]
    if not proposal.header:
        lines += ["header = false  # columns are called 1, 2, 3", ""]
    reasons = {part.role: f"{part.reason} ({part.sure})" for part in proposal.parts}
    for name, value in proposal.options.items():
        if name == "header":
            continue
        names = value if isinstance(value, tuple) else value.split(",") if name == "time" else [value]
        forms = "; ".join(dict.fromkeys(proposal.forms[one] for one in names if one in proposal.forms))
        why = reasons.get(name, "they speak of the good, and are never released")
        lines += [f"# {_plain(why)}; form: {_plain(forms)}", f"{name} = {_written(value)}", ""]
    if proposal.policy:
        lines += [
            "# rows without an id, cancelled, or with zero or less are left out and counted; or refuse them",
            f'policy = "{proposal.policy}"',
            "",
        ]
    if proposal.left:
        lines += [f"# left over: {', '.join(map(_plain, proposal.left))}", ""]
    lines += [
        "# [release]            what is different in releases of this table, under the same names",
        '# customer = "ID"',
        "",
    ]
    return "\n".join(lines)


def _written(value: str | tuple[str, ...]) -> str:
    """Return text, or a list of it, as TOML writes it; JSON's strings are such."""
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    return f"[{', '.join(json.dumps(one, ensure_ascii=False) for one in value)}]"


def _plain(text: str) -> str:
    return "".join(letter if letter.isprintable() else " " for letter in text)
