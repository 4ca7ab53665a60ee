"""Counts what a run of the tests costs most: whole audits, searches and demos; and how large the program is.

Audits and searches are counted where they are called, by whatever name, unless they are refused. What a test
starts as a process of its own is counted by its words. A run of all tests fails where there are more than are
recorded. That there are fewer is told and no failure: tests are skipped where there is no browser.
"""

import os
import re
import sys
from collections import Counter
from functools import wraps
from importlib.abc import MetaPathFinder
from importlib.machinery import PathFinder

import pytest

import ratchets
from kakurenbo.errors import KakurenboError

WORKS = {
    "kakurenbo.auditing.audit": ("audit", "audits"),
    "kakurenbo.tuning.search": ("tune", "searches"),
    "kakurenbo.cli.demo": ("Story.all", "demos"),
}
COMMANDS = {"audit": "audits", "tune": "searches", "demo": "demos"}
# As a command, or in a script; not where it only tells of itself, nor a demo that only makes a shop.
TYPED = re.compile(
    r"(?:\bkakurenbo |\brun\(\[['\"])(audit|tune|demo(?!.*--shop))\b(?!.*--help)|\b(audit|tune)\("
)
ALL = "not campaign"  # what `make test` runs


class Counting:
    """The plugin: it counts in every worker and tells the sum where the workers are led."""

    def __init__(self, config, works=WORKS, most=None):
        self._config, self._works, self._done = config, works, Counter()
        self._most = most or ratchets.recorded()
        sys.meta_path.insert(0, _Watch(self._watch, works))
        for name in works.keys() & sys.modules.keys():
            self._watch(sys.modules[name])
        sys.addaudithook(self._started)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node):
        self._done.update(getattr(node, "workeroutput", {}).get("done", {}))

    def pytest_sessionfinish(self, session):
        if hasattr(self._config, "workeroutput"):
            self._config.workeroutput["done"] = dict(self._done)
        elif self._risen() and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter):
        if self._config.get_verbosity() < -1:
            return
        for folder in ("src", "tests"):
            files, lines = size(ratchets.ROOT / folder)
            terminalreporter.write_line(f"{folder}: {files:,} files, {lines:,} lines")
        counts = [f"{self._done[name]} {name}" for name in COMMANDS.values()]
        terminalreporter.write_line(f"run: {', '.join(counts)}")
        for sentence in self._risen():
            terminalreporter.write_line(sentence, red=True)
        for sentence in self._judged(ratchets.fallen):
            terminalreporter.write_line(sentence)

    def _risen(self):
        return self._judged(ratchets.risen)

    def _judged(self, rule):
        if not self._everything():
            return []
        sentences = (rule(name, self._done[name], self._most[name]) for name in COMMANDS.values())
        return [sentence for sentence in sentences if sentence]

    def _everything(self):
        """Whether nothing was chosen among the tests of `make test`."""
        given, chosen = self._config.args_source, self._config.option
        return given is given.TESTPATHS and chosen.markexpr == ALL and not chosen.keyword

    def _watch(self, module):
        """Put a counter around the work that a module does."""
        path, name = self._works[module.__name__]
        *owners, verb = path.split(".")
        owner = module
        for inner in owners:
            owner = getattr(owner, inner)
        work = getattr(owner, verb)

        @wraps(work)
        def counted(*arguments, **options):
            self._done[name] += 1
            try:
                return work(*arguments, **options)
            except KakurenboError:
                self._done[name] -= 1
                raise

        setattr(owner, verb, counted)

    def _started(self, event, arguments):
        if event == "subprocess.Popen" and not isinstance(arguments[1], str | bytes):
            self._done.update(typed(" ".join(map(os.fsdecode, arguments[1]))))


class _Watch(MetaPathFinder):
    """Sees modules when they are first imported, whoever does: nothing is imported for being counted."""

    def __init__(self, watch, works):
        self._watch, self._works = watch, works

    def find_spec(self, fullname, path=None, target=None):
        if fullname not in self._works:
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        execute = spec.loader.exec_module

        def exec_module(module):
            execute(module)
            self._watch(module)

        spec.loader.exec_module = exec_module
        return spec


def typed(words):
    """Return what the words of a process ask for."""
    return Counter(COMMANDS[next(filter(None, found))] for found in TYPED.findall(words))


def size(folder):
    """Return the number of files of Python in a folder, and of their lines."""
    texts = [path.read_bytes() for path in folder.rglob("*.py")]
    return len(texts), sum(text.count(b"\n") for text in texts)
