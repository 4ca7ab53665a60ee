"""Everything that pages say, they say in Japanese too: sentences, rules, faults, refusals."""

import ast
import string

import pytest

from kakurenbo.catalogue import entries
from kakurenbo.contest.judging import faults
from kakurenbo.contest.judging.pws2017 import checks, guesses
from kakurenbo.contest.pages import words
from kakurenbo.contest.pages.formats import MICRODATA, PURCHASES, PWS2017
from kakurenbo.contest.pages.telling import sections
from kakurenbo.contest.rules import PRESETS, Rules
from kakurenbo.web.languages import Words, table, untranslated

SPOKEN = Words.read(("kakurenbo.contest", "kakurenbo.web"))
TABLE = {**table("kakurenbo.web"), **table("kakurenbo.contest")}
STORE = ("accounts", "announcements", "archive", "intake", "jobs", "names", "organising", "quotas", "results",
         "schedule", "submissions", "teams", "uploads")  # fmt: skip


def fields(text):
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def test_every_sentence_of_templates_and_pages_has_japanese(root):
    contest = root / "src/kakurenbo/contest"
    places = [contest / name for name in ("pages", "templates", "archived")]
    assert untranslated(places, TABLE) == []


def test_every_translation_has_the_fields_of_its_sentence():
    own = table("kakurenbo.contest")
    assert len(own) > 400
    wrong = [english for english, said in own.items() if fields(english) != fields(said)]
    assert wrong == []


@pytest.mark.parametrize("spoken", [words.PHASES, words.HAPPENS, words.COMBINED, words.REASONS, words.DEEDS])
def test_every_word_for_a_short_name_has_japanese(spoken):
    assert [text for text in spoken.values() if text not in TABLE] == []


@pytest.mark.parametrize("declared", [faults.WORDS, checks.FAULTS, guesses.FAULTS])
def test_every_fault_is_told_in_japanese(declared):
    assert [text for text in declared.values() if SPOKEN.said("ja", text) == text] == []


@pytest.mark.parametrize("preset", PRESETS)
def test_the_rules_of_every_preset_are_told_in_japanese(preset):
    told = sections(Rules.preset(preset))
    headings = [text for section in told for text in (section.title, section.caption) if text]
    sentences = [one.text for section in told for one in section.sentences]
    assert [text for text in (*headings, *sentences) if text not in TABLE] == []
    for line in (line for section in told for line in section.lines):
        said = words.summary(line.said, lambda text, **_: TABLE.get(text, text), "ja")
        said = words.rung(line.said.text, "ja") if line.rung else said
        assert said != line.said.text, line.name


@pytest.mark.parametrize("asked", [PWS2017, PURCHASES, MICRODATA])
def test_what_every_format_asks_for_is_told_in_japanese(asked):
    lines = [line.said for line in (*asked.measures, *asked.attacks)]
    said = [asked.aim, asked.sought, *asked.release, *asked.guess, *lines]
    assert [one.text for one in said if one.text not in TABLE] == []


def test_attacks_of_the_catalogue_are_told_in_japanese():
    missing = [entry.name for entry in entries("attack") if entry.summary not in TABLE]
    assert missing == []


def test_every_refusal_of_the_store_is_told_in_japanese(root):
    told = [text for name in STORE for text in refusals(root / f"src/kakurenbo/contest/{name}.py")]
    assert len(told) > 40
    assert [text for text in told if SPOKEN.said("ja", text) == text] == []


def refusals(path):
    """Yield the message of every refusal in a module, with 7 for each number and name in it."""
    for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        name = getattr(getattr(call, "func", None), "id", "")
        if name not in {"ParameterError", "InputError", "UploadError"} or not call.args:
            continue
        message = call.args[0]
        if isinstance(message, ast.Constant):
            yield message.value
        elif isinstance(message, ast.JoinedStr):
            yield "".join(part.value if isinstance(part, ast.Constant) else "7" for part in message.values)
