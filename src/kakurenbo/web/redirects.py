"""Answers that lead on: to a path of this site and never elsewhere, or to a file to be kept."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from starlette.responses import FileResponse, Response

from kakurenbo.web.visit import visit_of

if TYPE_CHECKING:
    from starlette.requests import Request

_LONGEST: Final = 2_000
_LOCAL: Final = re.compile(
    r"/(?![/\\])[!-\[\]-~]*"
)  # visible ASCII without backslash, and no second slash first


def local_path(text: str | None, default: str = "/") -> str:
    """Return a path of this site, or the default for anything else."""
    fits = text is not None and len(text) <= _LONGEST and _LOCAL.fullmatch(text)
    return text if fits and text is not None else default


def go(path: str) -> Response:
    """Lead on to a path of this site."""
    return Response(
        status_code=303, headers={"Location": local_path(quote(path, safe="/?&=%#:+,;@~!$'()*-._[]"))}
    )


def back(request: Request, default: str = "/") -> Response:
    """Lead to where `next` says, of the form or the address, if that is a path of this site."""
    form = visit_of(request).form
    asked = form.get("next") if form is not None else None
    return go(local_path(asked or request.query_params.get("next"), default))


def attachment(content: bytes | Path, name: str, media_type: str = "application/octet-stream") -> Response:
    """Return a file that a browser keeps and never shows."""
    plain = re.sub(r"[^\w.-]", "_", name, flags=re.ASCII)
    disposition = f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name, safe='')}"
    headers = {"Content-Disposition": disposition}
    if isinstance(content, Path):
        return FileResponse(content, media_type=media_type, headers=headers)
    return Response(content, media_type=media_type, headers=headers)
