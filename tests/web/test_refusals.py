"""What is refused becomes a page to people and JSON to programs, in the reader's language."""

import pytest

from kakurenbo.web.refusals import Refusal, refusal

STATUS = {
    "denied": 403, "unknown-name": 404, "path-missing": 404, "closed": 409, "exists": 409, "limit": 413,
    "quota": 429, "busy": 503, "parameter": 422, "submission": 422, "rules": 422,
}  # fmt: skip


@pytest.mark.parametrize(("code", "status"), STATUS.items())
def test_a_code_says_which_status_the_answer_has(browser, code, status):
    answer = browser.get(f"/refused/{code}")
    assert answer.status_code == status
    assert "A password has at least 10 characters." in answer.text
    assert "<h1>" in answer.text


def test_the_page_of_an_error_is_said_in_japanese(browser):
    answer = browser.get("/refused/parameter?lang=ja")
    assert 'lang="ja"' in answer.text
    assert "パスワードは10文字以上にしてください。" in answer.text
    assert "小さなサイト" in answer.text
    assert "このページはありません。" in browser.get("/nowhere", headers={"accept-language": "ja"}).text


def test_programs_get_json_with_all_faults(browser):
    answer = browser.get("/api/v1/faults")
    assert answer.status_code == 422
    assert answer.json() == {
        "code": "submission",
        "message": "This is not possible now.",
        "faults": [{"line": 3, "fault": "bad"}],
    }
    assert (
        browser.get("/api/v1/faults", headers={"accept-language": "ja"}).json()["message"]
        == "今はできません。"
    )
    assert browser.get("/api/v1/nowhere").json() == {"code": "missing", "message": "There is no such page."}
    assert browser.ask("DELETE", "/api/v1/me").json()["code"] == "method"


def test_wrong_parameters_are_told_by_their_place_without_what_was_sent(browser):
    browser.sign_in("m1")
    answer = browser.get("/numbers/Hanako")
    assert answer.status_code == 422
    assert "path.n" in answer.text
    assert "Hanako" not in answer.text.replace("/numbers/Hanako", "")


def test_an_error_page_that_fails_still_tells(browser, site, caplog):
    site.pages.get_template("error.html")  # is there
    site.pages.globals["languages"] = None
    answer = browser.get("/nowhere")
    assert (answer.status_code, answer.text) == (404, "There is no such page.")
    assert "Error at" in caplog.text
    assert answer.headers["x-frame-options"] == "DENY"


def test_a_refusal_has_the_usual_sentence_and_its_own_fields():
    assert Refusal(404).message == "There is no such page."
    assert Refusal(418).message == "I'm a Teapot"
    refused = Refusal(429, "Too many tries. Please try again in {n} seconds.", n=5)
    assert refused.detail == "Too many tries. Please try again in 5 seconds."
    assert refusal(ValueError("secret")).status_code == 500
    assert "secret" not in refusal(ValueError("secret")).detail


def test_braces_in_a_message_do_no_harm(browser):
    assert refusal(Refusal(422, "A {strange} text")).detail == "A {strange} text"
