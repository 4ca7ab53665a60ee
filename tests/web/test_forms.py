"""Fields are taken as what they must be, and refused with a sentence where they are not."""

import pytest

from kakurenbo.web.forms import Form, parsed
from kakurenbo.web.refusals import Refusal


def test_fields_come_as_they_are_meant(browser):
    answer = browser.post(
        "/fields",
        {"name": "  か\u3099  ", "about": "one\r\ntwo", "kind": "a", "secret": " pw ", "flag": "on"},
    )
    assert answer.json() == {"name": "が", "about": "one\ntwo", "kind": "a", "secret": " pw ", "flag": True}


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({}, "Please fill in name."),
        ({"name": "   "}, "Please fill in name."),
        ({"name": "toolong"}, "name is too long."),
        ({"name": "a\nb"}, "name holds characters that cannot be shown."),
        ({"name": "a\x00"}, "name holds characters that cannot be shown."),
        ({"name": "a\u202eb"}, "name holds characters that cannot be shown."),
        ({"name": "a\u200bb"}, "name holds characters that cannot be shown."),
        ({"name": "a", "about": "\x07"}, "about holds characters that cannot be shown."),
        ({"name": "a", "about": "x" * 5001}, "about is too long."),
        ({"name": "a", "kind": "c"}, "Please choose kind."),
        ({"name": "a", "secret": ""}, "Please fill in secret."),
        ({"name": "a", "secret": "x" * 1001}, "secret is too long."),
    ],
)
def test_what_is_wrong_is_told(browser, fields, sentence):
    answer = browser.post("/fields", fields)
    assert answer.status_code == 422
    assert sentence in answer.text


def test_a_field_is_called_by_its_name_in_the_readers_language(browser):
    answer = browser.ask("POST", "/fields?lang=ja", data={"csrf": browser.token()})
    assert "nameを入力してください。" in answer.text


def test_a_form_that_is_none_is_refused(browser):
    headers = {"content-type": "application/x-www-form-urlencoded", "x-csrf-token": browser.token()}
    for body in (b"name=%ff", "name=ü".encode(), b"&".join(b"a=1" for _ in range(300))):
        assert browser.ask("POST", "/fields", content=body, headers=headers).status_code == 400


def test_of_a_field_sent_twice_the_first_counts():
    form = Form([("a", "1"), ("a", "2"), ("b", "")])
    assert (form["a"], form.all("a"), len(form), list(form), "c" in form) == (
        "1",
        ["1", "2"],
        2,
        ["b", "a"],
        False,
    )
    assert parsed(b"a=1&a=2&b=")["a"] == "1"


def test_letters_that_join_others_are_letters():
    assert Form([("name", "👩\u200d👩\u200d👧")]).text("name") == "👩\u200d👩\u200d👧"
    with pytest.raises(Refusal):
        Form([("name", "\ud800")]).text("name")


def test_a_body_that_is_too_large_is_refused(browser):
    assert browser.post("/fields", {"name": "x" * 20_000}).status_code == 413
