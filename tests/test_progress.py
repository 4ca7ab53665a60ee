"""Steps are shown with their share of the whole, and a job that is asked to stop does so between them."""

import threading

import pytest

from kakurenbo.errors import Stopped
from kakurenbo.progress import Progress, Step


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
