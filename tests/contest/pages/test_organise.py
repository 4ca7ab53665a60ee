"""The organiser's pages: phases that move, words for everybody, teams, and what is judged again."""

import re

import pytest

from contest import cups
from contest.pages.conftest import judge_all
from kakurenbo.contest import accounts, log, organising, schedule, submissions, teams


def secret_of(answer):
    assert answer.status_code == 201
    return re.search(r'class="secret"[^>]*>([^<]+)<', answer.text)[1]


def test_a_phase_that_cannot_be_taken_back_is_confirmed(stage):
    browser = stage.enter("organiser")
    asked = browser.post("/organise/phases/seek/start")
    assert asked.status_code == 422
    assert '<a href="#field-sure-seek">Please confirm: this cannot be undone.</a>' in asked.text
    assert cups.phase_of(stage.contest) == "hide"
    assert browser.post("/organise/phases/seek/start", {"sure": "yes"}).status_code == 303
    assert cups.phase_of(stage.contest) == "seek"
    assert log.read(stage.contest)[0].what == "move"


def test_a_phase_gets_another_time_or_none(stage):
    browser = stage.enter("organiser")
    assert browser.post("/organise/phases/final", {"starts": "2026-05-01T10:30"}).status_code == 303
    assert schedule.schedule(stage.contest)[-1].starts.isoformat() == "2026-05-01T10:30:00+00:00"
    assert "2026-05-01 10:30 UTC" in browser.page("/organise/phases")
    browser.post("/organise/phases/final", {"starts": ""})
    assert schedule.schedule(stage.contest)[-1].starts is None
    assert "when the organiser says so" in stage.enter().page("/")


@pytest.mark.parametrize(
    ("starts", "said"),
    [("soon", "A time is written like"), ("2026-04-09T00:00", "The phase final would begin before it")],
)
def test_a_time_that_cannot_be_is_told_at_its_field(stage, starts, said):
    answer = stage.enter("organiser").post("/organise/phases/seek", {"starts": starts})
    assert answer.status_code == 422
    assert f'<a href="#field-starts-seek">{said}' in answer.text
    assert 'aria-describedby="fault-starts-seek"' in answer.text


def test_there_is_no_other_phase(stage):
    for path in ("/organise/phases/lunch", "/organise/phases/lunch/start"):
        assert stage.enter("organiser").post(path).status_code == 404


def test_an_announcement_is_text_in_both_languages(stage):
    browser = stage.enter("organiser")
    browser.post("/organise/announcements", {"text": "<script>x</script>\n\nTwo", "text_ja": "二つ"})
    english = stage.enter().page("/")
    assert "<p>&lt;script&gt;x&lt;/script&gt;</p>\n<p>Two</p>" in english
    assert "二つ" in stage.enter().get("/", headers={"Accept-Language": "ja"}).text
    empty = browser.post("/organise/announcements", {"text": " ", "text_ja": "残る"})
    assert empty.status_code == 422
    assert "残る" in empty.text
    path = re.search(
        r'action="(/organise/announcements/[^"]+/withdraw)"', browser.page("/organise/announcements")
    )[1]
    browser.post(path)
    assert "Two" not in stage.enter().page("/")


def test_an_english_announcement_is_marked_as_such_on_japanese_pages(stage):
    stage.enter("organiser").post("/organise/announcements", {"text": "Only in English"})
    page = stage.enter().get("/", headers={"Accept-Language": "ja"}).text
    assert '<div lang="en"><p>Only in English</p></div>' in page


def test_something_is_judged_again(stage):
    browser = stage.enter("organiser")
    answer = browser.post(f"/organise/queue/{stage.ids.good}/judge")
    assert answer.headers["location"] == "/organise/queue"
    view = submissions.one(stage.contest, stage.ids.good)
    assert (view.round, view.state) == (2, "waiting")
    judge_all(stage.contest)
    assert submissions.one(stage.contest, stage.ids.good).valid
    assert browser.post("/organise/queue/nothing/judge").status_code == 404


def test_the_queue_names_worker_and_lease(stage):
    page = stage.enter("organiser").page("/organise/queue")
    assert "Jobs that are not done, oldest first" in page
    assert "later.csv" not in page
    assert "Owls" in page
    judge_all(stage.contest)
    assert "Everything is judged." in stage.enter("organiser").page("/live/queue")


def test_a_lost_password_is_replaced_and_shown_once(stage):
    browser = stage.enter("organiser")
    password = secret_of(browser.post(f"/organise/people/{stage.ids.member}/password"))
    assert accounts.sign_in(stage.contest, "Foxes's own", password).id == stage.ids.member
    assert stage.enter("member").get("/account").status_code == 303, "all sessions have ended"
    assert password not in browser.page("/organise/teams")
    assert browser.post("/organise/people/nobody/password").status_code == 404


def test_an_organiser_replaces_no_organisers_password(stage):
    olga = next(user for user in accounts.users(stage.contest) if user.organiser)
    assert stage.enter("organiser").post(f"/organise/people/{olga.id}/password").status_code == 404


def test_a_new_code_to_join_replaces_the_old(stage):
    code = secret_of(stage.enter("organiser").post(f"/organise/teams/{stage.ids.team}/code"))
    user = stage.enter("user")
    assert user.post("/team/join", {"code": code}).status_code == 303
    assert len(teams.team(stage.contest, stage.ids.team).members) == 2


def test_shutting_out_is_only_for_organisers_and_for_teams_that_are(stage):
    browser = stage.enter("organiser")
    for path in ("code", "shut-out", "let-in"):
        assert browser.post(f"/organise/teams/nobody/{path}").status_code == 404
    browser.post(f"/organise/teams/{stage.ids.team}/shut-out")
    assert organising.are_shut_out(stage.contest) == {stage.ids.team}
    assert "is shut out." in browser.page("/organise/teams")
    browser.post(f"/organise/teams/{stage.ids.team}/let-in")
    assert organising.are_shut_out(stage.contest) == set()
    assert "takes part again." in browser.page("/organise/teams")
    with pytest.raises(Exception, match="Only an organiser"):
        organising.let_in(stage.contest, stage.ids.team, accounts.user_of(stage.contest, stage.ids.member))


def test_the_log_has_pages(stage):
    for number in range(120):
        log.note(stage.contest, "Olga", "test", f"line {number}")
    browser = stage.enter("organiser")
    first, second = browser.page("/organise/log"), browser.page("/organise/log?page=2")
    assert "line 119" in first
    assert "line 0<" not in first
    assert "?page=2" in first
    assert "line 0<" in second
    assert browser.get("/organise/log?page=x").status_code == 200
