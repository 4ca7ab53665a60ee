"""Messages for the next page: shown once, in the reader's language, and never what others wrote."""

import re

from fastapi import APIRouter, Request, Response

from kakurenbo.web.flash import flash
from kakurenbo.web.redirects import go
from kakurenbo.web.roles import needs
from kakurenbo.web.templating import render

SHOWN = re.compile(r'<p class="message (\w+)" role="(\w+)">(.*?)</p>')


def test_a_message_is_shown_once_on_the_next_page(browser):
    browser.sign_in("u1")
    assert SHOWN.findall(browser.get("/user").text) == [("done", "status", "Welcome, Uta.")]
    assert browser.cookie("flash") is None
    assert SHOWN.findall(browser.get("/user").text) == []


def test_an_answer_without_a_page_keeps_it_waiting(browser):
    browser.sign_in("u1")
    browser.get("/who")
    browser.get("/static/0/site.css")
    assert browser.cookie("flash") is not None
    assert "Welcome" in browser.get("/user").text


def test_a_message_that_was_changed_is_not_shown(browser):
    browser.sign_in("u1")
    kept = browser.cookie("flash")
    headers = {"cookie": f"kakurenbo_flash=A{kept[1:]}; kakurenbo_session={browser.cookie('session')}"}
    assert SHOWN.findall(browser.get("/user", headers=headers).text) == []
    for planted in ("x", "", ".", "e30.", "eyJ9.deadbeef"):
        headers = {"cookie": f"kakurenbo_flash={planted}"}
        assert browser.get("/form", headers=headers).status_code == 200


def routes():
    router = APIRouter()

    @router.get("/here", dependencies=[needs("anyone")])
    def here(request: Request) -> Response:
        flash(request, "There is no such page.", "fault")
        return render(request, "error.html", message="", faults=())

    @router.get("/there", dependencies=[needs("anyone")])
    def there(request: Request) -> Response:
        flash(request, "Status {n}", "note", n=1)
        return go("/here")

    @router.get("/many", dependencies=[needs("anyone")])
    def many(request: Request) -> Response:
        for number in range(300):
            flash(request, "Status {n}", n=number)
        flash(request, "x" * 5000 if "huge" in request.query_params else "last")
        return go("/here")

    return router


def test_messages_of_this_page_and_the_one_before_are_shown_together(small, enter):
    browser = enter(on=small(routes()))
    assert browser.get("/there").headers["cache-control"] == "no-store"
    answer = browser.get("/here?lang=ja")
    assert answer.status_code == 200
    assert SHOWN.findall(answer.text) == [
        ("note", "status", "状態コード 1"), ("fault", "alert", "このページはありません。"),
    ]  # fmt: skip
    assert answer.headers["cache-control"] == "no-store"


def test_of_too_many_the_last_are_kept(small, enter):
    browser = enter(on=small(routes()))
    browser.get("/many")
    assert len(browser.cookie("flash")) < 4_000
    shown = [text for *_, text in SHOWN.findall(browser.get("/here").text)]
    assert shown[-2:] == ["last", "There is no such page."]
    assert shown[-3] == "Status 299"
    browser.get("/many?huge")
    assert len(SHOWN.findall(browser.get("/here").text)) == 1
