"""Style sheets and scripts: addresses with a hash, kept for a year, packed where the browser likes it."""

import gzip
import re

import pytest


def test_pages_name_files_by_their_hash_and_browsers_keep_them(browser):
    text = browser.get("/").text
    found = re.findall(r'(?:href|src)="(/static/[0-9a-f]{16}/[\w.]+)"', text)
    assert {path.rpartition("/")[2] for path in found} == {"site.css", "live.js", "icon.svg"}
    for path in found:
        answer = browser.get(path)
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert "set-cookie" not in answer.headers


def test_an_old_hash_gives_the_new_file_and_is_not_kept(browser):
    answer = browser.get("/static/0123456789abcdef/site.css")
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "no-cache"


def test_files_are_packed_where_the_browser_likes_it(browser, site):
    address = site.assets.address("site.css")
    packed = browser.get(address, headers={"accept-encoding": "gzip"})
    plain = browser.get(address, headers={"accept-encoding": "identity"})
    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert packed.content == plain.content == gzip.decompress(site.assets.named["site.css"].packed)
    assert plain.headers["vary"] == "Accept-Encoding"
    assert int(packed.headers["content-length"]) < 6_000


@pytest.mark.parametrize("name", ["none.css", "..%2Fapp.py", "app.py", "%2e%2e%2fsite.py", "layout.html"])
def test_nothing_else_is_served(browser, name):
    assert browser.get(f"/static/0/{name}").status_code == 404


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("site.css", "text/css; charset=utf-8"),
        ("live.js", "text/javascript; charset=utf-8"),
        ("icon.svg", "image/svg+xml"),
    ],
)
def test_kinds_are_named(browser, name, kind):
    assert browser.get(f"/static/0/{name}").headers["content-type"] == kind
    assert browser.get("/favicon.ico").headers["content-type"] == "image/svg+xml"


def test_search_engines_stay_outside(browser):
    assert browser.get("/robots.txt").text == "User-agent: *\nDisallow: /\n"
