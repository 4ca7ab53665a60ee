"""The public pages of a contest that has ended as files: for any web server, or for none.

The pages are those that everybody sees, made by the same routes and templates in a plainer frame, in both
languages. Their links are then made to lead to the files beside them; what cannot be kept, such as the data,
is not linked.
"""

from __future__ import annotations

import asyncio
import posixpath
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from kakurenbo.contest import archive, teams
from kakurenbo.contest.pages import archive as archive_page
from kakurenbo.contest.pages import board, front
from kakurenbo.contest.zips import zipped
from kakurenbo.web.app import make_app
from kakurenbo.web.site import Link

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.types import ASGIApp

    from kakurenbo.contest.contest import Contest
    from kakurenbo.web.site import Site

_HOST: Final = "archive"
_LINK: Final = re.compile(r'(href|src)="(/[^"]*)"')
_PAGES: Final = {"/": "index.html", "/rules": "rules.html", "/board": "board.html", "/matrix": "matrix.html",
                 "/archive": "archive.html"}  # fmt: skip
_LINKS: Final = (
    Link(path="/rules", text="Rules"), Link(path="/board", text="Board"), Link(path="/matrix", text="Matrix"),
    Link(path="/archive", text="Archive"),
)  # fmt: skip


def as_zip(contest: Contest, site: Site) -> bytes:
    """Return all public pages, the style they need, and what they lead to."""
    app = _application(contest, site)
    pages = _PAGES | {f"/reports/{team.id}": f"reports/{team.id}.html" for team in teams.teams(contest)}
    files = {f"static/{asset.name}": asset.content for asset in site.assets.named.values()}
    files |= {
        "export.json": archive.as_json(contest),
        "export.csv": archive.as_csv(contest),
        "contest.toml": (contest.folder / "contest.toml").read_bytes(),
    }
    for lang, folder in (("en", ""), ("ja", "ja/")):
        for path, name in pages.items():
            text = asyncio.run(_fetched(app, path, lang)).decode()
            files[folder + name] = _relinked(text, folder + name, pages, lang).encode()
    return zipped(files)


def _application(contest: Contest, site: Site) -> ASGIApp:
    frame = replace(
        site, templates=("kakurenbo.contest.archived", *site.templates), navigation=_LINKS, hosts=(_HOST,),
        values={**site.values, "archived": True},
    )  # fmt: skip
    app = make_app(frame, (front.router, board.router, archive_page.router))
    app.state.contest = contest
    return app


async def _fetched(app: ASGIApp, path: str, lang: str) -> bytes:
    """Return the page that an application answers with to somebody who is not signed in."""
    answer: dict[str, Any] = {"body": b""}
    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "GET", "scheme": "http",
        "path": path, "raw_path": path.encode(), "query_string": f"lang={lang}".encode(), "root_path": "",
        "headers": [(b"host", _HOST.encode())], "client": None, "server": (_HOST, 80),
    }  # fmt: skip

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:  # noqa: ANN401 - as ASGI has it
        answer["status"] = message.get("status", answer.get("status"))
        answer["body"] += message.get("body", b"")

    await app(scope, receive, send)
    if answer["status"] != 200:
        raise RuntimeError(f"a page of the archive was answered with {answer['status']}")
    body: bytes = answer["body"]
    return body


def _relinked(text: str, name: str, pages: Mapping[str, str], lang: str) -> str:
    """Return a page whose links lead to files, seen from where the page lies."""
    return _LINK.sub(lambda found: f'{found[1]}="{_relative(_file(found[2], pages, lang), name)}"', text)


def _file(link: str, pages: Mapping[str, str], lang: str) -> str:
    """Return the file that stands for a path of the site, with the part of the page that is meant."""
    parts = urlsplit(link)
    spoken = parts.query.removeprefix("lang=") if parts.query.startswith("lang=") else lang
    if parts.path in pages:
        file = ("ja/" if spoken == "ja" else "") + pages[parts.path]
    elif parts.path.startswith("/static/"):
        file = f"static/{parts.path.rpartition('/')[2]}"
    else:
        file = {"/rules.toml": "contest.toml"}.get(parts.path, parts.path.rpartition("/")[2])
    return f"{file}#{parts.fragment}" if parts.fragment else file


def _relative(file: str, page: str) -> str:
    return posixpath.relpath(file, posixpath.dirname(page) or ".")
