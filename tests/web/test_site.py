"""What an application tells about itself: a secret worth the name, titles, and what packages bring."""

import sys
from dataclasses import replace

import pytest

from kakurenbo.errors import ParameterError


@pytest.mark.parametrize("secret", [b"", b"short", bytes(32), b"ab" * 32, b"x" * 100])
def test_a_secret_that_is_none_is_refused(site, secret):
    with pytest.raises(ParameterError, match="32 random bytes") as caught:
        replace(site, secret=secret)
    assert caught.value.code == "contest"


def test_the_secret_is_not_shown(site, cast):
    assert repr(cast.secret) not in repr(site)


def test_the_title_is_said_in_the_language_if_there_is_one(site):
    assert (site.called("en"), site.called("ja")) == ("A small site", "小さなサイト")
    assert replace(site, title_ja="").called("ja") == "A small site"


@pytest.fixture
def package(tmp_path, monkeypatch):
    """Return the name of a package with a template, a style sheet, a language and what nobody serves."""
    home = tmp_path / "lib" / "brought_along"
    files = {
        "__init__.py": "",
        "templates/error.html": "mine: {{ message }}",
        "static/own.css": "p { color: red }",
        "static/site.css": "p { color: blue }",
        "static/notes.txt": "nobody's business",
        "languages/ja.toml": '[x]\n"There is no such page." = "ないよ"\n"Mine" = "私の"\n',
    }
    for name, text in files.items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(str(home.parent))
    yield "brought_along"
    sys.modules.pop("brought_along", None)


def test_what_a_package_brings_goes_before_ours(site, package):
    other = replace(site, templates=(package,), static=(package,), languages=(package,))
    assert other.pages.get_template("error.html").render(message="x") == "mine: x"
    assert other.pages.get_template("layout.html") is not None
    assert other.assets.named["site.css"].content == b"p { color: blue }"
    assert set(other.assets.named) == {"own.css", "site.css", "live.js", "icon.svg"}
    assert other.words.t("ja", "There is no such page.") == "ないよ"
    assert other.words.said("ja", "There is no such page.") == "ないよ"
    assert other.words.t("ja", "Sign in") == "ログイン"


def test_the_api_is_described_and_the_pages_are_not(browser):
    described = browser.get("/api/v1/openapi.json").json()
    assert set(described["paths"]) == {"/api/v1/me", "/api/v1/files", "/api/v1/fault", "/api/v1/faults"}
    assert described["info"]["title"] == "A small site"
    for path in ("/docs", "/redoc", "/openapi.json"):
        assert browser.get(path).status_code == 404
