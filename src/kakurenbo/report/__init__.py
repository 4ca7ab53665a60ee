"""Results as HTML, Markdown, JSON and figures: sees the records that come back, never the algorithms.

`kb.report.write(result, "audit.html")` is all that most users need: the ending decides, and a path without
one becomes a new folder with everything in it. Pictures take a second to load, so what draws them is imported
only where it is used.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from kakurenbo.auditing.results import Audit
from kakurenbo.errors import ParameterError
from kakurenbo.files.atomic import write_file, write_folder
from kakurenbo.reproduction.results import Reproduction

if TYPE_CHECKING:
    from collections.abc import Callable

    from kakurenbo.report.blocks import Page

Result = Audit | Reproduction

_ENDINGS: Final[dict[type[Result], tuple[str, ...]]] = {
    Audit: (".html", ".md", ".json"),
    Reproduction: (".md", ".json"),
}


def html(result: Result) -> str:
    """Return a result as one page without scripts, network or other files."""
    from kakurenbo.report import render  # noqa: PLC0415 - pictures are slow to load

    return render.html(_page(result))


def markdown(result: Result, figures: str | None = None) -> str:
    """Return a result as Markdown.

    Args:
        result: what was found.
        figures: the folder of the pictures, as seen from the file; None leaves them out.
    """
    from kakurenbo.report import render, reproduction  # noqa: PLC0415 - pictures are slow to load

    if isinstance(result, Reproduction):
        return reproduction.markdown(result, figures)
    return render.markdown(_page(result), figures)


def write(result: Result, path: str | Path, progress: Callable[[str], None] | None = None) -> None:
    """Write a result to a file by its ending, or to a new folder with all texts and pictures.

    Args:
        result: what was found.
        path: ending in .html, .md or .json; without an ending it becomes a folder, which must not exist yet.
            A reproduction has no HTML.
        progress: told about each picture of a folder.
    """
    path = Path(path)
    check(type(result), path)
    if path.suffix:
        write_file(path, _content(result, path.suffix))
    else:
        write_folder(path, lambda folder: _fill(result, folder, progress or (lambda _: None)))


def check(kind: type[Result], path: Path) -> None:
    """Refuse a path that no such result can be written to, before there is anything to write."""
    *others, last = _ENDINGS[kind]
    if path.suffix not in {"", *others, last}:
        raise ParameterError(
            f"This report ends in {', '.join(others)} or {last}, or is a folder without ending; {path.name} "
            "is neither.",
            code="parameter",
        )
    if not path.suffix and path.exists():
        raise ParameterError(f"The report's folder {path.name} exists already.", code="exists")


def _content(result: Result, ending: str, figures: str | None = None) -> bytes:
    match ending:
        case ".html":
            return html(result).encode()
        case ".md":
            return markdown(result, figures).encode()
        case _:
            return result.to_json().encode()


def _fill(result: Result, folder: Path, told: Callable[[str], None]) -> None:
    from kakurenbo.report.charts import look  # noqa: PLC0415 - pictures are slow to load

    for ending in _ENDINGS[type(result)]:
        (folder / f"report{ending}").write_bytes(_content(result, ending, "figures"))
    place = folder / "figures"
    place.mkdir()
    for slug, specification in _figures(result):
        told(f"drawing {slug}")
        (place / f"{slug}.svg").write_text(look.svg(specification), encoding="utf-8")
        (place / f"{slug}.png").write_bytes(look.png(specification))


def _page(result: Result) -> Page:
    from kakurenbo.report import audit  # noqa: PLC0415 - pictures are slow to load

    if isinstance(result, Audit):
        return audit.page(result)
    raise ParameterError("A reproduction has no HTML page; write it as Markdown.", code="parameter")


def _figures(result: Result) -> list[tuple[str, dict[str, Any]]]:
    """Return every picture with the name of its file."""
    from kakurenbo.report.charts import papers  # noqa: PLC0415 - pictures are slow to load

    if isinstance(result, Reproduction):
        return [(figure.slug, papers.chart(figure)) for figure in result.figures if figure.drawable]
    return [(figure.slug, figure.chart) for figure in _page(result).figures]
