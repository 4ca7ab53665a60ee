"""Load on a contest's server: durable submissions a second for a minute, and a burst over the deadline.

Server and client are two processes on this machine, over loopback, and share its cores. A submission counts
here when its receipt came back: by then its sealed file and its row in the database are on the disk. Beside
it stands what the same disk does alone, files written and synced, since nobody can be durable faster.
"""

import asyncio
import datetime as dt
import hashlib
import json
import os
import secrets
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from statistics import quantiles

import psutil
from sqlalchemy import select

from kakurenbo.contest import schedule, submissions
from kakurenbo.contest.accounts import digest
from kakurenbo.contest.contest import Contest
from kakurenbo.contest.database import models
from kakurenbo.contest.records import User

TEAMS = 800  # so many that none of them meets the limit of 60 submissions a minute
LINES = 32  # connections at once, each from an address of its own: 600 a minute are allowed from one
SECONDS = 60
KILOBYTES = 20
POSTS = 2000
RULES = f"""
title = "Load"
format = "purchases"
[[phases]]
name = "hide"
[[phases]]
name = "seek"
[[phases]]
name = "final"
[hide]
tries = 1000000
tries_a_day = 1000000
[[hide.measures]]
name = "popularity"
[limits]
teams = {TEAMS}
"""


@dataclass(frozen=True)
class Answered:
    status: int
    document: dict
    sent: float
    came: float


@dataclass(frozen=True)
class Cup:
    contest: Contest
    port: int
    tokens: list[str]
    server: psutil.Process


@contextmanager
def cup(workers=0):
    """Make a contest with many teams, and serve it from a process of its own."""
    with tempfile.TemporaryDirectory(prefix="kakurenbo-load-") as place:
        data = Path(place) / "data"
        data.mkdir()
        (data / "T.csv").write_text("customer,goods\na,b\nc,d\n")
        contest = Contest.create(Path(place) / "cup", RULES, data)
        tokens = signed_up(contest)
        command = [sys.executable, "-m", "kakurenbo", "contest", "serve", str(contest.folder), "--port", "0",
                   "--workers", str(workers), "--json"]  # fmt: skip
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            yield Cup(contest, port_of(process), tokens, psutil.Process(process.pid))
        finally:
            process.terminate()
            process.wait()
            contest.close()


def port_of(process):
    said = ""
    while not said.rstrip().endswith("}"):
        line = process.stdout.readline()
        if not line:
            raise SystemExit("the server did not start")
        said += line
    return json.loads(said)["port"]


def signed_up(contest):
    """Make teams of one member with a token each, without the price of their passwords."""
    tokens = [f"kkb_{secrets.token_urlsafe(32)}" for _ in range(TEAMS)]
    now = contest.clock()
    with contest.database.writing() as session:
        for place, token in enumerate(tokens):
            name = f"team {place}"
            user = models.User(name=name, folded=name, password="", created=now, token=models.new_token())
            team = models.Team(
                name=name, folded=name, join_digest=name, created=now, token=models.new_token()
            )
            session.add_all([user, team])
            session.flush()
            session.add(models.Member(user_id=user.id, team_id=team.id, joined=now))
            session.add(models.Token(user_id=user.id, digest=digest(token), label="load", created=now))
    return tokens


class Line:
    """A connection that is kept, from an address of its own, since the server counts by address."""

    def __init__(self, port, place):
        self.port, self.local = port, f"127.0.{1 + place // 200}.{1 + place % 200}"
        self.reader = self.writer = None

    async def opened(self):
        local = (self.local, 0)
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port, local_addr=local)
        return self

    async def submit(self, token, body):
        head = (
            "PUT /api/v1/submissions?kind=release&name=release.csv HTTP/1.1\r\nHost: 127.0.0.1\r\n"
            f"Authorization: Bearer {token}\r\nContent-Type: application/octet-stream\r\n"
            f"Content-Length: {len(body)}\r\n\r\n"
        )
        sent = time.time()
        self.writer.write(head.encode() + body)
        await self.writer.drain()
        status, document = await self._answer()
        return Answered(status, document, sent, time.time())

    async def _answer(self):
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower().split("\r\n")
        length = next(int(line.partition(":")[2]) for line in head if line.startswith("content-length:"))
        return int(head[0].split()[1]), json.loads(await self.reader.readexactly(length))

    def close(self):
        self.writer.close()


async def hammer(cup, seconds, size, lines):
    """Submit on many connections for so long, each after the answer to the one before."""
    end, answers = time.time() + seconds, []

    async def work(place):
        line = await Line(cup.port, place).opened()
        for token in cycle(cup.tokens[place::lines]):
            if time.time() >= end:
                line.close()
                return
            answers.append(await line.submit(token, os.urandom(size)))

    await asyncio.gather(*(work(place) for place in range(lines)))
    return answers


def sustained(cup, seconds=SECONDS, kilobytes=KILOBYTES, lines=LINES):
    """Print how many submissions a second are stored for good, and how long each takes."""
    asyncio.run(hammer(cup, 2, 1000, lines))  # what is loaded late is loaded now
    before, cpu = len(rows(cup)), cpu_of(cup)
    answers = asyncio.run(hammer(cup, seconds, kilobytes * 1000, lines))
    good = [answer for answer in answers if answer.status == 201]
    slowest = least(good, 10)
    took = sorted(1000 * (answer.came - answer.sent) for answer in good)
    shares = quantiles(took, n=100)
    print(f"{kilobytes} kB each, {lines} at a time, {seconds} s: {len(good) / seconds:.0f} a second durably "
          f"stored (slowest 10 s: {slowest:.0f}); {len(answers) - len(good)} others")  # fmt: skip
    print(f"  answered within {shares[49]:.0f} ms (median), {shares[94]:.0f} ms (95 %), {shares[98]:.0f} ms "
          f"(99 %), {took[-1]:.0f} ms (all)")  # fmt: skip
    print(f"  the server took {1000 * (cpu_of(cup) - cpu) / len(answers):.2f} ms of processor time for each")
    stored = rows(cup)[before:]
    same = {row[0] for row in stored} == {answer.document["id"] for answer in good}
    print(f"  in the database: {len(stored)}, {'the very ones' if same else 'NOT those'} that got a receipt; "
          f"{sampled(cup, good)} of 50 opened files are what was sent")  # fmt: skip
    return len(good) / seconds


def least(answers, seconds):
    """Return the lowest rate over windows of so many seconds."""
    if not answers:
        return 0.0
    start, end = answers[0].sent, max(answer.came for answer in answers)
    counts = [0] * max(1, int((end - start) // seconds))
    for answer in answers:
        window = int((answer.came - start) // seconds)
        if window < len(counts):
            counts[window] += 1
    return min(counts) / seconds


def sampled(cup, good):
    """Return how many of fifty submissions open to what their receipts say."""
    step = max(1, len(good) // 50)
    some = [answer.document for answer in good[::step][:50]]
    opened = [hashlib.sha256(submissions.content_of(cup.contest, one["id"])[1]).hexdigest() for one in some]
    return sum(found == one["digest"] for found, one in zip(opened, some, strict=True))


def rows(cup):
    """Return id, moment and name in the vault of all submissions, oldest first."""
    query = select(models.Submission.token, models.Submission.received, models.Submission.stored)
    with cup.contest.database.reading() as session:
        return [tuple(row) for row in session.execute(query.order_by(models.Submission.id))]


def cpu_of(cup):
    times = cup.server.cpu_times()
    return times.user + times.system


def disk(folder, kilobytes, seconds=5, threads=LINES):
    """Return how many new files a second the disk keeps, each written and synced with its folder."""
    content = os.urandom(kilobytes * 1000)
    end = time.time() + seconds

    def work(place):
        done = 0
        handle = os.open(folder, os.O_RDONLY)
        while time.time() < end:
            with (folder / f"{place}-{done}").open("wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            os.fsync(handle)
            done += 1
        os.close(handle)
        return done

    with ThreadPoolExecutor(threads) as pool:
        return sum(pool.map(work, range(threads))) / seconds


def burst(cup, posts=POSTS, spread=4.0):
    """Post over the deadline, and hold every answer against the database and the clock."""
    before = {row[0] for row in rows(cup)}
    deadline = cup.contest.clock() + dt.timedelta(seconds=10)
    chief = User("bench", "bench", organiser=True, language="en", created=deadline)
    schedule.move(cup.contest, "seek", deadline, chief)
    answers = asyncio.run(posted(cup, posts, deadline.timestamp() - spread / 2, spread))
    stored = {token: (received, name) for token, received, name in rows(cup) if token not in before}
    good = {answer.document["id"] for answer in answers if answer.status == 201}
    late = [answer for answer in answers if answer.status == 409 and answer.document["code"] == "closed"]
    edge = deadline.timestamp()
    last = min(((deadline - moment).total_seconds() for moment, _ in stored.values()), default=0.0)
    print(f"{posts} posts within {spread:.0f} s about the deadline, on as many connections: {len(answers)} "
          f"answered, {len(good)} with a receipt, {len(late)} closed, {posts - len(good) - len(late)} not; "
          f"the last {max(answer.came for answer in answers) - edge:.1f} s after it")  # fmt: skip
    print(f"  stored are {'exactly' if good == set(stored) else 'NOT'} those with a receipt, the last "
          f"{last:.4f} s before the deadline by the server's clock")  # fmt: skip
    wrong = sum(answer.status == 201 and answer.sent > edge for answer in answers)
    early = sum(answer.came < edge for answer in late)
    left = set(cup.contest.vault.names()) - {row[2] for row in rows(cup)}
    print(f"  sent after the deadline and counted: {wrong}; refused before it: {early}; "
          f"files that belong to nothing: {len(left)}")  # fmt: skip


async def posted(cup, posts, start, spread):
    """Open all connections, then send on each at its moment."""
    lines = [await Line(cup.port, place).opened() for place in range(posts)]

    async def work(place, line):
        await asyncio.sleep(max(0.0, start + spread * place / posts - time.time()))
        return await line.submit(cup.tokens[place % TEAMS], os.urandom(KILOBYTES * 1000))

    try:
        return await asyncio.gather(*(work(place, line) for place, line in enumerate(lines)))
    finally:
        for line in lines:
            line.close()


def run(seconds=SECONDS, kilobytes=KILOBYTES):
    with tempfile.TemporaryDirectory(prefix="kakurenbo-disk-") as place:
        alone = disk(Path(place), int(kilobytes))
    print(f"the disk alone, {LINES} threads: {alone:.0f} files a second of {kilobytes} kB, each synced")
    with cup() as made:
        reached = sustained(made, int(seconds), int(kilobytes))
        print(f"  that is {reached / alone:.2f} of what the disk does alone")
        burst(made)


if __name__ == "__main__":
    run(*sys.argv[1:])
