"""A page of blocks as one HTML file: style and pictures within it, no script, nothing to fetch.

The page's own policy forbids everything but its style, so even a value that slipped through unescaped could
neither run nor call anywhere.
"""

from __future__ import annotations

import base64
import hashlib
from typing import TYPE_CHECKING, Any

import jinja2
from markupsafe import Markup

from kakurenbo.report.drawing import PALETTE, inline

if TYPE_CHECKING:
    from kakurenbo.report.blocks import Page


def render(page: Page) -> str:
    """Return the page as HTML."""
    templates = jinja2.Environment(
        loader=jinja2.PackageLoader("kakurenbo.report"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_unbroken,
    )
    templates.filters["svg"] = _svg
    templates.tests["block"] = lambda block, kind: type(block).__name__ == kind
    style = templates.get_template("page.css.j2").render(palette=PALETTE)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return templates.get_template("page.html.j2").render(page=page, style=Markup(style), digest=digest)  # noqa: S704 - our own style


def _unbroken(value: Any) -> Any:  # noqa: ANN401 - whatever a template prints
    """Keep a number and its per cent sign on one line."""
    return value.replace(" %", "\u00a0%") if type(value) is str else value


def _svg(specification: dict[str, Any], name: str) -> Markup:
    return Markup(inline(specification, name))  # noqa: S704 - drawn by us, its texts escaped by the drawer
