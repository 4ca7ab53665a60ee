"""What a team submitted: who sees it, how far it is, and what of its result is told when."""

import re

from contest import cups
from contest.pages.conftest import judge_all
from kakurenbo.contest import submissions


def test_the_list_follows_the_judge(stage):
    browser = stage.enter("other")
    page = browser.page("/submissions")
    assert "Still to be judged: 1" in page
    assert "waiting" in page
    assert "yes, it is your release" in page
    judge_all(stage.contest)
    part = browser.page("/live/submissions")
    assert "All your submissions are judged." in part
    assert "data-done" in part
    assert "no: a later one counts" in part
    assert "<html" not in part


def test_practice_and_what_is_not_valid_never_count(stage):
    page = stage.enter("member").page("/submissions")
    lines = [line for line in page.split("<tr>") if "/submissions/" in line]
    rows = {re.search(r'href="/submissions/([^"]+)"', line)[1]: line for line in lines}
    assert "no: practice" in rows[stage.ids.tried]
    assert "not valid" in rows[stage.ids.bad]
    assert "yes, it is your release" in rows[stage.ids.good]


def test_faults_are_told_with_line_and_cell_as_text(stage):
    page = stage.enter("member").page(f"/submissions/{stage.ids.bad}")
    assert "Not valid: 2 faults" in page
    assert "is &lt;b&gt;no&lt;/b&gt; table" in page
    assert re.search(r'<td class="number">1</td><td class="number">2</td>', page)


def test_a_release_keeps_its_numbers_until_the_end(stage):
    path = f"/submissions/{stage.ids.good}"
    before = stage.enter("member").page(path)
    assert "Its numbers are told at the end, to all teams at once." in before
    assert "popularity" not in before
    stage.end()
    after = stage.enter("member").page(path)
    assert "popularity" in after
    assert "0.2500" in after
    assert f"/reports/{stage.ids.team}" in after


def guessed(stage, content):
    """Return the part of a guess's page that moves, once it is judged."""
    receipt = submissions.submit(stage.contest, stage.ids.member, "guess", content, "Q.csv", stage.ids.others)
    judge_all(stage.contest)
    path = f"/live/submissions/{receipt.id}"
    return path, stage.enter("member").page(path)


def test_a_guess_tells_nothing_but_that_it_is_valid(stage):
    stage.seek()
    (first, before), (_, after) = (guessed(stage, content) for content in (b"good", b"good guess!"))
    assert before == after, "whatever a guess found, its page is the same"
    assert "unless a later valid guess takes its place" in before
    assert not re.search(r"\d", re.sub(r"<[^>]*>", "", before))
    assert "A later valid guess counts in its place." in stage.enter("member").page(first)
    rows = stage.enter("member").page("/submissions")
    assert rows.count("<strong>yes</strong>") == 1
    cups.begin(stage.contest, "final")
    assert "What the guess found." in stage.enter("member").page(first)


def test_what_failed_by_a_fault_of_the_server_is_told_as_such(stage):
    receipt = submissions.submit(stage.contest, stage.ids.member, "release", b"crash", "x.csv")
    for _ in range(6):
        judge_all(stage.contest)
        stage.contest.clock.go(64 * cups.SECOND)
    page = stage.enter("member").page(f"/submissions/{receipt.id}")
    assert "Judging failed by a fault of the server." in page
    assert "Set aside" in stage.enter("organiser").page("/organise/queue")
    assert "RuntimeError" in stage.enter("organiser").page("/live/queue")
    assert submissions.quota(stage.contest, stage.ids.team, "release").left == 3


def test_nobody_learns_of_another_teams_submission(stage):
    for who, submission in (("member", stage.ids.theirs), ("user", stage.ids.good), ("member", "nonsense")):
        for path in (f"/submissions/{submission}", f"/live/submissions/{submission}"):
            assert "There is no such submission." in stage.enter(who).page(path, 404)
