"""The schedule, what the organiser tells, and the log of it."""

import datetime as dt

import pytest

from contest import cups
from contest.cups import BEGINS, DAY, PHASES, SECOND, begin, on_both_databases, phase_of
from kakurenbo.contest import announcements, log, results, schedule
from kakurenbo.contest.records import Scheduled
from kakurenbo.contest.submissions import submit
from kakurenbo.errors import ParameterError


@pytest.fixture
def organiser(contest):
    return cups.person(contest, "Organiser", organiser=True)


def refused(code, call, *arguments):
    with pytest.raises(ParameterError) as caught:
        call(*arguments)
    assert caught.value.code == code
    return str(caught.value)


def test_a_phase_lasts_until_the_next_begins(contest):
    contest.clock.at = BEGINS["sign-up"] - SECOND
    before = schedule.now_in(contest)
    assert (before.phase, before.next, before.until) == (None, "sign-up", BEGINS["sign-up"])
    for phase, following in zip(PHASES, [*PHASES[1:], None], strict=True):
        begin(contest, phase)
        where = schedule.now_in(contest)
        assert (where.phase, where.since, where.next) == (phase, BEGINS[phase], following)
        assert where.until == (BEGINS[following] if following else None)
        contest.clock.go(DAY - SECOND)
        assert phase_of(contest) == phase
    assert schedule.schedule(contest) == [Scheduled(name, BEGINS[name]) for name in PHASES]


@on_both_databases
def test_an_organiser_begins_a_phase_now_and_those_between_are_passed_over(contest, organiser):
    contest.clock.go(SECOND)
    moved = schedule.move(contest, "hide", contest.clock(), organiser)
    assert phase_of(contest) == "hide"
    assert {one.phase: one.starts for one in moved}["practice"] == contest.clock()
    assert schedule.schedule(contest) == moved
    (line,) = log.read(contest, what="move")
    assert (line.who, line.about) == ("Organiser", f"hide {contest.clock().isoformat()}")


def test_a_time_that_has_passed_means_now(contest, organiser):
    begin(contest, "practice")
    schedule.move(contest, "hide", contest.clock() - DAY, organiser)
    assert schedule.now_in(contest).since == contest.clock()


def test_without_a_time_a_phase_waits_for_the_organiser(contest, organiser):
    for phase in ("final", "seek"):
        schedule.move(contest, phase, None, organiser)
    contest.clock.go(30 * DAY)
    where = schedule.now_in(contest)
    assert (where.phase, where.next, where.until) == ("hide", "seek", None)


def test_a_deadline_can_be_put_off_before_and_after_it_passed(contest, organiser):
    user, _ = cups.team(contest, "Hiders")
    begin(contest, "seek")
    refused("closed", submit, contest, user, "release", b"good", "T.csv")
    schedule.move(contest, "seek", BEGINS["seek"] + SECOND, organiser)
    assert submit(contest, user, "release", b"good", "T.csv").received == BEGINS["seek"]


def test_hiding_does_not_begin_again_once_releases_were_published(contest, organiser, monkeypatch):
    from kakurenbo.contest.judging import judge as judging  # noqa: PLC0415

    monkeypatch.setattr(judging, "published", lambda *given, **_: dict(given[2]))
    user, _ = cups.team(contest, "Hiders")
    begin(contest, "hide")
    submit(contest, user, "release", b"good", "T.csv")
    begin(contest, "seek")
    cups.judge_all(contest)
    assert len(results.releases(contest)) == 1
    refused("closed", schedule.move, contest, "seek", contest.clock() + SECOND, organiser)
    refused("closed", schedule.move, contest, "seek", None, organiser)
    schedule.move(contest, "final", BEGINS["final"] + DAY, organiser)
    contest.clock.at = BEGINS["final"]
    assert phase_of(contest) == "seek"


def test_nothing_moves_after_the_end(contest, organiser):
    begin(contest, "final")
    for phase in PHASES:
        refused("closed", schedule.move, contest, phase, contest.clock() + DAY, organiser)


def test_what_cannot_be_is_refused_and_changes_nothing(contest, organiser):
    before = schedule.schedule(contest)
    refused("parameter", schedule.move, contest, "hide", BEGINS["final"], organiser)
    refused("parameter", schedule.move, contest, "sign-up", None, organiser)
    refused("parameter", schedule.move, contest, "nothing", contest.clock(), organiser)
    refused("parameter", schedule.move, contest, "hide", dt.datetime(2026, 4, 3), organiser)
    refused("denied", schedule.move, contest, "hide", contest.clock(), cups.person(contest, "Somebody"))
    assert schedule.schedule(contest) == before
    assert log.read(contest) == []


@on_both_databases
def test_announcements_are_told_newest_first_and_withdrawn(contest, organiser):
    first = announcements.announce(contest, organiser, " Welcome ", "ようこそ")
    second = announcements.announce(contest, organiser, "Hide now")
    assert [one.text for one in announcements.announcements(contest)] == ["Hide now", "Welcome"]
    announcements.withdraw(contest, second.id, organiser)
    assert announcements.announcements(contest) == [first]
    for text in ("", "  ", "x" * 5001):
        refused("parameter", announcements.announce, contest, organiser, text)
    assert [line.what for line in log.read(contest)] == ["withdraw", "announce", "announce"]


@on_both_databases
def test_the_log_is_read_in_pages(contest):
    for number in range(5):
        log.note(contest, "w" * 100, f"what {number}", "x" * 500)
    assert [line.what for line in log.read(contest, most=2, skip=1)] == ["what 3", "what 2"]
    assert {len(line.who) for line in log.read(contest)} == {80}


def test_a_first_phase_without_a_time_begins_when_the_contest_is_opened(tmp_path, clock):
    rules = "\n".join(line for line in cups.RULES.splitlines() if not line.startswith("starts"))
    folder = cups.make_folder(tmp_path / "cup", rules)
    (folder / "private" / "contest.sqlite").unlink()
    with cups.opened(folder, clock=clock) as contest:
        assert schedule.now_in(contest).since == cups.START
        assert [one.starts for one in schedule.schedule(contest)] == [cups.START, None, None, None, None]
