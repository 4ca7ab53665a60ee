"""One dispatch by the kind of result: every format of an audit, a search or a reproduction."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from kakurenbo.auditing.results import Audit
from kakurenbo.errors import ParameterError
from kakurenbo.report import ENDINGS, audit, filing, render, reproduction, seal, tuning
from kakurenbo.report.charts import frontier, look, papers
from kakurenbo.report.languages import charted, language, translated
from kakurenbo.reproduction.results import Reproduction
from kakurenbo.tuning.results import Tuned

if TYPE_CHECKING:
    from pathlib import Path

    from kakurenbo.progress import Progress
    from kakurenbo.report import Result
    from kakurenbo.report.blocks import Page


def html(result: Result, lang: str = "en") -> str:
    """Return the page; a reproduction has none."""
    return seal.sealed(render.html(_page(result, lang)) + "\n")


def markdown(result: Result, figures: str | None = None, lang: str = "en") -> str:
    """Return Markdown, with links to the pictures in the folder `figures`."""
    if isinstance(result, Reproduction):
        return seal.sealed(reproduction.markdown(result, figures))
    return seal.sealed(render.markdown(_page(result, lang), figures))


def content(result: Result, ending: str, figures: str | None = None, lang: str = "en") -> bytes:
    """Return what a file of this ending holds."""
    match ending:
        case ".html":
            return html(result, lang).encode()
        case ".md":
            return markdown(result, figures, lang).encode()
        case ".json":
            return result.to_json().encode()
    if not isinstance(result, Tuned):
        raise ParameterError("Only a search is one picture; write the folder.", code="parameter")
    return look.image(_charted(frontier.picture(result), lang), ending)


def fill(result: Result, folder: Path, progress: Progress, lang: str = "en") -> None:
    """Write all texts, and every picture as SVG and PNG, into a folder."""
    for ending in ENDINGS[type(result)]:
        if ending not in {".svg", ".png"}:
            (folder / f"report{ending}").write_bytes(content(result, ending, "figures", lang))
    place = folder / "figures"
    place.mkdir()
    shown = _figures(result, lang)
    for done, (slug, specification) in enumerate(shown):
        progress.step(f"drawing {slug}", done / len(shown))
        for ending in (".svg", ".png"):
            (place / f"{slug}{ending}").write_bytes(look.image(specification, ending))


def _page(result: Result, lang: str) -> Page:
    """Return the page in a language."""
    spoken = language(lang)
    if lang == "en" or isinstance(result, Reproduction):
        return _english(result)
    page = translated(_english(result), spoken)
    return replace(page, lang=lang, filed=filing.line(result.filing, spoken.say))


def _charted(specification: dict[str, Any], lang: str) -> dict[str, Any]:
    return specification if lang == "en" else look.spoken(charted(specification, language(lang)))


def _english(result: Result) -> Page:
    with look.unchecked():
        if isinstance(result, Audit):
            return audit.page(result)
        if isinstance(result, Tuned):
            return tuning.page(result)
    raise ParameterError("A reproduction has no HTML page; write it as Markdown.", code="parameter")


def _figures(result: Result, lang: str) -> list[tuple[str, dict[str, Any]]]:
    """Return every picture with the name of its file."""
    if isinstance(result, Reproduction):
        return [(figure.slug, papers.chart(figure)) for figure in result.figures if figure.drawable]
    charts = ((figure.slug, figure.chart) for figure in _page(result, lang).figures)
    return [(slug, chart if lang == "en" else look.spoken(chart)) for slug, chart in charts]
