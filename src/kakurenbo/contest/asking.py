"""Asking a server by HTTP, with nothing but the standard library.

A token is sent to the server that was named and to no other: redirections are not followed, and over plain
HTTP it goes to this very machine only, unless that is asked for.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from http.client import HTTPException
from typing import IO, TYPE_CHECKING, Any, Final
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from kakurenbo.errors import CODES, InputError, ParameterError

if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from http.client import HTTPResponse

SECONDS: Final = 60.0
_LOCAL: Final = frozenset({"localhost", "127.0.0.1", "::1"})
_MOST: Final = 64 << 20  # bytes of an answer that is no file
_LONGEST: Final = 300  # letters of what a server says
_CODES: Final = {"sign-in": "denied", "missing": "unknown-name", "too-many": "quota"}  # those of the web


class _Still(HTTPRedirectHandler):
    """Follows no redirection: another server must not get the token."""

    def redirect_request(self, *_: object, **__: object) -> None:
        """Return none, which lets the answer be an error."""


@dataclass(frozen=True)
class Body:
    """What is sent: its bytes or a stream of them, how many they are, and what they are."""

    content: bytes | IO[bytes]
    size: int
    kind: str = "application/octet-stream"


@dataclass(frozen=True)
class Server:
    """A server, and who asks it.

    Attributes:
        address: such as https://cup.example.
        token: of an account; without it only what everybody may see is answered.
        plain: send the token over plain HTTP to other machines too, where whoever listens can read it.
        seconds: how long to wait for an answer.
    """

    address: str
    token: str | None = field(default=None, repr=False)
    plain: bool = False
    seconds: float = SECONDS

    def __post_init__(self) -> None:
        given = urlsplit(self.address)
        if given.scheme not in {"http", "https"} or not given.hostname:
            raise ParameterError(
                "The server is given by its address, such as https://cup.example.", code="parameter",
                parameter="server",
            )  # fmt: skip
        if self.token and given.scheme == "http" and given.hostname not in _LOCAL and not self.plain:
            raise ParameterError(
                "Over plain HTTP whoever listens could read the token: give an address with https, or allow "
                "it where the network is your own.",
                code="denied",
                parameter="plain",
            )

    def document(self, path: str, method: str = "GET", body: Body | None = None) -> dict[str, Any]:
        """Return the document that the server answers with."""
        with self.answer(path, method, body) as answer:
            text = answer.read(_MOST)
        try:
            document = json.loads(text)
        except ValueError:
            document = None
        if not isinstance(document, dict):
            raise _no_contest()
        return document

    def answer(
        self, path: str, method: str = "GET", body: Body | None = None
    ) -> AbstractContextManager[HTTPResponse]:
        """Return the server's answer, to be read; what it refuses is raised with its code."""
        try:
            opened: AbstractContextManager[HTTPResponse] = build_opener(_Still).open(
                self._request(path, method, body), timeout=self.seconds
            )
        except HTTPError as error:
            with error:
                raise _refused(error) from None
        except (URLError, OSError, HTTPException):
            raise InputError(
                "The server does not answer. Is the address right, and is it running?", code="server"
            ) from None
        return opened

    def _request(self, path: str, method: str, body: Body | None) -> Request:
        address = f"{self.address.rstrip('/')}/api/v1/{path}"
        content = None if body is None else body.content
        request = Request(address, data=content, method=method)  # noqa: S310 - its scheme was checked
        request.add_header("Accept", "application/json")
        if body is not None:
            request.add_header("Content-Type", body.kind)
            request.add_header("Content-Length", str(body.size))
        if self.token:
            request.add_unredirected_header("Authorization", f"Bearer {self.token}")
        return request


def _refused(error: HTTPError) -> InputError | ParameterError:
    """Return what the server refused, in its own words."""
    try:
        document = json.loads(error.read(_MOST))
        code, message = str(document["code"]), str(document["message"])
    except (ValueError, KeyError, TypeError, OSError, HTTPException):
        return _no_contest(error.code)
    said = "".join(letter for letter in message if letter.isprintable())[:_LONGEST]
    known = _CODES.get(code, code)
    return ParameterError(said, code=known if known in CODES else "server")


def _no_contest(status: int | None = None) -> InputError:
    told = "" if status is None else f" (status {status})"
    return InputError(
        f"The server's answer is not that of a contest{told}; is the address right?", code="server"
    )
