"""Reports of the same audits and searches, read by many tests: their pictures are drawn once."""

import pytest

from drawing import drawn_once


@pytest.fixture(scope="session", autouse=True)
def _drawn_once():
    with drawn_once():
        yield
