"""How tables and results look where they are shown by themselves: in a notebook or at a prompt.

A line says what it is; a notebook shows a small table of counts and verdicts. No row and no value of anybody
is ever shown: what stands in a notebook is handed on with it. Which picture a result has is the report's
business, which stands above everything that has results; so it is looked up there by name, when asked for.
"""

from __future__ import annotations

from html import escape
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

_REPORT: Final = "kakurenbo.report"
_LEFT: Final = "text-align:left"


def card(title: str, rows: Iterable[tuple[str, object]], note: str = "") -> str:
    """Return a small table as HTML: a title, names with their counts or words, and a sentence below."""
    told = "".join(
        f'<tr><th style="{_LEFT}">{escape(name)}</th><td style="{_LEFT}">{escape(_said(value))}</td></tr>'
        for name, value in rows
    )
    below = f"<p>{escape(note)}</p>" if note else ""
    return f"<div><strong>{escape(title)}</strong><table>{told}</table>{below}</div>"


def _said(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) else str(value)


class Drawn:
    """A result that has a picture."""

    def plot(self) -> Any:  # noqa: ANN401 - altair ships no types
        """Return what to look at first as an altair chart; `pip install 'kakurenbo[report]'` draws it."""
        return import_module(_REPORT).plot(self)
