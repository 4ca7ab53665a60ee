"""Every answer carries its headers, whatever it is; hosts that are not ours are not served."""

import asyncio
import re

import pytest

from kakurenbo.web.security import HEADERS, POLICY

ANSWERS = {
    "/": 200,
    "/form": 200,
    "/user": 303,
    "/nowhere": 404,
    "/fault": 500,
    "/refused/denied": 403,
    "/file": 200,
    "/static/0/site.css": 200,
    "/static/0/none.css": 404,
    "/robots.txt": 200,
    "/favicon.ico": 200,
    "/lang/ja": 303,
    "/lang/xx": 404,
    "/theme/dark": 303,
    "/api/v1/me": 401,
    "/api/v1/fault": 500,
    "/api/v1/none": 404,
    "/api/v1/openapi.json": 200,
}


@pytest.mark.parametrize(("path", "status"), ANSWERS.items())
@pytest.mark.parametrize("base", ["http://localhost", "https://localhost"])
def test_every_answer_carries_the_headers(enter, path, status, base):
    answer = enter(base).get(path)
    assert answer.status_code == status
    for name, value in HEADERS.items():
        assert answer.headers[name] == value
    assert ("strict-transport-security" in answer.headers) == base.startswith("https")
    assert "cache-control" in answer.headers
    assert "server" not in answer.headers


@pytest.mark.parametrize("method", ["DELETE", "PATCH", "OPTIONS", "TRACE"])
def test_other_methods_are_refused_with_the_headers(browser, method):
    answer = browser.ask(method, "/form")
    assert answer.status_code == 405
    assert answer.headers["allow"] == "GET"
    assert answer.headers["content-security-policy"] == POLICY


def test_the_policy_allows_only_our_own_files():
    assert "unsafe" not in POLICY
    assert "*" not in POLICY
    assert POLICY.startswith("default-src 'none';")
    assert set(re.findall(r"(?:^|; )([a-z-]+)", POLICY)) == {
        "default-src", "style-src", "script-src", "img-src", "font-src", "form-action", "connect-src",
        "frame-ancestors", "base-uri",
    }  # fmt: skip


@pytest.mark.parametrize(
    "host", ["evil.example", "localhost.evil.example", "", "localhost:80:80", "evil\\localhost"]
)
def test_hosts_that_are_not_ours_are_not_served(browser, host):
    answer = browser.get("/", headers={"host": host})
    assert answer.status_code == 400
    assert "does not answer to that name" in answer.text
    assert answer.headers["content-security-policy"] == POLICY


@pytest.mark.parametrize(
    "host", ["localhost", "LOCALHOST:8000", "127.0.0.1:1", "[::1]:8000", "[::1]", "localhost."]
)
def test_hosts_that_are_ours_are_served_with_any_port(browser, host):
    assert browser.get("/", headers={"host": host}).status_code == 200


def test_hosts_below_a_name_can_be_allowed(enter, changed_site):
    browser = enter(on=changed_site(hosts=("*.cup.example",)))
    assert browser.get("/", headers={"host": "a.cup.example"}).status_code == 200
    assert browser.get("/", headers={"host": "cup.example"}).status_code == 400
    assert browser.get("/", headers={"host": "evilcup.example"}).status_code == 400
    assert enter(on=changed_site(hosts=("*",))).get("/", headers={"host": "any"}).status_code == 200


def test_head_is_answered_like_get_without_the_text(browser):
    head, get = browser.ask("HEAD", "/"), browser.get("/")
    assert (head.status_code, head.text) == (200, "")
    assert head.headers["content-type"] == get.headers["content-type"]
    assert browser.ask("HEAD", "/user").status_code == 303


def test_private_pages_are_not_kept_and_public_ones_not_shared(browser):
    assert browser.get("/").headers["cache-control"] == "private, no-cache"
    assert browser.get("/form").headers["cache-control"] == "no-store"
    browser.sign_in("u1")
    for path in ("/", "/user", "/nowhere"):
        assert browser.get(path).headers["cache-control"] == "no-store"
    assert "Cookie" in browser.get("/").headers["vary"]


def test_answers_to_tokens_are_not_kept(browser):
    answer = browser.get("/api/v1/me", headers={"authorization": "Bearer token-u1"})
    assert answer.headers["cache-control"] == "no-store"


def test_a_fault_is_told_without_a_word_about_it_and_noted_by_its_place(browser, caplog):
    for path in ("/fault", "/api/v1/fault"):
        answer = browser.get(path)
        assert answer.status_code == 500
        assert "Hanako" not in answer.text
        assert "ValueError" not in answer.text
    assert "ValueError at conftest.py" in caplog.text
    assert "Hanako" not in caplog.text


def test_other_protocols_are_closed(app):
    sent = []

    async def send(message):
        sent.append(message)

    asyncio.run(app({"type": "websocket", "path": "/", "headers": []}, None, send))
    assert sent == [{"type": "websocket.close", "code": 1008}]


def test_the_web_never_imports_the_contest(root):
    sources = list((root / "src" / "kakurenbo" / "web").rglob("*.py"))
    assert len(sources) > 15
    assert [path.name for path in sources if "kakurenbo.contest" in path.read_text(encoding="utf-8")] == []
