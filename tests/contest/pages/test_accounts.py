"""Signing up, in and out, and one's own account: what is told, what is not, and what is shown once."""

import re

from kakurenbo.contest import accounts

PASSWORD = "seven sleepy storks"  # noqa: S105 - of people who never were
OTHER = "eleven green bottles"


def test_whoever_signs_up_is_signed_in_and_led_to_the_team(stage):
    browser = stage.enter()
    answer = browser.post("/sign-up", {"name": "Nana", "password": PASSWORD})
    assert (answer.status_code, answer.headers["location"]) == (303, "/team")
    page = browser.page("/team")
    assert "Your account is made" in page
    assert "Nana" in page
    assert "Found a team" in page
    assert "Your account is made" not in browser.page("/team"), "it is said once"


def test_a_form_comes_back_with_its_faults_at_the_fields(stage):
    browser = stage.enter()
    short = browser.post("/sign-up", {"name": "Nana", "password": "short"})
    assert short.status_code == 422
    assert 'value="Nana"' in short.text
    assert "short" not in re.sub(r"<title>.*</title>", "", short.text)
    assert 'aria-invalid="true" aria-describedby="fault-password hint-password"' in short.text
    assert '<a href="#field-password">A password has at least 10 characters.</a>' in short.text
    taken = browser.post("/sign-up", {"name": "OLGA", "password": PASSWORD})
    assert taken.status_code == 409
    assert '<a href="#field-name">This name is taken.</a>' in taken.text
    missing = browser.post("/sign-up", {"password": PASSWORD})
    assert "Please fill in name." in missing.text
    japanese = browser.post(
        "/sign-up", {"name": "Nana", "password": "short"}, headers={"Accept-Language": "ja"}
    )
    assert "パスワードは10文字以上にしてください。" in japanese.text


def test_a_wrong_name_and_a_wrong_password_are_told_alike(stage):
    accounts.sign_up(stage.contest, "Nana", PASSWORD)
    browser = stage.enter()
    answers = [browser.post("/sign-in", {"name": name, "password": OTHER}) for name in ("Nana", "Nono")]
    texts = [re.sub(r'value="[^"]*"', "", answer.text) for answer in answers]
    assert [answer.status_code for answer in answers] == [422, 422]
    assert texts[0] == texts[1]
    assert "Name or password is not right." in texts[0]


def test_signing_in_leads_to_a_path_of_this_site_only(stage):
    accounts.sign_up(stage.contest, "Nana", PASSWORD, "ja")
    for wanted, led in {"/rules": "/rules", "//evil.example": "/", "https://evil.example": "/"}.items():
        browser = stage.enter()
        answer = browser.post("/sign-in", {"name": "nana", "password": PASSWORD, "next": wanted})
        assert (answer.status_code, answer.headers["location"]) == (303, led)
    assert '<html lang="ja"' in browser.page("/account"), "pages speak the account's language"


def test_too_many_tries_for_one_account_are_stopped(stage):
    browser = stage.enter()
    statuses = [browser.post("/sign-in", {"name": "Olga", "password": OTHER}).status_code for _ in range(12)]
    assert statuses[:10] == [422] * 10
    assert statuses[10:] == [429, 429]


def test_a_changed_password_signs_out_everywhere_else(stage):
    user = accounts.sign_up(stage.contest, "Nana", PASSWORD)
    here, there = stage.enter(), stage.enter()
    for browser in (here, there):
        browser.post("/sign-in", {"name": "Nana", "password": PASSWORD})
    wrong = here.post("/account/password", {"old": OTHER, "new": OTHER})
    assert wrong.status_code == 403
    assert '<a href="#field-old">The old password is not right.</a>' in wrong.text
    weak = here.post("/account/password", {"old": PASSWORD, "new": "nana"})
    assert '<a href="#field-new">' in weak.text
    assert here.post("/account/password", {"old": PASSWORD, "new": OTHER}).status_code == 303
    assert here.get("/account").status_code == 200
    assert there.get("/account").status_code == 303
    assert accounts.sign_in(stage.contest, "Nana", OTHER) == user


def test_a_token_is_shown_once_works_and_can_be_removed(stage):
    browser = stage.enter("member")
    made = browser.post("/account/tokens", {"label": "my <b>machine</b>"})
    assert made.status_code == 201
    token = re.search(r'class="secret"[^>]*>([^<]+)<', made.text)[1]
    assert accounts.by_token(stage.contest, token).id == stage.ids.member
    page = browser.page("/account")
    assert token not in page
    assert "my &lt;b&gt;machine&lt;/b&gt;" in page
    path = re.search(r'action="(/account/tokens/[^"]+/remove)"', page)[1]
    other = stage.enter("other")
    other.post(path)
    assert accounts.by_token(stage.contest, token) is not None, "nobody removes another's token"
    browser.post(path)
    assert accounts.by_token(stage.contest, token) is None


def test_a_chosen_language_is_kept(stage):
    browser = stage.enter("member")
    browser.post("/account/language", {"language": "ja"})
    assert '<html lang="ja"' in browser.page("/")
    assert accounts.user_of(stage.contest, stage.ids.member).language == "ja"


def test_signing_out_ends_the_session(stage):
    browser = stage.enter("member")
    browser.post("/sign-out")
    assert browser.get("/account").status_code == 303
    assert stage.enter("member").get("/account").status_code == 303, "the cookie is worth nothing any more"
