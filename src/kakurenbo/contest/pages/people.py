"""Who somebody is, for the pages and the API: an account with its roles and its team."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kakurenbo.contest import accounts, organising, teams
from kakurenbo.contest.pages.common import Visitor
from kakurenbo.web.roles import Person

if TYPE_CHECKING:
    from kakurenbo.contest.contest import Contest
    from kakurenbo.contest.records import User
    from kakurenbo.web.roles import Role


class ContestPeople:
    """Accounts as the web base knows people: `kakurenbo.web.roles.People`."""

    def __init__(self, contest: Contest) -> None:
        self._contest = contest

    def by_id(self, id: str, /) -> Person | None:  # noqa: A002 - what it is
        """Return a person by his id."""
        return self._person(accounts.user_of(self._contest, id))

    def by_token(self, token: str, /) -> Person | None:
        """Return a person by a token that he made."""
        return self._person(accounts.by_token(self._contest, token))

    def _person(self, user: User | None) -> Person | None:
        if user is None:
            return None
        team = teams.team_of(self._contest, user)
        roles: set[Role] = {"user"}
        shut_out = team is not None and team.id in organising.are_shut_out(self._contest)
        if team is not None and not shut_out:
            roles.add("member")
        if user.organiser:
            roles.add("organiser")
        return Person(user.id, user.name, frozenset(roles), Visitor(user, team, shut_out))
