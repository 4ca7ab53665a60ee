"""A visit: everything that is known about one request, gathered once and asked for by all.

The guard makes it when a request arrives and, when the answer leaves, writes the cookies that were set on it.
So a page signs somebody in or leaves a message, and returns whatever answer it likes.
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from starlette.requests import HTTPConnection

    from kakurenbo.web.flash import Flash
    from kakurenbo.web.forms import Form
    from kakurenbo.web.roles import Person
    from kakurenbo.web.sessions import Session
    from kakurenbo.web.site import Site

_KEY: Final = "kakurenbo.visit"


@dataclass
class Visit:
    """What is known about one request.

    Attributes:
        site: the application.
        connection: headers, cookies and address of the request.
        limit: how many bytes of a body are read.
        secure: whether it came by https.
        lang: the language of the answer.
        theme: light, dark, or auto for what the system says.
        person: who is signed in.
        session: by which session; None where a token says who it is.
        token: the secret of the session, as the cookie holds it.
        bearer: whether a token said who it is.
        csrf: whether the request proved that it comes from a page of ours.
        form: what was sent, once it was read.
        flashes: messages that wait to be shown.
        shown: whether the answer shows them.
        private: whether the answer holds what is meant for this visitor alone.
        jar: cookies that go out with the answer; None takes one back.
    """

    site: Site
    connection: HTTPConnection
    limit: int
    secure: bool
    lang: str
    theme: str
    person: Person | None = None
    session: Session | None = None
    token: str | None = None
    bearer: bool = False
    csrf: Literal["not needed", "due", "checked"] = "not needed"
    form: Form | None = None
    flashes: list[Flash] = field(default_factory=list)
    shown: bool = False
    private: bool = False
    jar: dict[str, tuple[str, int | None] | None] = field(default_factory=dict)

    @property
    def path(self) -> str:
        """The path that was asked for."""
        return str(self.connection.scope["path"])

    @property
    def api(self) -> bool:
        """Whether a program asks, and wants JSON."""
        return self.path.startswith("/api/")

    @property
    def is_named(self) -> bool:
        """Whether the request says by anything who asks."""
        return "authorization" in self.connection.headers or self.cookie("session") is not None

    @property
    def address(self) -> str:
        """Where the request comes from: an address, or the network that one IPv6 customer has."""
        client = self.connection.client
        try:
            address = ipaddress.ip_address(client.host if client else "")
        except ValueError:
            return "unknown"
        if isinstance(address, ipaddress.IPv6Address):
            address = address.ipv4_mapped or address
        return (
            str(ipaddress.ip_network((address, 64), strict=False)) if address.version == 6 else str(address)
        )

    def cookie(self, name: str) -> str | None:
        """Return a cookie of ours."""
        return self.connection.cookies.get(self._named(name))

    def set_cookie(self, name: str, value: str, seconds: int | None = None) -> None:
        """Send a cookie with the answer."""
        self.jar[name] = (value, seconds)

    def drop_cookie(self, name: str) -> None:
        """Take a cookie back, if there is one."""
        self.jar.pop(name, None)
        if self.cookie(name) is not None:
            self.jar[name] = None

    def cookies(self) -> list[str]:
        """Return what goes out with the answer."""
        return [self._written(name, kept) for name, kept in self.jar.items()]

    def sign(self, purpose: str, text: str) -> str:
        """Return the signature of a text for a purpose."""
        return hmac.new(self.site.secret, f"{purpose}:{text}".encode(), hashlib.sha256).hexdigest()

    def signed(self, purpose: str, text: str) -> str:
        """Return a text with its signature."""
        return f"{text}.{self.sign(purpose, text)}"

    def unsigned(self, purpose: str, text: str | None) -> str | None:
        """Return a text whose signature is ours; None for any other."""
        plain, _, signature = (text or "").rpartition(".")
        genuine = self.sign(purpose, plain)
        return plain if plain and hmac.compare_digest(genuine.encode(), signature.encode()) else None

    def _named(self, name: str) -> str:
        """Return a cookie's full name: by https one that no other host can set."""
        return f"{'__Host-' if self.secure else ''}kakurenbo_{name}"

    def _written(self, name: str, kept: tuple[str, int | None] | None) -> str:
        value, seconds = kept or ("", 0)
        age = "" if seconds is None else f"; Max-Age={seconds}"
        secure = "; Secure" if self.secure else ""
        return f"{self._named(name)}={value}; Path=/; HttpOnly; SameSite=Lax{age}{secure}"


def begin(visit: Visit) -> None:
    """Tie a visit to its request."""
    visit.connection.scope[_KEY] = visit


def visit_of(request: HTTPConnection) -> Visit:
    """Return the visit of a request."""
    visit: Visit = request.scope[_KEY]
    return visit
