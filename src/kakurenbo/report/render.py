"""A page of blocks as one HTML file, or as Markdown.

The HTML has its style and pictures within it, no script, and nothing to fetch. Its own policy forbids
everything but its style, so even a value that slipped through unescaped could neither run nor call anywhere.
"""

from __future__ import annotations

import base64
import hashlib
import re
from typing import TYPE_CHECKING, Any

import jinja2
from markupsafe import Markup

from kakurenbo.report.blocks import Bullets, Table, Text
from kakurenbo.report.charts.look import CJK, PALETTE, inline
from kakurenbo.report.languages import language

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kakurenbo.report.blocks import Block, Figure, Page


def html(page: Page) -> str:
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
    templates.filters["say"] = language(page.lang).say
    style = templates.get_template("page.css.j2").render(
        palette=PALETTE, cjk=CJK if page.lang != "en" else (), foot=_quoted(_foot(page))
    )
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return templates.get_template("page.html.j2").render(page=page, style=Markup(style), digest=digest)  # noqa: S704 - our own style


def _foot(page: Page) -> str:
    """Return what stands at the foot of every printed page."""
    return " · ".join(("kakurenbo", page.title, *([page.filed.split(" · ")[0]] if page.filed else [])))


def _quoted(text: str) -> Markup:
    """Return text as a string of a style sheet, whatever stands in it."""
    return Markup('"{}"').format(re.sub(r"[^\w .,:·+()-]", lambda one: f"\\{ord(one[0]):x} ", text))


def _unbroken(value: Any) -> Any:  # noqa: ANN401 - whatever a template prints
    """Keep a number and its per cent sign on one line."""
    return value.replace(" %", "\u00a0%") if type(value) is str else value


def _svg(specification: dict[str, Any], name: str) -> Markup:
    return Markup(inline(specification, name))  # noqa: S704 - drawn by us, its texts escaped by the drawer


def markdown(page: Page, figures: str | None = None) -> str:
    """Return the page; pictures are linked from the folder `figures`, or left out where it is None."""
    lines = [f"# {plain(page.title)}", "", plain(page.about), ""]
    lines += [plain(page.filed), ""] if page.filed else []
    lines += [
        line
        for warning in page.warnings
        for line in (f"> **{language(page.lang).say('Warning.')}** {plain(warning)}", "")
    ]
    stop = "." if page.lang == "en" else "。"
    lines += [f"**{plain(page.question)} {plain(page.answer)}{stop}**", "", *_bullets(page.reasons)]
    lines += [
        f"- {plain(card.label)}: **{plain(card.value)}**{stop} {plain(card.detail)}" for card in page.cards
    ]
    lines.append("")
    for section in page.sections:
        lines += [f"## {plain(section.title)}", ""]
        lines += [line for block in section.blocks for line in _block(block, figures)]
    return "\n".join(lines).rstrip() + "\n"


def plain(text: str) -> str:
    """Return text that Markdown shows as it is: no markup, no HTML, no end of a cell, one line."""
    return re.sub(r"([\\`*\[\]<>|])", r"\\\1", " ".join(text.split()))


def _block(block: Block, figures: str | None) -> list[str]:
    match block:
        case Text(text, "plain"):
            return [plain(text), ""]
        case Text(text):
            return [f"**{plain(text)}**", ""]
        case Bullets(items):
            return _bullets(items)
        case Table():
            return _table(block)
        case _ if figures is None:
            return []
        case _:
            return [line for figure in block.figures for line in _figure(figure, figures)]


def _bullets(items: Iterable[str]) -> list[str]:
    return [*(f"- {plain(item)}" for item in items), ""]


def _table(table: Table) -> list[str]:
    rules = ["---:" if column.kind == "number" else "---" for column in table.columns]
    heads = (plain(column.name) for column in table.columns)
    lines = [f"{plain(table.caption)}:", "", _line(heads), _line(rules)]
    for place, row in enumerate(table.rows):
        first, *others = map(plain, row)
        lines.append(_line([f"**{first}**" if place in table.marked else first, *others]))
    return [*lines, ""]


def _line(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _figure(figure: Figure, folder: str) -> list[str]:
    return [f"![{plain(figure.title)}]({folder}/{figure.slug}.svg)", "", plain(figure.note), ""]
