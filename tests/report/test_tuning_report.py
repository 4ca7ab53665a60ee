"""The report of a search, and a search read back from its JSON."""

import dataclasses
import json
import math
import re
import xml.etree.ElementTree as ET

import pytest

import kakurenbo as kb
import sample_tuned
from kakurenbo import report
from kakurenbo.report.charts import frontier, papers
from kakurenbo.reproduction.results import Figure, Point, Series
from kakurenbo.tuning.results import Tuned
from searches import imagined
from shops import light_shop

PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture(scope="module", params=list(sample_tuned.ALL))
def result(request):
    return sample_tuned.ALL[request.param]()


@pytest.fixture(scope="module")
def page(result):
    return report.html(result)  # its pictures are what costs


@pytest.fixture(scope="module")
def read(result):
    return Tuned.from_json(result.to_json())


def test_what_is_read_back_advises_the_same_plan(result, read):
    assert (read.verdict, read.chosen, read.why) == (result.verdict, result.chosen, result.why)
    assert (read.trials, read.finalists, read.theory) == (result.trials, result.finalists, result.theory)
    assert (read.frontier, read.paper, read.best_padding) == (
        result.frontier,
        result.paper,
        result.best_padding,
    )


def test_the_report_is_the_same_to_the_byte(result, read, page):
    assert report.html(read) == page
    assert report.markdown(read, "figures") == report.markdown(result, "figures")
    assert read.to_json() == result.to_json()


def test_the_document_has_the_keys_that_others_rely_on(result):
    document = json.loads(result.to_json())
    assert document["verdict"] == result.verdict
    for told in (document["chosen"], *document["frontier"]):
        assert told is None or {"plan", "risk", "loss"} <= set(told)
    assert document["plan"] == (document["chosen"] and document["chosen"]["plan"])
    failed = [told for told in document["trials"] if told["failed"]]
    assert [(told["risk"], told["loss"]) for told in failed] == [(None, None)]


def test_a_plan_that_failed_is_infinitely_bad_again():
    (one,) = Tuned.from_json(sample_tuned.nothing().to_json()).trials
    assert (one.risk, one.loss, one.outcome.failed) == (math.inf, math.inf, "Compact: it cannot be.")


def test_both_texts_tell_the_answer_why_and_every_plan_of_the_frontier(result, page):
    text = report.markdown(result)
    assert (
        f"Does any plan that was tried keep the limit? {'Yes' if result.verdict == 'yes' else 'No'}" in text
    )
    for trial in result.frontier:
        assert str(trial.plan) in text
        assert str(trial.plan) in page
    if result.chosen is not None:
        named = "advised" if result.verdict == "yes" else "nearest"
        assert re.search(rf"\*\*{re.escape(str(result.chosen.plan))}\*\* .* {named}", text)
    assert ("the papers'" in text) == (result.paper is not None)
    assert ("Theory's best number of clusters is 14 by 000, 23 by 003" in text) == (result.theory is not None)
    assert not re.search(r"https?://", page)


def test_the_frontier_is_coloured_by_what_makes_the_groups():
    drawn = frontier.picture(sample_tuned.purchases())
    named = {row["groups"] for rows in drawn["datasets"].values() for row in rows if "groups" in row}
    assert named == {"balanced", "compact", "deal", "no groups"}


def test_a_real_search_names_its_methods_too():
    """The report reads which method makes the groups from the search's own values."""
    with imagined():
        found = kb.tune(light_shop(30, seed=1), 0.2, "goods", trials=6, seed=5, jobs=1)
    assert {frontier._grouping(one) for one in found.done} & {"balanced", "compact", "deal"}
    read = Tuned.from_json(found.to_json())
    assert (read.to_json(), report.html(read)) == (found.to_json(), report.html(found))


def test_every_file_by_its_ending(tmp_path):
    result = sample_tuned.purchases()
    for ending in (".html", ".md", ".json", ".svg", ".png"):
        report.write(result, tmp_path / f"found{ending}")
    assert (tmp_path / "found.html").read_text(encoding="utf-8") == report.html(result)
    assert (tmp_path / "found.json").read_text(encoding="utf-8") == result.to_json()
    assert (tmp_path / "found.png").read_bytes().startswith(PNG)
    drawn = "".join(ET.fromstring((tmp_path / "found.svg").read_text(encoding="utf-8")).itertext())  # noqa: S314 - our own
    assert "The frontier of 4 plans" in drawn
    assert "000 figure 14 beside the measurement" in drawn
    with pytest.raises(kb.ParameterError, match=r"\.svg or \.png"):
        report.write(result, tmp_path / "found.gif")


def test_the_folder_holds_texts_and_pictures(tmp_path):
    report.write(sample_tuned.purchases(), tmp_path / "all")
    names = {str(path.relative_to(tmp_path / "all")) for path in (tmp_path / "all").rglob("*.*")}
    figures = {f"figures/{slug}.{ending}" for slug in ("frontier", "theory") for ending in ("svg", "png")}
    assert names == {"report.html", "report.md", "report.json"} | figures


@pytest.mark.parametrize("broken", ["", "{}", "[]", '{"kind": "purchases", "trials": [{}]}'])
def test_another_document_is_refused_in_one_sentence(broken):
    with pytest.raises(kb.InputError, match="not the JSON of a search"):
        Tuned.from_json(broken)


@pytest.mark.parametrize(("best", "side"), [(54, "right"), (6, "left")])
def test_the_names_of_optima_stay_within_the_picture(best, side):
    searched = sample_tuned.purchases()
    known = dataclasses.replace(searched.theory, occupancy=best, sharing=best)
    drawn = frontier.theory(searched, known).to_dict()["layer"]
    marks = [layer["mark"] for layer in drawn if layer["mark"]["type"] == "text"]
    assert [mark["align"] for mark in marks] == [side] * 4
    assert len({mark["y"] for mark in marks}) == 2


@pytest.mark.parametrize(("length", "columns"), [(5, 3), (30, 2), (60, 1)])
def test_legends_of_the_papers_figures_have_room(length, columns):
    points = (Point(1, 1.0), Point(2, 2.0))
    series = tuple(Series("x" * length + str(i), "ours", "line", points) for i in range(3))
    drawn = papers.chart(Figure("000", "1", "title", "x", "y", series))
    assert drawn["config"]["legend"]["columns"] == columns
