"""Pages: text stays text, nothing in them is forbidden by the policy, times and numbers read well."""

import datetime as dt
import re
from dataclasses import replace

import jinja2
import pytest
from markupsafe import Markup

from kakurenbo.errors import ParameterError
from kakurenbo.web import filters
from kakurenbo.web.templating import _here, anchor

WILD = '<script>alert("x")</script>&\'"'


def test_text_stays_text(browser):
    text = browser.get("/form", params={"text": WILD}).text
    assert "<script>alert" not in text
    assert text.count("&lt;script&gt;alert(") == 2


def test_names_and_messages_stay_text(browser, site):
    site.people.ids["u1"] = replace(site.people.ids["u1"], name=WILD)
    browser.sign_in("u1")
    assert "<script>alert" not in browser.get("/user").text


def templates(root):
    return sorted((root / "src" / "kakurenbo" / "web" / "templates").glob("*.html"))


@pytest.mark.parametrize(
    "forbidden", [r"\|\s*safe\b", r"\sstyle=", r"\son\w+=", r"<style", r"autoescape", r"javascript:"]
)
def test_templates_hold_nothing_that_the_policy_forbids(root, forbidden):
    assert len(templates(root)) >= 2
    for path in templates(root):
        assert not re.search(forbidden, path.read_text(encoding="utf-8"), flags=re.IGNORECASE), path.name


def test_templates_hold_no_script_of_their_own(root):
    for path in templates(root):
        for script in re.findall(
            r"<script[^>]*>(.*?)</script>", path.read_text(encoding="utf-8"), flags=re.DOTALL
        ):
            assert not script.strip()


def test_what_is_missing_in_a_template_fails(site):
    with pytest.raises(jinja2.UndefinedError):
        site.pages.from_string("{{ nothing }}").render()


def test_a_file_that_is_not_there_is_missed(site):
    with pytest.raises(ParameterError, match=r"no file none\.css"):
        site.assets.address("none.css")


def test_the_layout_has_its_landmarks(browser):
    text = browser.get("/form").text
    assert '<html lang="en" data-theme="auto"' in text
    assert (
        text.index('class="skip" href="#content"') < text.index("<header") < text.index('<main id="content"')
    )
    assert '<nav class="main-nav" aria-label="Pages">' in text
    assert 'href="/form" aria-current="page">Account</a>' in text
    assert "<title>A form · A small site</title>" in text
    assert "Language</a>" not in text, "only organisers are led to their page"
    assert ">Dark</a></li>\n</ul>\n</nav>" not in text, "and nobody to what is not shown now"


def test_the_navigation_shows_what_a_role_may_see(browser):
    browser.sign_in("o1")
    text = browser.get("/form").text
    assert '<a href="/organiser">Language</a>' in text
    assert "Oto</a>" in text
    assert 'action="/sign-out"' in text
    assert "Sign in</a>" not in text


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_light_and_dark_are_kept_by_a_cookie_without_script(browser, theme):
    assert browser.get(f"/theme/{theme}?next=/form").headers["location"] == "/form"
    text = browser.get("/form").text
    assert f'data-theme="{theme}"' in text
    assert f'<meta name="color-scheme" content="{theme}">' in text
    browser.get("/theme/auto")
    assert 'data-theme="auto"' in browser.get("/form").text
    assert browser.get("/theme/pink").status_code == 404


def test_a_page_below_a_link_marks_the_link(site):
    assert [_here(path, "/team") for path in ("/team", "/team/x", "/teams", "/")] == [
        "page",
        "true",
        None,
        None,
    ]
    assert _here("/team", "/") is None


def test_links_in_sentences_stay_links_and_their_text_text():
    assert anchor("/rules", "<b>") == Markup('<a href="/rules">&lt;b&gt;</a>')


NOON = dt.datetime(2026, 12, 1, 12, 0, 0, 5, tzinfo=dt.UTC)


def test_times_are_in_utc_and_read_by_programs():
    tokyo = NOON.astimezone(dt.timezone(dt.timedelta(hours=9)))
    assert filters.moment(tokyo) == '<time datetime="2026-12-01T12:00:00Z">2026-12-01 12:00 UTC</time>'
    assert filters.exactly(NOON).endswith("12:00:00.000005 UTC</time>")
    assert filters.day(NOON) == '<time datetime="2026-12-01T12:00:00Z">2026-12-01</time>'
    assert filters.moment(None) == "-"


UNITS = {"d": "{n} d", "h": "{n} h", "m": "{n} min", "s": "{n} s", "over": "now"}


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (0, "now"), (-5, "now"), (1, "1 s"), (61, "1 min 1 s"), (3600, "1 h 0 min"), (86_399, "23 h 59 min"),
        (86_400, "1 d 0 h"), (10 * 86_400 + 3_600, "10 d 1 h"),
    ],
)  # fmt: skip
def test_what_is_left_is_said_in_two_units(seconds, said):
    assert filters.remaining(dt.timedelta(seconds=seconds), UNITS) == said


def test_countdowns_say_the_time_themselves(browser):
    text = browser.get("/").text
    assert re.search(
        r'<time data-countdown datetime="2026-12-01T15:00:00Z" [^>]*data-h="{n} h"[^>]*>3 h 0 min</time>',
        text,
    )
    assert ">3時間 0分</time>" in browser.get("/?lang=ja").text


def test_numbers_read_well():
    assert (filters.decimals(0.123456), filters.decimals(None), filters.decimals(1, 2)) == (
        "0.1235",
        "-",
        "1.00",
    )
    assert (filters.percent(0.123), filters.percent(None)) == ("12.3\u00a0%", "-")
    assert [filters.filesize(n) for n in (0, 999, 1_000, 64_000_000, 5 * 10**12)] == [
        "0\u00a0B", "999\u00a0B", "1.0\u00a0kB", "64.0\u00a0MB", "5000.0\u00a0GB",
    ]  # fmt: skip


def test_somebodys_text_becomes_paragraphs_of_text():
    assert filters.paragraphs("a\nb\n\n<i>c</i>\n") == Markup("<p>a<br>b</p>\n<p>&lt;i&gt;c&lt;/i&gt;</p>")
    assert filters.paragraphs("  ") == ""
