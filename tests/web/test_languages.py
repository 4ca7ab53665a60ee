"""The language of an answer, and sentences that must not be forgotten."""

import re

import pytest
from markupsafe import Markup

from kakurenbo.web import refusals
from kakurenbo.web.languages import LANGUAGES, Words, best, sentences, table, untranslated


@pytest.fixture(scope="module")
def words():
    return Words.read(["kakurenbo.web"])


@pytest.mark.parametrize(
    ("header", "code"),
    [
        ("", "en"),
        ("ja", "ja"),
        ("ja-JP,en;q=0.8", "ja"),
        ("en-GB,ja;q=0.9", "en"),
        ("fr,ja;q=0.5,en;q=0.4", "ja"),
        ("fr,de", "en"),
        ("ja;q=0", "en"),
        ("ja;q=x", "en"),
        ("*;q=0.5", "en"),
        ("ja;q=0.2,en", "en"),
        (",,;;q=1,ja", "ja"),
    ],
)
def test_the_browser_says_which_language_it_likes(header, code):
    assert best(accepts=header) == code


def test_the_address_goes_before_the_cookie_and_the_cookie_before_the_browser(browser):
    def lang(path, **headers):
        return browser.get(path, headers=headers).text.split('lang="')[1][:2]

    assert lang("/") == "en"
    assert lang("/", **{"accept-language": "ja"}) == "ja"
    assert browser.get("/lang/ja?next=/form").headers["location"] == "/form"
    assert lang("/", **{"accept-language": "en"}) == "ja"
    assert lang("/?lang=en") == "en"
    assert lang("/?lang=xx") == "ja"
    browser.get("/lang/en")
    assert lang("/", **{"accept-language": "ja"}) == "en"


def test_the_answer_names_its_language(browser):
    assert browser.get("/?lang=ja").headers["content-language"] == "ja"
    assert "ログイン" in browser.get("/?lang=ja").text
    assert "Accept-Language" in browser.get("/").headers["vary"]


def test_links_to_other_languages_lead_back_to_this_page(browser):
    text = browser.get("/form?text=a%26b&lang=ja").text
    assert 'href="/lang/en?next=/form%3Ftext%3Da%2526b"' in text
    token = browser.token()
    answer = browser.ask("POST", "/fields", data={"csrf": token})
    assert 'href="/lang/ja?next=/"' in answer.text


def test_sentences_are_filled_in_after_they_are_said(words):
    sentence = "Too many tries. Please try again in {n} seconds."
    assert words.t("en", sentence, n=3) == "Too many tries. Please try again in 3 seconds."
    assert words.t("ja", sentence, n=3) == "試行回数が多すぎます。3秒後にもう一度お試しください。"
    assert words.t("ja", "no such sentence {n}", n=3) == "no such sentence 3"
    assert words.t("ja", "{n} d") == "{n}日"


def test_finished_sentences_are_found_by_their_words(words):
    assert words.said("ja", "Too many tries. Please try again in 30 seconds.").startswith(
        "試行回数が多すぎます。30秒後"
    )
    assert words.said("ja", "There is no such page.") == "このページはありません。"
    assert words.said("ja", "Something nobody knows") == "Something nobody knows"
    assert words.said("en", "There is no such page.") == "There is no such page."


def test_what_is_kept_of_finished_sentences_has_an_end(words):
    for number in range(6_000):
        words.said("ja", f"Something nobody knows, number {number}")
    assert len(words.spoken["ja"].known) < 6_000


def test_markup_in_a_field_makes_markup_and_the_rest_stays_text(words):
    said = words.t("en", "Please fill in {field}.", field=Markup("<b>it</b>"))
    assert said == Markup("Please fill in <b>it</b>.")
    mixed = words.t("en", "{a} & {b}", a=Markup("<i>x</i>"), b="<script>")
    assert str(mixed) == "<i>x</i> &amp; &lt;script&gt;"
    assert isinstance(words.t("en", "{a}", a="<script>"), str)
    assert not isinstance(words.t("en", "{a}", a="<script>"), Markup)


def test_everything_the_base_says_is_said_in_japanese(root):
    folder = root / "src" / "kakurenbo" / "web"
    found = list(sentences(folder))
    assert len(found) > 40, "the rule was applied to real sentences"
    assert untranslated([folder], table("kakurenbo.web")) == []


def test_the_usual_sentences_of_all_statuses_are_said_in_japanese():
    assert set(refusals._SENTENCES.values()) <= set(table("kakurenbo.web"))


def test_nothing_is_translated_that_nobody_says(root):
    source = "".join(
        path.read_text(encoding="utf-8")
        for path in (root / "src" / "kakurenbo" / "web").rglob("*")
        if path.suffix in {".py", ".html"}
    )
    said = {sentence for _, sentence in sentences(root / "src" / "kakurenbo" / "web")} | set(
        refusals._SENTENCES.values()
    )
    for english in set(table("kakurenbo.web")) - said:
        assert english.partition("{")[0] in source, english


def test_fields_are_the_same_in_both_languages():
    for english, said in table("kakurenbo.web").items():
        assert set(re.findall(r"\{\w+\}", english)) == set(re.findall(r"\{\w+\}", said)), english


def test_untranslated_finds_what_was_forgotten(tmp_path):
    (tmp_path / "page.html").write_text(
        '{{ t("Known") }}{{ t("Forgotten {n}", n=1) }}{{ t("a" ~ b) }}{{ t(variable) }}'
        '{% if t("Inside") %}{% endif %}'
    )
    (tmp_path / "page.py").write_text(
        'flash(request, "Left", kind="note")\nraise Refusal(404)\nraise Refusal(409, "Closed")\n'
        'Link("/x", "Named")\nLink(path="/y", text="Called")\nt("Known")\nt(f"glued {x}")\n'
        'other("No sentence")\n'
    )
    assert untranslated([tmp_path], {"Known": "既知"}) == [
        "page.html:1: Forgotten {n}", "page.html:1: (a sentence glued of parts)", "page.html:1: Inside",
        "page.py:1: Left", "page.py:3: Closed", "page.py:4: Named", "page.py:5: Called",
        "page.py:7: (a sentence glued of parts)",
    ]  # fmt: skip


def test_every_language_has_a_name():
    assert LANGUAGES == {"en": "English", "ja": "日本語"}
