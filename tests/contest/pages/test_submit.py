"""Submitting: a check tells everything and keeps nothing; a submission gets a receipt, or a reason."""

import hashlib
import io
import zipfile

import pytest

from contest import cups
from contest.pages.conftest import judge_all
from kakurenbo.contest import submissions

TABLE = cups.TRANSACTIONS.replace("c", "n")
PAIRS = "released,original\n" + "".join(f"n{number},c{number}\n" for number in range(1, 7))


def zipped(**files):
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, text in files.items():
            archive.writestr(f"{name}.csv", text)
    return content.getvalue()


def stored(stage):
    return len(submissions.everything(stage.contest))


def test_a_check_lists_all_faults_by_line_and_cell_and_keeps_nothing(stage):
    before = stored(stage)
    table = "nustomer,goods\nn1,g1\nn1\n,g2\nn2,=g3\n"
    answer = stage.enter("member").sends(
        zipped(T=table, P=PAIRS), "release.zip", kind="release", action="check"
    )
    assert answer.status_code == 200
    assert "Not valid:" in answer.text
    faults = submissions.check(
        stage.contest, stage.ids.member, "release", zipped(T=table, P=PAIRS), "release.zip"
    )
    assert len(faults) > 0
    assert answer.text.count('<tr><td class="code">') == len(faults)
    for fault in faults:
        assert fault.fault.replace("'", "&#39;") in answer.text
    assert "First rows of T.csv" in answer.text
    assert stored(stage) == before
    assert submissions.quota(stage.contest, stage.ids.team, "release").left == 3


def test_a_check_of_a_sound_release_says_so_and_shows_its_first_rows(stage):
    content = zipped(T=TABLE.replace("nustomer", "customer"), P=PAIRS)
    answer = stage.enter("member").sends(content, "release.zip", kind="release", action="check")
    assert "No faults in the files" in answer.text
    assert "First rows of P.csv" in answer.text
    assert hashlib.sha256(content).hexdigest() in answer.text


def test_a_submission_gets_a_receipt_that_can_be_checked(stage):
    browser, content = stage.enter("member"), b"whatever it is"
    answer = browser.sends(content, "../<b>mine.csv", kind="release", action="submit")
    assert answer.status_code == 303
    page = browser.page(answer.headers["location"])
    view = submissions.mine(stage.contest, stage.ids.team)[0]
    assert hashlib.sha256(bytes.fromhex(view.salt) + content).hexdigest() == view.commitment
    for part in (
        hashlib.sha256(content).hexdigest(),
        view.commitment,
        view.salt,
        "Receipt",
        "Your file is stored",
    ):
        assert part in page
    assert "&lt;b&gt;mine.csv" in page
    assert "<b>mine" not in page


def test_after_the_deadline_nothing_is_taken(stage):
    browser = stage.enter("member")
    before = stored(stage)
    cups.begin(stage.contest, "seek")
    answer = browser.sends(b"too late", kind="release", action="submit")
    assert answer.status_code == 409
    assert "Submitting a release is not possible in this phase of the contest." in answer.text
    assert stored(stage) == before
    assert "Nothing can be submitted in this phase." in stage_page(stage, "final")


def stage_page(stage, phase):
    cups.begin(stage.contest, phase)
    return stage.enter("member").page("/submit")


def test_all_tries_used_up_are_told_with_the_time_of_the_next(stage):
    browser = stage.enter("member")
    assert browser.sends(b"three", kind="release", action="submit").status_code == 303
    refused = browser.sends(b"four", kind="release", action="submit")
    assert refused.status_code == 429
    assert "All tries of the last 24 hours are used up." in refused.text
    assert "2 tries left, 0 of them today" in refused.text
    assert "The next try comes back at" in refused.text


@pytest.mark.parametrize(
    ("fields", "content", "name", "status", "said"),
    [
        ({"kind": "release", "action": "check"}, b"", "", 422, "Please choose a file."),
        ({"kind": "gift", "action": "check"}, b"x", "a.csv", 422, "Please choose kind."),
        ({"kind": "release", "action": "check"}, b"x", "a.exe", 422, "A submission is a .csv"),
        ({"kind": "release", "action": "check"}, b"PK\x03\x04", "a.zip", 422, "The zip is broken."),
        ({"kind": "release", "action": "submit"}, b"x" * 1_000_001, "a.csv", 413, "This is too large."),
    ],
)
def test_what_cannot_be_taken_is_told(stage, fields, content, name, status, said):
    before = stored(stage)
    answer = stage.enter("member").sends(content, name, **fields)
    assert answer.status_code == status
    assert said in answer.text
    assert stored(stage) == before


def test_in_seek_a_guess_is_about_a_team_that_was_chosen(stage):
    stage.seek()
    browser = stage.enter("member")
    page = browser.page(f"/submit?target={stage.ids.others}")
    assert f'<option value="{stage.ids.others}" selected>Owls: 3 tries left, 2 of them today</option>' in page
    assert f'value="{stage.ids.team}"' not in page
    answer = browser.sends(b"good guess", "Q.csv", kind="guess", action="submit", target=stage.ids.others)
    assert answer.status_code == 303
    own = browser.sends(b"good guess", "Q.csv", kind="guess", action="submit", target=stage.ids.team)
    assert "A team does not seek in its own release." in own.text


def test_in_practice_both_kinds_are_offered_and_results_are_shown(stage):
    cups.begin(stage.contest, "practice")
    browser = stage.enter("member")
    page = browser.page("/submit")
    assert "This is practice" in page
    assert "A guess about your own practice release" in page
    answer = browser.sends(b"good guess", "Q.csv", kind="guess", action="submit")
    judge_all(stage.contest)
    result = browser.page(answer.headers["location"])
    assert "This was practice and does not count." in result
    assert "What the guess found." in result
