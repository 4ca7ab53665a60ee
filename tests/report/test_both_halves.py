"""The page tells both halves, what is found and what is learnt, and says what could not be seen."""

import dataclasses
import re
from functools import cache

import pytest

import sample_audit
from kakurenbo.report import render
from kakurenbo.report.audit import page, summary
from kakurenbo.theory.rate import Rate

page = cache(page)  # its pictures are what costs


@cache
def sample(name):
    return sample_audit.ALL[name]()


def told(audit):
    """Return the report as Markdown, with plain blanks and nothing escaped."""
    return render.markdown(page(audit)).replace("\u00a0", " ").replace("\\", "")


def card(audit, label):
    found = [one for one in summary.cards(audit) if one.label == label]
    return found[0] if found else None


def table(audit, slug, place=0):
    """Return a table of a section as rows of text."""
    (section,) = (one for one in page(audit).sections if one.slug == slug)
    tables = [block for block in section.blocks if hasattr(block, "rows")]
    return [tuple(cell.replace("\u00a0", " ") for cell in row) for row in tables[place].rows]


def slugs(audit):
    return [section.slug for section in page(audit).sections]


def test_found_and_laid_open_stand_side_by_side_on_the_first_screen():
    audit = sample("purchases")
    labels = [one.label for one in summary.cards(audit)]
    assert labels[:2] == ["Worst attacker finds", "Worst attacker lays open"]
    shown = card(audit, "Worst attacker lays open")
    assert (shown.value, shown.tone) == ("97.0\u00a0%", "bad")
    said = shown.detail.replace("\u00a0", " ")
    assert "at least half of what else they have (goods and month)" in said
    assert "owners, who knows goods; 95 % interval 94.8 % to 98.3 %" in said
    assert "Control 0 %, so the release adds 97.0 % (90.8 % to 98.3 %); the limit is 10 %" in said
    assert card(sample("kept limits"), "Worst attacker lays open").tone == "good"


def test_the_worst_off_are_counted_as_people():
    audit = sample("purchases")
    assert "351 all but certainly, nine times in ten or more" in card(audit, "People found by anybody").detail
    assert card(audit, "Laid open to nine tenths").value == "190 of 391"
    assert "391 of 400 people" in told(audit)
    assert "and 351 all but certainly" in told(audit)


def test_the_worst_is_said_to_be_the_largest_of_many():
    audit = sample("purchases")
    again = "read on people it was not chosen on, it is 95.7 % (93.0 % to 97.0 %)"
    assert again in told(audit)
    assert "largest of many" not in told(dataclasses.replace(audit, worst_again=None))


def test_a_false_looking_pairing_is_told_beside_what_is_found():
    detail = card(sample("blind"), "Worst attacker finds").detail
    assert "The pairing looks false" in detail
    assert "looks false" not in card(sample("purchases"), "Worst attacker finds").detail


def test_limits_name_what_is_learnt_and_whose_knowledge_decides():
    rows = table(sample("learnt only"), "limits")
    assert ("learnt: share laid open, beyond the control", "at most 20 % more", "34.0 %") in rows
    assert ("knowledge of the attackers who decide", "at most 3 goods", "-") in rows
    rows = table(sample("purchases"), "limits")
    kept = "both kept for who knows at most number of records; amount spent"
    assert ("knowledge of the attackers who decide", "everything", kept) in rows


def test_who_knows_everything_learns_nothing_is_said_once_on_the_first_screen():
    sentence = "finds the name and learns nothing by it"
    text = told(sample("purchases"))
    assert text.count(sentence) == 1
    assert text.index(sentence) < text.index("## The risk ladder")
    assert sentence not in told(sample("without pairing"))


def test_without_a_pairing_the_answer_is_about_what_is_learnt():
    audit = sample("learnt only")
    text = told(audit)
    assert card(audit, "Worst attacker finds").value == "not measured"
    assert "the answer is about that" in card(audit, "Worst attacker finds").detail
    assert card(audit, "Worst attacker lays open").value == "37.0\u00a0%"
    assert "not a finding of low risk" not in text
    assert "attackers" not in slugs(audit)
    assert {"risk", "learnt", "ways", "proof"} <= set(slugs(audit))
    assert table(audit, "risk")[6] == (
        "half of the goods (shown only)", "half of the goods a person bought", "93.0 %", "5.0 %", "owners",
    )  # fmt: skip


def test_the_picture_is_told_to_those_who_cannot_see_it():
    ladder = page(sample("purchases")).figures[0]
    said = ladder.described.replace("\u00a0", " ")
    assert "goods: found 12.4 %, laid open 97.0 % (control 0 %)." in said
    assert "full records: found 100 %." in said
    assert "10\u00a0% more laid open than in the control" in ladder.note
    assert "Pale rows" not in ladder.note
    only = page(sample("learnt only")).figures[0]
    assert "found" not in only.described
    assert "Pale rows are shown only" in only.note
    assert "diamond" not in only.note


def test_what_is_learnt_is_told_of_every_rung_and_grain_by_its_worst_way():
    audit = sample("purchases")
    rows = table(audit, "learnt")
    assert [row[:2] for row in rows] == [
        (rung, grain) for rung in sample_audit.OPEN for grain in ("goods and month", "goods and day")
    ]
    assert rows[0] == (
        "1 good", "goods and month", "owners", "391", "0.28", "0.01", "31.0 % (26.6 % to 35.8 %)", "2.0 %",
        "29.0 % (20.6 % to 33.8 %)", "15.5 %", "71.0 %", "62.0 %",
    )  # fmt: skip
    ways = table(audit, "ways")
    assert [row[:3] for row in ways] == [(one.name, one.knowledge, one.grain) for one in audit.learnt]
    assert "likelihood, cautious" in {row[0] for row in ways}


@pytest.mark.parametrize("name", ["purchases", "learnt only", "microdata"])
def test_the_control_is_said_in_a_sentence(name):
    sentence = {
        "purchases": "The control is the same attacks with a release by the same plan on 80 people",
        "learnt only": "best claim without any release: the plan of the release is not known.",
        "microdata": "a release by the same plan on 80 people",
    }
    assert sentence[name] in told(sample(name))


def test_members_and_owners_are_told_where_there_are_any():
    audit = sample("purchases")
    assert table(audit, "owners")[1][:5] == ("1 good", "owners, by minutes", "99.9 %", "24.6 %", "19.4 %")
    assert table(audit, "membership")[1] == ("goods", "containment", "0.737", "2.2 %")
    assert not {"owners", "membership"} & set(slugs(sample("without pairing")))
    assert table(sample("blind"), "membership")[0][0] == "1 good (blind: little tells nothing)"


def test_what_could_not_be_compared_is_loud_and_nothing_is_measured_there():
    audit = sample("blind")
    text = told(audit)
    assert text.count("> **Warning.** Nobody could compare goods with the original") == 1
    assert card(audit, "Worst attacker lays open").value == "not measured"
    assert card(audit, "Laid open to nine tenths") is None
    found = card(audit, "Worst attacker finds")
    assert (found.value, found.tone) == ("0.06\u00a0%", "open"), "a low rate of the few who see is not good"
    assert "the worst of those who see anything" in found.detail
    assert "Who sees nothing finds nobody" in card(audit, "People found by anybody").detail
    risk = "risk: share found by the worst attacker"
    assert (risk, "at most 10 %", "0.06 %, as far as measured") in table(audit, "limits")
    assert "with 12 of 14 kinds of knowledge" in text
    assert {cell for row in table(audit, "learnt") for cell in row[4:]} == {"not measured"}
    assert {cell for row in table(audit, "ways") for cell in row[3:7]} == {"not measured"}
    rungs = {row[0]: row[2:] for row in table(audit, "risk")}
    assert rungs["goods"] == ("none", "not measured", "not measured", "-", "-")
    assert rungs["full records"] == ("none", "not measured", "-", "-", "-")
    attackers = [row for row in table(audit, "attackers") if row[2] in audit.blind]
    assert attackers
    assert {row[3:5] for row in attackers} == {("not measured", "not measured")}


def test_a_blind_rung_above_its_limit_is_shown_all_the_same():
    audit = sample("blind")
    lesson = dataclasses.replace(audit.learnt[0], advantage=Rate(0.4, 0.3, 0.5))
    audit = dataclasses.replace(audit, learnt=(lesson, *audit.learnt[1:]))
    assert card(audit, "Worst attacker lays open").tone == "bad"
    assert "40.0 % (30.0 % to 50.0 %)" in {cell for row in table(audit, "learnt") for cell in row}


def test_the_section_on_comparing_tells_roles_mappings_and_the_disguise():
    audit = sample("blind")
    assert table(audit, "comparable")[0][:4] == ("goods", "0 %", "0 %", "NO")
    disguise = {row[0]: row[1:] for row in table(audit, "comparable", 1)}
    assert disguise["amount spent"] == ("2", "2", "90.0 %", "95.0 %", "measured")
    assert disguise["goods"] == ("4", "0", "0.30 %", "95.0 %", "NOT MEASURED")
    assert "changed as the release is (goods in new codes)" in told(audit)
    assert "- goods are cut to their first 3 characters" in told(sample("purchases"))
    assert "comparable" not in slugs(sample("microdata"))


def test_an_attacker_who_breaks_his_word_on_the_disguise_is_named():
    audit = sample("blind")
    assert "These said that they see through it" not in told(audit)
    broken = dataclasses.replace(audit.disguised.attackers[-1], declared=True, survived=False)
    disguised = dataclasses.replace(audit.disguised, attackers=(*audit.disguised.attackers[:-1], broken))
    said = told(dataclasses.replace(audit, disguised=disguised))
    assert f"see through it, and do not: {broken.knowledge}: {broken.attack}." in said


def test_the_pairing_is_asked_for_its_honesty():
    honest, false = sample("purchases"), sample("blind")
    assert "Nothing speaks against it" in told(honest)
    assert "It looks false" in told(false)
    counts = {row[0]: row[1:] for row in table(false, "pairing")}
    assert counts["people who stand whole under a name not declared theirs"] == ("131", "400")
    assert counts["names that two seekers give to another than their owner"] == ("57", "400")
    assert table(honest, "pairing", 1) == [
        ("goods", "-", "0.3612", "0.6401", "nearer than a shuffled one"),
        ("goods and days", "93.0 %", "0.4417", "0.7001", "nearer than a shuffled one"),
        ("goods and prices", "31.0 %", "-", "-", "not told by this"),
    ]
    assert "pairing" not in slugs(sample("learnt only"))


def test_where_nobody_is_recognised_the_pairing_is_not_called_true():
    audit = sample("purchases")
    unseen = dataclasses.replace(audit.honesty, elsewhere=0, single=0, agreed=0, rightly=0)
    text = told(dataclasses.replace(audit, honesty=unseen))
    assert "It cannot be told." in text
    assert "Nothing speaks against it" not in text


def test_no_number_that_is_none_is_printed():
    for name in sample_audit.ALL:
        assert not re.search(r"\bnan\b", told(sample(name)), re.IGNORECASE)
