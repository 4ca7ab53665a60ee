"""A little contest with somebody in every role, and a browser for each, without network or password."""

import asyncio
import datetime as dt
import hashlib
import re
import shutil
from types import SimpleNamespace

import httpx
import pytest

from contest import cups
from kakurenbo.contest import announcements, submissions
from kakurenbo.contest.judging.records import Fault, Judged, Score
from kakurenbo.contest.records import Outcome
from kakurenbo.contest.site import make_site
from kakurenbo.contest.stores import ContestSessions
from kakurenbo.web.sessions import Session

ABOUT = 'about = "Hide them.\\n\\nSeek them."\nabout_ja = "隠して、見つけて。"\n'
RULES = cups.RULES.replace(
    'title = "Little cup"\n', 'title = "Little cup"\ntitle_ja = "小さな大会"\n' + ABOUT
)
RELEASE = cups.TRANSACTIONS.encode()
WHO = ("nobody", "user", "member", "other", "organiser")


class Browser:
    """Walks on a site as a browser does: keeps cookies, fills in tokens, follows nothing by itself."""

    def __init__(self, app, token=None):
        self._runner = asyncio.Runner()
        cookies = {} if token is None else {"kakurenbo_session": token}
        transport = httpx.ASGITransport(app, client=("203.0.113.7", 4711))
        self.client = httpx.AsyncClient(transport=transport, base_url="http://localhost", cookies=cookies)

    def ask(self, method, path, **rest):
        return self._runner.run(self.client.request(method, path, **rest))

    def get(self, path, **rest):
        return self.ask("GET", path, **rest)

    def page(self, path, status=200):
        """Return the text of a page that must be there."""
        answer = self.get(path)
        assert answer.status_code == status, (path, answer.status_code)
        return answer.text

    def post(self, path, data=None, **rest):
        return self.ask("POST", path, data={"csrf": self.csrf(), **(data or {})}, **rest)

    def sends(self, content, name="release.csv", **fields):
        return self.post("/submit", fields, files={"file": (name, content)})

    def csrf(self):
        """Return the token of a form, from the page that has one for who is signed in and for who is not."""
        paths = ("/account", "/sign-in") if "kakurenbo_session" in self.client.cookies else ("/sign-in",)
        texts = (self.get(path).text for path in paths)
        return next(found[1] for text in texts if (found := re.search(r'name="csrf" value="([^"]+)"', text)))

    def close(self):
        self._runner.run(self.client.aclose())
        self._runner.close()


def judged(contest, lease):
    """Judge by the first word of a file: `bad` has faults, and `crash` is a fault of the server."""
    name, content = submissions.content_of(contest, lease.submission)
    if content.startswith(b"crash"):
        raise RuntimeError(name)
    if content.startswith(b"bad"):
        faults = (
            Fault("T.csv", 1, 2, "is <b>no</b> table", "table"),
            Fault("T.csv", None, None, "rows", "rows"),
        )
        return Outcome(Judged(faults=faults))
    view = submissions.one(contest, lease.submission)
    share = (len(content) % 7 + 1) / 10
    attacks = {"jaccard": (share,), **({"guess": (share / 2,)} if view.kind == "guess" else {})}
    score = Score(0.25, share, (0.25 + share) / 2)
    hits = (0.0, 1.0, 0.5, 0.0, 0.0, 1.0) if view.kind == "guess" else None
    return Outcome(Judged(utility={"popularity": 0.25}, attacks=attacks, score=score), hits)


def judge_all(contest):
    cups.judge_all(contest, judged)


def sign_in(contest, user):
    """Return the cookie of a session that was begun for somebody."""
    token, now = f"token of {user.name}".replace(" ", "-"), contest.clock()
    key = hashlib.sha256(token.encode()).hexdigest()
    later = now + dt.timedelta(days=30)  # tests jump from phase to phase, and stay signed in
    ContestSessions(contest).save(Session(key, user.id, now, later, later))
    return token


def fill(contest):
    """Let people, teams and submissions be there, up to the phase hide."""
    organiser, user = cups.person(contest, "Olga", organiser=True), cups.person(contest, "Uta")
    member, team = cups.team(contest, "Foxes")
    other, others = cups.team(contest, "Owls")
    announcements.announce(contest, organiser, "Begin <b>now</b>.\n\nGood luck.", "始めてください。")
    cups.begin(contest, "practice")
    tried = submissions.submit(contest, member, "release", b"good practice", "try.csv")
    judge_all(contest)
    cups.begin(contest, "hide")
    bad = submissions.submit(contest, member, "release", b"bad", "bad.csv")
    good = submissions.submit(contest, member, "release", b"good one", "good.csv")
    theirs = submissions.submit(contest, other, "release", b"good, too", "theirs.csv")
    judge_all(contest)
    contest.clock.go(cups.SECOND)
    waiting = submissions.submit(contest, other, "release", b"later", "later.csv")
    tokens = {one: sign_in(contest, who) for one, who in
              {"user": user, "member": member, "other": other, "organiser": organiser}.items()}  # fmt: skip
    return SimpleNamespace(
        tokens=tokens, team=team.id, others=others.id, user=user.id, member=member.id, good=good.id,
        bad=bad.id, tried=tried.id, theirs=theirs.id, waiting=waiting.id,
    )  # fmt: skip


@pytest.fixture(scope="session")
def prepared(tmp_path_factory):
    """Return the folder of a contest in the phase hide, to be copied, with what stands in it."""
    folder = cups.make_folder(tmp_path_factory.mktemp("pages") / "cup", RULES)
    with cups.opened(folder, clock=cups.StandingClock(cups.START)) as contest:
        ids = fill(contest)
        at = contest.clock.at
    return folder, ids, at


class Stage:
    """A contest that is served, and a browser for everybody."""

    def __init__(self, contest, ids):
        self.contest, self.ids = contest, ids
        self.app = make_site(contest)
        self._open = []

    def enter(self, who="nobody"):
        browser = Browser(self.app, self.ids.tokens.get(who))
        self._open.append(browser)
        return browser

    def seek(self):
        """Go on to seeking: all releases are judged and published."""
        judge_all(self.contest)
        cups.begin(self.contest, "seek")
        judge_all(self.contest)

    def end(self):
        """Go on to the end, with two guesses judged."""
        self.seek()
        member = self.ids.member
        submissions.submit(self.contest, member, "guess", b"good guess", "Q.csv", self.ids.others)
        submissions.submit(self.contest, member, "guess", b"bad guess", "Q.csv", self.ids.others)
        judge_all(self.contest)
        cups.begin(self.contest, "final")

    def close(self):
        for browser in self._open:
            browser.close()


@pytest.fixture
def staged(prepared, tmp_path):
    """Return a function that gives a copy of the prepared contest, served."""
    folder, ids, at = prepared
    stages = []

    def stage():
        place = tmp_path / f"cup{len(stages)}"
        shutil.copytree(folder, place)
        context = cups.opened(place, clock=cups.StandingClock(at))
        stages.append((context, Stage(context.__enter__(), ids)))
        return stages[-1][1]

    yield stage
    for context, made in stages:
        made.close()
        context.__exit__(None, None, None)


@pytest.fixture
def stage(staged):
    return staged()
