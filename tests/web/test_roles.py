"""Every route says who may take it; all routes are walked by all roles."""

import pytest
from fastapi import APIRouter, FastAPI, Request

from kakurenbo.errors import ParameterError
from kakurenbo.web.roles import ROLES, Person, needs, roles_of

WHO = {"anyone": None, "user": "u1", "member": "m1", "organiser": "o1"}
MAY = {
    "anyone": {"anyone", "user", "member", "organiser"},
    "user": {"user", "member", "organiser"},
    "member": {"member"},
    "organiser": {"organiser"},
}


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("by", ["cookie", "token"])
def test_all_routes_by_all_roles(app, enter, role, by, cast):
    browser, walked = enter(), 0
    headers = {}
    if WHO[role] and by == "cookie":
        browser.sign_in(WHO[role])
    elif WHO[role]:
        headers = {"authorization": f"Bearer token-{WHO[role]}"}
    for walk in roles_of(app):
        path = walk.path.replace("{n}", "1").replace("{", "").replace("}", "")
        if path == "/sign-out":
            continue
        for method in walk.methods:
            answer = browser.ask(method, path, headers=headers)
            refused = role not in MAY[walk.role]
            to_sign_in = answer.headers.get("location", "").startswith("/sign-in?next=")
            denied = answer.status_code == 403 and "load the page again" not in answer.text
            denied = denied and path != "/sign-in" and "code" not in path
            assert refused == (to_sign_in or denied or answer.status_code == 401), (role, method, path)
            walked += 1
    assert walked > 20


def test_the_walk_names_every_route_with_its_role(app):
    walks = {walk.path: walk.role for walk in roles_of(app)}
    assert walks["/organiser"] == "organiser"
    assert walks["/upload"] == "member"
    assert walks["/api/v1/me"] == "user"
    assert walks["/static/{digest}/{name}"] == "anyone"
    assert None not in walks.values()


def test_a_route_without_a_role_is_refused_at_the_start(small):
    router = APIRouter()

    @router.get("/open")
    def forgotten(request: Request) -> dict[str, str]:
        return {}

    with pytest.raises(ParameterError, match="who may take them: /open"):
        small(router)


def test_a_forgotten_route_within_an_included_router_is_refused_too(small):
    inner, outer = APIRouter(prefix="/inner"), APIRouter(prefix="/outer")

    @inner.get("/open")
    def forgotten(request: Request) -> dict[str, str]:
        return {}

    outer.include_router(inner)
    with pytest.raises(ParameterError, match="/outer/inner/open"):
        small(outer)


def test_a_mounted_application_is_refused(small):
    router = APIRouter()
    router.mount("/mounted", FastAPI())
    with pytest.raises(ParameterError, match="/mounted"):
        small(router)


def test_a_role_of_the_whole_router_counts(small, enter):
    inner, outer = APIRouter(prefix="/inner"), APIRouter(dependencies=[needs("organiser")])

    @inner.get("/page")
    def page(request: Request) -> dict[str, str]:
        return {}

    outer.include_router(inner)
    app = small(outer)
    assert {walk.path: walk.role for walk in roles_of(app)}["/inner/page"] == "organiser"
    browser = enter(on=app)
    assert browser.get("/inner/page", headers={"authorization": "Bearer token-m1"}).status_code == 403
    assert browser.get("/inner/page", headers={"authorization": "Bearer token-o1"}).status_code == 200


def test_unknown_roles_are_refused():
    with pytest.raises(ParameterError, match="A role is one of"):
        needs("king")
    with pytest.raises(ParameterError):
        needs("user", asks=False)


def test_pages_lead_to_sign_in_and_come_back(browser):
    assert browser.get("/user?a=1&b=ü").headers["location"] == "/sign-in?next=/user%3Fa%3D1%26b%3D%25C3%25BC"
    answer = browser.post("/sign-in?next=/user%3Fa%3D1", {"name": "u1"})
    assert answer.headers["location"] == "/user?a=1"


def test_what_was_sent_is_not_asked_for_again_after_sign_in(browser):
    answer = browser.post("/password")
    assert (answer.status_code, answer.headers["location"]) == (303, "/sign-in?next=/")


def test_the_api_answers_in_json(browser):
    answer = browser.get("/api/v1/me")
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == "Bearer"
    assert answer.json() == {"code": "sign-in", "message": "Please sign in first."}


@pytest.mark.parametrize("header", ["Bearer wrong", "bearer ", "Bearer"])
def test_a_wrong_token_is_told_even_where_anyone_may_come(browser, header):
    answer = browser.get("/api/v1/faults", headers={"authorization": header})
    assert (answer.status_code, answer.json()["message"]) == (401, "This token is not known.")
    assert browser.get("/", headers={"authorization": header}).status_code == 401


def test_other_ways_to_sign_in_are_not_looked_at(browser):
    assert browser.get("/who", headers={"authorization": "Basic dTE6cHc="}).text == "nobody"


def test_the_token_of_a_program_goes_before_the_cookie(browser):
    browser.sign_in("u1")
    assert browser.get("/api/v1/me", headers={"authorization": "Bearer token-o1"}).json() == {"name": "Oto"}


def test_roles_are_checked_before_parameters_and_before_the_body(browser):
    assert browser.get("/numbers/none").status_code == 303
    browser.sign_in("u1")
    assert browser.get("/numbers/none").status_code == 403
    browser.sign_in("m1")
    assert browser.get("/numbers/none").status_code == 422
    assert browser.get("/numbers/3").text == "3"


def test_nobody_is_looked_up_for_a_style_sheet(enter, changed_site):
    class Loud:
        def load(self, key):
            raise AssertionError(key)

    browser = enter(on=changed_site(sessions=Loud()))
    headers = {"cookie": "kakurenbo_session=x"}
    assert browser.get("/static/0/site.css", headers=headers).status_code == 200
    assert browser.get("/who", headers=headers).status_code == 500


def test_every_person_is_a_user():
    assert Person("x", "X", frozenset()).has("user")
    assert not Person("x", "X", frozenset()).has("member")
