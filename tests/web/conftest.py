"""A small site with a page of every kind, and a browser of one's own to walk on it without a network."""

import asyncio
import datetime as dt
import re
import threading
from contextlib import contextmanager
from dataclasses import replace
from types import SimpleNamespace

import httpx
import jinja2
import pytest
from fastapi import APIRouter, Request, Response

from kakurenbo.errors import ParameterError
from kakurenbo.web.app import make_app, serve
from kakurenbo.web.flash import flash
from kakurenbo.web.forms import form
from kakurenbo.web.limits import Limit, MemoryAttempts, check, forgive
from kakurenbo.web.redirects import attachment, back, go
from kakurenbo.web.refusals import Refusal
from kakurenbo.web.roles import Person, needs, person, visitor
from kakurenbo.web.sessions import MemorySessions, sign_in, sign_out, sign_out_everywhere
from kakurenbo.web.site import Link, Site
from kakurenbo.web.templating import render
from kakurenbo.web.uploads import in_thread, raw_body, upload_form
from pages_once import templates_compiled_once

__all__ = ["templates_compiled_once"]
SECRET = bytes(range(100, 140))
TRIES = Limit("try", seconds=60, by_address=5, by_account=3)
UPLOAD = 100_000
PATIENCE = 120  # seconds, on a machine with other work
PEOPLE = {
    "u1": Person("u1", "Uta", frozenset({"user"})),
    "m1": Person("m1", "Miki", frozenset({"user", "member"})),
    "o1": Person("o1", "Oto", frozenset({"user", "organiser"})),
}
TOKENS = {f"token-{key}": one for key, one in PEOPLE.items()}
NAVIGATION = (
    Link("/form", "Account"),
    Link("/organiser", "Language", "organiser"),
    Link("/who", "Dark", when=bool),
)
TEMPLATES = {
    "plain.html": """{% extends "layout.html" %}{% block title %}{{ heading }}{% endblock %}
{% block content %}<h1>{{ heading }}</h1><p id="text">{{ text }}</p>{{ text|paragraphs }}
<form method="post" action="/change">{{ csrf() }}<button>Go</button></form>{% endblock %}""",
    "public.html": """{% extends "layout.html" %}{% block title %}Public{% endblock %}
{% block content %}<h1>Public</h1><p>{{ when|countdown }}</p>{% endblock %}""",
}


class People:
    """Says who somebody is, by tables that a test may change."""

    def __init__(self):
        self.ids = dict(PEOPLE)
        self.tokens = dict(TOKENS)

    def by_id(self, key):
        return self.ids.get(key)

    def by_token(self, token):
        return self.tokens.get(token)


class Clock:
    """A clock that stands until it is moved."""

    def __init__(self):
        self.now = dt.datetime(2026, 12, 1, 12, tzinfo=dt.UTC)

    def __call__(self):
        return self.now

    def move(self, **by):
        self.now += dt.timedelta(**by)


def looking():
    """Pages to look at, for everybody and for every role."""
    router = APIRouter(include_in_schema=False)

    @router.get("/", dependencies=[needs("anyone")])
    def front(request: Request) -> Response:
        when = request.app.state.site.clock() + dt.timedelta(hours=3)
        return render(request, "public.html", when=when)

    @router.get("/form", dependencies=[needs("anyone")])
    def shown(request: Request, text: str = "") -> Response:
        return render(request, "plain.html", heading="A form", text=text)

    @router.get("/who", dependencies=[needs("anyone")])
    def who(request: Request) -> Response:
        someone = visitor(request)
        return Response(someone.name if someone else "nobody")

    for role in ("user", "member", "organiser"):

        @router.get(f"/{role}", dependencies=[needs(role)])
        def inside(request: Request) -> Response:
            return render(request, "plain.html", heading="Inside", text=person(request).name)

    return router


def signing():
    """Pages to sign in and out."""
    router = APIRouter(include_in_schema=False)

    @router.post("/sign-in", dependencies=[needs("anyone")])
    def signs_in(request: Request) -> Response:
        name = form(request).text("name")
        check(request, TRIES, name)
        if name not in PEOPLE:
            raise Refusal(403)
        forgive(request, TRIES, name)
        sign_in(request, name)
        flash(request, "Welcome, {name}.", name=PEOPLE[name].name)
        return back(request)

    @router.post("/sign-out", dependencies=[needs("user")])
    def signs_out(request: Request) -> Response:
        sign_out(request)
        return go("/")

    @router.post("/password", dependencies=[needs("user")])
    def changes_password(request: Request) -> Response:
        sign_out_everywhere(request, person(request).id)
        return go("/user")

    return router


def sending():
    """Pages that take what is sent."""
    router = APIRouter(include_in_schema=False)

    @router.post("/change", dependencies=[needs("anyone")])
    def change(request: Request) -> Response:
        request.app.state.changed += 1
        return Response("changed")

    @router.post("/fields", dependencies=[needs("anyone")])
    def fields(request: Request) -> dict[str, object]:
        sent = form(request)
        return {
            "name": sent.text("name", longest=5),
            "about": sent.long_text("about", required=False),
            "kind": sent.choice("kind", {"a", "b"}) if "kind" in sent else None,
            "secret": sent.secret("secret") if "secret" in sent else None,
            "flag": sent.flag("flag"),
        }

    @router.post("/upload", dependencies=[needs("member", upload=True)])
    async def upload(request: Request) -> dict[str, object]:
        async with upload_form(request, limit=UPLOAD) as sent:
            file = sent.file("file")
            if file is None:
                return {"file": None}
            request.app.state.place = file.path
            content = await in_thread(file.path.read_bytes)
            mode, note = oct(file.path.stat().st_mode & 0o777), sent.text("note", required=False)
            named = {"name": file.name, "size": file.size, "sha256": file.sha256}
            return {**named, "read": len(content), "note": note, "mode": mode}

    @router.post("/careless", dependencies=[needs("member", upload=True)])
    async def careless(request: Request) -> Response:
        return Response("never asked for the token")

    @router.get("/file", dependencies=[needs("anyone")])
    def file(request: Request) -> Response:
        return attachment(b"<script>alert(1)</script>", 'ü"\r\n.csv', "text/html")

    return router


def failing():
    """Pages that fail."""
    router = APIRouter(include_in_schema=False)

    @router.get("/fault", dependencies=[needs("anyone")])
    def fault(request: Request) -> Response:
        raise ValueError("the secret of Hanako")

    @router.get("/refused/{code}", dependencies=[needs("anyone")])
    def refused(request: Request, code: str) -> Response:
        raise ParameterError("A password has at least 10 characters.", code=code)

    @router.get("/numbers/{n}", dependencies=[needs("member")])
    def numbers(request: Request, n: int) -> Response:
        return Response(str(n))

    return router


def api():
    router = APIRouter(prefix="/api/v1")

    @router.get("/me", dependencies=[needs("user")])
    def me(request: Request) -> dict[str, str]:
        return {"name": person(request).name}

    @router.put("/files", dependencies=[needs("member")])
    async def files(request: Request, name: str = "") -> dict[str, object]:
        async with raw_body(request, limit=UPLOAD, name=name) as upload:
            request.app.state.place = upload.path
            return {"name": upload.name, "size": upload.size, "sha256": upload.sha256}

    @router.get("/fault", dependencies=[needs("anyone")])
    def fault(request: Request) -> dict[str, str]:
        raise ValueError("the secret of Hanako")

    @router.get("/faults", dependencies=[needs("anyone")])
    def faults(request: Request) -> dict[str, str]:
        raise Refusal(
            422, "This is not possible now.", code="submission", faults=[{"line": 3, "fault": "bad"}]
        )

    return router


class Browser:
    """Walks on a site as a browser does: keeps cookies, fills in tokens, follows nothing by itself."""

    def __init__(self, app, base="http://localhost", client=("203.0.113.7", 4711)):
        self._runner = asyncio.Runner()
        transport = httpx.ASGITransport(app, client=client)
        self.client = httpx.AsyncClient(transport=transport, base_url=base)
        self.base = base

    def ask(self, method, path, **rest):
        return self._runner.run(self.client.request(method, path, **rest))

    def get(self, path, **rest):
        return self.ask("GET", path, **rest)

    def post(self, path, data=None, *, token=True, **rest):
        fields = {**({"csrf": self.token()} if token else {}), **(data or {})}
        return self.ask("POST", path, data=fields, **rest)

    def token(self):
        return re.search(r'name="csrf" value="([^"]+)"', self.get("/form").text)[1]

    def sign_in(self, name):
        answer = self.post("/sign-in", {"name": name})
        assert answer.status_code == 303
        return answer

    def cookie(self, name):
        found = [one for one in self.client.cookies.jar if one.name.endswith(name)]
        return found[0].value if found else None

    def close(self):
        self._runner.run(self.client.aclose())
        self._runner.close()


@contextmanager
def serving(app, **rest):
    """Serve an application on loopback from a thread, and end it."""
    ready, stop, ports = threading.Event(), threading.Event(), []

    def listens(port):
        ports.append(port)
        ready.set()

    thread = threading.Thread(
        target=serve, args=(app,), kwargs={"port": 0, "ready": listens, "stop": stop, **rest}
    )
    thread.start()
    try:
        assert ready.wait(PATIENCE)
        yield ports[0]
    finally:
        stop.set()
        thread.join(PATIENCE)
    assert not thread.is_alive()


@pytest.fixture
def served():
    """Return what serves an application."""
    return serving


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def site(clock, tmp_path):
    made = Site(
        title="A small site",
        title_ja="小さなサイト",
        people=People(),
        sessions=MemorySessions(),
        attempts=MemoryAttempts(),
        secret=SECRET,
        navigation=NAVIGATION,
        uploads=tmp_path / "uploads",
        body_limit=10_000,
        clock=clock,
    )  # fmt: skip
    made.pages.loader = jinja2.ChoiceLoader([jinja2.DictLoader(TEMPLATES), made.pages.loader])
    return made


@pytest.fixture
def app(site):
    made = make_app(site, [looking(), signing(), sending(), failing(), api()])
    made.state.changed = 0
    return made


@pytest.fixture
def enter(app):
    """Return a function that gives a new browser."""
    opened = []

    def enter(base="http://localhost", *, on=None, **rest):
        opened.append(Browser(on or app, base, **rest))
        return opened[-1]

    yield enter
    for browser in opened:
        browser.close()


@pytest.fixture
def browser(enter):
    return enter()


@pytest.fixture
def changed_site(site):
    """Return a function that gives an application of the same site with something changed."""

    def changed(**changes):
        other = replace(site, **changes)
        other.pages.loader = site.pages.loader
        made = make_app(other, [looking(), signing(), sending(), failing(), api()])
        made.state.changed = 0
        return made

    return changed


@pytest.fixture
def small(site):
    """Return a function that gives an application of some routers."""
    return lambda *routers: make_app(site, routers)


@pytest.fixture
def cast():
    return SimpleNamespace(people=PEOPLE, tokens=TOKENS, secret=SECRET, upload=UPLOAD, tries=TRIES)
