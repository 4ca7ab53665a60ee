"""The guard at the door: which hosts are served, how much is read, and what every answer carries.

It stands before everything else, so that no answer, not even that of a fault, goes out without its headers.
The policy allows nothing that is not our own file: no script or style within a page, no frame, no foreign
address. So even a text that slipped through unescaped could neither run nor call anywhere.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect, HTTPConnection

from kakurenbo.web.flash import keep
from kakurenbo.web.languages import best
from kakurenbo.web.refusals import Refusal, answer, note
from kakurenbo.web.visit import Visit, begin

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from kakurenbo.web.site import Site

POLICY: Final = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; font-src 'self'; "
    "form-action 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'"
)
HEADERS: Final = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_HSTS: Final = "max-age=31536000"
_DIGITS: Final = 18  # of a length; more would be more than any limit anyway
_THEMES: Final = {"light", "dark"}


class Guard:
    """Stands between the server and the application."""

    def __init__(self, app: ASGIApp, site: Site) -> None:
        self.app = app
        self.site = site

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request; connections of other kinds are closed."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
        elif scope["type"] == "http":
            await self._serve(scope, receive, send)
        else:
            await send({"type": "websocket.close", "code": 1008})

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        visit, door = self._visit(scope), _Door(receive, send)
        door.visit, door.silent = visit, scope["method"] == "HEAD"
        scope["method"] = "GET" if door.silent else scope["method"]
        begin(visit)
        try:
            if not _served(Headers(scope=scope).get("host", ""), self.site.hosts):
                raise Refusal(400, "This server does not answer to that name.", code="host")  # noqa: TRY301
            await self.app(scope, door.receive, door.send)
        except ClientDisconnect:
            return
        except Exception as error:  # noqa: BLE001 - whatever it is, an answer goes out
            await _told(error, visit, scope, door)

    def _visit(self, scope: Scope) -> Visit:
        connection = HTTPConnection(scope)
        visit = Visit(
            site=self.site,
            connection=connection,
            limit=self.site.body_limit,
            secure=scope.get("scheme") == "https",
            lang="en",
            theme="auto",
        )
        theme, accepts = visit.cookie("theme"), connection.headers.get("accept-language", "")
        visit.lang = best(connection.query_params.get("lang"), visit.cookie("lang"), accepts=accepts)
        visit.theme = theme if theme in _THEMES else "auto"
        return visit


class _Door:
    """What goes in and out: counted on the way in, and given its headers on the way out."""

    visit: Visit
    silent: bool

    def __init__(self, receive: Receive, send: Send) -> None:
        self._receive, self._send = receive, send
        self._read, self._whole = 0, False
        self.begun = False

    async def receive(self) -> Message:
        """Return the next piece of the request, unless it is one too many or too late."""
        if self._whole:
            return await self._receive()
        if _announced(self.visit) > self.visit.limit:
            raise Refusal(413)
        try:
            async with asyncio.timeout(self.visit.site.patience):
                message = await self._receive()
        except TimeoutError:
            raise Refusal(408) from None
        self._read += len(message.get("body", b""))
        if self._read > self.visit.limit:
            raise Refusal(413)
        self._whole = not message.get("more_body", False)
        return message

    @property
    def _has_more(self) -> bool:
        """Whether there is something of the request that nobody has read."""
        chunked = "transfer-encoding" in self.visit.connection.headers
        return not self._whole and (chunked or _announced(self.visit) > 0)

    async def send(self, message: Message) -> None:
        """Send a piece of the answer; the head gets what every answer carries."""
        if message["type"] == "http.response.start":
            if self.visit.csrf == "due" and message["status"] < 400:
                raise RuntimeError("a route took a form without asking for its token")
            self.begun = True
            headers = MutableHeaders(raw=message.setdefault("headers", []))
            _dress(self.visit, headers)
            if message["status"] >= 400 and self._has_more:
                headers["Connection"] = "close"  # or the server would go on reading what nobody wants
        elif message["type"] == "http.response.body" and self.silent:
            message = {**message, "body": b""}
        await self._send(message)


def _announced(visit: Visit) -> int:
    """Return how long a request says it is."""
    length = visit.connection.headers.get("content-length", "0")
    return int(length[:_DIGITS]) if length.isdecimal() else 0


async def _told(error: Exception, visit: Visit, scope: Scope, door: _Door) -> None:
    """Tell of an error that nobody else has told of."""
    if not isinstance(error, Refusal):
        note(error)
    if door.begun:
        raise RuntimeError("an answer broke off") from None  # without the message, which may hold a value
    visit.csrf = "not needed"
    await answer(visit.connection, error)(scope, door.receive, door.send)


def _dress(visit: Visit, headers: MutableHeaders) -> None:
    """Give an answer its headers and cookies."""
    keep(visit)
    for name, value in HEADERS.items():
        headers[name] = value
    if visit.secure:
        headers["Strict-Transport-Security"] = _HSTS
    if "cache-control" not in headers:
        headers["Cache-Control"] = "no-store" if _is_private(visit) else "private, no-cache"
        headers.add_vary_header("Cookie, Accept-Language")
    headers.setdefault("Content-Language", visit.lang)
    for cookie in visit.cookies():
        headers.append("Set-Cookie", cookie)


def _is_private(visit: Visit) -> bool:
    return visit.private or visit.person is not None or visit.bearer or bool(visit.jar or visit.flashes)


def _served(host: str, hosts: Sequence[str]) -> bool:
    """Return whether the site answers to a name."""
    name = host.lower().rpartition(":")[0] if host.rpartition(":")[2].isdecimal() else host.lower()
    name = name.strip("[]").rstrip(".")
    allowed = [one.lower() for one in hosts]
    below = [one[1:] for one in allowed if one.startswith("*.")]
    return "*" in allowed or name in allowed or any(name.endswith(end) for end in below)
