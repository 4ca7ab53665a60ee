"""The board: places by the rules, final numbers for all at once and never a part of them."""

import threading

import pytest

from contest import cups
from contest.cups import begin, judge_all, on_both_databases
from contest.standings import guess, moment, refused, release
from kakurenbo.contest import jobs, schedule, submissions
from kakurenbo.contest.board import board, board_of, histories, history, shared_ranks
from kakurenbo.contest.history import history_of
from kakurenbo.contest.judging import judge as judging
from kakurenbo.contest.judging.records import Judged, Score
from kakurenbo.contest.judging.scoring import with_guess
from kakurenbo.contest.records import Outcome
from kakurenbo.contest.rules import Rules

RULES = Rules.preset("pws2016")
LIVE = RULES.model_copy(update={"scoring": RULES.scoring.model_copy(update={"board": "live"})})
ABC = ("a", "b", "c")
RELEASES = (release("a", 0.2, 0.1), release("b", 0.1, 0.3), release("c", 0.4, 0.4))
GUESSES = (
    guess("b", "a", 0.25), guess("b", "a", 0.5, hour=1), guess("c", "a", 0.4), guess("a", "b", 0.2),
    guess("a", "c", 0.3, hour=2),
)  # fmt: skip


def places(rows):
    return [(row.rank, row.team) for row in rows]


def test_security_is_the_worst_of_sample_attacks_and_of_the_last_guesses_of_the_others():
    rows = {row.team: row for row in board_of(RULES, moment("final", ABC, RELEASES, GUESSES)).hide}
    assert (rows["a"].utility, rows["a"].security, rows["a"].total, rows["a"].by) == (0.2, 0.5, 0.35, "B")
    assert (rows["b"].security, rows["b"].by) == (0.3, None)
    assert (rows["c"].security, rows["c"].by) == (0.4, None)
    assert [(row.rank, row.team) for row in rows.values()] == [(1, "b"), (2, "a"), (3, "c")]


def test_the_last_guess_counts_and_not_the_luckiest():
    luck = [guess("b", "a", 0.5, hour=1), guess("b", "a", 0.3, hour=2)]
    seen = moment("final", ("a", "b"), RELEASES[:2], luck)
    assert seen.found == {("b", "a"): 0.3}
    assert {row.team: row.found for row in board_of(RULES, seen).seek}["b"] == 0.3


def test_the_weight_of_the_rules_makes_the_total():
    scoring = RULES.scoring.model_copy(update={"utility_weight": 0.25})
    seen = moment("final", ("a", "b"), RELEASES[:2], [guess("b", "a", 0.5)])
    (first, second) = board_of(RULES.model_copy(update={"scoring": scoring}), seen).hide
    assert (first.team, second.team, second.total) == ("b", "a", pytest.approx(0.25 * 0.2 + 0.75 * 0.5))


def test_seekers_are_ranked_by_the_mean_over_the_others_and_no_guess_finds_nobody():
    rows = board_of(RULES, moment("final", ABC, RELEASES, GUESSES)).seek
    assert [(row.team, row.found, row.guesses, row.releases) for row in rows] == [
        ("a", 0.25, 2, 2), ("b", 0.25, 1, 2), ("c", 0.2, 1, 2)]  # fmt: skip
    assert [row.rank for row in rows] == [1, 1, 3]


def test_a_team_without_a_valid_release_is_last_with_its_reason_and_may_still_seek():
    teams = ("z", "y", "x", *ABC)
    releases = (*RELEASES, refused("y"), refused("x", "failed"))
    seen = moment("final", teams, releases, [guess("z", "a", 0.8), guess("a", "y", 0.9)])
    rows = board_of(RULES, seen)
    assert [(row.rank, row.team, row.reason) for row in rows.hide[3:]] == [
        (4, "x", "failed"), (4, "y", "no-valid-release"), (4, "z", "no-release")]  # fmt: skip
    assert {row.total for row in rows.hide[3:]} == {None}
    assert rows.failed == 1
    assert places(rows.seek)[0] == (1, "z")
    releases = {row.team: row.releases for row in rows.seek}
    assert releases == {"a": 2, "b": 2, "c": 2, "x": 3, "y": 3, "z": 3}
    assert {row.team: row.found for row in rows.seek}["a"] == 0.0


def test_equal_numbers_share_a_place_however_they_were_summed():
    assert shared_ranks([0.3, 0.1 + 0.2, 0.4, 0.4, 0.5]) == [1, 1, 3, 3, 5]
    assert shared_ranks([]) == []


def test_before_the_end_only_what_the_rules_allow_is_there():
    seen = moment("hide", ABC, (release("a", 0.9, 0.9, counts=False), *RELEASES[:2], refused("c")))
    closed = board_of(RULES, seen)
    assert (closed.hide, closed.seek, closed.final) == ((), (), False)
    live = board_of(LIVE, seen)
    assert [(row.team, row.total) for row in live.hide] == [("a", pytest.approx(0.15)), ("b", 0.2)]
    assert (live.seek, live.final) == ((), False)


def test_in_the_final_nothing_appears_before_all_is_judged():
    waiting = (*GUESSES, guess("c", "b", None, verdict="open"))
    shown = board_of(LIVE, moment("final", ABC, RELEASES, waiting))
    assert (shown.final, shown.open, shown.hide, shown.seek) == (False, 1, (), ())


def test_a_contest_without_seeking_ranks_hiders_alone():
    phases = tuple(phase for phase in RULES.phases if phase.name != "seek")
    shown = board_of(RULES.model_copy(update={"phases": phases}), moment("final", ABC, RELEASES))
    assert (len(shown.hide), shown.seek) == (3, ())


def test_history_tells_totals_and_what_was_found_by_the_time_it_was_received():
    releases = (release("a", 0.5, 0.5, counts=False), *RELEASES)
    told = history_of(moment("final", ABC, releases, GUESSES), "a")
    assert [(point.value, point.counts) for point in told.releases] == [
        (0.5, False),
        (pytest.approx(0.15), True),
    ]
    assert [point.value for point in told.guesses] == [0.1, 0.25]
    others = history_of(moment("final", ABC, releases, GUESSES), "b").guesses
    assert [(point.value, point.counts) for point in others] == [(0.125, False), (0.25, True)]


def test_a_board_is_plain_values():
    shown = board_of(RULES, moment("final", ABC, RELEASES, GUESSES)).to_dict()
    assert shown["final"] is True
    row = {"rank": 1, "team": "b", "name": "B", "utility": 0.1, "security": 0.3, "total": 0.2}
    assert shown["hide"][0] == {**row, "by": None, "reason": None}


def by_numbers(contest, lease):
    """Judge by the numbers in a file: utility and security of a release, or the share that a guess found."""
    _, content = submissions.content_of(contest, lease.submission)
    if content == b"bad":
        return Outcome(cups.BAD)
    if submissions.one(contest, lease.submission).kind == "release":
        utility, security = map(float, content.split(b","))
        return Outcome(Judged(score=Score(utility, security, (utility + security) / 2)))
    rate = float(content.split(b",")[0])
    judged = with_guess(contest.rules, Judged(score=Score(0.0, 0.0, 0.0)), (rate, rate))
    return Outcome(judged, (rate,) * 6)


def as_submitted(rules, original, files, *, seed):
    return dict(files)


@pytest.fixture
def played(contest, monkeypatch):
    """Return a contest in which A and B hid and sought, with one guess that nobody has judged yet."""
    monkeypatch.setattr(judging, "published", as_submitted)
    (ann, a), (bob, b), _ = (cups.team(contest, name) for name in "ABC")
    begin(contest, "hide")
    for user, text in [(ann, b"0.2,0.1"), (ann, b"0.6,0.6"), (bob, b"0.1,0.3"), (bob, b"bad")]:
        submissions.submit(contest, user, "release", text, "T.csv")
    begin(contest, "seek")
    judge_all(contest, by_numbers)
    submissions.submit(contest, ann, "guess", b"0.5", "Q.csv", b.id)
    judge_all(contest, by_numbers)
    last = submissions.submit(contest, bob, "guess", b"0.75", "Q.csv", a.id)
    return contest, a, b, last


def test_the_board_opens_for_all_at_once_when_the_last_guess_is_judged(played):
    contest, a, b, _ = played
    assert (board(contest).hide, histories(contest)) == ((), {})
    begin(contest, "final")
    waiting = board(contest)
    assert (waiting.final, waiting.open, waiting.hide, waiting.seek) == (False, 1, (), ())
    assert history(contest, a) is None
    judge_all(contest, by_numbers)
    shown = board(contest)
    assert (shown.final, shown.open) == (True, 0)
    assert [(row.name, row.utility, row.security, row.by) for row in shown.hide] == [
        ("B", 0.1, 0.5, "A"), ("A", 0.6, 0.75, "B"), ("C", None, None, None)]  # fmt: skip
    assert [(row.rank, row.name, row.found) for row in shown.seek] == [
        (1, "B", 0.75),
        (2, "A", 0.5),
        (3, "C", 0.0),
    ]
    assert [point.counts for point in history(contest, a).releases] == [False, True]
    assert history(contest, b).guesses[0].value == 0.75


@on_both_databases
def test_the_final_board_waits_for_whoever_was_in_time_and_is_not_yet_in_the_queue(played):
    contest, *_ = played
    judge_all(contest, by_numbers)
    begin(contest, "final")
    answers = []
    looking = threading.Thread(target=lambda: answers.append(board(contest)))
    with contest.database.writing() as session:
        schedule.locked(session)  # as a submission does that was received a moment before the end
        looking.start()
        looking.join(0.2)
        assert (looking.is_alive(), answers) == (True, [])
    looking.join()
    assert answers[0].final


@on_both_databases
def test_judging_anew_closes_the_board_until_it_is_done(played):
    contest, _, _, last = played
    begin(contest, "final")
    judge_all(contest, by_numbers)
    assert board(contest).final
    organiser = cups.person(contest, "Organiser", organiser=True)
    jobs.rejudge(contest, last.id, organiser)
    assert (board(contest).final, board(contest).open, board(contest).hide) == (False, 1, ())
    judge_all(contest, by_numbers)
    assert board(contest).final


def test_a_live_board_shows_sample_attacks_and_never_what_guesses_found(played):
    contest, a, b, _ = played
    live = cups.with_rules(contest, scoring={"board": "live"})
    judge_all(live, by_numbers)
    assert [(row.team, row.security, row.by) for row in board(live).hide] == [
        (b.id, 0.3, None),
        (a.id, 0.6, None),
    ]
    assert board(live).seek == ()


def test_practice_is_on_no_board(contest):
    ann, _ = cups.team(contest, "A")
    begin(contest, "practice")
    submissions.submit(contest, ann, "release", b"0.2,0.1", "T.csv")
    begin(contest, "final")
    shown = board(contest)
    assert (shown.open, shown.final, [row.reason for row in shown.hide]) == (0, True, ["no-release"])
