"""A report in Japanese: every text of catalogue, ladder, reasons and pages has its message."""

import ast
import re
from pathlib import Path

import pytest

import sample_audit
import sample_tuned
from kakurenbo import report
from kakurenbo.attacks.ladder import LADDERS
from kakurenbo.catalogue import entries
from kakurenbo.errors import ParameterError
from kakurenbo.report import audit, tuning
from kakurenbo.report.languages import Language, Message, charted, language

JA = language("ja")
SOURCE = Path(report.__file__).parents[1]
WRITTEN = [
    *sorted((SOURCE / "report" / "audit").glob("*.py")), SOURCE / "auditing" / "verdict.py",
    *(SOURCE / "report" / name for name in ("tuning.py", "filing.py")),
    *(SOURCE / "report" / "charts" / name for name in ("ladder.py", "frontier.py")),
]  # fmt: skip
# Put together with others before they are said: what each becomes is in WHOLE.
PARTS = {
    "Audit of a release of 7", "Search of a plan for 7", "find and lay open",
    "What attackers 7, by what they know", "The shaded field lies beyond the limit: 7.",
    "7 of the people found", "7 more laid open than in the control", "a release by the same plan",
    ", as far as measured", ", as far as tried", "7 above the diagonal, 7 below", "figures-before-after",
    "7 trials7 in 7 s; seed 7.7", ", 7 of them in earlier runs",
    "Nearest people, attributes in units of their spread7",
    ("Who knows 7 lays open 7 of the people (7): he learns at least half of what else they have. That is 7 "
    "more than 7; the limit is 7. No pairing changes this.7"),
    ("Who holds the release 7 7 in 7 of the attempts; of people who were not used, in 7. The difference may "
    "be 7."),
    "Theory's best number of clusters is 7 by 0007: the search started there.",
    "7 Measured, alpha Delta_m + risk is smallest at 7.", "who knows at most 7", "7 that nobody read: 7.",
    "No attacker7 finds more than 7 of the people (95 % interval up to 7); the limit is 7.",
    "No attacker7 lays open more than 7 of the people, 7 more than 7; the limit is 7.",
    "The mean over all utility measures", "7 says that 7 is kept, less than the limit of 7.",
    "attackers up to 7", "7; the dashed line is the limit, 7",
}  # fmt: skip
STARTS = (  # of sentences that say one of two things in their middle
    "The control is the same attacks with 7", "The proof failed: 7 of 7", "Nobody could compare 7",
    "The pairing is as far from the data as a shuffled one (7mean",
)  # fmt: skip
WHOLE = (
    "Audit of a release of purchases", "Search of a plan for microdata",
    "What attackers find and lay open, by what they know", "What attackers lay open, by what they know",
    ("The shaded field lies beyond the limit: 10 % of the people found, or 5 % more laid open than in the "
    "control."),
    "The shaded field lies beyond the limit: 5 % more laid open than in the control.",
    "7.1 %, as far as measured, as far as tried",
    "after against before: 12 dots, 10 % above the diagonal, 90 % below.",
    "12 trials in 7 s; seed 7. The finalists were checked on 15 fresh draws.",
    "Nearest people, attributes in units of their spread; 7 % of the rows are nearer to the original",
    ("Who knows goods lays open 7.0% of the people (rows): he learns at least half of what else they have. "
    "That is 1.0% more than of people who are not in the release; the limit is 10.0%. No pairing changes "
    "this. A part of it may be true of anybody of this population; people who were not used for the release "
    "would tell how much."),
    ("Who holds the release infers salary in 7.0% of the attempts; of people who were not used, in 1.0%. The "
    "difference may be 5.0%."),
    ("Who holds the release singles people out by one attribute in 7.0% of the attempts; of people who were "
    "not used, in 1.0%. The difference may be 5.0%."),
    "12 trials in 7 s; seed 7.", "12 trials, 4 of them in earlier runs in 7 s; seed 7.",
    ("Theory's best number of clusters is 7 by 000, 9 by 003: the search started there. Measured, alpha "
    "Delta_m + risk is smallest at 7."),
    "There is a released column that nobody read: x.", "There are 2 released columns that nobody read: x; y.",
    "No attacker finds more than 7.0% of the people (95 % interval up to 8.0%); the limit is 10.0%.",
    ("No attacker who knows at most goods lays open more than 7.0% of the people, 1.0% more than of people "
    "who are not in the release; the limit is 10.0%."),
    "The mean over all utility measures says that 7.0% is kept, less than the limit of 50.0%.",
    "all attackers; the dashed line is the limit, 0.1",
    "attackers up to goods; the dashed line is the limit, 0.1",
    ("The control is the same attacks with this release on 7 people who are not in it: who knows nothing of "
    "a person still knows what people have. What is laid open beyond the control is what the release adds, "
    "and that is held against the limit."),
    ("The proof failed: 7 of 8 attackers did not pass. What they did not find is no evidence of low risk. "
    "Their rates within the limit are withheld and read “not proven”."),
    ("Nobody could compare goods with the original: with 2 of 3 kinds of knowledge attackers see nothing in "
    "this release, which is no evidence of low risk. What they find and learn within the limits is withheld "
    "and reads “not measured”."),
    ("The pairing is as far from the data as a shuffled one (by goods and days, mean set distance 0.9, limit "
    "0.7): low rates may come from a false pairing."),
)  # fmt: skip


def literals(path):
    """Yield every text of several words that a module writes, each value in it a 7; none of its stories."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    skipped = {
        inner
        for node in ast.walk(tree)
        if isinstance(node, ast.Raise | ast.JoinedStr)
        or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
        for inner in ast.walk(node)
        if inner is not node
    }
    for node in ast.walk(tree):
        if node in skipped:
            continue
        if isinstance(node, ast.JoinedStr):
            parts = (part.value if isinstance(part, ast.Constant) else "7" for part in node.values)
            text = "".join(parts)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value
        else:
            continue
        if len(re.findall(r"[A-Za-z]{2,}", text)) > 2:
            yield text.strip()


@pytest.mark.parametrize("path", WRITTEN, ids=lambda path: path.stem)
def test_every_sentence_that_is_written_has_a_message(path):
    unsaid = [text for text in literals(path) if JA.found(text) is None]
    assert [text for text in unsaid if text not in PARTS and not text.startswith(STARTS)] == []


@pytest.mark.parametrize("text", WHOLE)
def test_what_is_put_together_has_a_message(text):
    said = JA.found(text)
    assert said is not None
    assert not re.search(r"[a-z]{3,} [a-z]{3,}", said)


def test_every_rung_attack_and_measure_has_its_texts():
    texts = [text for rungs in LADDERS.values() for rung in rungs for text in (rung.name, rung.meaning)]
    for entry in entries("attack"):
        texts += [text for stand in entry.what.about.stands for text in (stand.story, stand.betrays) if text]
    for entry in entries("measure"):
        texts += [entry.summary, entry.what.about.unit]
    assert [text for text in texts if JA.found(text) is None] == []


def test_sentences_are_said_whole_with_their_figures():
    said = JA.say(
        "The worst attacker (rows, assignment, knowing 2 records) finds 12.3% of the people; 3 of 41 "
        "attackers find more than the limit of 10.0%."
    )
    assert said == (
        "最も強い攻撃者\uff08rows, assignment、知識: 記録2件\uff09は12.3%の人を特定します。"
        "攻撃者41件のうち3件が上限10.0%を超えて特定します。"
    )
    assert JA.say("Nobody sees through the release. Who sees nothing finds nobody.") == (
        "加工を見破れる攻撃者がいません。何も見えない攻撃者は誰も特定しません。"
    )
    assert JA.say("balanced (clusters 8, min size 5)") == "balanced (clusters 8, min size 5)"


def test_attackers_keep_their_names_and_say_what_they_know():
    said = JA.say(
        "The proof failed for goods: fingerprint, 1 record: agreement, target: their low rates mean nothing."
    )
    assert "商品の集合: fingerprint" in said
    assert "記録1件: agreement、target" in said


def test_both_languages_have_the_same_fields():
    for message in JA.messages:
        assert set(re.findall(r"\{(\w+)\}", message.said)) == set(message.pattern.groupindex), message.said


def test_what_is_shortest_never_hides_what_is_longest():
    spoken = Language("xx", {}, (Message.of("{n:d} of {m:d}", "{m}/{n}"),))
    assert spoken.say("1 of 2") == "2/1"
    assert spoken.say("one of them") == "one of them"


@pytest.mark.parametrize("made", [sample_audit, sample_tuned])
def test_the_page_is_japanese(made):
    result = made.purchases()
    page = report.html(result, lang="ja")
    assert '<html lang="ja">' in page
    assert '"Noto Sans CJK JP", "Hiragino Sans", "Yu Gothic", "Meiryo"' in page
    assert not re.search("Contents|Key numbers|Skip to|attacker knows|share of people|utility loss", page)
    assert report.markdown(result, lang="ja").startswith("# 購買履歴")


def test_pictures_keep_their_marks_together():
    chart = {"data": {"values": [{"mark": "before", "at": 1}]}, "encoding": {"scale": {"domain": ["before"]}}}
    assert charted(chart, JA) == {
        "data": {"values": [{"mark": "加工前", "at": 1}]},
        "encoding": {"scale": {"domain": ["加工前"]}},
    }


def texts(specification):
    """Return the texts of all rows of a picture, and the names on its scales."""
    rows = [row for table in specification.get("datasets", {}).values() for row in table]
    domains = []

    def walk(node):
        if isinstance(node, dict):
            if isinstance(node.get("domain"), list):
                domains.extend(name for name in node["domain"] if isinstance(name, str))
            rows.extend(node["values"] if isinstance(node.get("values"), list) else [])
            for inner in node.values():
                walk(inner)
        elif isinstance(node, list):
            for inner in node:
                walk(inner)

    walk({name: part for name, part in specification.items() if name != "datasets"})
    return {
        value for row in rows if isinstance(row, dict) for value in row.values() if isinstance(value, str)
    }, domains


@pytest.mark.parametrize(("made", "told"), [(sample_audit, audit), (sample_tuned, tuning)])
def test_every_name_on_a_scale_is_that_of_the_rows(made, told):
    page = told.page(made.purchases())
    for figure in page.figures:
        (before, scales), (after, said) = texts(figure.chart), texts(charted(figure.chart, JA))
        assert [name in before for name in scales] == [name in after for name in said], figure.slug


def test_an_unknown_language_is_refused(tmp_path):
    with pytest.raises(ParameterError, match="en, ja"):
        report.write(sample_audit.microdata(), tmp_path / "a.html", lang="xx")
