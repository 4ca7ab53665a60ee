"""Every route x every role: who gets which answer, from the application's own list of routes."""

import re

import pytest

from contest.pages.conftest import WHO
from kakurenbo.web.roles import roles_of

SIGN_IN = 303  # nobody is signed in: the answer leads to where one signs in
# The status for: nobody, somebody without a team, a member, a member of another team, an organiser.
PAGES = {
    "GET /": (200, 200, 200, 200, 200),
    "GET /live/state": (200, 200, 200, 200, 200),
    "GET /rules": (200, 200, 200, 200, 200),
    "GET /rules.toml": (200, 200, 200, 200, 200),
    "GET /data": (200, 200, 200, 200, 200),
    "GET /data/{name}": (303, 200, 200, 200, 200),
    "GET /sign-up": (200, 303, 303, 303, 303),
    "POST /sign-up": (422, 422, 422, 422, 422),
    "GET /sign-in": (200, 303, 303, 303, 303),
    "POST /sign-in": (422, 422, 422, 422, 422),
    "POST /sign-out": (303, 303, 303, 303, 303),
    "GET /account": (303, 200, 200, 200, 200),
    "POST /account/password": (303, 422, 422, 422, 422),
    "POST /account/language": (303, 422, 422, 422, 422),
    "POST /account/tokens": (303, 422, 422, 422, 422),
    "POST /account/tokens/{token}/remove": (303, 303, 303, 303, 303),
    "GET /team": (303, 200, 200, 200, 200),
    "POST /team/found": (303, 422, 422, 422, 422),
    "POST /team/join": (303, 422, 422, 422, 422),
    "POST /team/code": (303, 403, 201, 201, 403),
    "POST /team/leave": (303, 403, 422, 422, 403),
    "GET /submit": (303, 403, 200, 200, 403),
    "POST /submit": (303, 403, 415, 415, 403),
    "GET /submissions": (303, 403, 200, 200, 403),
    "GET /live/submissions": (303, 403, 200, 200, 403),
    "GET /submissions/{submission}": (303, 404, 200, 404, 200),
    "GET /live/submissions/{submission}": (303, 404, 200, 404, 200),
    "GET /releases": (303, 200, 200, 200, 200),
    "GET /releases/{team}": (303, 404, 404, 404, 404),
    "GET /board": (200, 200, 200, 200, 200),
    "GET /live/board": (200, 200, 200, 200, 200),
    "GET /matrix": (200, 200, 200, 200, 200),
    "GET /reports/{team}": (409, 409, 409, 409, 409),
    "GET /archive": (200, 200, 200, 200, 200),
    "GET /archive/export.json": (409, 409, 409, 409, 409),
    "GET /archive/export.csv": (409, 409, 409, 409, 409),
    "GET /archive/export.zip": (409, 409, 409, 409, 409),
    "GET /organise": (303, 403, 403, 403, 200),
    "GET /organise/phases": (303, 403, 403, 403, 200),
    "POST /organise/phases/{phase}": (303, 403, 403, 403, 303),
    "POST /organise/phases/{phase}/start": (303, 403, 403, 403, 422),
    "GET /organise/queue": (303, 403, 403, 403, 200),
    "GET /live/queue": (303, 403, 403, 403, 200),
    "POST /organise/queue/{submission}/judge": (303, 403, 403, 403, 303),
    "GET /organise/announcements": (303, 403, 403, 403, 200),
    "POST /organise/announcements": (303, 403, 403, 403, 422),
    "POST /organise/announcements/{announcement}/withdraw": (303, 403, 403, 403, 303),
    "GET /organise/log": (303, 403, 403, 403, 200),
    "GET /organise/teams": (303, 403, 403, 403, 200),
    "POST /organise/teams/{team}/code": (303, 403, 403, 403, 201),
    "POST /organise/teams/{team}/shut-out": (303, 403, 403, 403, 303),
    "POST /organise/teams/{team}/let-in": (303, 403, 403, 403, 303),
    "POST /organise/people/{user}/password": (303, 403, 403, 403, 201),
    "GET /static/{digest}/{name}": (404, 404, 404, 404, 404),
    "GET /lang/{code}": (404, 404, 404, 404, 404),
    "GET /theme/{name}": (404, 404, 404, 404, 404),
    "GET /robots.txt": (200, 200, 200, 200, 200),
    "GET /favicon.ico": (200, 200, 200, 200, 200),
}
HAS = {
    "nobody": {"anyone"},
    "user": {"anyone", "user"},
    "member": {"anyone", "user", "member"},
    "other": {"anyone", "user", "member"},
    "organiser": {"anyone", "user", "organiser"},
}


def named(walk, method):
    return f"{method} {walk.path}"


def walks(app):
    """Yield every route with every method that it answers."""
    for walk in roles_of(app):
        for method in sorted(walk.methods - {"HEAD"}):
            yield walk, method


def address(path, ids):
    """Return the path of a route about what the team of the member has."""
    values = {"submission": ids.good, "team": ids.team, "user": ids.member, "phase": "final",
              "name": "transactions.csv", "token": "unknown", "announcement": "unknown"}  # fmt: skip
    return re.sub(r"\{(\w+)(?::\w+)?\}", lambda found: values.get(found[1], "unknown"), path)


def test_the_table_of_answers_knows_every_page_and_no_other(stage):
    pages = {named(walk, method) for walk, method in walks(stage.app) if not walk.path.startswith("/api/")}
    assert pages == set(PAGES)


@pytest.mark.parametrize("place", range(len(WHO)), ids=WHO)
def test_every_page_gives_every_role_the_answer_it_must_get(stage, place):
    browser = stage.enter(WHO[place])
    answers = {}
    for one in sorted(
        PAGES, key=lambda one: (one.startswith("POST"), one == "POST /sign-out")
    ):  # looks first
        method, path = one.split(" ")
        ask = browser.get if method == "GET" else browser.post
        answers[one] = ask(address(path, stage.ids)).status_code
    assert answers == {one: statuses[place] for one, statuses in PAGES.items()}


@pytest.mark.parametrize("who", WHO)
def test_no_route_whatever_lets_somebody_in_without_its_role(stage, who):
    browser = stage.enter(who)
    wrong = []
    for walk, method in walks(stage.app):
        assert walk.role is not None, walk.path
        if walk.role in HAS[who]:
            continue
        answer = browser.ask(method, address(walk.path, stage.ids))
        refused = {403} if who != "nobody" else {401} if walk.path.startswith("/api/") else {SIGN_IN}
        if answer.status_code not in refused:
            wrong.append((method, walk.path, answer.status_code))
        if answer.status_code == SIGN_IN and not answer.headers["location"].startswith("/sign-in?next="):
            wrong.append((method, walk.path, answer.headers["location"]))
    assert wrong == []


def test_nothing_is_changed_without_the_token_of_a_form(stage):
    for one in (one for one in PAGES if one.startswith("POST")):
        for who in WHO:
            answer = stage.enter(who).ask("POST", address(one.split(" ")[1], stage.ids), data={})
            assert answer.status_code in {303, 403}, one
            assert answer.status_code == 403 or answer.headers["location"].startswith("/sign-in"), one


def test_a_team_that_was_shut_out_can_do_nothing_as_a_member(stage):
    stage.enter("organiser").post(f"/organise/teams/{stage.ids.team}/shut-out")
    member = stage.enter("member")
    assert member.get("/submit").status_code == 403
    assert "shut out" in member.page("/team")
    assert stage.enter("other").get("/submit").status_code == 200
    stage.enter("organiser").post(f"/organise/teams/{stage.ids.team}/let-in")
    assert member.get("/submit").status_code == 200
