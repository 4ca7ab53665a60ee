"""What an organiser does from a program: move phases, look at the queue, have something judged again."""

from fastapi import APIRouter, Request

from kakurenbo.contest import jobs, schedule
from kakurenbo.contest.accounts import user_of
from kakurenbo.contest.api.answers import Move, PhaseTime, QueueAnswer, RoundAnswer, ScheduleAnswer
from kakurenbo.contest.api.routing import contest_of, route
from kakurenbo.contest.records import User
from kakurenbo.contest.rules import PhaseName
from kakurenbo.web.refusals import Refusal
from kakurenbo.web.roles import person

router = APIRouter(tags=["organiser"])


@router.put("/schedule/{phase}", **route("organiser", 409, 422))
def move(request: Request, phase: PhaseName, to: Move) -> ScheduleAnswer:
    """Let a phase begin at another time, or now; it is written down who did it."""
    contest = contest_of(request)
    phases = schedule.move(contest, phase, to.starts, _organiser(request))
    return ScheduleAnswer(now=contest.clock(), phases=[PhaseTime.model_validate(one) for one in phases])


@router.get("/queue", **route("organiser"))
def queue(request: Request) -> QueueAnswer:
    """Tell what stands in the queue, and what failed by a fault of the server."""
    return QueueAnswer.model_validate(jobs.queue(contest_of(request)))


@router.post("/submissions/{submission}/rounds", status_code=201, **route("organiser", 404))
def judge_again(request: Request, submission: str) -> RoundAnswer:
    """Let a submission be judged once more; until then it counts as not judged."""
    return RoundAnswer(round=jobs.rejudge(contest_of(request), submission, _organiser(request)))


def _organiser(request: Request) -> User:
    user = user_of(contest_of(request), person(request).id)
    if user is None:
        raise Refusal(403)
    return user
