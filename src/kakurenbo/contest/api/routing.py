"""What all routes of the API share: who may take them, the errors they answer with, and the contest."""

from typing import Any, Final

from fastapi import Request, Security
from fastapi.security import HTTPBearer

from kakurenbo.contest.api.answers import Refused
from kakurenbo.contest.contest import Contest
from kakurenbo.web.roles import Role, needs

_BEARER: Final = Security(
    HTTPBearer(
        scheme_name="token", description="A token that was made on the page of an account.", auto_error=False
    )
)
_REFUSALS: Final = {
    401: "There is no token, or it is not known.",
    403: "Somebody else may do this.",
    404: "There is no such thing.",
    409: "The contest is in another phase.",
    413: "The file is larger than the rules allow.",
    422: "The request, or what was sent, is not as it must be.",
    429: "All tries are used up, or there were too many requests.",
}


def contest_of(request: Request) -> Contest:
    """Return the contest that is served."""
    contest: Contest = request.app.state.contest
    return contest


def route(role: Role, *refusals: int) -> dict[str, Any]:
    """Return what a route of the API declares.

    Args:
        role: who may take it.
        refusals: the statuses with which it says no, beside those that its role brings along.
    """
    known = (401, 403, *refusals) if role != "anyone" else refusals
    answers = {status: {"model": Refused, "description": _REFUSALS[status]} for status in known}
    guards = [needs(role)] if role == "anyone" else [needs(role), _BEARER]
    return {"dependencies": guards, "responses": answers}
