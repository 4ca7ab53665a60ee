"""Templates compiled once: every test has a site of its own, and all sites have the same pages."""

import jinja2
import pytest

from kakurenbo.web import templating


class Compiled(jinja2.BytecodeCache):
    """Keeps what was compiled; jinja2 itself looks whether the text is still the same."""

    def __init__(self):
        self._kept = {}

    def load_bytecode(self, bucket):
        if bucket.key in self._kept:
            bucket.bytecode_from_string(self._kept[bucket.key])

    def dump_bytecode(self, bucket):
        self._kept[bucket.key] = bucket.bytecode_to_string()


@pytest.fixture(scope="session", autouse=True)
def templates_compiled_once():
    """Let the sites of all tests share what was compiled."""
    compiled, real = Compiled(), templating.environment

    def environment(*arguments):
        pages = real(*arguments)
        pages.bytecode_cache = compiled
        return pages

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(templating, "environment", environment)
        yield
