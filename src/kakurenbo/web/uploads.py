"""Files that are sent: streamed to a folder of their own, counted while they come, gone afterwards.

A file is never held in memory, and what its sender called it is text to be shown, never a path. Whoever sends
more than is allowed is told so at that byte, not at the end.
"""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final

from starlette.concurrency import run_in_threadpool as in_thread

from kakurenbo.web.aside import Upload, Writing, aside, done
from kakurenbo.web.forms import Form
from kakurenbo.web.multipart import Parts
from kakurenbo.web.refusals import Refusal
from kakurenbo.web.visit import Visit, visit_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.requests import Request

__all__ = ["Upload", "UploadForm", "in_thread", "raw_body", "upload_form"]

_ENVELOPE: Final = 1 << 17  # bytes of a form around its files: fields, names, boundaries
_PIECE: Final = 1 << 18  # bytes that are written at a time


class UploadForm(Form):
    """A form with files."""

    def __init__(self, pairs: list[tuple[str, str]], files: list[tuple[str, Upload]]) -> None:
        super().__init__(pairs)
        self._files = tuple(files)

    def file(self, name: str) -> Upload | None:
        """Return the file of a field; None where none was chosen."""
        return next(iter(self.files(name)), None)

    def files(self, name: str) -> list[Upload]:
        """Return all files of a field."""
        return [upload for key, upload in self._files if key == name and (upload.name or upload.size)]


@asynccontextmanager
async def raw_body(request: Request, *, limit: int, name: str = "") -> AsyncIterator[Upload]:
    """Put a request's whole body aside as one file of at most `limit` bytes."""
    visit = _streamed(request, limit)
    async with aside(visit.site.uploads) as folder:
        writing = Writing(folder / "0", name)
        try:
            async for pieces in _gathered(request):
                await done(len(pieces), writing.write, pieces)
        finally:
            writing.close()
        yield writing.done()


@asynccontextmanager
async def upload_form(request: Request, *, limit: int) -> AsyncIterator[UploadForm]:
    """Put the files of a form aside, together at most `limit` bytes; the form's token stands before them."""
    visit = _streamed(request, limit + _ENVELOPE)
    kind = request.headers.get("content-type", "")
    async with aside(visit.site.uploads) as folder:
        parts = Parts(visit, kind, lambda place, name: Writing(folder / place, name))
        try:
            async for pieces in _gathered(request):
                await done(len(pieces), parts.feed, pieces)
                if parts.size > limit:
                    raise Refusal(413)
            parts.finish()
        finally:
            parts.close()
        form = UploadForm(parts.fields, [(name, writing.done()) for name, writing in parts.files])
        visit.form = form
        yield form


async def _gathered(request: Request) -> AsyncIterator[bytes]:
    """Yield a body in pieces that are worth a thread's while."""
    gathered = bytearray()
    async for piece in request.stream():
        gathered += piece
        if len(gathered) >= _PIECE:
            yield bytes(gathered)
            gathered.clear()
    if gathered:
        yield bytes(gathered)


def _streamed(request: Request, limit: int) -> Visit:
    """Return the visit of a request whose body is streamed, with a limit of its own."""
    visit = visit_of(request)
    visit.limit = limit
    if request.headers.get("content-encoding", "identity") != "identity":
        raise Refusal(415)
    return visit
