"""Servers and workers of a contest that are killed at random moments."""

from __future__ import annotations

import os
import shutil
import time
from typing import ClassVar

from soak import cup, postgres
from soak.part import Part

WORKERS = 2
_LONGEST = 0.2  # seconds from a sign of work to a kill
_DRAINED = 90.0  # seconds in which everything must be judged after the last kill


class ContestKills(Part):
    """A web server takes submissions, two workers judge them, and all of them are killed again and again.

    Every submission with a receipt must be there afterwards, judged exactly once, and no job may wait longer
    than its lease for another worker. Every second case runs on PostgreSQL where there is one.
    """

    name: ClassVar[str] = "contest"
    promise: ClassVar[str] = "no submission lost or judged twice, no job stuck longer than its lease"
    share: ClassVar[float] = 2.0
    enough: ClassVar[int] = 100  # of five workers and a server each
    patience: ClassVar[float] = 240.0
    kills: ClassVar[int] = 6  # one of them, drawn anew, is the server's

    def case(self, number: int) -> str | None:
        """Kill them, let what is left be judged, and look."""
        place = self.place / str(number)
        place.mkdir()
        try:
            if number % 2 and postgres.why_not() is None:
                for folder in (place, self.place, self.place.parent):
                    folder.chmod(0o711)  # the server is somebody who may pass through
                with postgres.Server(place) as server:
                    return self.tried(cup.Cup(place / "cup", server.url()), number)
            return self.tried(cup.Cup(place / "cup", None), number)
        finally:
            shutil.rmtree(place, ignore_errors=True)

    def tried(self, contest: cup.Cup, number: int) -> str | None:
        """Kill workers and servers of one contest."""
        os.waitpid(cup.fork(cup.make, contest), 0)  # what it loads stays out of here
        chance, killed = self.chance(number), []
        workers = [cup.fork(cup.work, contest) for _ in range(WORKERS)]
        server, teams = cup.fork(cup.serve, contest), cup.fork(cup.submit, contest)
        last = chance.randrange(self.kills)
        for kill in range(self.kills):
            cup.wait(contest)
            time.sleep(chance.uniform(0, _LONGEST))
            if kill == last:
                cup.kill(server)
                server = cup.fork(cup.serve, contest)
                self.counts["servers killed"] += 1
            else:
                victim = chance.randrange(WORKERS)
                killed.append((workers[victim], cup.kill(workers[victim])))
                workers[victim] = cup.fork(cup.work, contest)
                self.counts["workers killed"] += 1
        cup.kill(server)
        cup.kill(teams)
        self.counts["servers killed"] += 1
        return self._ended(contest, workers, killed)

    def _ended(self, contest: cup.Cup, workers: list[int], killed: list[tuple[int, float]]) -> str | None:
        """Let the workers judge what is left, and look."""
        end = time.monotonic() + _DRAINED
        while not (idle := cup.is_idle(contest)) and time.monotonic() < end:
            time.sleep(0.05)
        for worker in workers:
            cup.kill(worker)
        receipts, leases = contest.notes("receipts"), contest.notes("leases")
        self.counts["receipts"] += len(receipts)
        self.counts["taken again"] += sum(lease["attempt"] > 1 for lease in leases)
        if not idle:
            return "jobs are left that nobody judges"
        return cup.wrong_with(contest, killed)
