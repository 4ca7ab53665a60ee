"""What `kakurenbo audit` prints, of audits made by hand: the answer first, and nothing that is withheld."""

import dataclasses
import io
from pathlib import Path
from types import SimpleNamespace

import pytest
from rich.console import Console

import sample_audit
import sample_tuned
from kakurenbo.auditing.results import Audit
from kakurenbo.cli import demo
from kakurenbo.cli.audit_show import show
from kakurenbo.progress import Progress
from shops import light_shop


def printed(audit, **options):
    stream = io.StringIO()
    show(audit, Console(file=stream, width=180), **options)
    return stream.getvalue()


@pytest.mark.parametrize("name", list(sample_audit.ALL))
def test_the_answer_and_its_reasons_come_first(name):
    audit = sample_audit.ALL[name]()
    first, *lines = printed(audit).splitlines()
    limits = audit.limits
    known = f" who knows at most {limits.knowledge}" if limits.knowledge else ""
    assert first == (
        f"Verdict: {audit.verdict} (no attacker{known} may find more than {limits.max_risk:.1%}, or lay open "
        f"{limits.max_learnt:.1%} more than outside)"
    )
    assert lines[: len(audit.reasons)] == [f"- {reason}" for reason in audit.reasons]


@pytest.mark.parametrize("name", list(sample_audit.ALL))
def test_an_audit_read_back_prints_the_same(name):
    audit = sample_audit.ALL[name]()
    assert printed(Audit.from_json(audit.to_json())) == printed(audit)


def test_every_measure_the_groups_and_the_distance_are_told():
    audit = sample_audit.purchases()
    said = printed(audit)
    for kept in audit.utility:
        assert f"{kept.kept:.0%}" in next(line for line in said.splitlines() if line.startswith(kept.name))
    assert "50 groups of equal goods set, the smallest of 8; 0.0% of the people are alone." in said
    assert "Mean multiset distance from oneself 0.3612, limit 0.6401: accepted." in said
    assert "A real good looks more real than a dummy 89.1% of the time (dummies; 50 % is a guess)." in said


def test_what_was_not_run_is_told_by_its_reasons_however_many_they_are():
    audit = sample_audit.failed_proof()
    many = tuple(
        dataclasses.replace(left, name=f"{i}: {left.name}") for i in range(60) for left in audit.skipped
    )
    said = printed(dataclasses.replace(audit, skipped=(*audit.skipped, *many)))
    lines = said[said.index("Not run: ") : said.index("A rate is that")].splitlines()
    assert len(lines) <= 3
    told = " ".join(map(str.strip, lines))
    for why in {left.why for left in audit.skipped}:
        assert told.count(f"({why})") == 1
    assert "u1-cmae, u2-cmae, 0: u1-cmae and 119 more (The data has no master.)" in told
    assert (
        "Not run: number of records: renamed, amount spent: renamed, card statement: renamed and 11 more ("
        in (printed(audit))
    )


def test_earlier_releases_and_names_that_change_are_told():
    said = printed(sample_audit.several_releases())
    assert "earlier release of 402 names: 371 names were linked, 365 of them rightly." in said
    assert "earlier release of 388 names: 0 names were linked.\n" in said
    assert "rows, assignment, 3 releases" in said
    assert str(sample_audit.several_releases().names)[:80] in said


def test_a_proof_that_held_or_failed_is_said_and_quiet_keeps_it_short():
    said = printed(sample_audit.purchases())
    assert "The proof holds: tried on 200 people" in said
    assert "The tables were held in memory. Worked out on some: people from whom" in said
    assert "4 of them see through the disguises they are meant for." in said
    assert "THE PROOF FAILED" in printed(sample_audit.failed_proof())
    short = printed(sample_audit.failed_proof(), quiet=True)
    assert "THE PROOF FAILED" not in short
    assert "Not run" not in short


def test_with_neither_a_pairing_nor_lessons_there_is_no_ladder():
    said = printed(sample_audit.without_pairing())
    assert "what the attacker knows" not in said
    assert "another one may do better" not in said
    assert "mean" in said


def test_the_demo_ends_with_both_halves():
    audit = sample_audit.kept_limits()
    told, lesson = demo._judged(audit, Path("a.html")), audit.worst_lesson
    assert f"finds {audit.worst.rate.value:.1%} and lays open {lesson.laid_open.value:.1%}" in told
    assert f"against {lesson.control_laid_open:.1%} of those who are not in it" in told
    assert "Verdict: yes" in told


@pytest.mark.parametrize("held", [True, False])
def test_the_demo_reports_on_the_release_that_keeps_the_limit_and_on_no_other(held, monkeypatch):
    shop, audit, filed = light_shop(9, seed=1), sample_audit.kept_limits(), []
    applied = SimpleNamespace(release=object() if held else None)
    monkeypatch.setattr(demo, "tune", lambda *_, **__: sample_tuned.purchases())
    monkeypatch.setattr(demo, "apply", lambda *_, **__: applied)
    monkeypatch.setattr(demo, "audit", lambda _, release, **__: audit if release is applied.release else None)
    story = demo.Story(shop, 1, (Path("a.html"), filed.append), Progress())
    steps = [step for step, *_ in story._tuned()]
    assert (steps, filed) == ((["tuned", "audit"], [audit]) if held else (["tuned"], []))
