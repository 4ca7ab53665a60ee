"""What all pages share: the contest, who asks, and how a form is shown again with its faults."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from kakurenbo.contest.pages.sentences import Sentence
from kakurenbo.errors import KakurenboError
from kakurenbo.web.refusals import Refusal, refusal
from kakurenbo.web.roles import person, visitor
from kakurenbo.web.templating import render
from kakurenbo.web.visit import visit_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starlette.requests import Request
    from starlette.responses import Response

    from kakurenbo.contest.contest import Contest
    from kakurenbo.contest.records import Team, User

YEAR: Final = 365 * 24 * 3600  # seconds that a chosen language is kept


@dataclass(frozen=True, slots=True)
class Visitor:
    """Somebody who is signed in, the team he is in, and whether it was shut out."""

    user: User
    team: Team | None
    shut_out: bool = False


def contest_of(request: Request) -> Contest:
    """Return the contest that is served."""
    contest: Contest = request.app.state.contest
    return contest


def me(request: Request) -> Visitor:
    """Return who is signed in."""
    record: Visitor = person(request).record
    return record


def visitor_of(request: Request) -> Visitor | None:
    """Return who is signed in, if anybody is."""
    someone = visitor(request)
    return None if someone is None else someone.record


def my_team(request: Request) -> Team:
    """Return the team of who is signed in; its route needs a member."""
    team = me(request).team
    if team is None:
        raise Refusal(403)
    return team


class FormFault(Exception):  # noqa: N818 - a fault of what was sent
    """What is wrong with a form, and at which field; the page shows the form again with it."""

    def __init__(self, field: str, refused: Refusal) -> None:
        super().__init__(field)
        self.field = field
        self.status = refused.status_code
        named = {"field": Sentence(str(refused.fields["field"]))} if "field" in refused.fields else {}
        self.said = Sentence(refused.message, {**refused.fields, **named})


@contextmanager
def about(field: str) -> Iterator[None]:
    """Say of whatever is refused within that it is about a field of the form, unless it names one itself."""
    try:
        yield
    except (KakurenboError, Refusal) as error:
        refused = refusal(error)
        raise FormFault(str(refused.fields.get("field", field)), refused) from None


def again(request: Request, template: str, fault: FormFault, /, **values: Any) -> Response:  # noqa: ANN401 - what the template uses
    """Show a form again with what is wrong with it."""
    return render(request, template, status=fault.status, faults={fault.field: fault.said}, **values)


def speak(request: Request, language: str) -> None:
    """Keep the language somebody chose, for this browser."""
    visit_of(request).set_cookie("lang", language, YEAR)
