"""What changes something must carry the token of a form of ours, and come from a page of ours."""

import pytest

from kakurenbo.web.sessions import MemorySessions


def test_a_form_with_its_token_is_taken(browser, app):
    assert browser.post("/change").text == "changed"
    assert app.state.changed == 1


@pytest.mark.parametrize("token", ["", "wrong", "00" * 64, "ab" * 63, "é", None])
def test_without_the_right_token_nothing_is_changed(browser, app, token):
    browser.get("/form")
    fields = {} if token is None else {"csrf": token}
    answer = browser.post("/change", fields, token=False)
    assert answer.status_code == 403
    assert "load the page again" in answer.text
    assert app.state.changed == 0


def test_a_token_changed_in_one_place_is_refused(browser, app):
    token = browser.token()
    other = ("0" if token[5] != "0" else "1").join((token[:5], token[6:]))
    assert browser.post("/change", {"csrf": other}, token=False).status_code == 403
    assert browser.post("/change", {"csrf": token + "00"}, token=False).status_code == 403
    assert app.state.changed == 0


def test_a_token_needs_its_cookie(browser, enter):
    token = browser.token()
    assert enter().post("/change", {"csrf": token}, token=False).status_code == 403


def test_a_token_of_somebody_else_is_refused(browser, enter):
    other = enter()
    other.sign_in("u1")
    browser.sign_in("m1")
    assert browser.post("/change", {"csrf": other.token()}, token=False).status_code == 403


def test_a_token_from_before_signing_in_is_refused_after_it(browser):
    before = browser.token()
    browser.sign_in("u1")
    assert browser.post("/change", {"csrf": before}, token=False).status_code == 403
    assert browser.post("/change").status_code == 200


def test_a_cookie_that_we_did_not_sign_gives_no_token(browser, app):
    browser.client.cookies.set("kakurenbo_guest", "chosen.0" * 8, domain="localhost.local")
    assert browser.get("/form").headers["set-cookie"].startswith("kakurenbo_guest=")


def test_the_token_looks_different_on_every_page_and_stays_good(browser):
    first, second = browser.token(), browser.token()
    assert first != second
    assert browser.post("/change", {"csrf": first}, token=False).status_code == 200
    assert browser.post("/change", {"csrf": second}, token=False).status_code == 200


def test_the_token_can_come_as_a_header(browser):
    headers = {"x-csrf-token": browser.token()}
    assert browser.ask("POST", "/change", headers=headers).status_code == 200
    assert browser.ask("POST", "/change", headers=headers, json={"a": 1}).status_code == 200
    assert browser.ask("POST", "/change", headers={"x-csrf-token": "no"}).status_code == 403
    assert browser.ask("POST", "/change").status_code == 403


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "https://localhost"},
        {"origin": "http://localhost:8080"},
        {"origin": "http://localhost.evil.example"},
        {"origin": "http://[broken"},
        {"referer": "http://evil.example/form"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"sec-fetch-site": "cross-site", "origin": "http://localhost"},
    ],
)
def test_what_another_site_sent_is_refused_even_with_the_token(browser, app, headers):
    answer = browser.post("/change", headers=headers)
    assert answer.status_code == 403
    assert app.state.changed == 0


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://localhost"},
        {"origin": "http://localhost:80"},
        {"origin": "http://LOCALHOST", "sec-fetch-site": "same-origin"},
        {"referer": "http://localhost/form?x=1"},
    ],
)
def test_what_our_pages_sent_is_taken(browser, headers):
    assert browser.post("/change", headers=headers).status_code == 200


def test_programs_with_a_token_need_no_form(browser):
    headers = {"authorization": "Bearer token-m1"}
    assert browser.ask("POST", "/change", headers=headers).status_code == 200
    evil = {**headers, "origin": "http://evil.example"}
    assert browser.ask("PUT", "/api/v1/files", headers=evil, content=b"x").status_code == 200


def test_the_cookie_alone_does_not_open_the_api_to_changes(browser):
    browser.sign_in("m1")
    assert browser.get("/api/v1/me").json() == {"name": "Miki"}
    answer = browser.ask("PUT", "/api/v1/files", content=b"x")
    assert (answer.status_code, answer.json()["code"]) == (403, "csrf")
    headers = {"x-csrf-token": browser.token()}
    assert browser.ask("PUT", "/api/v1/files", content=b"x", headers=headers).status_code == 200


@pytest.mark.parametrize(
    "kind", ["text/plain", "multipart/form-data; boundary=x", "application/octet-stream"]
)
def test_other_kinds_of_content_are_refused_where_no_upload_is_declared(browser, app, kind):
    answer = browser.ask("POST", "/change", headers={"content-type": kind}, content=b"csrf=1")
    assert answer.status_code == 415
    assert app.state.changed == 0


def test_a_route_that_forgets_to_ask_for_the_token_fails(browser, caplog):
    browser.sign_in("m1")
    files = {"file": ("a.csv", b"1")}
    assert browser.ask("POST", "/careless", files=files).status_code == 500
    assert "RuntimeError" in caplog.text


def test_the_store_never_sees_a_cookie(enter, changed_site):
    store = MemorySessions()
    browser = enter(on=changed_site(sessions=store))
    browser.sign_in("u1")
    (session,) = store._kept.values()
    assert browser.cookie("session") not in repr(session)
    assert len(session.key) == 64
