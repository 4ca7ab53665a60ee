"""Results as HTML, Markdown, JSON and figures: sees the records that come back, never the algorithms.

`kb.report.write(result, "audit.html")` is all that most users need: the ending decides, and a path without
one becomes a new folder with everything in it. What draws takes a second to load and is an extra, so it
waits until then; JSON needs none of it.
"""

from __future__ import annotations

import resource
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from kakurenbo.auditing.results import Audit
from kakurenbo.errors import ParameterError
from kakurenbo.extras import require
from kakurenbo.files import outputs
from kakurenbo.files.atomic import refusals, write_file, write_folder
from kakurenbo.progress import Progress
from kakurenbo.report.languages import language
from kakurenbo.report.seal import SEALED, is_picture, is_report
from kakurenbo.reproduction.results import Reproduction
from kakurenbo.tuning.results import Tuned

if TYPE_CHECKING:
    from kakurenbo.risk.profile import MicrodataProfile, PurchasesProfile

Result = Audit | Tuned | Reproduction

_SPACE: Final = 72 * 2**30  # the drawer is a browser's engine, and aborts where it cannot reserve that
ENDINGS: Final[dict[type[Result], tuple[str, ...]]] = {
    Audit: (".html", ".md", ".json"),
    Tuned: (".html", ".md", ".json", ".svg", ".png"),
    Reproduction: (".md", ".json"),
}


def html(result: Result, lang: str = "en") -> str:
    """Return an audit or a search as one page without scripts, network or other files.

    Args:
        result: what was found.
        lang: the language, en or ja.
    """
    drawable()
    from kakurenbo.report import formats  # noqa: PLC0415 - pictures are slow to load

    return formats.html(result, lang)


def markdown(result: Result, figures: str | None = None, lang: str = "en") -> str:
    """Return a result as Markdown.

    Args:
        result: what was found.
        figures: the folder of the pictures, as seen from the file; None leaves them out.
        lang: the language, en or ja; of a reproduction there is only English.
    """
    drawable()
    from kakurenbo.report import formats  # noqa: PLC0415 - pictures are slow to load

    return formats.markdown(result, figures, lang)


def plot(result: Audit | Tuned | PurchasesProfile | MicrodataProfile) -> Any:  # noqa: ANN401 - altair ships no types
    """Return what to look at first as an altair chart: attackers, the frontier, or who is singled out."""
    drawable()
    from kakurenbo.report.charts import first  # noqa: PLC0415 - pictures are slow to load

    return first.chart(result)


def write(
    result: Result,
    path: str | Path,
    progress: Progress | None = None,
    *,
    lang: str = "en",
    overwrite: bool = False,
) -> None:
    """Write a result to a file by its ending, or to a new folder with all texts and pictures.

    Args:
        result: what was found.
        path: ending in .html (not for a reproduction), .md or .json, or for a search in .svg or .png; without
            an ending it becomes a new folder.
        progress: told about each picture of a folder.
        lang: the language of what people read, en or ja; JSON is the same in all.
        overwrite: replace a report of ours of the same name that nobody has changed, or a picture.
    """
    language(lang)
    path = Path(path)
    place = output(type(result), path, overwrite=overwrite)
    outputs.check([place])
    if path.suffix == ".json":
        write_file(path, result.to_json().encode(), replaces=place.replaces)
        return
    from kakurenbo.report import formats  # noqa: PLC0415 - pictures are slow to load

    if path.suffix:
        with refusals(path):  # a disk may be full while a picture is drawn
            content = formats.content(result, path.suffix, lang=lang)
        write_file(path, content, replaces=place.replaces)
    else:
        write_folder(path, lambda folder: formats.fill(result, folder, progress or Progress(), lang))


def output(
    kind: type[Result], path: Path, parameter: str = "report", *, overwrite: bool = False
) -> outputs.Output:
    """Return where such a result goes; refuse a path that none can be written to."""
    *others, last = ENDINGS[kind]
    if path.suffix not in {"", *others, last}:
        raise ParameterError(
            f"This report ends in {', '.join(others)} or {last}, or is a folder without ending; {path.name} "
            "is neither.",
            code="parameter",
        )
    if path.suffix != ".json":
        drawable()
    known = {**dict.fromkeys(SEALED, is_report), ".svg": is_picture, ".png": is_picture}
    recognise = known.get(path.suffix)
    asked = recognise is not None and not overwrite
    return outputs.Output(parameter, path, replaces=None if asked else recognise, overwritable=asked)


def picture(parameter: str, path: Path, *, overwrite: bool = False) -> outputs.Output:
    """Return where a picture goes."""
    return outputs.Output(
        parameter, path, replaces=is_picture if overwrite else None, overwritable=not overwrite
    )


def drawable() -> None:
    """Refuse where nothing can be drawn: not installed, or no room for the drawer's addresses."""
    require("report")
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit != resource.RLIM_INFINITY and limit < _SPACE:
        raise ParameterError(
            f"Drawing reserves {_SPACE >> 30} GiB of address space (most of it unused), and less is allowed "
            "here: lift the limit, or ask for .json.",
            code="limit",
        )
