"""What the contest answers with: frozen records that hold nothing secret and no number of the database.

`id` is always the opaque token that people may see. Functions that ask for somebody or something take the
record, or its id.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from kakurenbo.contest.judging.records import Judged
from kakurenbo.contest.rules import PhaseName

Kind = Literal["release", "guess"]
State = Literal["waiting", "judging", "done", "failed"]


class HasId(Protocol):
    """Anything that people know by an id."""

    @property
    def id(self) -> str:
        """The id."""


def id_of(thing: HasId | str) -> str:
    """Return the id of a record, or the id itself."""
    return thing if isinstance(thing, str) else thing.id


@dataclass(frozen=True, slots=True)
class User:
    """Somebody with an account."""

    id: str
    name: str
    organiser: bool
    language: str
    created: dt.datetime


@dataclass(frozen=True, slots=True)
class Team:
    """A team and the names of its members, in the order they joined."""

    id: str
    name: str
    members: tuple[str, ...]
    created: dt.datetime


@dataclass(frozen=True, slots=True)
class TokenView:
    """A token that somebody made, without its words."""

    id: str
    label: str
    created: dt.datetime


@dataclass(frozen=True, slots=True)
class Where:
    """The phase the contest is in; None before the first. `until` is None where the next has no time yet."""

    phase: PhaseName | None
    since: dt.datetime | None
    until: dt.datetime | None
    next: PhaseName | None
    now: dt.datetime


@dataclass(frozen=True, slots=True)
class Scheduled:
    """When a phase begins; None: when the organiser says so."""

    phase: PhaseName
    starts: dt.datetime | None


@dataclass(frozen=True, slots=True)
class Receipt:
    """What a team keeps as a proof: the commitment is the SHA-256 of the salt's bytes and then the file's."""

    id: str
    digest: str
    size: int
    received: dt.datetime
    commitment: str
    salt: str


@dataclass(frozen=True, slots=True)
class SubmissionView:
    """A submission and how far its judging is.

    Attributes:
        by: the name of who sent it.
        target: the id of the team that a guess is about.
        release: the id of the submission that a guess is about.
        counts: whether it was received in the phase that is about its kind; practice never counts.
        state: `failed` is a fault of the server, which eats no quota.
        valid: None until it is judged.
    """

    id: str
    team: str
    team_name: str
    by: str
    kind: Kind
    phase: PhaseName
    target: str | None
    target_name: str | None
    release: str | None
    filename: str
    digest: str
    size: int
    commitment: str
    salt: str
    received: dt.datetime
    counts: bool
    round: int
    state: State
    valid: bool | None
    judged: dt.datetime | None


@dataclass(frozen=True, slots=True)
class Quota:
    """How many tries a team has left, and when the next comes back where it is none for today."""

    left: int
    left_today: int
    next_at: dt.datetime | None


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to judge a submission, and to write its result, as long as nobody else was given it."""

    job: int
    fence: str
    submission: str
    round: int
    attempt: int
    worker: str
    length: dt.timedelta
    until: dt.datetime


@dataclass(frozen=True, slots=True)
class Outcome:
    """What judging yields: the answer, and for guesses who was found, which is kept sealed."""

    judged: Judged
    hits: tuple[float, ...] | None = None


@dataclass(frozen=True, slots=True)
class Judgement:
    """A submission with what the judge said of it in its newest round."""

    submission: SubmissionView
    document: dict[str, Any]


@dataclass(frozen=True, slots=True)
class PublishedRelease:
    """What other teams may download of a team's release."""

    team: str
    team_name: str
    submission: str
    filename: str
    size: int
    digest: str
    published: dt.datetime


@dataclass(frozen=True, slots=True)
class JobView:
    """A job as the organiser sees it."""

    submission: str
    team_name: str
    kind: Kind
    round: int
    state: State
    attempts: int
    worker: str | None
    due: dt.datetime
    created: dt.datetime
    ended: dt.datetime | None
    trouble: str | None


@dataclass(frozen=True, slots=True)
class Queue:
    """What stands in the queue: how many jobs in each state, and those that are not done, oldest first."""

    counts: dict[State, int]
    jobs: tuple[JobView, ...]


@dataclass(frozen=True, slots=True)
class AnnouncementView:
    """What the organiser told everybody."""

    id: str
    text: str
    text_ja: str
    created: dt.datetime


@dataclass(frozen=True, slots=True)
class EventView:
    """A line of the audit log."""

    at: dt.datetime
    who: str
    what: str
    about: str
