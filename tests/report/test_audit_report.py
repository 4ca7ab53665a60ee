"""The report of an audit in all its formats, without a browser."""

import dataclasses
import json
import re
import xml.etree.ElementTree as ET
from html.parser import HTMLParser

import pytest

import sample_audit
from drawing import drawn_once
from kakurenbo import report
from kakurenbo.auditing.results import Compared, Dots
from kakurenbo.errors import ParameterError

KEYS = {
    "attacks", "worst", "utility", "excess", "verdict", "kept", "kept_mean", "reasons", "limits", "proof",
    "groups", "nearness", "uniqueness", "people", "ladder", "skipped", "provenance", "kind", "measures",
    "counts", "facts", "seed", "seconds", "randomness",
    "pictures", "unseen", "dropped", "own_ids", "seed_guessed", "synthetic", "population", "targets",
    "utility_intervals", "engine",
    "learnt", "worst_learnt", "control", "membership", "owners", "inferred", "deciding", "holding",
    "names", "dummies", "practised", "earlier", "worst_again", "coverage", "disguised", "blind", "honesty",
    "filing", "diversity",
}  # fmt: skip
PNG = b"\x89PNG\r\n\x1a\n"
VOID = {"meta", "link", "br", "img", "hr"}


class Outline(HTMLParser):
    """What a page holds, by the standard library's reading of it."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.open, self.links, self.ids, self.words = [], [], [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        found = dict(attrs)
        self.ids += [found["id"]] if "id" in found else []
        self.links += [found[name] for name in ("href", "src", "xlink:href") if name in found]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)


@pytest.fixture(scope="module", params=list(sample_audit.ALL))
def name(request):
    return request.param


@pytest.fixture(scope="module")
def audit(name):
    return sample_audit.ALL[name]()


@pytest.fixture(scope="module")
def outputs(name, audit):
    return sample_audit.page(name), report.markdown(audit, "figures"), audit.to_json()


def test_the_page_is_whole_and_needs_nothing_else(outputs):
    page = outputs[0]
    outline = Outline(page)
    assert outline.open == []
    assert not {"script", "link", "img", "iframe", "object", "style[src]"} & set(outline.tags)
    assert all(link.startswith("#") for link in outline.links)
    assert {link[1:] for link in outline.links} <= set(outline.ids)
    assert len(outline.ids) == len(set(outline.ids)), "no id stands twice, not even within pictures"
    assert not re.search(r"https?://|url\((?!#)|@import", page)
    assert len(page.encode()) < 1_000_000


def test_no_secret_and_no_forbidden_word_in_any_format(audit, outputs):
    for text in outputs:
        assert not any(secret in text for secret in sample_audit.SECRETS)
        assert not re.search("safe|anonymous", text, flags=re.IGNORECASE)


def test_the_document_has_its_keys_and_is_json(audit, outputs):
    document = json.loads(outputs[2])
    assert document == audit.to_dict()
    assert set(document) == KEYS | (
        {"k", "l", "l_entropy", "t"} if document["kind"] == "microdata" else set()
    )
    assert document["verdict"] == audit.verdict
    told = [row for row in document["attacks"] if row["rate"] is not None]
    assert document["worst"] == (told[0] if told else None)
    for row in document["learnt"]:
        assert {"knowledge", "attack", "mean", "laid_open", "low", "high", "control", "control_laid_open",
                "precision", "recall"} <= set(row)  # fmt: skip
    for row in document["attacks"]:
        assert {"attack", "knowledge", "rate", "low", "high", "chance"} <= set(row)
    assert document["utility"] == {one.name: one.value for one in audit.utility}
    assert (document["excess"] is None) == (audit.excess is None)
    if audit.excess:
        assert document["excess"]["mean_distance"] == audit.excess.mean
        assert document["excess"]["mean_threshold"] == audit.excess.threshold
        assert {"limit_low", "limit_high", "farthest", "measure", "verdict", "reason"} <= set(
            document["excess"]
        )
    if audit.people:
        assert document["people"]["found"] == audit.people.found
        assert "table" not in document["people"]


def test_numbers_json_cannot_hold_are_null():
    audit = sample_audit.purchases()
    broken = dataclasses.replace(audit.utility[0], value=float("inf"), loss=1.0)
    changed = dataclasses.replace(audit, utility=(broken,))
    assert json.loads(changed.to_json())["utility"] == {"delta-m": None}
    assert "| delta-m | 0" in report.markdown(changed)


def test_values_are_escaped_everywhere(outputs):
    page, text, _ = outputs
    assert "<script" not in page
    assert not re.search(r"(?<!\\)<script", text)


def test_hostile_names_are_escaped_everywhere():
    audit = sample_audit.purchases()
    bad = '"><script>alert(1)</script>|'
    hostile = dataclasses.replace(
        audit,
        reasons=(bad,),
        pictures=(Compared(bad, bad, bad, bad, (bad, "b"), (1.0, 2.0), (2.0, 1.0), bad),),
        facts={bad: 1},
    )
    page = report.html(hostile)
    assert "<script" not in page
    assert Outline(page).open == []
    assert not re.search(r"(?<!\\)<script", report.markdown(hostile, "figures"))


def test_markdown_tables_are_well_formed(outputs):
    for table in re.findall(r"(?:^\|.*\n)+", outputs[1], flags=re.MULTILINE):
        lines = table.splitlines()
        widths = {len(re.findall(r"(?<!\\)\|", line)) for line in lines}
        assert len(widths) == 1
        assert re.fullmatch(r"\|( -{3}:? \|)+", lines[1])
        assert len(lines) > 2


def test_both_texts_tell_the_answer_the_reasons_and_every_attacker(audit, outputs):
    said = "".join(Outline(outputs[0]).words).replace("\u00a0", " ")
    for reason in audit.reasons:
        assert reason in said
        assert reason in outputs[1]
    for one in (*audit.utility, *audit.attacks, *audit.learnt, *audit.owners):
        assert one.story in said
        assert one.story in outputs[1].replace("\\", "")
    assert ("reproducible, not for release" in said) == (audit.seed is not None)
    assert ("fresh randomness" in said) == (audit.seed is None)
    for what in (*audit.provenance.fingerprints.values(), *(one.why for one in audit.skipped)):
        assert what in said
    assert "may find more people" in said
    assert "Every further release of the same data is a new risk" in said


def test_pictures_are_linked_only_where_they_are():
    text = report.markdown(sample_audit.purchases())
    assert "![" not in text
    assert "![" in report.markdown(sample_audit.purchases(), "figures")


def test_a_failed_proof_is_loud_and_low_rates_are_withheld():
    audit = sample_audit.failed_proof()
    low = [one for one in audit.attacks if not one.proven and one.rate.value <= audit.limits.max_risk]
    high = [one for one in audit.attacks if not one.proven and one.rate.value > audit.limits.max_risk]
    assert low
    assert high
    page, text = sample_audit.page("failed proof"), report.markdown(audit)
    assert 'role="alert"' in page
    assert "The proof failed" in page
    assert "> **Warning.** The proof failed" in text
    rows = {(row["attack"], row["reading"], row["knowledge"]): row for row in audit.to_dict()["attacks"]}
    for one in low:
        row = rows[one.attack, one.reading, one.knowledge]
        assert row["rate"] is row["low"] is row["high"] is None
        assert f"| {one.attack} | {one.reading} | {one.knowledge} | not proven | not proven |" in text
    for one in high:
        assert rows[one.attack, one.reading, one.knowledge]["rate"] == one.rate.value
    assert audit.to_dict()["proof"]["holds"] is False
    assert "The proof failed" not in sample_audit.page("purchases")


def test_no_low_rate_is_taken_for_a_finding_when_nobody_is_proven():
    audit = sample_audit.kept_limits()
    attacks = tuple(dataclasses.replace(one, proven=False) for one in audit.attacks)
    text = report.markdown(dataclasses.replace(audit, attacks=attacks))
    assert "Worst attacker finds: **not measured**" in text
    assert "Plain and full knowledge" not in text


def test_with_neither_a_pairing_nor_lessons_nothing_is_said_about_attackers():
    text = report.markdown(sample_audit.without_pairing())
    assert "Not measured" in text
    assert "This is not a finding of low risk" in text
    assert "Every attacker" not in text
    assert "Neither accepted nor excessive" in text


def test_pictures_without_content_are_left_out():
    empty = (Compared("a", "t", "x", "y", (), (), ()), Dots("b", "t", "x", "y", ()))
    text = report.markdown(dataclasses.replace(sample_audit.purchases(), pictures=empty), "figures")
    assert "Before and after" not in text


def test_the_folder_holds_every_format_and_picture(tmp_path):
    audit = sample_audit.microdata()
    report.write(audit, tmp_path / "report")
    folder = tmp_path / "report"
    assert (folder / "report.html").read_text(encoding="utf-8") == sample_audit.page("microdata")
    assert (folder / "report.json").read_text(encoding="utf-8") == audit.to_json()
    linked = set(re.findall(r"\]\((figures/[^)]+)\)", (folder / "report.md").read_text(encoding="utf-8")))
    assert linked == {f"figures/{path.name}" for path in (folder / "figures").glob("*.svg")}
    assert linked
    for path in (folder / "figures").iterdir():
        if path.suffix == ".svg":
            assert ET.fromstring(path.read_text(encoding="utf-8")).tag.endswith("svg")  # noqa: S314 - our own file
        else:
            assert path.read_bytes().startswith(PNG)
    with pytest.raises(ParameterError):
        report.write(audit, folder)


def test_one_file_by_its_ending(tmp_path):
    audit = sample_audit.without_pairing()
    texts = {
        "html": sample_audit.page("without pairing"),
        "md": report.markdown(audit),
        "json": audit.to_json(),
    }
    for ending, text in texts.items():
        report.write(audit, str(tmp_path / f"audit.{ending}"))
        assert (tmp_path / f"audit.{ending}").read_text(encoding="utf-8") == text
    with pytest.raises(ParameterError) as told:
        report.write(audit, tmp_path / "report.pdf")
    assert told.value.code == "parameter"
    assert not (tmp_path / "report.pdf").exists()


def test_the_page_is_the_same_every_time():
    page = sample_audit.page("microdata")
    with drawn_once():
        assert report.html(sample_audit.microdata()) == page, "drawn anew"
