"""What an application tells the web base about itself: its people, its stores, its words and its pages."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from kakurenbo.errors import ParameterError
from kakurenbo.web.languages import Words
from kakurenbo.web.static import Assets

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    import jinja2

    from kakurenbo.web.limits import AttemptStore
    from kakurenbo.web.roles import People, Role
    from kakurenbo.web.sessions import SessionStore

_SHORTEST_SECRET: Final = 32
_HERE: Final = "kakurenbo.web"


def utc_now() -> dt.datetime:
    """Return the time."""
    return dt.datetime.now(dt.UTC)


@dataclass(frozen=True)
class Link:
    """An entry of the navigation: its text is English, and is said in the reader's language.

    Attributes:
        path: where it leads, a path of this site.
        text: what it is called.
        role: who is shown it.
        when: whether it is shown now, where that changes.
    """

    path: str
    text: str
    role: Role = "anyone"
    when: Callable[[], bool] | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class Site:
    """An application as the web base sees it.

    Attributes:
        title: what the site is called; `title_ja` the same in Japanese.
        people: says who somebody is.
        sessions: keeps who is signed in.
        attempts: counts what may not be done without end.
        secret: at least 32 random bytes, the same in all processes that serve the site; it signs messages
            that wait for the next page and the forms of those who are not signed in, and seals nothing.
        hosts: the names under which the site is asked for, without port; `*` stands for any, and
            `*.example.org` for those below it.
        navigation: what stands in the head of every page.
        templates: packages with a folder `templates`, searched before this one.
        static: packages with a folder `static`, flat.
        languages: packages with a file `languages/ja.toml`.
        values: what every template may use besides.
        sign_in: where those go who must sign in first.
        sign_up: where new people go; None where there is no such page.
        sign_out: where the button to sign out is sent to.
        account: where people find what is kept about them.
        body_limit: bytes of a request, uploads apart.
        uploads: the folder in which uploads are put aside; None stands for the system's.
        idle: how long a session lasts without a request.
        longest: how long it lasts at most.
        patience: seconds to wait for the next piece of a request.
        clock: tells the time.
    """

    title: str
    people: People
    sessions: SessionStore
    attempts: AttemptStore
    secret: bytes = field(repr=False)
    title_ja: str = ""
    hosts: Sequence[str] = ("localhost", "127.0.0.1", "::1")
    navigation: Sequence[Link] = ()
    templates: Sequence[str] = ()
    static: Sequence[str] = ()
    languages: Sequence[str] = ()
    values: Mapping[str, Any] = field(default_factory=dict)
    sign_in: str = "/sign-in"
    sign_up: str | None = "/sign-up"
    sign_out: str = "/sign-out"
    account: str = "/account"
    body_limit: int = 1 << 20
    uploads: Path | None = None
    idle: dt.timedelta = dt.timedelta(hours=12)
    longest: dt.timedelta = dt.timedelta(days=7)
    patience: float = 60.0
    clock: Callable[[], dt.datetime] = utc_now

    def __post_init__(self) -> None:
        if len(self.secret) < _SHORTEST_SECRET or len(set(self.secret)) < _SHORTEST_SECRET // 4:
            raise ParameterError(
                f"The secret of the site must be {_SHORTEST_SECRET} random bytes or more.", code="contest"
            )

    @cached_property
    def words(self) -> Words:
        """The sentences of all packages in all languages."""
        return Words.read((*self.languages, _HERE))

    @cached_property
    def assets(self) -> Assets:
        """Style sheets, scripts and pictures of all packages."""
        return Assets.read((*self.static, _HERE))

    @cached_property
    def pages(self) -> jinja2.Environment:
        """The templates of all packages."""
        from kakurenbo.web.templating import environment  # noqa: PLC0415 - it needs the visit, which needs a site

        return environment((*self.templates, _HERE), self.values)

    def called(self, lang: str) -> str:
        """Return the title in a language."""
        return (self.title_ja if lang == "ja" else "") or self.title
