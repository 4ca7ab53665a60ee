"""One rule withholds rates, so the terminal, the page, Markdown and JSON name the same worst attacker."""

import dataclasses
import io
import json
import re

from rich.console import Console

import sample_audit
from kakurenbo import report
from kakurenbo.cli.audit_show import show
from kakurenbo.report import words

RUNG = "half of the goods"


def doubted(*attacks):
    """Return an audit within its limit, in which these attackers did not pass their proof."""
    whole = sample_audit.kept_limits()
    return dataclasses.replace(
        whole,
        attacks=tuple(dataclasses.replace(one, proven=one.attack not in attacks) for one in whole.attacks),
    )


def in_terminal(audit, rung):
    stream = io.StringIO()
    show(audit, Console(file=stream, width=200))
    rows = (re.split(r"\s{2,}", line.strip()) for line in stream.getvalue().splitlines())
    (cells,) = (cells for name, *cells in rows if name == rung)
    return tuple(cells)  # found, interval, by whom, and then what is laid open


def in_markdown(audit, rung):
    pattern = rf"^\| {rung} \| [^|]* \| ([^|]*) \| ([^|]*) \| [^|]* \| [^|]* \| [^|]* \|$"
    (line,) = re.findall(pattern, report.markdown(audit), re.MULTILINE)
    return tuple(cell.replace(" %", "%") for cell in line)


def test_every_format_passes_over_a_withheld_rate_to_the_next_attacker():
    audit = doubted("weighted")
    first, second, *_ = (one for one in audit.attacks if one.knowledge == RUNG)
    assert (first.attack, second.attack) == ("weighted", "jaccard")
    assert in_terminal(audit, RUNG)[:3:2] == (f"{second.rate.value:.1%}", "jaccard")
    assert in_markdown(audit, RUNG) == ("jaccard", f"{second.rate.value:.2%}")
    assert audit.worst_of(RUNG) is second


def test_every_format_names_the_same_worst_attacker():
    audit = doubted("rows", "weighted", "multiset")
    worst = audit.worst
    assert worst is next(one for one in audit.attacks if one.proven)
    assert audit.to_dict()["worst"]["attack"] == worst.attack
    assert audit.to_dict()["worst"]["rate"] == worst.rate.value
    assert f"{worst.name}, who knows {worst.knowledge}" in report.markdown(audit)
    assert f"{worst.name}, who knows {worst.knowledge}" in report.html(audit)


def test_a_rung_of_withheld_rates_names_nobody():
    audit = doubted("totals")
    assert in_terminal(audit, "amount spent") == ("not proven", "-")
    assert in_markdown(audit, "amount spent") == ("none", "not proven")
    assert audit.worst_of("amount spent") is None


def test_a_high_rate_without_proof_is_shown_with_its_mark():
    audit = sample_audit.failed_proof()
    assert in_terminal(audit, "full records")[:3:2] == ("100.0% (not proven)", "rows, assignment")
    assert in_markdown(audit, "full records") == ("rows, assignment", "100% (not proven)")


def test_every_format_says_of_which_pairings_the_worst_rate_is_the_mean():
    audit = sample_audit.purchases()
    drawn = next(one for one in audit.attacks if one.spread)
    low, high = drawn.spread.low, drawn.spread.high
    pairings = "rate is the mean over 60 equally good pairings, which find"
    said = f"The worst {pairings} {low:.1%} to {high:.1%}."
    told = f"The {pairings} {words.percent(low)} to {words.percent(high)}."
    only = dataclasses.replace(audit, attacks=(drawn,))
    stream = io.StringIO()
    show(only, Console(file=stream, width=200))
    assert said in stream.getvalue()
    assert report.markdown(only).count(told.replace("\u00a0", " ")) == 2, "key number, and row of the table"
    assert json.loads(only.to_json())["worst"]["spread"] == {"low": low, "high": high, "draws": 60}
    alike = dataclasses.replace(drawn, spread=dataclasses.replace(drawn.spread, low=high))
    assert "equally good pairings" not in report.markdown(dataclasses.replace(audit, attacks=(alike,)))


def test_the_pairings_of_a_withheld_rate_are_withheld_with_it():
    whole = sample_audit.kept_limits()
    hidden = tuple(dataclasses.replace(one, proven=False) for one in whole.attacks if one.spread)
    assert hidden
    audit = dataclasses.replace(whole, attacks=hidden)
    assert all(row["spread"] is None for row in json.loads(audit.to_json())["attacks"])
    assert "equally good pairings" not in report.markdown(audit)


def test_where_nobody_is_proven_there_is_no_worst_attacker():
    audit = doubted(*sample_audit.ATTACKS)
    assert (audit.worst, audit.to_dict()["worst"]) == (None, None)
    assert "Worst attacker finds: **not measured**" in report.markdown(audit)
