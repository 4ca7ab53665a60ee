"""What everybody may look at: the contest, its rules and times, its data, what was published, the board."""

from pathlib import Path

from fastapi import APIRouter, Request, Response

from kakurenbo.contest import results, schedule, teams
from kakurenbo.contest.api.answers import (
    Allowed,
    ContestAnswer,
    DataAnswer,
    DataFile,
    PhaseTime,
    ReleaseAnswer,
    ReleasesAnswer,
    ScheduleAnswer,
    TeamName,
)
from kakurenbo.contest.api.routing import contest_of, route
from kakurenbo.contest.rules import Rules
from kakurenbo.web.redirects import attachment
from kakurenbo.web.refusals import Refusal

router = APIRouter(tags=["contest"])


@router.get("/contest", **route("anyone"))
def contest(request: Request) -> ContestAnswer:
    """Tell what the contest is, which phase it is in, and who takes part."""
    open_contest = contest_of(request)
    rules, where = open_contest.rules, schedule.now_in(open_contest)
    return ContestAnswer(
        title=rules.title, title_ja=rules.title_ja, about=rules.about, about_ja=rules.about_ja,
        format=rules.format,
        phase=where.phase, since=where.since, until=where.until, now=where.now,
        limits=Allowed.model_validate(rules.limits),
        teams=[TeamName.model_validate(team) for team in teams.teams(open_contest)],
    )  # fmt: skip


@router.get("/rules", **route("anyone"))
def rules(request: Request) -> Rules:
    """Return the rules: what is measured, how often one may try, what is told when."""
    return contest_of(request).rules


@router.get("/schedule", **route("anyone"))
def times(request: Request) -> ScheduleAnswer:
    """Tell when every phase begins; the organiser may move them."""
    open_contest = contest_of(request)
    phases = [PhaseTime.model_validate(phase) for phase in schedule.schedule(open_contest)]
    return ScheduleAnswer(now=open_contest.clock(), phases=phases)


@router.get("/data", **route("user"))
def data(request: Request) -> DataAnswer:
    """List the contest's tables."""
    return DataAnswer(
        files=[DataFile(name=name, size=path.stat().st_size) for name, path in _tables(request).items()]
    )


@router.get("/data/{name}", response_class=Response, **route("user", 404))
def table(request: Request, name: str) -> Response:
    """Download one of the contest's tables."""
    path = _tables(request).get(name)
    if path is None:
        raise Refusal(404, "There is no such table.", code="missing")
    return attachment(path, name)


@router.get("/releases", **route("user"))
def releases(request: Request) -> ReleasesAnswer:
    """List what was published of every team, to seek in."""
    return ReleasesAnswer(
        releases=[ReleaseAnswer.model_validate(one) for one in results.releases(contest_of(request))]
    )


@router.get("/releases/{team}", response_class=Response, **route("user", 404))
def release(request: Request, team: str) -> Response:
    """Download what was published of a team's release: a table, or a zip of tables."""
    open_contest = contest_of(request)
    if team not in {one.team for one in results.releases(open_contest)}:
        raise Refusal(404, "This team has no published release.", code="missing")
    name, content = results.published_file(open_contest, team)
    return attachment(content, name)


def _tables(request: Request) -> dict[str, Path]:
    """Return the tables by name: what is asked for is looked up here and never made into a path."""
    folder = contest_of(request).data
    return {
        path.name: path
        for path in sorted(folder.iterdir())
        if path.is_file() and not path.name.startswith(".")
    }
