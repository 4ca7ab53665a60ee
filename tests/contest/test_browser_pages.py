"""Every page that a link leads to, for everybody, in every state of a contest: it fits, reads and speaks."""

from contextlib import ExitStack
from itertools import pairwise

import pytest

from contest import pws2017_made as made
from contest import pws2017_plain as plain
from contest.browsing import PASSWORD, chromium, needs_chromium, served, visitors
from kakurenbo.contest import accounts, announcements, results, schedule, submissions, teams
from kakurenbo.contest.contest import Contest
from kakurenbo.contest.rules import preset_text
from kakurenbo.contest.worker import Worker

pytestmark = needs_chromium
SEED = 5
LOOKS = {
    "desk": {"viewport": {"width": 1366, "height": 800}, "color_scheme": "light", "locale": "en-GB"},
    "phone": {"viewport": {"width": 360, "height": 740}, "color_scheme": "dark", "locale": "ja-JP"},
}
MEMBERS = ("/submit", "/submissions", "/releases", "/team", "/account")
PEOPLE = {"somebody": None, "member": "Hana", "organiser": "Olga"}

LINKS = """() => [...document.querySelectorAll("a[href]:not([download])")].map((a) => a.getAttribute("href"))
  .filter((href) => href.startsWith("/")).map((href) => href.split("#")[0])"""
FACTS = r"""() => {
  const parts = (colour) => colour.match(/[\d.]+/g).map(Number);
  const light = (colour) => {
    const linear = (v) => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
    const [r, g, b] = parts(colour).slice(0, 3).map((v) => linear(v / 255));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const paper = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      if (parts(colour)[3] === undefined || parts(colour)[3] === 1) return colour;
    }
    return "rgb(255, 255, 255)";
  };
  const faint = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement, text = walker.currentNode.data.trim();
    if (!text || !element.getClientRects().length || element.closest("svg, [disabled], noscript")) continue;
    const [one, two] = [light(getComputedStyle(element).color), light(paper(element))];
    const contrast = (Math.max(one, two) + 0.05) / (Math.min(one, two) + 0.05);
    if (contrast < 4.5) faint.push(`${contrast.toFixed(2)} ${text.slice(0, 40)}`);
  }
  const all = (selector) => [...document.querySelectorAll(selector)];
  const named = (one) => one.labels?.length || one.ariaLabel || one.getAttribute("aria-labelledby");
  const ids = all("[id]").map((one) => one.id);
  return {
    faint,
    wide: document.documentElement.scrollWidth - window.innerWidth,
    headings: all("h1, h2, h3, h4").filter((h) => h.getClientRects().length).map((h) => Number(h.tagName[1])),
    unnamed: all("input, select, textarea").filter((one) => one.getClientRects().length && !named(one))
      .map((one) => one.name),
    silent: all("button, a[href]").filter((one) => !one.innerText.trim() && !one.ariaLabel).length,
    bare: all("table").filter((one) => !one.caption?.innerText.trim()).length + all("th:not([scope])").length,
    blind: all("[role=img], img:not([alt])").filter((one) => !named(one) && !one.querySelector("title"))
      .length,
    cut: all("svg text").filter((one) => {
      const [text, picture] = [one.getBoundingClientRect(), one.ownerSVGElement.getBoundingClientRect()];
      return text.width && (text.right > picture.right + 1 || text.left < picture.left - 1);
    }).map((one) => one.textContent.trim().slice(0, 40)),
    twice: ids.filter((id, at) => ids.indexOf(id) !== at),
    language: document.documentElement.lang,
    title: document.title,
    landmarks: all("main").length,
  };
}"""


@pytest.fixture(scope="module")
def browser():
    with chromium() as started:
        yield started


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """Return a function that gives a contest of two teams that has come to a phase."""
    with ExitStack() as ending:

        def play_until(phase):
            place = tmp_path_factory.mktemp(phase)
            cup = made.write(place / "data", made.contest(SEED))
            contest = Contest.create(place / "cup", preset_text("pws2017"), place / "data")
            ending.callback(contest.close)
            play(contest, cup, phase)
            return contest

        yield play_until


@pytest.fixture(scope="module", params=["hide", "seek", "final"])
def address(request, played):
    """Serve a contest that has come to a phase."""
    with served(played(request.param)) as address:
        yield address


def play(contest, cup, until):
    """Let two teams play until a phase has come, without browsers."""
    olga = accounts.make_organiser(contest, "Olga", PASSWORD)
    users = [accounts.sign_up(contest, name, PASSWORD) for name in ("Hana", "Saki")]
    found = [
        teams.create_team(contest, user, name)[0] for user, name in zip(users, ("Foxes", "梟"), strict=True)
    ]
    announcements.announce(contest, olga, "Welcome.", "ようこそ。")
    worker = Worker(contest, "judge")
    for phase in ("hide", "seek", "final"):
        schedule.move(contest, phase, contest.clock(), olga)
        for number, user in enumerate(users):
            if phase == "hide":
                text = made.text_of(made.submission(cup, SEED + number))
                submissions.submit(contest, user, "release", b"no release\n", "wrong.csv")
                submissions.submit(contest, user, "release", text.encode(), "release.csv")
            elif phase == "seek":
                target = found[1 - number].id
                guess = blind_guess(cup, results.published_file(contest, target)[1].decode())
                submissions.submit(contest, user, "guess", guess.encode(), "guess.csv", target)
        while worker.run_once():
            pass
        if phase == "hide" and until != "hide":
            schedule.move(contest, "seek", contest.clock(), olga)
            while worker.run_once():
                pass
        if phase == until:
            return


def blind_guess(cup, published):
    table = plain.guess(cup, plain.rows_of(published), cup.known["T100"], plain.KEYS["S6"])
    return made.text_of([[customer, *table[customer]] for customer in cup.customers])


def wrong_with(facts, language):
    """Return what a reader would stumble over on a page."""
    levels = facts["headings"]
    found = {
        name: facts[name]
        for name in ("faint", "unnamed", "silent", "bare", "blind", "cut", "twice")
        if facts[name]
    }
    if facts["wide"] > 0:
        found["wide"] = facts["wide"]
    if levels[:1] != [1] or levels.count(1) != 1 or any(two > one + 1 for one, two in pairwise(levels)):
        found["headings"] = levels
    if facts["language"] != language or not facts["title"].strip(" ·") or facts["landmarks"] != 1:
        found["page"] = facts["language"], facts["title"], facts["landmarks"]
    return found


def pages_wrong(person, language, looks, seen, *, below=("/",)):
    """Open every page that a link leads to and nobody has seen, and return where a reader would stumble."""
    wrong, waiting = {}, [*below]
    while waiting:
        path = waiting.pop()
        if path in seen or not path.startswith(below) or "export" in path or "." in path:
            continue
        if path.startswith(("/lang/", "/theme/")):
            continue
        seen.add(path)
        person.page.goto(path)
        for look in looks:
            person.page.set_viewport_size(LOOKS[look]["viewport"])
            person.page.emulate_media(color_scheme=LOOKS[look]["color_scheme"])
            stumbled = wrong_with(person.page.evaluate(FACTS), language)
            if stumbled:
                wrong[path, look] = stumbled
        waiting += person.page.evaluate(LINKS)
    return wrong


def test_every_page_fits_reads_and_speaks_at_every_size(browser, played):
    """Each page once, for somebody whom it concerns: a member's while seeking, everybody's at the end."""
    contest, seen = played("seek"), set()
    with served(contest) as address, visitors(browser, address) as person:
        member, organiser, somebody = (person(locale=locale) for locale in ("ja-JP", "ja-JP", "en-GB"))
        sign_in(member, "Hana", "ja")
        sign_in(organiser, "Olga", "ja")
        assert pages_wrong(member, "ja", LOOKS, seen, below=MEMBERS) == {}
        assert seen >= {"/submit", "/submissions", "/releases", "/team", "/account"}
        schedule.move(contest, "final", contest.clock(), accounts.sign_in(contest, "Olga", PASSWORD))
        assert pages_wrong(somebody, "en", LOOKS, seen) == {}
        assert seen >= {"/", "/rules", "/data", "/board", "/matrix", "/archive", "/sign-in"}
        assert any(path.startswith("/reports/") for path in seen)
        assert pages_wrong(organiser, "ja", LOOKS, seen, below=("/organise",)) == {}
        assert any(path.startswith("/organise/") for path in seen)


@pytest.mark.campaign
@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("who", PEOPLE)
def test_every_page_fits_reads_and_speaks_for_everybody_in_every_phase(browser, address, who, look):
    language, seen = LOOKS[look]["locale"][:2], set()
    with visitors(browser, address) as person:
        somebody = person(**LOOKS[look])
        if PEOPLE[who]:
            sign_in(somebody, PEOPLE[who], language)
        assert pages_wrong(somebody, language, [look], seen) == {}
    assert {"/", "/rules", "/data", "/board"} <= seen


def sign_in(person, name, language):
    """Sign in and let the pages speak a language."""
    person.page.goto("/sign-in")
    form = person.page.locator("main form")
    form.locator("input[name=name]").fill(name)
    form.locator("input[name=password]").fill(PASSWORD)
    form.get_by_role("button").click()
    person.page.wait_for_url(lambda url: "sign-in" not in url)
    person.page.goto(f"/lang/{language}")
