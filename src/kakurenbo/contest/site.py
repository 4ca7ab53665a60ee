"""The site of a contest: the web base, the pages and the API put together into one application."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from kakurenbo.contest import schedule
from kakurenbo.contest.api import router as api
from kakurenbo.contest.pages import ROUTERS
from kakurenbo.contest.pages.people import ContestPeople
from kakurenbo.contest.pages.words import DEEDS, PHASES, REASONS, rung, summary
from kakurenbo.contest.stores import ContestAttempts, ContestSessions
from kakurenbo.web.app import make_app
from kakurenbo.web.site import Link, Site

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fastapi import FastAPI
    from starlette.types import ASGIApp, Receive, Scope, Send

    from kakurenbo.contest.contest import Contest

HOSTS: Final = ("localhost", "127.0.0.1", "::1")
_PIECES: Final = 6  # of seven bytes each, of which the secret is put together


def make_site(contest: Contest, *, secure: bool = False, hosts: Sequence[str] = HOSTS) -> FastAPI:
    """Return the application that serves a contest.

    Args:
        contest: an open contest.
        secure: every request came by https, whatever a proxy says: cookies are marked so.
        hosts: the names under which it is asked for.
    """
    app = make_app(_site(contest, hosts), (*ROUTERS, api))
    app.state.contest = contest
    if secure:
        app.add_middleware(_Https)
    return app


class _Https:
    """Takes every request for one that came by https, as behind a proxy that ends TLS."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        await self.app({**scope, "scheme": "https"} if scope["type"] == "http" else scope, receive, send)


def _site(contest: Contest, hosts: Sequence[str]) -> Site:
    here = "kakurenbo.contest"
    return Site(
        title=contest.rules.title,
        title_ja=contest.rules.title_ja,
        people=ContestPeople(contest),
        sessions=ContestSessions(contest),
        attempts=ContestAttempts(contest),
        secret=_secret(contest),
        hosts=hosts,
        navigation=_navigation(contest),
        templates=(here,),
        static=(here,),
        languages=(here,),
        values=_values(contest),
        uploads=contest.folder / "private" / "uploads",
        clock=contest.clock,
    )  # fmt: skip


def _values(contest: Contest) -> dict[str, Any]:
    """Return what every template may use."""
    return {
        "rules": contest.rules,
        "phase_names": PHASES,
        "deeds": DEEDS,
        "reasons": REASONS,
        "rung": rung,
        "summary": summary,
        "archived": False,
    }


def _secret(contest: Contest) -> bytes:
    """Return what signs forms: the same for all who serve the contest, and not what seals submissions."""
    return b"".join(contest.vault.seed(f"site {piece}").to_bytes(7, "big") for piece in range(_PIECES))


def _navigation(contest: Contest) -> tuple[Link, ...]:
    def ended() -> bool:
        return schedule.now_in(contest).phase == "final"

    def seeks() -> bool:
        return schedule.now_in(contest).phase in {"seek", "final"}

    return (
        Link(path="/rules", text="Rules"),
        Link(path="/data", text="Data"),
        Link(path="/submit", text="Submit", role="member", when=lambda: not ended()),
        Link(path="/submissions", text="Submissions", role="member"),
        Link(path="/releases", text="Releases", role="user", when=seeks),
        Link(path="/board", text="Board"),
        Link(path="/matrix", text="Matrix", when=seeks),
        Link(path="/team", text="Team", role="user"),
        Link(path="/archive", text="Archive", when=ended),
        Link(path="/organise", text="Organise", role="organiser"),
    )
