"""Bots play a whole contest: they sign up, hide, are judged, seek, and are ranked.

An organiser sees every page full before anybody signs in, and everything on the way is what teams will use:
a real server on a port of this machine, the API with real tokens, and worker processes that judge. Only
accounts and teams are made at the desk, as an organiser could make them.
"""

from __future__ import annotations

import datetime as dt
import io
import secrets
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from kakurenbo.contest import accounts, announcements, teams
from kakurenbo.contest.asking import Body, Server
from kakurenbo.contest.bots import bots_of
from kakurenbo.contest.bots.uploads import Upload, unzipped
from kakurenbo.contest.client import Client
from kakurenbo.contest.server import Settings, application, judging
from kakurenbo.errors import WriteError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from kakurenbo.contest.bots import Bot
    from kakurenbo.contest.client import Kind
    from kakurenbo.contest.contest import Contest
    from kakurenbo.contest.records import User

PEOPLE: Final = 200  # few enough that everything is judged within a minute
LINES: Final = 40.0
WORKERS: Final = 1
_PATIENCE: Final = 600.0  # seconds that a step may take on a slow machine
_WELCOME: Final = ("Welcome. The bots are here already.", "ようこそ。ボットはもう来ています。")
_SEEK: Final = (
    "Hiding has ended: all releases are out.",
    "隠すフェーズは終わりました。全チームの加工データを公開しました。",
)


@dataclass(frozen=True)
class Playing:
    """A bot with its team's id and its token."""

    bot: Bot
    name: str
    team: str
    client: Client
    sent: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Played:
    """What came of it: the documents of the API after the end."""

    board: dict[str, Any]
    matrix: dict[str, Any]
    submissions: int
    seconds: float


def play(
    contest: Contest,
    organiser: User,
    *,
    count: int = 8,
    seed: int | None = None,
    tell: Callable[[str], None] = print,
) -> Played:
    """Let bots play a contest from its beginning to its end.

    Args:
        contest: one in which nothing has happened yet.
        organiser: who moves the phases.
        count: how many teams take part.
        seed: of all that the bots draw.
        tell: told what happens, a line each.
    """
    began = time.monotonic()
    with served(contest) as address, judging(contest.folder, WORKERS):
        chief = Client(Server(address, accounts.make_token(contest, organiser, "play")))
        cast = _sign_up(contest, address, count)
        tell(f"{count} teams have signed up: {', '.join(one.name for one in cast)}.")
        announcements.announce(contest, organiser, *_WELCOME)
        game = _Game(contest, chief, cast, seed, tell)
        game.practise()
        game.hide()
        announcements.announce(contest, organiser, *_SEEK)
        game.seek()
        board, matrix = game.end()
    sent = sum(len(one.sent) for one in cast)
    return Played(board, matrix, sent, time.monotonic() - began)


@contextmanager
def served(contest: Contest) -> Iterator[str]:
    """Serve a contest on a free port of this machine while the block lasts; give its address."""
    from kakurenbo.web.app import serve  # noqa: PLC0415 - loads the web server

    stop, ports = threading.Event(), list[int]()
    listening = threading.Event()

    def ready(port: int) -> None:
        ports.append(port)
        listening.set()

    run = partial(serve, application(contest, Settings()), port=0, ready=ready, stop=stop)
    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    if not listening.wait(_PATIENCE):
        raise WriteError("No port of this machine could be listened on.", code="write")
    try:
        yield f"http://127.0.0.1:{ports[0]}"
    finally:
        stop.set()
        thread.join()


def _sign_up(contest: Contest, address: str, count: int) -> list[Playing]:
    """Make an account, a team and a token for every bot; nobody knows their passwords."""

    def made(named: tuple[str, Bot]) -> Playing:
        name, bot = named
        user = accounts.sign_up(contest, name, secrets.token_urlsafe(24))
        team, _ = teams.create_team(contest, user, name)
        return Playing(bot, name, team.id, Client(Server(address, accounts.make_token(contest, user, "bot"))))

    return [made(named) for named in bots_of(contest.rules, count)]


class _Game:
    """The phases of a contest, one after the other."""

    def __init__(
        self,
        contest: Contest,
        chief: Client,
        cast: Sequence[Playing],
        seed: int | None,
        tell: Callable[[str], None],
    ) -> None:
        self._data, self._phases = contest.data, [phase.name for phase in contest.rules.phases]
        self._chief, self._cast, self._seed, self._tell = chief, cast, seed, tell

    def practise(self) -> None:
        """Let the first team try, which counts for nothing, and meet a fault."""
        if "practice" not in self._phases:
            return
        self._begin("practice")
        first = self._cast[0]
        [upload] = first.bot.hide(self._data, self._seed)[:1]
        _send(first, upload, "release")
        _send(first, Upload("broken.csv", b"this is,no release\n"), "release")

    def hide(self) -> None:
        """Let everybody hide; who is refused tries again."""
        self._begin("hide")
        for place, one in enumerate(self._cast):
            for upload in one.bot.hide(self._data, self._drawn(place)):
                _send(one, upload, "release")
            self._tell(f"  {one.name} has hidden")
        self._wait()
        refused = [one for one in self._cast if not _has_valid(one)]
        for one in refused:
            again = one.bot.hide_again(self._data, self._seed)
            self._tell(f"  {one.name} was refused{'' if again is None else ' and hides in another way'}")
            if again is not None:
                _send(one, again, "release")
        self._wait()

    def seek(self) -> None:
        """Let everybody seek in the release of every other team."""
        if "seek" not in self._phases:
            return
        self._begin("seek")
        published = self._published()
        for place, one in enumerate(self._cast):
            for team, files in published.items():
                if team != one.team:
                    _send(one, one.bot.seek(self._data, files, self._drawn(place)), "guess", team)
            self._tell(f"  {one.name} has sought")
        self._wait()

    def end(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """End the contest; return board and matrix."""
        self._begin("final")
        return self._chief.board(), self._chief.matrix()

    def _begin(self, phase: str) -> None:
        self._chief.put(f"schedule/{phase}", {"starts": dt.datetime.now(dt.UTC).isoformat()})
        self._tell(f"phase {phase}")

    def _wait(self) -> None:
        """Wait until everything is judged."""
        _until(lambda: not {"waiting", "judging"} & {state for state, n in self._queue().items() if n})

    def _queue(self) -> dict[str, int]:
        counts: dict[str, int] = self._chief.server.document("queue")["counts"]
        return counts

    def _published(self) -> dict[str, dict[str, bytes]]:
        """Return what was published of every team that has a valid release."""
        hidden = {one.team for one in self._cast if _has_valid(one)}
        _until(lambda: hidden <= {release["team"] for release in self._chief.releases()})
        with ThreadPoolExecutor(2) as threads:
            found = threads.map(self._downloaded, self._chief.releases())
            return dict(found)

    def _downloaded(self, release: dict[str, Any]) -> tuple[str, dict[str, bytes]]:
        content = io.BytesIO()
        self._chief.download(f"releases/{release['team']}", content)
        return release["team"], unzipped(release["filename"], content.getvalue())

    def _drawn(self, place: int) -> int | None:
        return None if self._seed is None else self._seed * 1000 + place


def _send(one: Playing, upload: Upload, kind: Kind, target: str | None = None) -> None:
    receipt = one.client.send(Body(upload.content, len(upload.content)), upload.name, kind, target)
    one.sent.append(receipt["id"])


def _has_valid(one: Playing) -> bool:
    return any(
        sent["kind"] == "release" and sent["counts"] and sent["valid"] for sent in one.client.submissions()
    )


def _until(done: Callable[[], bool]) -> None:
    """Wait for something that the workers do."""
    began = time.monotonic()
    while not done():
        if time.monotonic() - began > _PATIENCE:
            raise WriteError("The workers did not finish.", code="busy")
        time.sleep(0.1)
