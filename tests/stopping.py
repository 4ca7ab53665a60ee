"""A job in a thread of its own that is asked to stop from outside, as a page would ask it."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from kakurenbo.errors import Stopped
from kakurenbo.progress import Progress

LONG = 600  # seconds after which a step that never comes is a fault, however busy the machine


def stopped_at(word, job):
    """Run the job, ask it to stop while it names a step with this word, and return the steps it named."""
    steps, reached, asked = [], threading.Event(), threading.Event()

    def show(step):
        steps.append(step)
        if word in step.message:
            reached.set()
            assert asked.wait(LONG)

    progress = Progress(show)
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(job, progress)
        running.add_done_callback(lambda _: reached.set())
        assert reached.wait(LONG)
        progress.stop()
        asked.set()
        with pytest.raises(Stopped):
            running.result(LONG)
    assert word in steps[-1].message, "no step follows the one it was stopped at"
    return steps
