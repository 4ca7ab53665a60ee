"""The pages as people use them: by keyboard, on a phone, in the dark, with and without script."""

import datetime as dt
import itertools
import re
import shutil

import jinja2
import pytest
from fastapi import APIRouter, Request, Response

from kakurenbo.web.app import make_app
from kakurenbo.web.forms import form
from kakurenbo.web.refusals import Refusal
from kakurenbo.web.roles import needs
from kakurenbo.web.site import utc_now
from kakurenbo.web.templating import render

sync = pytest.importorskip(
    "playwright.sync_api", reason="playwright is not installed: pip install -e '.[dev]'"
)
expect = sync.expect
CHROMIUM = shutil.which("chromium")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium on PATH: make browser")
FLAGS = [
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions",
    "--no-first-run",
]  # fmt: skip
COMPLAINTS = {"error", "warning"}
NEW_YEAR = dt.datetime(2001, 1, 1, tzinfo=dt.UTC)
PATIENCE = 120_000  # milliseconds, on a machine with other work
expect.set_options(timeout=PATIENCE)
HEAD = """{% extends "layout.html" %}{% block title %}Page{% endblock %}{% block content %}<h1>Page</h1>"""
LIVE = """
<section id="part" data-live="/live/part" data-every="2" data-say>{% include "part.html" %}</section>
<section id="fields" data-live="/live/fields" data-every="2">
<p data-field="name">old</p><p data-field="other">kept</p></section>
<section id="gone" data-live="/live/gone" data-every="2"><p>stays</p></section>
<section id="until" data-live="/live/until" data-every="2" data-until="done"><p>first</p></section>
<p id="count">{{ soon|countdown }}</p><p id="over">{{ over|countdown }}</p>{% endblock %}"""
PART = """<p data-announce>Round {{ round }}</p><a id="link" href="/x">link</a>
<div class="scroll" tabindex="0"><table><tbody>
<tr>{% for n in range(40) %}<td>{{ n }} wide</td>{% endfor %}</tr></tbody></table></div>
<details><summary>More</summary><p>more</p></details><script>window.wild = 1</script>
<img src="/none.png" onerror="window.wild = 2" alt="">"""
WILD = """
<script>window.wild = 1</script><p id="styled" style="color: rgb(1, 2, 3)">x</p>
<button id="b" onclick="window.wild = 2">b</button>{% endblock %}"""
SEND = """
<form method="post" action="/send" data-once>{{ csrf() }}
<label for="name">Name</label><input id="name" name="name">
<input id="file" type="file" data-max="10" aria-label="File">
<input id="unseen" name="u" hidden><button id="go">Send</button></form>
<code id="secret"> abc </code><button type="button" id="copy" data-copy="#secret" hidden>Copy</button>
{% endblock %}"""
COUNT = '<p id="count">{{ soon|countdown }}</p>{% endblock %}'
TEMPLATES = {
    "live.html": HEAD + LIVE,
    "count.html": HEAD + COUNT,
    "part.html": PART,
    "wild.html": HEAD + WILD,
    "send.html": HEAD + SEND,
}


def routes(asked):
    router = APIRouter(include_in_schema=False, dependencies=[needs("anyone")])

    @router.get("/live")
    def live(request: Request) -> Response:
        now = request.app.state.site.clock()
        return render(
            request,
            "live.html",
            round=0,
            soon=now + dt.timedelta(days=1, hours=2, minutes=30),
            over=now - dt.timedelta(1),
        )

    @router.get("/count")
    def count(request: Request) -> Response:
        return render(
            request, "count.html", soon=request.app.state.site.clock() + dt.timedelta(hours=2, seconds=30)
        )

    @router.get("/live/{name}")
    def part(request: Request, name: str) -> Response:
        asked.append(name)
        if name == "gone":
            raise Refusal(404)
        if name == "until":
            return Response("<p data-done>done</p>", media_type="text/html")
        if name == "fields":
            return Response('{"name": "<b>new</b>", "unknown": 1}', media_type="application/json")
        return render(request, "part.html", round=asked.count("part"))

    @router.get("/{name}.html")
    def page(request: Request, name: str) -> Response:
        return render(request, f"{name}.html")

    @router.post("/send")
    def send(request: Request) -> Response:
        asked.append(form(request).text("name"))
        return render(request, "error.html", message="sent", faults=())

    return router


@pytest.fixture(scope="module")
def chromium():
    with sync.sync_playwright() as engine:
        started = engine.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield started
        started.close()


@pytest.fixture
def asked():
    """Return what the server was asked for."""
    return []


@pytest.fixture
def address(changed_site, asked, served):
    site = changed_site(clock=utc_now).state.site
    site.pages.loader = jinja2.ChoiceLoader([jinja2.DictLoader(TEMPLATES), site.pages.loader])
    with served(make_app(site, [routes(asked)])) as port:
        yield f"http://localhost:{port}"


@pytest.fixture(scope="module")
def window(chromium):
    """Return a function that gives a window: the same for the same options, since a new one costs most."""
    kept = {}

    def window(*, alone=False, **options):
        key = len(kept) if alone else repr(sorted(options.items()))
        if key not in kept:
            page = kept[key] = chromium.new_context(**options).new_page()
            page.context.set_default_timeout(PATIENCE)
            page.complaints = []
            page.on("console", lambda told: told.type in COMPLAINTS and page.complaints.append(told.text))
            page.on("pageerror", lambda told: page.complaints.append(str(told)))
        return kept[key]

    yield window
    for page in kept.values():
        page.context.close()


@pytest.fixture
def visit(window, address):
    """Return a function that opens a page; what the browser complained about is kept on the page.

    With `alone` nobody else gets the window, since it cannot be made as new again.
    """
    used = []

    def visit(path, *, width=1000, **rest):
        page = window(**rest)
        used.append(page)
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(media="screen", color_scheme="light")
        page.complaints.clear()
        page.goto(address + path)
        return page

    yield visit
    for page in used:
        page.unroute_all()
        page.goto("about:blank")
        page.context.clear_cookies()


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_pages_fit_at_every_size_and_nothing_is_complained_about(visit, lang):
    page = visit(f"/send.html?lang={lang}")
    for width, scheme in itertools.product((320, 1200), ("light", "dark")):
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme=scheme)
        assert page.evaluate("document.documentElement.scrollWidth") == width
        assert not page.locator("#unseen").is_visible()
        ground = page.evaluate("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)")
        assert (sum(ground) < 200) == (scheme == "dark")
    assert page.complaints == []


def test_a_choice_of_dark_is_kept_without_script(visit):
    page = visit("/send.html", java_script_enabled=False)
    page.get_by_role("link", name="Dark").click()
    assert page.url.endswith("/send.html")
    assert page.locator("html").get_attribute("data-theme") == "dark"
    page.get_by_role("link", name="日本語").click()
    assert page.locator("html").get_attribute("lang") == "ja"
    assert page.locator("html").get_attribute("data-theme") == "dark"


def test_parts_refresh_themselves_and_run_nothing(visit, asked):
    page = visit("/live")
    page.locator("#part summary").click()
    page.evaluate("document.querySelector('#part .scroll').scrollLeft = 50")
    page.locator("#link").focus()
    page.locator("#part").get_by_text("Round 1").wait_for()
    assert page.evaluate("document.activeElement.id") == "link"
    assert page.evaluate("document.querySelector('#part .scroll').scrollLeft") == 50
    assert page.evaluate("document.querySelector('#part details').open")
    assert page.locator("#announcer").inner_text() == "Round 1"
    assert page.evaluate("window.wild") is None
    assert page.locator("#part script").count() == 0


def test_json_is_put_in_as_text(visit):
    page = visit("/live")
    page.get_by_text("<b>new</b>").wait_for()
    assert page.locator("#fields b").count() == 0
    assert page.locator("[data-field=other]").inner_text() == "kept"


def test_parts_that_are_gone_or_done_are_not_asked_for_again(visit, asked):
    page = visit("/live")
    page.get_by_text("done").wait_for()
    page.get_by_text("Round 2").first.wait_for()
    assert asked.count("gone") == asked.count("until") == 1
    assert page.get_by_text("stays").is_visible()


def test_countdowns_run(visit):
    page = visit("/count", alone=True)
    page.clock.install(time=NEW_YEAR)
    page.clock.pause_at(NEW_YEAR + dt.timedelta(seconds=1))  # on a busy machine it would run on
    page.reload()
    assert page.locator("#count").inner_text() == "2 h 0 min"
    page.clock.fast_forward("01:30:00")
    expect(page.locator("#count")).to_have_text(re.compile(r"^30 min \d+ s$"))
    page.clock.fast_forward("00:31:00")
    expect(page.locator("#count")).to_have_text("now")


def test_countdowns_go_by_the_servers_clock(visit):
    page = visit("/live", alone=True)
    page.clock.set_fixed_time(NEW_YEAR)
    page.reload()
    assert page.locator("#count").inner_text() == "1 d 2 h"
    assert page.locator("#over").inner_text() == "now"


def test_without_script_everything_is_there(visit, address, asked):
    page = visit("/live", java_script_enabled=False)
    assert page.locator("#count").inner_text() == "1 d 2 h"
    assert page.get_by_text("Round 0").is_visible()
    page.goto(f"{address}/send.html")
    assert not page.locator("#copy").is_visible()
    page.locator("#name").fill("Hanako")
    page.locator("#go").click()
    assert page.get_by_text("sent").is_visible()
    assert asked == ["Hanako"]


def test_a_form_is_sent_once(visit):
    page = visit("/send.html")
    page.locator("#name").fill("Taro")
    page.route("**/send", lambda route: route.fulfill(status=204))
    page.locator("#go").click()
    expect(page.locator("#go")).to_be_disabled()
    page.reload()
    expect(page.locator("#go")).to_be_enabled()


def test_a_file_that_is_too_large_is_told_of_before_it_is_sent(visit):
    page = visit("/send.html")
    page.locator("#file").set_input_files({"name": "a.csv", "mimeType": "text/csv", "buffer": b"x" * 11})
    assert page.locator("#file").evaluate("(input) => input.validationMessage") == "This file is too large."
    page.locator("#file").set_input_files({"name": "a.csv", "mimeType": "text/csv", "buffer": b"x" * 10})
    assert page.locator("#file").evaluate("(input) => input.validationMessage") == ""


def test_a_button_copies(visit):
    page = visit("/send.html", permissions=["clipboard-read", "clipboard-write"])
    page.locator("#copy").click()
    page.get_by_text("Copied").first.wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == "abc"


def test_the_policy_stops_what_slipped_into_a_page(visit):
    page = visit("/wild.html")
    page.locator("#b").click()
    assert page.evaluate("window.wild") is None
    assert page.locator("#styled").evaluate("(p) => getComputedStyle(p).color") != "rgb(1, 2, 3)"
    assert len(page.complaints) >= 2
    assert all("Content Security Policy" in told for told in page.complaints)


def test_the_keyboard_reaches_the_content_first(visit):
    page = visit("/send.html")
    page.keyboard.press("Tab")
    skip = page.locator(":focus")
    assert skip.inner_text() == "Skip to the content"
    assert skip.bounding_box()["x"] >= 0
    assert skip.evaluate("(link) => getComputedStyle(link).outlineStyle") == "solid"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "content"


def test_wide_tables_scroll_within_their_box(visit):
    page = visit("/live", width=320)
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    assert page.locator("#part .scroll").evaluate("(box) => box.scrollWidth > box.clientWidth")
    page.locator("#part .scroll").focus()
    page.keyboard.press("ArrowRight")
    while not page.locator("#part .scroll").evaluate("(box) => box.scrollLeft"):
        page.wait_for_timeout(20)


def test_on_paper_there_is_nothing_to_click(visit):
    page = visit("/send.html")
    page.emulate_media(media="print")
    for part in (".main-nav", "form", ".foot ul", "button"):
        assert all(not one.is_visible() for one in page.locator(part).all())
    assert page.locator("h1").is_visible()
