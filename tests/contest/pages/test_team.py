"""The team's page: founding, joining by a code that is shown once, leaving."""

import re

import pytest

from kakurenbo.contest import teams


def code_of(answer):
    assert answer.status_code == 201
    return re.search(r'class="secret"[^>]*>([^<]+)<', answer.text)[1]


def test_whoever_founds_a_team_gets_a_code_for_the_others_once(stage):
    browser = stage.enter("user")
    founded = browser.post("/team/found", {"name": "<i>Bats</i>"})
    code = code_of(founded)
    assert "&lt;i&gt;Bats&lt;/i&gt;" in founded.text
    assert code not in browser.page("/team")
    assert teams.team_of(stage.contest, stage.ids.user).name == "<i>Bats</i>"


def test_somebody_joins_by_the_newest_code_only(stage):
    member, user = stage.enter("member"), stage.enter("user")
    old, new = (code_of(member.post("/team/code")) for _ in range(2))
    refused = user.post("/team/join", {"code": old})
    assert refused.status_code == 403
    assert '<a href="#field-code">No team has this code.</a>' in refused.text
    assert user.post("/team/join", {"code": new}).headers["location"] == "/team"
    assert "You are in the team Foxes." in user.page("/team")
    assert "Uta" in member.page("/team")


@pytest.mark.parametrize(("name", "said"), [("Foxes", "exists already"), ("", "Please fill in name.")])
def test_a_name_that_cannot_be_is_told_at_its_field(stage, name, said):
    answer = stage.enter("user").post("/team/found", {"name": name})
    assert 'href="#field-name"' in answer.text
    assert said in answer.text


def test_leaving_must_be_confirmed(stage):
    browser = stage.enter("member")
    asked = browser.post("/team/leave")
    assert asked.status_code == 422
    assert "Please confirm that you want to leave." in asked.text
    assert browser.post("/team/leave", {"sure": "yes"}).status_code == 303
    assert teams.team_of(stage.contest, stage.ids.member) is None


def test_an_organiser_is_told_that_he_does_not_play(stage):
    page = stage.enter("organiser").page("/team")
    assert "Whoever organises a contest does not play in it." in page
    assert "/team/found" not in page
