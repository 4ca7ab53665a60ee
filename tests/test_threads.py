"""Work in other threads: what is done beside other work, and when."""

import threading

import pytest

from kakurenbo.threads import meanwhile
from stopping import LONG


def test_work_is_done_while_the_block_goes_on():
    begun, going_on = threading.Event(), threading.Event()

    def work():
        begun.set()
        assert going_on.wait(LONG), "the block did not go on"
        return threading.get_ident()

    with meanwhile(work) as made:
        assert begun.wait(LONG), "the work did not begin"
        going_on.set()
        assert made() != threading.get_ident()
        assert made() == made()


def test_work_that_is_not_apart_is_done_before_the_block_begins():
    done = []
    with meanwhile(lambda: done.append(threading.get_ident()) or len(done), apart=False) as made:
        assert done == [threading.get_ident()]
        assert made() == made() == 1


def test_what_goes_wrong_beside_is_raised_where_it_is_asked_for():
    def work():
        raise ValueError("beside")

    with meanwhile(work) as made, pytest.raises(ValueError, match="beside"):
        made()


def test_a_block_that_fails_waits_for_the_work_and_tells_its_own_failure():
    ended = threading.Event()
    with pytest.raises(KeyError), meanwhile(ended.set):
        raise KeyError("block")
    assert ended.is_set()
