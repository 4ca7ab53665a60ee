"""The report as readers see it: in a browser, on a phone, in the dark, on paper, offline."""

import shutil
from functools import cache
from itertools import pairwise

import pytest

import sample_audit
from campaign import one_in
from kakurenbo import report

sync = pytest.importorskip(
    "playwright.sync_api", reason="playwright is not installed: pip install -e '.[dev]'"
)
CHROMIUM = shutil.which("chromium")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium on PATH: make browser")

FLAGS = [
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-extensions", "--disable-default-apps",
    "--no-first-run", "--no-default-browser-check",
]  # fmt: skip

CONTRASTS = """() => {
  const parts = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const light = (colour) => {
    const linear = (v) => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
    const [r, g, b] = parts(colour).map((v) => linear(v / 255));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const paper = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      if (colour.startsWith("rgb(")) return colour;
    }
    return "rgb(255, 255, 255)";
  };
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !element.getClientRects().length) continue;
    const style = getComputedStyle(element), drawn = element.closest("svg") !== null;
    if (drawn && style.stroke !== "none") continue;
    const [one, two] = [light(drawn ? style.fill : style.color), light(paper(element))];
    found.push([(Math.max(one, two) + 0.05) / (Math.min(one, two) + 0.05), walker.currentNode.data]);
  }
  return found;
}"""
PICTURES = """() => [...document.querySelectorAll("svg")].filter((svg) => svg.getClientRects().length).map(
  (svg) => ({
    width: svg.getBoundingClientRect().width, height: svg.getBoundingClientRect().height,
    marks: svg.querySelectorAll(".role-mark > :is(path, rect, line, text)").length,
  }))"""
HEADINGS = "() => [...document.querySelectorAll('h1, h2, h3, h4, h5, h6')].map((h) => Number(h.tagName[1]))"
UNNAMED = """() => [...document.querySelectorAll("figure")].filter((figure) =>
  !figure.querySelector("figcaption")?.innerText.trim()
  || [...figure.querySelectorAll("[role=img]")].length === 0
  || [...figure.querySelectorAll("[role=img]")].some((one) => one.ariaLabel.length < 20)
).map((figure) => figure.id)"""
LUMINOUS = "() => getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)"
WIDTHS = "() => [document.documentElement.scrollWidth, window.innerWidth]"


@pytest.fixture(scope="module")
def browser():
    with sync.sync_playwright() as engine:
        started = engine.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield started
        started.close()


KINDS = ["purchases", "without pairing", "learnt only", "blind", "failed proof", "microdata"]
WIDE, NARROW = ({"width": width, "height": 800} for width in (1366, 360))


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """Return a function: the address of the report of an audit of this kind, in this language."""

    @cache
    def written(kind, lang):
        path = tmp_path_factory.mktemp("audit") / "audit.html"
        report.write(sample_audit.ALL[kind](), path, lang=lang)
        return path.as_uri()

    return written


@pytest.fixture
def opened(browser, place):
    """Open a report offline; what the console says and what is fetched is held against it afterwards."""
    contexts, said, fetched, asked = [], [], [], []

    def open_page(kind, lang="en", **options):
        context = browser.new_context(offline=True, **options)
        contexts.append(context)
        asked.append(place(kind, lang))
        page = context.new_page()
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("request", lambda request: fetched.append(request.url))
        page.goto(asked[-1])
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert said == []
    assert fetched == asked


def every_picture_is_drawn_and_nothing_sticks_out(page):
    pictures = page.evaluate(PICTURES)
    assert pictures
    for picture in pictures:
        assert picture["width"] > 250
        assert picture["height"] > 80
        assert picture["marks"] > 0
    scroll, window = page.evaluate(WIDTHS)
    assert scroll <= window


def headings_figures_and_tables_can_be_heard(page, lang):
    levels = page.evaluate(HEADINGS)
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert page.evaluate(UNNAMED) == []
    assert page.locator("html").get_attribute("lang") == lang
    assert page.locator("table").count() == page.locator("table > caption").count() > 0
    assert page.locator("th:not([scope])").count() == 0
    page.keyboard.press("Tab")
    assert page.evaluate("() => document.activeElement.className") == "skip"


def text_can_be_read(page, scheme):
    background = page.evaluate(LUMINOUS)
    assert max(background) < 60 if scheme == "dark" else min(background) > 240
    contrasts = page.evaluate(CONTRASTS)
    assert len(contrasts) > 100
    assert [told for told in contrasts if told[0] < 4.5] == []


def it_prints_on_white_paper(page):
    page.emulate_media(media="print")
    assert page.evaluate(LUMINOUS) == [255, 255, 255]
    assert [told for told in page.evaluate(CONTRASTS) if told[0] < 4.5] == []
    assert page.pdf(format="A4").startswith(b"%PDF")


@pytest.mark.parametrize("kind", one_in(3, KINDS))
def test_a_report_is_drawn_heard_read_and_printed(opened, kind):
    """One page for all of it: it has no script, so what it shows follows from its size and its light."""
    page = opened(kind, viewport=WIDE, color_scheme="light")
    every_picture_is_drawn_and_nothing_sticks_out(page)
    headings_figures_and_tables_can_be_heard(page, "en")
    text_can_be_read(page, "light")
    page.emulate_media(color_scheme="dark")
    text_can_be_read(page, "dark")
    page.set_viewport_size(NARROW)
    every_picture_is_drawn_and_nothing_sticks_out(page)
    it_prints_on_white_paper(page)


@pytest.mark.campaign
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_report_is_as_good_opened_in_any_size_light_and_language(opened, kind, lang, size, scheme):
    page = opened(kind, lang, viewport=size, color_scheme=scheme)
    every_picture_is_drawn_and_nothing_sticks_out(page)
    headings_figures_and_tables_can_be_heard(page, lang)
    text_can_be_read(page, scheme)
    it_prints_on_white_paper(page)
