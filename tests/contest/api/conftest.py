"""The API of a little contest, asked without a network."""

import asyncio

import httpx
import pytest

from contest import cups
from kakurenbo.contest import accounts
from kakurenbo.contest.site import make_site

API = "/api/v1"


class Api:
    """Asks the application; everybody who was given a name has a token."""

    def __init__(self, contest):
        self.contest = contest
        self.app = make_site(contest)
        self.tokens = {}
        self.teams = {}

    def member(self, name):
        user, team = cups.team(self.contest, name)
        self.tokens[name], self.teams[name] = accounts.make_token(self.contest, user), team.id
        return user

    def person(self, name, *, organiser=False):
        user = cups.person(self.contest, name, organiser=organiser)
        self.tokens[name] = accounts.make_token(self.contest, user)
        return user

    def ask(self, method, path, who=None, **more):
        headers = {"Authorization": f"Bearer {self.tokens[who]}"} if who else {}
        return asyncio.run(self._ask(method, path, headers | more.pop("headers", {}), more))

    async def _ask(self, method, path, headers, more):
        transport = httpx.ASGITransport(self.app)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            return await client.request(method, f"{API}{path}", headers=headers, **more)

    def get(self, path, who=None):
        return self.ask("GET", path, who)

    def submit(self, who, content=b"good", name="release.csv", **asked):
        return self.ask("PUT", "/submissions", who, params={"name": name, **asked}, content=content)


@pytest.fixture
def api(contest):
    """Return the API with two teams, somebody without one, and an organiser."""
    made = Api(contest)
    made.member("hider")
    made.member("seeker")
    made.person("guest")
    made.person("chief", organiser=True)
    return made
