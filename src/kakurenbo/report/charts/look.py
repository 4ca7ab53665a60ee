"""The look that pictures share, and how a chart becomes an SVG or PNG without a browser or a network.

Colours are few, told apart by colour-blind readers, and dark enough on white. A page recolours them by their
very value (`[fill="#0b63a5"]`), so a picture follows the reader's dark mode without being drawn twice.
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import vl_convert
from altair.utils.schemapi import debug_mode

if TYPE_CHECKING:
    from collections.abc import Iterator

INK: Final = "#1f2933"
FAINT: Final = "#52606d"
GRID: Final = "#d9dee4"
BEFORE: Final = "#87919c"
AFTER: Final = "#0b63a5"
LIMIT: Final = "#b93c0a"
THIRD: Final = "#00755a"
FOURTH: Final = "#9c3d76"
PAPER: Final = "#fefefe"  # white, but not any white
PALETTE: Final = {
    "ink": INK, "faint": FAINT, "grid": GRID, "before": BEFORE, "after": AFTER, "limit": LIMIT,
    "third": THIRD, "fourth": FOURTH, "paper": PAPER,
}  # fmt: skip
WIDE, NARROW = 940, 440
_SCALE = 2.0
_FONT = "Arial, Liberation Sans, Helvetica, sans-serif"  # as wide as the drawer measures
CJK: Final = ("Noto Sans CJK JP", "Hiragino Sans", "Yu Gothic", "Meiryo")  # at least one is on most machines


@contextmanager
def unchecked() -> Iterator[None]:
    """Let altair put charts together without holding every part against its schema: half of a report's time.

    Our charts are the same in every report, and a test holds each of them against the schema whole.
    """
    with debug_mode(False):
        yield


def spoken(specification: dict[str, Any]) -> dict[str, Any]:
    """Return a specification whose letters may be Japanese; a PNG needs one of the fonts on this machine."""
    config = specification.get("config", {})
    return {**specification, "config": {**config, "font": ", ".join((*CJK, _FONT))}}


def svg(specification: dict[str, Any]) -> str:
    """Return a Vega-Lite specification as a scalable image."""
    drawn: str = vl_convert.vegalite_to_svg(specification)
    return drawn


def image(specification: dict[str, Any], ending: str) -> bytes:
    """Return what a file of this ending, .svg or .png, holds."""
    if ending == ".svg":
        return svg(specification).encode()
    drawn: bytes = vl_convert.vegalite_to_png(specification, scale=_SCALE)
    return drawn


def themed(chart: Any, width: int, height: int) -> dict[str, Any]:  # noqa: ANN401 - altair ships no types
    """Return the specification of a chart of this size, axes and legend included, in the shared look."""
    axis = {
        "labelFontSize": 13, "titleFontSize": 13, "titleFontWeight": "normal", "titlePadding": 8,
        "labelColor": FAINT, "titleColor": FAINT, "gridColor": GRID, "domainColor": GRID, "tickColor": GRID,
        "labelLimit": 230,
    }  # fmt: skip
    legend = {
        "labelFontSize": 13, "labelColor": INK, "labelLimit": 300, "orient": "top", "title": None,
        "symbolOpacity": 1, "offset": 10, "rowPadding": 4, "columnPadding": 14,
    }  # fmt: skip
    look = {
        "aria": False, "font": _FONT, "axis": axis, "legend": legend, "view": {"stroke": None},
        "range": {"category": [AFTER, LIMIT, THIRD, FOURTH, BEFORE]}, "text": {"fontSize": 13, "fill": INK},
    }  # fmt: skip
    sized = {
        "width": width,
        "height": height,
        "padding": 4,
        "autosize": {"type": "fit", "contains": "padding"},
    }
    return {**chart.to_dict(validate=False), **sized, "background": "white", "config": look}


def plain(chart: Any, **legend: Any) -> dict[str, Any]:  # noqa: ANN401 - altair ships no types
    """Return the specification of a chart that stands by itself, as large as it says, on white."""
    drawn = chart.properties(background="white", padding=12).configure_view(stroke=None)
    drawn = drawn.configure_axis(labelFontSize=12, titleFontSize=12, titlePadding=8, gridColor="#e5e5e5")
    drawn = drawn.configure_legend(labelFontSize=12, labelLimit=300, title=None, **legend)
    specification: dict[str, Any] = drawn.to_dict()
    return specification


def inline(specification: dict[str, Any], name: str) -> str:
    """Return an SVG to stand within a page: no background or fixed size, ids and digits of its own.

    Args:
        specification: what to draw.
        name: keeps the ids of this picture apart from those of its neighbours.
    """
    head, rest = svg({**specification, "background": None}).split(">", 1)
    head = re.sub(r' (width|height|version|class|xmlns(:xlink)?)="[^"]*"', "", head)
    inner = re.sub(r"<[^>]*>", lambda tag: _short(tag[0], name), rest)
    return f'{head} aria-hidden="true" focusable="false">{inner}'


def _short(tag: str, name: str) -> str:
    tag = re.sub(r'(?<= id=")|(?<=url\(#)', f"{name}-", tag)
    tag = re.sub(r' (font-family|aria-[a-z]+|role|pointer-events)="[^"]*"', "", tag)
    return re.sub(r"(?<=\d)\.(\d{1,2})\d*", r".\1", tag)
