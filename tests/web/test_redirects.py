"""Nobody is led to another site, and a download is never shown."""

import pytest

from kakurenbo.web.redirects import attachment, go, local_path

ELSEWHERE = [
    "https://evil.example", "//evil.example", "/\\evil.example", "\\\\evil.example", "///evil.example",
    "javascript:alert(1)", "evil", "", None, " /x", "/x\n", "/x\r\nSet-Cookie: a=b", "/\t/evil.example",
    "/x\x00", "/日本", "http:/x", "/a\\b", "/" + "x" * 3000,
]  # fmt: skip
SENT = [text for text in ELSEWHERE if text]


@pytest.mark.parametrize("text", ELSEWHERE, ids=range(len(ELSEWHERE)))
def test_anything_but_a_path_of_ours_becomes_the_default(text):
    assert local_path(text, "/home") == "/home"


@pytest.mark.parametrize("text", ["/", "/user", "/user?a=1&b=%E3%81%82#top", "/a//b", "/~x/:@,;"])
def test_paths_of_ours_stay(text):
    assert local_path(text) == text


@pytest.mark.parametrize("text", SENT, ids=range(len(SENT)))
@pytest.mark.parametrize("place", ["form", "address"])
def test_next_leads_nowhere_else(browser, text, place):
    query = {"next": text} if place == "address" else {}
    fields = {"name": "u1", **({"next": text} if place == "form" else {})}
    token = browser.token()
    answer = browser.ask("POST", "/sign-in", params=query, data={**fields, "csrf": token})
    assert (answer.status_code, answer.headers["location"]) == (303, "/")


def test_next_of_language_and_theme_leads_nowhere_else(browser):
    assert browser.get("/lang/ja", params={"next": "//evil.example"}).headers["location"] == "/"
    assert browser.get("/theme/dark", params={"next": "/user?a=1"}).headers["location"] == "/user?a=1"


def test_go_quotes_what_a_path_cannot_hold():
    assert go("/teams/日本?a=1").headers["location"] == "/teams/%E6%97%A5%E6%9C%AC?a=1"
    assert go("/x\r\nSet-Cookie: a=b").headers["location"] == "/x%0D%0ASet-Cookie:%20a=b"
    assert go("//evil.example").headers["location"] == "/"


def test_a_download_is_kept_and_never_shown(browser, tmp_path):
    answer = browser.get("/file")
    assert answer.headers["content-disposition"] == (
        "attachment; filename=\"____.csv\"; filename*=UTF-8''%C3%BC%22%0D%0A.csv"
    )
    assert answer.headers["x-content-type-options"] == "nosniff"
    (tmp_path / "a.csv").write_text("1")
    assert attachment(tmp_path / "a.csv", "a.csv").headers["content-disposition"].startswith("attachment;")
