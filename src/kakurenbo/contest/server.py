"""Running a contest: the server, and the workers beside it.

One process answers, others judge. Those that `serve` starts end with it, even when it is killed: they hold
the other end of a pipe. One that dies is started again. None of it loses anything: what was answered is on
the disk, and what was being judged is taken by the next worker when its lease has run out.
"""

from __future__ import annotations

import logging
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from kakurenbo.contest.contest import Contest
from kakurenbo.contest.worker import Worker
from kakurenbo.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

DATABASE: Final = "KAKURENBO_CONTEST_DATABASE"
BESIDE: Final = "KAKURENBO_CONTEST_BESIDE"  # set for workers that end with their server
LOCAL: Final = ("localhost", "127.0.0.1", "::1")
ANY: Final = ("*",)
_LOG: Final = logging.getLogger("kakurenbo.contest.server")
_PATIENCE: Final = 20.0  # seconds that a worker may take to finish what it judges
_LONGEST_PAUSE: Final = 30.0


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How a contest is served.

    Attributes:
        host: the address to listen on.
        port: the port; 0 takes any that is free.
        hosts: the names under which people reach it, beside those of this machine; none where it listens to
            the network lets any name pass.
        secure: every request came by https, whatever the proxy says.
        proxies: addresses of proxies whose word is taken on who asks.
        workers: how many processes judge beside the server.
        database: the address of another database than the folder's own.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    hosts: Sequence[str] = ()
    secure: bool = False
    proxies: Sequence[str] = ()
    workers: int = 1
    database: str | None = field(default=None, repr=False)

    @property
    def allowed(self) -> Sequence[str]:
        """The names that the server answers to."""
        return (*LOCAL, *self.hosts) if self.hosts or self.host in LOCAL else ANY


def serve(
    folder: Path,
    settings: Settings,
    *,
    ready: Callable[[int], None] | None = None,
    stop: threading.Event | None = None,
) -> None:
    """Serve a contest until a signal comes or `stop` is set; what is being answered is answered first.

    Args:
        folder: of the contest; one whose key could be guessed is refused.
        settings: how it is served.
        ready: told the port, once the server listens.
        stop: set by another thread to end it.
    """
    from kakurenbo.web.app import serve as listen  # noqa: PLC0415 - loads the web server

    contest = Contest.open(folder, database=settings.database)
    try:
        _require_port(settings.host, settings.port)
        _allow_connections()
        app = application(contest, settings)
        with judging(folder, settings.workers, settings.database):
            listen(
                app, host=settings.host, port=settings.port, proxies=settings.proxies, ready=ready, stop=stop
            )
    finally:
        contest.close()


def _require_port(host: str, port: int) -> None:
    """Refuse an address that cannot be listened on, before anything is started."""
    try:
        kind, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[
            0
        ]
        with socket.socket(kind) as tried:
            tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            tried.bind(address)
    except OSError as error:
        why = (error.strerror or "the system refused").lower()
        raise ParameterError(
            f"Nobody can listen on {host}, port {port}: {why}.", code="parameter", parameter="port"
        ) from None


def _allow_connections() -> None:
    """Let the process have as many connections at once as the system allows: many come before a deadline."""
    try:
        import resource  # noqa: PLC0415 - not on every system
    except ImportError:
        return
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def application(contest: Contest, settings: Settings) -> Any:  # noqa: ANN401 - what a web server runs
    """Return the pages and the API of a contest."""
    from kakurenbo.contest.site import make_site  # noqa: PLC0415 - loads the web framework

    return make_site(contest, secure=settings.secure, hosts=settings.allowed)


def work(folder: Path, database: str | None = None, *, stop: threading.Event) -> None:
    """Judge what teams submit until told to stop; what is being judged is finished first."""
    contest = Contest.open(folder, database=database)
    if os.environ.get(BESIDE):
        threading.Thread(target=_until_closed, args=(stop,), daemon=True).start()
    try:
        Worker(contest).run(stop)
    finally:
        contest.close()


def _until_closed(stop: threading.Event) -> None:
    """Wait until the server at the other end of the pipe is gone."""
    while sys.stdin.buffer.read(1):
        pass
    stop.set()


@contextmanager
def on_signals(stop: threading.Event) -> Iterator[None]:
    """Set an event when the process is asked to end, instead of ending it in the middle of something."""
    asked = (signal.SIGINT, signal.SIGTERM)
    before = {number: signal.signal(number, lambda *_: stop.set()) for number in asked}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def judging(folder: Path, workers: int, database: str | None = None) -> Iterator[None]:
    """Let so many processes judge, and start those again that die, until the block ends."""
    stop = threading.Event()
    keepers = [
        threading.Thread(target=_keep, args=(folder, database, stop), daemon=True) for _ in range(workers)
    ]
    for keeper in keepers:
        keeper.start()
    try:
        yield
    finally:
        stop.set()
        for keeper in keepers:
            keeper.join()


def _keep(folder: Path, database: str | None, stop: threading.Event) -> None:
    """Keep one worker alive; one that dies at once is started again after longer and longer pauses."""
    pause = 1.0
    while not stop.is_set():
        began = time.monotonic()
        with _started(folder, database) as process:
            while process.poll() is None and not stop.wait(0.1):
                pass
        if not stop.is_set():
            _LOG.warning("a worker ended with code %s; another is started", process.returncode)
            pause = 1.0 if time.monotonic() - began > _LONGEST_PAUSE else min(2 * pause, _LONGEST_PAUSE)
            stop.wait(pause)


@contextmanager
def _started(folder: Path, database: str | None) -> Iterator[subprocess.Popen[bytes]]:
    """Start a worker; the address of the database, which may hold a password, is not on its command line."""
    surroundings = {**os.environ, BESIDE: "1", **({} if database is None else {DATABASE: database})}
    command = [sys.executable, "-m", "kakurenbo", "contest", "worker", str(folder)]
    process = subprocess.Popen(  # noqa: S603 - our own program
        command, env=surroundings, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, start_new_session=True
    )
    try:
        yield process
    finally:
        if process.stdin is not None:
            process.stdin.close()
        try:
            process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()  # its lease runs out, and another judges it
            process.wait()
