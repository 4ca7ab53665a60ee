"""Browsers for tests of a contest's pages: a served contest, and people who go by what they can read."""

import re
import shutil
import threading
from contextlib import contextmanager

import pytest

from kakurenbo.contest.site import make_site
from kakurenbo.contest.worker import Worker
from kakurenbo.web.app import serve

sync = pytest.importorskip(
    "playwright.sync_api", reason="playwright is not installed: pip install -e '.[dev]'"
)
CHROMIUM = shutil.which("chromium")
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium on PATH: make browser")

FLAGS = [
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-extensions", "--disable-default-apps",
    "--no-first-run", "--no-default-browser-check",
]  # fmt: skip
LEFT = "net::ERR_ABORTED"  # the page was left before it had everything
PASSWORD = "seven sleepy storks"  # noqa: S105 - of people who never were
JUDGED = 120_000  # milliseconds a small submission, or a page, may take on a busy machine
sync.expect.set_options(timeout=JUDGED)


@contextmanager
def chromium():
    with sync.sync_playwright() as engine:
        started = engine.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield started
        started.close()


@contextmanager
def served(contest):
    """Serve a contest on loopback, with one worker, and give its address."""
    stop, listening, ports = threading.Event(), threading.Event(), []

    def ready(port):
        ports.append(port)
        listening.set()

    threads = [
        threading.Thread(target=serve, args=(make_site(contest),),
                         kwargs={"port": 0, "ready": ready, "stop": stop}),
        threading.Thread(target=Worker(contest, "judge").run, args=(stop,), kwargs={"pause": 0.05}),
    ]  # fmt: skip
    for thread in threads:
        thread.start()
    try:
        assert listening.wait(JUDGED / 1000)
        yield f"http://127.0.0.1:{ports[0]}"
    finally:
        stop.set()
        for thread in threads:
            thread.join(JUDGED / 1000)
    assert not any(thread.is_alive() for thread in threads)


@contextmanager
def visitors(browser, address):
    """Give a function that gives somebody a browser; whatever went wrong in it fails the test."""
    contexts, wrong = [], []

    def person(*, script=True, **options):
        context = browser.new_context(java_script_enabled=script, base_url=address, **options)
        context.set_default_timeout(JUDGED)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: wrong.append(f"{page.url}: {message.type}: {message.text}"))
        page.on("pageerror", lambda error: wrong.append(f"{page.url}: {error}"))
        page.on("requestfailed", lambda request: request.failure == LEFT or wrong.append(request.url))
        page.on(
            "response", lambda answer: answer.status >= 400 and wrong.append(f"{answer.url}: {answer.status}")
        )
        page.on("request", lambda request: request.url.startswith(address) or wrong.append(request.url))
        return Person(page)

    yield person
    for context in contexts:
        context.close()
    assert wrong == []


class Person:
    """Somebody at a browser, who goes by what can be read on the page."""

    def __init__(self, page):
        self.page = page

    def sees(self, text):
        sync.expect(self.page.get_by_role("main")).to_contain_text(text)

    def presses(self, name):
        self.page.get_by_role("main").get_by_role("button", name=name).click()

    def follows(self, name):
        self.page.get_by_role("navigation").get_by_role("link", name=name, exact=True).first.click()

    def fills(self, **fields):
        for label, value in fields.items():
            self.page.get_by_label(label.replace("_", " "), exact=True).fill(value)

    def signs_up(self, name, team):
        self.page.goto("/sign-up")
        self.fills(Your_name=name, Password=PASSWORD)
        self.presses("Sign up")
        self.page.goto("/team")
        self.fills(Name_of_the_team=team)
        self.presses("Found the team")
        self.sees(team)

    def signs_in(self, name):
        self.page.goto("/sign-in")
        self.fills(Your_name=name, Password=PASSWORD)
        self.presses("Sign in")

    def hands_in(self, name, text, button):
        content = {"name": name, "mimeType": "text/csv", "buffer": text.encode()}
        self.page.get_by_label("File", exact=True).set_input_files(content)
        self.presses(re.compile(f"^{button}$"))

    def begins(self, phase):
        self.page.goto("/organise/phases")
        card = self.page.get_by_role("region", name=phase)
        for box in card.get_by_role("checkbox").all():
            box.check()
        card.get_by_role("button", name="Begin now").click()
        sync.expect(card).to_contain_text("now")

    def awaits(self, text, *, script):
        """Wait until the page tells something: by itself with scripts, by loading it again without."""
        main = self.page.get_by_role("main")
        if script:
            sync.expect(main).to_contain_text(text)
            return
        for _ in range(JUDGED // 200):
            if text in main.inner_text():
                return
            self.page.wait_for_timeout(200)
            self.page.reload()
        raise AssertionError(f"{text!r} never came")


def cells_of(table):
    """Return the texts of a table's body, row by row."""
    return [
        [cell.inner_text().strip() for cell in row.locator("th, td").all()]
        for row in table.locator("tbody tr").all()
    ]


def lines_of(table):
    """Return every row of a table's body as column -> text."""
    columns = [cell.inner_text().strip() for cell in table.locator("thead th").all()]
    return [dict(zip(columns, row, strict=True)) for row in cells_of(table)]
