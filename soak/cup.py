"""A contest under fire: its web server, teams that submit over HTTP, workers that judge, all to be killed.

They write down what they know to have happened: the teams every receipt that the server gave them, the
workers every lease they took. What the contest then holds must agree with it. Who gets no answer, because the
server was killed, knows nothing, and submits something else to the next one.
"""

from __future__ import annotations

import ctypes
import datetime as dt
import http.client
import json
import os
import signal
import threading
import time
import traceback
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import alembic.command  # noqa: F401 - imported before the fork, run after it
import sqlalchemy.dialects.sqlite  # noqa: F401 - the same
from sqlalchemy import select, text

import kakurenbo.contest.site  # noqa: F401 - the same
from kakurenbo.contest import jobs, server, submissions
from kakurenbo.contest.accounts import digest
from kakurenbo.contest.contest import Contest, now
from kakurenbo.contest.database import models
from kakurenbo.contest.judging.records import Judged
from kakurenbo.contest.names import folded
from kakurenbo.contest.records import Outcome
from kakurenbo.contest.worker import Worker
from kakurenbo.errors import KakurenboError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from kakurenbo.contest.records import Lease

LEASE = dt.timedelta(seconds=0.5)
LATE = 10.0  # seconds after its lease that a job may be taken again while the machine is busy
_THREADS = 4
_TEAMS = 64  # so many that none meets the limit of 60 submissions a minute
_PAUSE = 0.01  # seconds between a team's submissions, so that judging keeps up
_RULES = """
title = "Under fire"
format = "purchases"
[[phases]]
name = "hide"
starts = 2020-01-01T00:00:00Z
[[phases]]
name = "final"
[hide]
tries = 1000000
tries_a_day = 1000000
"""


@dataclass(frozen=True)
class Cup:
    """Where a contest lies, and its notes beside it."""

    folder: Path
    database: str | None

    def opened(self) -> Contest:
        """Open the contest."""
        return Contest.open(self.folder, database=self.database)

    def note(self, name: str, **fact: Any) -> None:  # noqa: ANN401 - plain values
        """Write down a fact; once written it outlives the process."""
        place = os.open(self.folder.parent / name, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        os.write(place, json.dumps(fact).encode() + b"\n")
        os.close(place)

    def notes(self, name: str) -> list[dict[str, Any]]:
        """Return what was written down."""
        path = self.folder.parent / name
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def make(cup: Cup) -> None:
    """Make a contest with teams, each with a token."""
    data = cup.folder.parent / "transactions.csv"
    data.write_text("customer,goods\n1,a\n2,b\n")
    Contest.create(cup.folder, _RULES, data).close()
    contest = cup.opened()
    with contest.database.writing() as session:
        for name in map(str, range(_TEAMS)):
            user = models.User(
                name=name, folded=folded(name), password="", token=f"user-{name}", created=now()
            )
            team = models.Team(name=name, folded=name, join_digest=name, token=f"team-{name}", created=now())
            session.add_all([user, team])
            session.flush()
            session.add(models.Member(user_id=user.id, team_id=team.id, joined=now()))
            session.add(
                models.Token(user_id=user.id, digest=digest(_token(name)), label="fire", created=now())
            )
    contest.close()


def _token(team: object) -> str:
    return f"kkb_{team}"


def serve(cup: Cup) -> None:
    """Serve the contest as a user's server does, and write down on which port."""
    settings = server.Settings(port=0, workers=0, database=cup.database)
    server.serve(cup.folder, settings, ready=lambda port: cup.note("ports", port=port))


def submit(cup: Cup) -> None:
    """Submit from several threads without end, each for many teams, and write down each receipt."""

    def send(thread: int) -> None:
        for number in range(1 << 30):
            content = f"{thread} {number} ".encode() * (1 + number % 50)
            try:
                status, receipt = _put(cup, thread, number, content)
            except (OSError, http.client.HTTPException, IndexError, ValueError):
                status, receipt = 0, {}  # the server was killed, and nothing was promised
            if status == 201:
                cup.note("receipts", id=receipt["id"], digest=receipt["digest"])
            elif status:
                cup.note("troubles", trouble=f"the server answered {status}")
            time.sleep(_PAUSE)

    threads = [threading.Thread(target=send, args=(thread,)) for thread in range(_THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _put(cup: Cup, thread: int, number: int, content: bytes) -> tuple[int, dict[str, Any]]:
    """Send one file to the server that was started last; from many addresses, since each has a limit."""
    team = thread + _THREADS * (number % (_TEAMS // _THREADS))
    own = (f"127.0.{1 + thread}.{1 + number % 250}", 0)
    port = cup.notes("ports")[-1]["port"]
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=20, source_address=own)
    try:
        headers = {"Authorization": f"Bearer {_token(team)}", "Content-Type": "application/octet-stream"}
        line.request("PUT", "/api/v1/submissions?kind=release&name=T.csv", content, headers)
        answer = line.getresponse()
        return answer.status, json.loads(answer.read())
    finally:
        line.close()


def work(cup: Cup) -> None:
    """Judge without end, and write down each lease that was taken and each result that was written."""

    def judge(contest: Contest, lease: Lease) -> Outcome:
        cup.note("leases", id=lease.submission, attempt=lease.attempt, process=os.getpid(), at=time.time())
        content = submissions.content_of(contest, lease.submission)[1]
        time.sleep(0.002 + content[-2] % 5 / 1000)
        return Outcome(Judged(utility={"size": float(len(content))}), (0.0, 1.0))

    Worker(cup.opened(), str(os.getpid()), LEASE, judge=judge).run(threading.Event(), pause=0.02)


def fork(work: Callable[[Cup], None], cup: Cup) -> int:
    """Let a child do the work until it is killed; it dies with its parent."""
    process = os.fork()
    if process:
        return process
    try:
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)
        work(cup)
    except BaseException:  # noqa: BLE001 - a child never returns
        cup.note("troubles", trouble=traceback.format_exc(limit=-3))
    finally:
        os._exit(0)


def wait(cup: Cup, patience: float = 20.0) -> None:
    """Wait until the server or a worker has written something down, so that a kill meets work."""
    files = [cup.folder.parent / name for name in ("receipts", "leases")]
    before, end = [_size(file) for file in files], time.monotonic() + patience
    while [_size(file) for file in files] == before and time.monotonic() < end:
        time.sleep(0.002)


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def kill(process: int) -> float:
    """Kill a child at once; return when."""
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)
    return time.time()


def is_idle(cup: Cup) -> bool:
    """Tell whether every job is closed."""
    contest = cup.opened()
    try:
        counts = jobs.queue(contest).counts
    finally:
        contest.close()
    return not counts["waiting"] and not counts["judging"]


def wrong_with(cup: Cup, killed: Iterable[tuple[int, float]] = ()) -> str | None:
    """Return what is wrong after all: with what was promised, with what was judged, with the files.

    Args:
        cup: the contest.
        killed: the processes of workers that were killed, and when.
    """
    contest = cup.opened()
    try:
        faults = [_troubles(cup), _lost(cup, contest), _misjudged(contest), _unreadable(contest)]
        faults.append(_stuck(cup, killed))
    finally:
        contest.close()
    return next((fault for fault in faults if fault), None)


def _troubles(cup: Cup) -> str | None:
    troubles = cup.notes("troubles")
    return f"a process fell: {troubles[0]['trouble']}" if troubles else None


def _lost(cup: Cup, contest: Contest) -> str | None:
    kept = {view.id: view for view in submissions.everything(contest)}
    for receipt in cup.notes("receipts"):
        if receipt["id"] not in kept:
            return "a submission with a receipt is not there"
        if kept[receipt["id"]].digest != receipt["digest"]:
            return "a submission is not the one that was handed in"
    return None


def _misjudged(contest: Contest) -> str | None:
    with contest.database.reading() as session:
        rounds = Counter(map(tuple, session.execute(select(models.Submission.id, models.Submission.round))))
        judged = session.execute(select(models.Result.submission_id, models.Result.round))
        results = Counter(map(tuple, judged))
        states = Counter(session.scalars(select(models.Job.state)))
        sound = not contest.database.is_sqlite or session.scalar(text("PRAGMA integrity_check")) == "ok"
    if not sound:
        return "SQLite's file is not sound"
    if results != rounds:
        return f"{rounds.total()} submissions have {results.total()} results"
    return f"jobs are {dict(states)}" if set(states) - {"done"} else None


def _unreadable(contest: Contest) -> str | None:
    with contest.database.reading() as session:
        stored = list(session.execute(select(models.Submission.stored, models.Submission.size)))
        hits = [name for name in session.scalars(select(models.Result.hits)) if name]
    try:
        sizes = [(len(contest.vault.get(name)), size) for name, size in stored]
        contents = [contest.vault.get(name) for name in hits]
    except (OSError, KakurenboError) as error:
        return f"a sealed file cannot be opened: {type(error).__name__}"
    wrong = any(one != other for one, other in sizes) or set(contents) - {b"[0.0, 1.0]"}
    return "a sealed file is another one" if wrong else None


def _stuck(cup: Cup, killed: Iterable[tuple[int, float]]) -> str | None:
    """Tell whether a job that a killed worker held was taken again later than its lease allows."""
    taken = {(one["id"], one["attempt"]): one["at"] for one in cup.notes("leases")}
    deaths = dict(killed)
    for lease in cup.notes("leases"):
        again = taken.get((lease["id"], lease["attempt"] + 1))
        if lease["process"] in deaths and again is not None:
            waited = again - deaths[lease["process"]]
            if waited > LEASE.total_seconds() + LATE:
                return f"a job was stuck for {waited:.1f} s"
    return None
