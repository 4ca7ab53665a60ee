"""The report of an audit: one HTML page that needs nothing else, Markdown, JSON, and all of it as a folder.

The words come first: what was asked, the answer, why; then the numbers that carry it; then everything, for
those who check. It sees what the audit found and never how.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from kakurenbo.errors import ParameterError
from kakurenbo.files.atomic import write_file, write_folder
from kakurenbo.report.audit.as_json import document

if TYPE_CHECKING:
    from collections.abc import Callable

    from kakurenbo.auditing.results import Audit

__all__ = ["check_path", "document", "html", "json_text", "markdown", "write", "write_text"]


def html(audit: Audit) -> str:
    """Return the audit as one page without scripts, network or other files."""
    from kakurenbo.report.audit.assemble import page  # noqa: PLC0415 - pictures are slow to load
    from kakurenbo.report.html import render  # noqa: PLC0415 - the same

    return render(page(audit))


def markdown(audit: Audit, figures: str | None = None) -> str:
    """Return the audit as Markdown.

    Args:
        audit: what was found.
        figures: the folder of the pictures, as seen from the file; None leaves them out.
    """
    from kakurenbo.report.audit.assemble import page  # noqa: PLC0415 - pictures are slow to load
    from kakurenbo.report.markdown import render  # noqa: PLC0415 - the same

    return render(page(audit), figures)


def json_text(audit: Audit) -> str:
    """Return the audit as the text of a JSON file."""
    return json.dumps(document(audit), indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def write(audit: Audit, path: str | Path) -> None:
    """Write one file by its ending, or a new folder with all formats and the pictures.

    Args:
        audit: what was found.
        path: ending in .html, .md or .json; without an ending it becomes a folder that must not exist yet.
    """
    path = Path(path)
    check_path(path)
    formats: dict[str, Callable[[Audit], str]] = {".html": html, ".md": markdown, ".json": json_text}
    if path.suffix:
        write_text(path, formats[path.suffix](audit))
    else:
        write_folder(path, lambda folder: _fill(audit, folder))


def check_path(path: Path) -> None:
    """Refuse a path that no report can be written to, before there is anything to write."""
    if path.suffix not in {"", ".html", ".md", ".json"}:
        raise ParameterError(
            f"A report ends in .html, .md or .json, or is a folder without ending; {path.name} is neither.",
            code="parameter",
        )
    if not path.suffix and path.exists():
        raise ParameterError(f"The report's folder {path.name} exists already.", code="exists")


def write_text(path: str | Path, text: str) -> None:
    """Write a report's text to a file that appears whole or not at all."""
    write_file(Path(path), text.encode())


def _fill(audit: Audit, folder: Path) -> None:
    from kakurenbo.report.audit.assemble import page  # noqa: PLC0415 - pictures are slow to load
    from kakurenbo.report.drawing import draw  # noqa: PLC0415 - the same

    (folder / "report.html").write_text(html(audit), encoding="utf-8")
    (folder / "report.md").write_text(markdown(audit, "figures"), encoding="utf-8")
    (folder / "report.json").write_text(json_text(audit), encoding="utf-8")
    place = folder / "figures"
    place.mkdir()
    for figure in page(audit).figures:
        drawn = draw(figure.chart)
        (place / f"{figure.slug}.svg").write_text(drawn.svg, encoding="utf-8")
        (place / f"{figure.slug}.png").write_bytes(drawn.png)
