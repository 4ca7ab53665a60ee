"""Steps are shown with their share of the whole, and a job that is asked to stop does so between them."""

import threading

import pytest

import kakurenbo as kb
from kakurenbo.errors import Stopped
from kakurenbo.progress import Progress, Step, TimeLeft
from kakurenbo.reproduction import paper_001
from kakurenbo.reproduction.paper import reproduce
from shops import light_shop
from stopping import stopped_at


@pytest.fixture(scope="module")
def shop():
    return light_shop(20, seed=1)


def shares(steps):
    return [step.share for step in steps if step.share is not None]


def test_steps_are_shown_in_order_with_their_share():
    shown = []
    progress = Progress(shown.append)
    progress.step("reading")
    progress.step("counting", 0.5)
    assert shown == [Step("reading"), Step("counting", 0.5)]
    Progress().step("nobody watches", 1)


def test_a_part_fills_its_place_in_the_whole():
    shown = []
    whole = Progress(shown.append)
    part = whole.part(0.5, 0.9)
    inner = part.part(0.5, 1)
    part.step("begin", 0)
    part.step("middle")
    inner.step("inner", 0.5)
    part.step("end", 1)
    assert [step.message for step in shown] == ["begin", "middle", "inner", "end"]
    assert shown[1].share is None
    assert shares(shown) == pytest.approx([0.5, 0.8, 0.9])


def test_a_stop_asked_anywhere_is_known_everywhere_and_ends_the_next_step():
    whole = Progress()
    part, other = whole.part(0, 0.5), whole.part(0.5, 1)
    assert not other.stopped
    asking = threading.Thread(target=part.stop)
    asking.start()
    asking.join()
    assert whole.stopped
    for progress in (whole, part, other):
        with pytest.raises(Stopped) as stopped:
            progress.step("more work")
        assert (stopped.value.code, stopped.value.exit_code) == ("stopped", 130)


@pytest.mark.parametrize("word", ["baskets", "similarity", "unicity by good+day"])
def test_a_profile_stops_between_its_steps(shop, word):
    stopped_at(word, lambda progress: kb.profile(shop, seed=1, progress=progress))


def test_a_profile_of_microdata_stops_too():
    stopped_at("groups", lambda progress: kb.profile(kb.demo.households(20, seed=1), progress=progress))


@pytest.mark.parametrize("word", ["copy", "attacking with goods", "measuring distances"])
def test_an_audit_stops_between_its_steps(shop, word):
    release = kb.methods.Pseudonymize().release(shop, seed=1)
    steps = stopped_at(word, lambda progress: kb.audit(shop, release, seed=1, progress=progress))
    assert shares(steps) == sorted(shares(steps))


def test_an_audit_tells_how_far_it_is(shop):
    steps = []
    kb.audit(shop, kb.methods.Pseudonymize().release(shop, seed=1), seed=1, progress=Progress(steps.append))
    assert shares(steps)[0] == 0
    assert shares(steps) == sorted(shares(steps))
    assert len(set(shares(steps))) > 20


@pytest.mark.parametrize(("paper", "word"), [("002", "tfidf, c = 5"), ("004", "trials of every cheat")])
def test_a_reproduction_stops_between_its_experiments(shop, paper, word):
    stopped_at(word, lambda progress: reproduce(shop, [paper], [0], progress, clusters=(5, 10)))


@pytest.mark.campaign
def test_the_microdata_of_001_stop_between_tables():
    stopped_at("chained", lambda progress: paper_001.reproduced(rows=120, progress=progress))


def test_a_report_stopped_between_figures_leaves_no_folder(shop, tmp_path):
    found = reproduce(shop, ["002"], [0], clusters=(5, 10))
    steps = stopped_at("drawing", lambda progress: kb.report.write(found, tmp_path / "out", progress))
    assert steps[0].share == 0
    assert list(tmp_path.iterdir()) == []


def test_the_time_left_is_told_by_the_share_done_since_shares_began():
    now = [0.0]
    left = TimeLeft(lambda: now[0])
    assert left.after(Step("a", 0.0)) is None
    now[0] = 10.0
    assert left.after(Step("a", 0.25)) == pytest.approx(30)
    assert left.after(Step("a")) is None
    now[0] = 100.0
    assert left.after(Step("another", 0.0)) is None
    now[0] = 120.0
    assert left.after(Step("another", 0.5)) == pytest.approx(20)


def test_work_beside_a_job_shows_nothing_and_stops_where_the_job_does():
    shown = []
    job = Progress(shown.append)
    beside = job.unseen()
    beside.part(0, 0.5).step("unseen", 0.1)
    assert not shown
    job.stop()
    with pytest.raises(Stopped):
        beside.step("never", 0.2)
