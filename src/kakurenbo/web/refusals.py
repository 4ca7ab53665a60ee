"""What is refused, and how it is told: a page to people, JSON to programs, the same sentence in both.

Whatever a page raises ends here. Errors that this program raises on purpose carry a code, and the code says
which status the answer has. Anything else is a fault of ours: it is told without a word about what it was,
and noted by its type and place only, for a message may hold a value of a person.
"""

from __future__ import annotations

import logging
import traceback
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, PlainTextResponse, Response

from kakurenbo.errors import KakurenboError
from kakurenbo.web.visit import Visit, visit_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from starlette.requests import HTTPConnection

_LOG: Final = logging.getLogger(__name__)
_STATUS: Final = {
    "denied": 403,
    "unknown-name": 404,
    "path-missing": 404,
    "closed": 409,
    "exists": 409,
    "limit": 413,
    "quota": 429,
    "write": 503,
    "busy": 503,
    "stopped": 503,
}
_UNREADABLE: Final = 422
_SENTENCES: Final = {
    400: "The request cannot be understood.",
    401: "Please sign in first.",
    403: "You may not do this.",
    404: "There is no such page.",
    405: "This page cannot be used in this way.",
    408: "The request took too long.",
    409: "This is not possible now.",
    410: "This page is gone.",
    411: "The request does not say how long it is.",
    413: "This is too large.",
    415: "The server does not take this kind of content.",
    422: "Something in the form is not as it must be.",
    429: "Too many tries. Please wait a little.",
    500: "Something went wrong on the server. It was noted.",
    503: "The server is busy. Please try again in a moment.",
}
_CODES: Final = {
    400: "request",
    401: "sign-in",
    403: "denied",
    404: "missing",
    405: "method",
    408: "timeout",
    409: "conflict",
    410: "gone",
    413: "limit",
    415: "content-type",
    422: "parameter",
    429: "too-many",
    500: "fault",
    503: "busy",
}


class Refusal(HTTPException):
    """An answer that is no page: a status, and an English sentence that is said in the reader's language.

    Args:
        status: the status of the answer.
        message: what to tell; without it the usual sentence of the status.
        code: a word for machines; without it the usual one of the status.
        faults: what is wrong, where there is more than one thing.
        headers: of the answer.
        fields: what stands in the sentence's fields.
    """

    def __init__(
        self,
        status: int,
        message: str = "",
        /,
        *,
        code: str = "",
        faults: Sequence[Mapping[str, Any]] = (),
        headers: Mapping[str, str] | None = None,
        **fields: object,
    ) -> None:
        self.message = message or _SENTENCES.get(status, HTTPStatus(status).phrase)
        super().__init__(
            status, self.message.format(**fields) if fields else self.message, dict(headers or {})
        )
        self.code = code or _CODES.get(status, "refused")
        self.faults = tuple(faults)
        self.fields = fields


def refusal(error: Exception) -> Refusal:
    """Return any error as the refusal that it means."""
    if isinstance(error, Refusal):
        return error
    if isinstance(error, KakurenboError):
        return Refusal(_STATUS.get(error.code, _UNREADABLE), str(error), code=error.code)
    if isinstance(error, HTTPException):
        return Refusal(error.status_code, headers=error.headers)
    return Refusal(500)


def note(error: Exception) -> None:
    """Note a fault of ours by its type and place, never by its message."""
    frames = traceback.extract_tb(error.__traceback__)
    place = " < ".join(f"{frame.filename.rpartition('/')[2]}:{frame.lineno}" for frame in frames[:-6:-1])
    _LOG.error("fault: %s at %s", type(error).__name__, place)


def answer(request: HTTPConnection, error: Exception) -> Response:
    """Return what is told about an error."""
    visit, refused = visit_of(request), refusal(error)
    headers = dict(refused.headers or {})
    message = _said(visit, refused)
    if visit.api:
        told = {"code": refused.code, "message": message}
        listed = {"faults": list(refused.faults)} if refused.faults else {}
        return JSONResponse({**told, **listed}, refused.status_code, headers)
    if 300 <= refused.status_code < 400:
        return Response(status_code=refused.status_code, headers=headers)
    return _page(visit, refused, message, headers)


def _said(visit: Visit, refused: Refusal) -> str:
    """Return the sentence in the reader's language, the name of a form's field too."""
    words, fields = visit.site.words, dict(refused.fields)
    if "field" in fields:
        fields["field"] = words.t(visit.lang, str(fields["field"]).replace("_", " "))
    return words.said(visit.lang, refused.message, **fields)


def _page(visit: Visit, refused: Refusal, message: str, headers: Mapping[str, str]) -> Response:
    from kakurenbo.web.templating import page  # noqa: PLC0415 - templates need refusals, and this page a template

    shown: Response
    try:
        shown = page(visit, "error.html", status=refused.status_code, message=message, faults=refused.faults)
    except Exception as error:  # noqa: BLE001 - telling of an error must not fail
        note(error)
        shown = PlainTextResponse(message, refused.status_code)
    shown.headers.update(headers)
    return shown
