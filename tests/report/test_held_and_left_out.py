"""What a report tells besides: earlier releases, names that change, dummies, and who was not run, and why."""

import dataclasses
import json
from functools import cache

import sample_audit
from kakurenbo import report
from kakurenbo.auditing.results import Audit, Engine, Sampled, Skipped
from kakurenbo.auditing.results.targets import SAMPLED
from kakurenbo.report import render, words
from kakurenbo.report.audit import page, summary
from kakurenbo.report.languages import language

RISK = "risk: share found by the worst attacker"
page = cache(page)  # its pictures are what costs


@cache
def sample(name):
    return sample_audit.several_releases() if name == "several" else sample_audit.ALL[name]()


def told(audit):
    return render.markdown(page(audit)).replace("\u00a0", " ").replace("\\", "")


def section(audit, slug):
    return next((one for one in page(audit).sections if one.slug == slug), None)


def table(audit, slug):
    """Return the heads and the rows of the first table of a section."""
    first = next(block for block in section(audit, slug).blocks if hasattr(block, "rows"))
    rows = [tuple(cell.replace("\u00a0", " ") for cell in row) for row in first.rows]
    return tuple(column.name for column in first.columns), rows


def test_how_well_dummies_are_told_is_said_with_what_it_means():
    (text,) = section(sample("purchases"), "dummies").blocks
    said = text.text.replace("\u00a0", " ")
    assert "22.9 % were really bought" in said
    assert (
        "(dummies) a real one looks more real than a dummy 89.1 % of the time (AUC): 50 % is a guess" in said
    )
    assert section(sample("learnt only"), "dummies") is None


def test_links_with_earlier_releases_are_counted_and_judged_where_they_can_be():
    heads, rows = table(sample("several"), "earlier")
    assert heads[1:] == ("names", "linked with names of this one", "of them rightly")
    assert [row[1:] for row in rows] == [("402", "371", "365 (98.4 %)"), ("388", "0", "not judged")]
    said = told(sample("several"))
    assert "With this release alone rows finds most: 50.0 %, knowing full records." in said
    assert "With all 3 releases it is rows: 100 %, knowing full records." in said
    assert section(sample("purchases"), "earlier") is None


def test_of_how_many_names_links_are_counted_is_said_where_some_people_were_sought():
    audit = sample("several")
    few = dataclasses.replace(audit.earlier[0], asked=380)
    more = dataclasses.replace(audit, earlier=(few,))
    sentence = "How many were linked is told of the 380 names of people who were sought."
    assert sentence in told(more)
    assert "is told of the" not in told(audit)
    assert Audit.from_json(more.to_json()).earlier == (few,)
    assert language("ja").found(sentence) == "組合せの件数は、探した人の名前380件についてのものです。"


def test_whoever_holds_several_releases_is_told_apart():
    audit = sample("several")
    heads, rows = table(audit, "attackers")
    place = heads.index("releases")
    assert [row[place] for row in rows] == [str(one.releases) for one in audit.attacks]
    assert {row[place] for row in rows} == {"1", "3"}
    heads, rows = table(audit, "risk")
    rungs = {row[0]: dict(zip(heads, row, strict=True)) for row in rows}
    assert rungs["visits"]["worst attacker"] == "visits, assignment, 3 releases"
    assert (rungs["visits"]["finds"], rungs["visits"]["this release alone"]) == ("98.0 %", "49.0 %")
    for slug in ("attackers", "risk"):
        assert not {"releases", "this release alone"} & set(table(sample("purchases"), slug)[0])


def test_names_that_change_are_told_above_the_attackers():
    assert section(sample("several"), "attackers").blocks[0].text == str(sample("several").names)


def test_what_several_releases_tell_is_read_back_from_json():
    audit = sample("several")
    read = Audit.from_json(audit.to_json())
    assert (read.earlier, read.names, read.dummies) == (audit.earlier, audit.names, audit.dummies)
    assert [one.releases for one in read.attacks] == [one.releases for one in audit.attacks]
    assert report.markdown(read) == report.markdown(audit)


def test_what_was_not_run_stands_by_its_reason():
    audit = sample("failed proof")
    heads, rows = table(audit, "skipped")
    assert heads == ("why", "how many", "what")
    assert [row[:2] for row in rows] == [
        ("names do not change in this release", "14"), ("The data has no master.", "2"),
        ("the time was over", "3"),
    ]  # fmt: skip
    named = {why: what.split("; ") for why, _, what in rows}
    assert all(left.name in named[left.why] for left in audit.skipped)
    twice = dataclasses.replace(audit, skipped=audit.skipped * 2)
    assert table(twice, "skipped") == (heads, rows), "readings of one attacker are left out once"
    assert "Everything that applies to this data was run." in told(sample("microdata"))


def test_whom_there_was_no_time_for_is_told_where_rates_are_read():
    audit = sample("failed proof")
    assert "3 attackers of those who decide were not tried within 1.5 minutes" in told(audit)
    limits = table(audit, "limits")[1]
    assert ("time for attackers", "at most 1.5 minutes", "3 who decide were not tried") in limits
    assert (RISK, "at most 10 %", "100 % (not proven), as far as tried") in limits
    assert "were not tried for want of time" in summary.cards(audit)[0].detail
    assert "time for attackers" not in {row[0] for row in table(sample("purchases"), "limits")[1]}


def test_a_low_rate_is_not_good_while_somebody_was_not_tried():
    whole = sample("kept limits")
    assert summary.cards(whole)[0].tone == "good"
    limits = dataclasses.replace(whole.limits, minutes=3.0)
    assert "nobody was left over" in {
        row[2] for row in summary.limits(dataclasses.replace(whole, limits=limits))[0].rows
    }
    late = (Skipped("goods: agreement", "the time was over", "goods"),)
    hurried = dataclasses.replace(whole, limits=limits, skipped=late, verdict="not measured")
    assert [card.tone for card in summary.cards(hurried)[:2]] == ["open", "good"]
    spared = (Skipped("goods: agreement", "others find nearly everybody already"),)
    assert summary.cards(dataclasses.replace(hurried, skipped=spared))[0].tone == "good"


def test_the_proof_on_disguises_says_what_was_found_of_how_many():
    heads, rows = table(sample("purchases"), "proof")
    cells = {row[0]: row[heads.index("sees through")] for row in rows}
    assert cells["visits"].endswith("times rounded down to months: 81.0 % (97.0 % attainable)")
    assert cells["rows"] == ""


def test_of_many_names_the_first_are_named():
    assert words.some(["a"], 2) == "a"
    assert words.some(["a", "b", "c"], 2) == "a, b, c", "one more is named rather than counted"
    assert words.some(["a", "b", "c", "d"], 2) == "a, b and 2 more"


def test_knowledge_that_finds_nobody_first_has_no_bar():
    audit = sample("purchases")
    people = dataclasses.replace(audit.people, least=(("goods", 0), ("full records", 391)))
    (figure,) = (
        one
        for one in page(dataclasses.replace(audit, people=people)).figures
        if one.slug == "least-knowledge"
    )
    assert figure.described == "full records: 391 people; not found: 9 people."


def test_that_people_were_drawn_is_said_where_those_found_are_counted():
    audit = sample("purchases")
    drawn = dataclasses.replace(audit, people=dataclasses.replace(audit.people, drawn_from=9_000))
    assert "These people were drawn from 9,000; of the others nothing is told." in told(drawn)
    assert any("They were drawn from 9,000." in card.detail for card in summary.cards(drawn))
    assert "drawn from" not in told(audit)
    assert Audit.from_json(drawn.to_json()).people.drawn_from == 9_000


def test_the_engine_is_named_with_what_was_worked_out_on_some():
    audit = sample("purchases")
    heads, rows = table(audit, "provenance")
    assert heads == ("on whom", "how many", "of")
    assert rows[0] == (SAMPLED["agreement"], "150", "400")
    assert "The tables were held in memory." in told(audit)
    assert "What stands in this table was worked out on some of all." in told(audit)
    spark = told(dataclasses.replace(audit, engine=Engine("spark")))
    assert "The tables were held in blocks on a cluster." in spark
    assert "Everything was worked out on all of them." in spark
    assert "The tables were held" not in told(dataclasses.replace(audit, engine=None))


def test_the_json_names_the_engine_and_one_without_it_is_still_read():
    audit = sample("purchases")
    document = json.loads(audit.to_json())
    assert document["engine"] == {
        "name": "memory",
        "sampled": [
            {"what": "agreement", "count": 150, "of": 400},
            {"what": "validation", "count": 200, "of": 400},
        ],
    }
    assert Audit.from_json(audit.to_json()).engine == audit.engine
    del document["engine"], document["control"]["drawn_from"], document["people"]["drawn_from"]
    read = Audit.from_json(json.dumps(document))
    assert (read.engine, read.control, read.verdict) == (None, audit.control, audit.verdict)


def test_all_that_may_be_sampled_is_said_in_both_languages():
    engine = Engine("blocks", tuple(Sampled(what, 3, 2_000) for what in SAMPLED))
    assert str(engine).count("3 of 2,000") == len(SAMPLED)
    assert str(engine).startswith(
        "The tables were held in blocks on disk. Worked out on some: people who were"
    )
    said = [language("ja").found(text) for text in (*SAMPLED.values(), engine.held)]
    assert all(said)
    assert (
        str(Engine("memory")) == "The tables were held in memory. Everything was worked out on all of them."
    )


def test_people_of_the_control_who_were_drawn_from_more_are_said_to_be():
    audit = sample("purchases")
    drawn = dataclasses.replace(audit.control, kind="file", people=1000, drawn_from=30_000)
    more = dataclasses.replace(audit, control=drawn)
    assert "These people were drawn from the 30,000 who were given." in told(more)
    assert "who were given" not in told(audit)
    assert Audit.from_json(more.to_json()).control == drawn
