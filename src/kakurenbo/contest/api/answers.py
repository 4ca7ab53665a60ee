"""What the API answers, as documents whose every field is described: the OpenAPI page is made from them.

Times are in UTC. What is None is not known yet, or not to be told now.
"""

import datetime as dt
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from kakurenbo.contest.records import Kind, State
from kakurenbo.contest.rules import Format, PhaseName


class Answer(BaseModel):
    """Base of all answers: read from records of the same fields."""

    model_config = ConfigDict(from_attributes=True)


class Refused(Answer):
    """Why something was not done."""

    code: str = Field(description="a word for programs, such as closed, quota, denied or limit")
    message: str = Field(description="a sentence for people")
    faults: list[dict[str, Any]] = Field(
        default_factory=list, description="what is wrong, where it can be listed"
    )


class TeamName(Answer):
    """A team."""

    id: str = Field(description="what guesses name it by")
    name: str = Field(description="what it calls itself")


class Allowed(Answer):
    """What the server takes."""

    megabytes: int = Field(description="of a submission, in units of 1,000,000 bytes, packed and unpacked")
    rows: int = Field(description="of a table")


class ContestAnswer(Answer):
    """What the contest is and where it stands."""

    title: str = Field(description="what it is called")
    title_ja: str = Field(description="the same in Japanese")
    about: str = Field(description="what it is about")
    about_ja: str = Field(description="the same in Japanese")
    format: Format = Field(description="of submissions")
    phase: PhaseName | None = Field(description="the phase of this moment; none before the first")
    since: dt.datetime | None = Field(description="when it began")
    until: dt.datetime | None = Field(description="when it ends, where that is known")
    now: dt.datetime = Field(description="the server's clock, by which deadlines are kept")
    limits: Allowed = Field(description="what the server takes")
    teams: list[TeamName] = Field(description="those who take part, in the order they were founded")


class PhaseTime(Answer):
    """When a phase begins."""

    phase: PhaseName = Field(description="its name")
    starts: dt.datetime | None = Field(description="none: when the organiser says so")


class ScheduleAnswer(Answer):
    """All phases in order; each ends where the next begins."""

    now: dt.datetime = Field(description="the server's clock")
    phases: list[PhaseTime] = Field(description="in order")


class DataFile(Answer):
    """A table to download."""

    name: str = Field(description="its name")
    size: int = Field(description="its bytes")


class DataAnswer(Answer):
    """What there is to download before hiding."""

    files: list[DataFile] = Field(description="the contest's tables")


class ReceiptAnswer(Answer):
    """The proof that something was stored in time: keep it."""

    id: str = Field(description="of the submission")
    digest: str = Field(description="SHA-256 of the file, in hex")
    size: int = Field(description="its bytes")
    received: dt.datetime = Field(
        description="when, by the server's clock, it was durably stored and counted"
    )
    commitment: str = Field(description="SHA-256 of the salt's bytes followed by the file, in hex")
    salt: str = Field(description="the salt of the commitment, in hex")


class FaultAnswer(Answer):
    """Something a submission must not have."""

    file: str = Field(description="in which file of it")
    line: int | None = Field(description="which line, from 1; none where it is about the whole file")
    column: int | None = Field(description="which cell, from 1; none where it is about the whole line")
    fault: str = Field(description="what is wrong")
    code: str = Field(description="the same for programs")


class SubmissionAnswer(Answer):
    """A submission and how far its judging is."""

    id: str = Field(description="what it is asked for by")
    kind: Kind = Field(description="a release of the team, or a guess about another's")
    phase: PhaseName = Field(description="in which it was received")
    counts: bool = Field(description="whether it was received in the phase that is about its kind")
    target: str | None = Field(description="the id of the team a guess is about")
    target_name: str | None = Field(description="the name of that team")
    filename: str = Field(description="what its sender called it")
    by: str = Field(description="who of the team sent it")
    digest: str = Field(description="SHA-256 of the file, in hex")
    size: int = Field(description="its bytes")
    received: dt.datetime = Field(description="when it was stored")
    state: State = Field(description="failed is a fault of the server, and eats no try")
    valid: bool | None = Field(description="none until it is judged")
    judged: dt.datetime | None = Field(description="when that was")


class OneSubmission(SubmissionAnswer):
    """A submission with all its faults, or what may be told of its result now."""

    commitment: str = Field(description="as on its receipt")
    salt: str = Field(description="as on its receipt")
    faults: list[FaultAnswer] = Field(description="all of them, in the order of files, lines and cells")
    told: dict[str, Any] | None = Field(
        description="what the rules allow to tell now: of a release its numbers where the board shows them, "
        "of a guess nothing, a step or a rounded score; everything after the end"
    )


class SubmissionsAnswer(Answer):
    """The team's submissions."""

    submissions: list[SubmissionAnswer] = Field(description="the newest first")


class CheckAnswer(Answer):
    """What is wrong with a file that was only checked."""

    valid: bool = Field(description="whether the format has no fault; numbers are not looked at")
    faults: list[FaultAnswer] = Field(description="all of them")


class ReleaseAnswer(Answer):
    """What other teams may see of a team's release."""

    team: str = Field(description="the team's id")
    team_name: str = Field(description="its name")
    filename: str = Field(description="the file's name")
    size: int = Field(description="its bytes")
    digest: str = Field(description="its SHA-256, in hex")
    published: dt.datetime = Field(description="when it appeared")


class ReleasesAnswer(Answer):
    """What there is to seek in."""

    releases: list[ReleaseAnswer] = Field(
        description="in the order the teams were founded; none before seeking"
    )


class MeAnswer(Answer):
    """Whose token it is."""

    name: str = Field(description="the account's name")
    organiser: bool = Field(description="whether it organises the contest")
    team: TeamName | None = Field(description="the team it plays for")


class Move(BaseModel):
    """When a phase is to begin."""

    model_config = ConfigDict(extra="forbid")

    starts: dt.datetime | None = Field(
        description="with its zone; a time that has passed means now, none takes the time away"
    )


class JobAnswer(Answer):
    """A submission in the queue."""

    submission: str = Field(description="its id")
    team_name: str = Field(description="whose it is")
    kind: Kind = Field(description="release or guess")
    round: int = Field(description="how often it is judged, this time included")
    state: State = Field(description="how far it is")
    attempts: int = Field(description="how often a worker took it in this round")
    worker: str | None = Field(description="which worker did last")
    trouble: str | None = Field(description="the kind of the last fault of the server")


class QueueAnswer(Answer):
    """What stands in the queue."""

    counts: dict[State, int] = Field(description="how many jobs are in each state")
    jobs: list[JobAnswer] = Field(description="those that are not done, the oldest first")


class RoundAnswer(Answer):
    """That a submission is judged anew."""

    round: int = Field(description="the number of the new round")


class Hider(Answer):
    """A team on the board of those who hide; numbers are better when they are lower."""

    rank: int = Field(description="from 1; equal totals share one")
    team: str = Field(description="the team's id")
    name: str = Field(description="its name")
    utility: float | None = Field(description="what its release lost")
    security: float | None = Field(
        description="what the worst attack, or the worst of the last guesses, found in it"
    )
    total: float | None = Field(description="both together, by which it is ranked")
    by: str | None = Field(description="the name of the team that found more than the sample attacks")
    reason: str | None = Field(description="why there are no numbers, where there are none")


class Seeker(Answer):
    """A team on the board of those who seek."""

    rank: int = Field(description="from 1; equal shares have the same")
    team: str = Field(description="the team's id")
    name: str = Field(description="its name")
    found: float = Field(description="the share of people found in the releases of the others, on average")
    guesses: int = Field(description="in how many of them it has a valid guess")
    releases: int = Field(description="how many they are")


class BoardAnswer(Answer):
    """What everybody may see of the ranking now."""

    phase: PhaseName | None = Field(description="the phase of this moment")
    final: bool = Field(description="whether these are the final numbers")
    open: int = Field(
        description="in the final, how many submissions are still to be judged; no rows until then"
    )
    failed: int = Field(description="in the final, how many could not be judged by a fault of the server")
    hide: list[Hider] = Field(description="those who hide, the best first")
    seek: list[Seeker] = Field(description="those who seek, the best first")


class MatrixAnswer(Answer):
    """Who found how many of whom: a row for every seeker, a column for every hider."""

    final: bool = Field(description="whether the rates are there")
    teams: list[TeamName] = Field(description="of the rows and of the columns, in one order")
    released: list[bool] = Field(description="whether there is a release of theirs to seek in")
    rates: list[list[float | None]] = Field(description="the share of people found; none before the end")
    tried: list[list[bool]] = Field(description="whether there is a valid guess")
