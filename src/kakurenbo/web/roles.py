"""Who may do what: every route says which role it needs, and none is served that does not.

`needs(role)` stands among a route's dependencies and is asked before anything of the request's body is read.
It finds out who asks, by session or token; refuses those without the role; and, where a browser changes
something by its cookie, wants proof that one of our pages sent it: the Origin, and the token of the form.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, Literal, Protocol, get_args
from urllib.parse import quote

from fastapi import Depends, FastAPI, routing
from starlette.concurrency import run_in_threadpool
from starlette.requests import HTTPConnection, Request

from kakurenbo.errors import ParameterError
from kakurenbo.web.csrf import is_genuine
from kakurenbo.web.forms import parsed
from kakurenbo.web.origin import check_origin
from kakurenbo.web.refusals import Refusal
from kakurenbo.web.sessions import resume
from kakurenbo.web.visit import Visit, visit_of

Role = Literal["anyone", "user", "member", "organiser"]
ROLES: Final[tuple[Role, ...]] = get_args(Role)
_SAFE: Final = {"GET", "HEAD", "OPTIONS"}
_FORM: Final = "application/x-www-form-urlencoded"
_BODIES: Final = {"", _FORM, "application/json"}  # what is taken without streaming
_UNTRUE: Final = "The form is too old, or was not sent from this site. Please load the page again."


@dataclass(frozen=True)
class Person:
    """Somebody who is signed in.

    Attributes:
        id: what stands for him; opaque.
        name: what he is called.
        roles: what he may do; every one of them is a `user`.
        record: whatever the application wants back.
    """

    id: str
    name: str
    roles: frozenset[Role]
    record: Any = None

    def has(self, role: Role) -> bool:
        """Return whether he has a role."""
        return role in {"anyone", "user"} or role in self.roles


class People(Protocol):
    """Says who somebody is."""

    def by_id(self, id: str, /) -> Person | None:  # noqa: A002 - what it is
        """Return a person by his id."""

    def by_token(self, token: str, /) -> Person | None:
        """Return a person by a token that he made."""


@dataclass(frozen=True)
class Gate:
    """What a route needs; FastAPI calls it before the route.

    Attributes:
        role: which role.
        upload: whether the route reads a form with files itself.
        asks: whether it matters at all who it is.
    """

    role: Role
    upload: bool = False
    asks: bool = True

    async def __call__(self, request: Request) -> None:
        """Let a request pass, or refuse it."""
        visit = visit_of(request)
        if self.asks and visit.is_named:
            await run_in_threadpool(identify, visit)
        self._admit(visit)
        if visit.csrf == "due":
            await self._prove(request, visit)

    def _admit(self, visit: Visit) -> None:
        if self.role != "anyone" and visit.person is None:
            raise _sign_in_first(visit)
        if visit.person is not None and not visit.person.has(self.role):
            raise Refusal(403)
        if visit.connection.scope["method"] not in _SAFE and not visit.bearer:
            visit.csrf = "due"

    async def _prove(self, request: Request, visit: Visit) -> None:
        check_origin(request.headers, "https" if visit.secure else "http")
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind == _FORM:
            visit.form = parsed(await request.body())
        elif kind not in _BODIES and not self.upload:
            raise Refusal(415)
        if kind != "multipart/form-data" or "x-csrf-token" in request.headers:
            prove(visit, visit.form.get("csrf") if visit.form is not None else None)


def needs(role: Role, *, upload: bool = False, asks: bool = True) -> Any:  # noqa: ANN401 - as FastAPI's own Depends
    """Declare which role a route needs, before anything else of it happens.

    Args:
        role: who may take it.
        upload: whether it takes files in a form; it reads them by `upload_form`, which checks the token.
        asks: False for what is the same for all, such as style sheets: nobody is looked up then.
    """
    if role not in ROLES or not (asks or role == "anyone"):
        raise ParameterError(f"A role is one of: {', '.join(ROLES)}.", code="parameter")
    return Depends(Gate(role, upload, asks))


def identify(visit: Visit) -> None:
    """Find out who asks: by the token of a program, else by the session of a browser."""
    scheme, _, token = visit.connection.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        visit.bearer = True
        visit.person = visit.site.people.by_token(token.strip())
        if visit.person is None:
            raise Refusal(401, "This token is not known.", headers={"WWW-Authenticate": "Bearer"})
        return
    session = resume(visit)
    visit.person = visit.site.people.by_id(session.person) if session is not None else None
    if session is not None and visit.person is None:
        visit.session = visit.token = None


def prove(visit: Visit, token: str | None) -> None:
    """Refuse a request that does not carry the token of a form of ours."""
    if not is_genuine(visit, token or visit.connection.headers.get("x-csrf-token")):
        raise Refusal(403, _UNTRUE, code="csrf")
    visit.csrf = "checked"


def visitor(request: HTTPConnection) -> Person | None:
    """Return who is signed in, if anybody is."""
    return visit_of(request).person


def person(request: HTTPConnection) -> Person:
    """Return who is signed in."""
    visit = visit_of(request)
    if visit.person is None:
        raise _sign_in_first(visit)
    return visit.person


def _sign_in_first(visit: Visit) -> Refusal:
    """Return a refusal that leads people to where they sign in, and tells programs to bring a token."""
    if visit.api:
        return Refusal(401, headers={"WWW-Authenticate": "Bearer"})
    query = visit.connection.scope.get("query_string", b"").decode("latin-1")
    reads = visit.connection.scope["method"] in _SAFE
    wanted = f"{quote(visit.path)}{'?' if query else ''}{query}" if reads else "/"
    return Refusal(303, headers={"Location": f"{visit.site.sign_in}?next={quote(wanted, safe='/')}"})


@dataclass(frozen=True)
class Walk:
    """A route, and who may take it."""

    path: str
    methods: frozenset[str]
    role: Role | None


def roles_of(app: FastAPI) -> list[Walk]:
    """Return all routes of an application with their roles; None for a route that forgot to say."""
    return [_walk(route) for route in _routes(app)]


def _routes(app: FastAPI) -> Iterator[Any]:
    """Yield routes as they are served, those of included routers too."""
    contexts = getattr(routing, "iter_route_contexts", None)  # newer versions include routers as they are
    yield from app.routes if contexts is None else contexts(app.routes)


def _walk(route: Any) -> Walk:  # noqa: ANN401 - a route, or what newer versions put in its place
    dependant = getattr(route, "dependant", None)
    gates = [one.call for one in getattr(dependant, "dependencies", ()) if isinstance(one.call, Gate)]
    methods = frozenset(getattr(route, "methods", None) or ())
    role = max((gate.role for gate in gates), key=ROLES.index, default=None)
    return Walk(str(getattr(route, "path", "")), methods, role)
