"""Ratios and totals that may only fall, in the record beside this file; what rises needs a reason there.

A public name is a function or a class at the top of a module whose name has no underscore before it. A small
module has fewer than 70 lines. Its importers are the modules that import it or anything in it: whatever comes
through a package's `__init__` comes from the module behind it, and an `__init__` is an importer where there
is no other.
"""

import ast
import json
import os
import re
import subprocess
import sys
import textwrap

import pytest

from counting import ALL, typed
from ratchets import PLACE, fallen, recorded, risen
from sources import Module

SMALL = 70


def public_names(modules):
    """Return the number of public names per thousand lines."""
    kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    names = [
        node.name
        for module in modules
        for node in module.nodes[0].body
        if isinstance(node, kinds) and not node.name.startswith("_")
    ]
    return 1000 * len(names) / sum(module.lines for module in modules)


def dotted(module):
    """Return the name by which a module is imported."""
    inner = module.path.removesuffix(".py").removesuffix("__init__").rstrip("/")
    return ".".join(["kakurenbo", *inner.split("/")]) if inner else "kakurenbo"


def is_door(module):
    return module.path.endswith("__init__.py")


def imports(module):
    """Yield from where a module imports what, under which name."""
    for node in module.nodes:
        if isinstance(node, ast.Import):
            yield from ((alias.name, "", "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((node.module, alias.name, alias.asname or alias.name) for alias in node.names)


def lonely(modules):
    """Return the small modules that have one importer."""
    named = {dotted(module): module for module in modules}
    behind = {
        (dotted(door), known): (source, name)
        for door in filter(is_door, modules)
        for source, name, known in imports(door)
    }

    def home(source, name):
        """Return the module that something comes from, through all doors."""
        while (source, name) in behind and f"{source}.{name}" not in named:
            source, name = behind[source, name]
        return f"{source}.{name}" if f"{source}.{name}" in named else source

    importers = {name: set() for name in named}
    for module in modules:
        for source, name, _ in imports(module):
            importers.get(home(source, name), set()).add(module.path)
    for name, found in importers.items():
        found.discard(named[name].path)
        rooms = {path for path in found if not path.endswith("__init__.py")}
        found.intersection_update(rooms or found)
    return [
        module
        for name, module in named.items()
        if module.lines < SMALL and not is_door(module) and len(importers[name]) == 1
    ]


def lonely_share(modules):
    """Return how many of a hundred modules are small with one importer, doors apart."""
    return 100 * len(lonely(modules)) / sum(not is_door(module) for module in modules)


RATCHETS = {
    "public names per 1,000 lines": public_names,
    "small modules with one importer, of 100": lonely_share,
    "files": len,
    "lines": lambda modules: sum(module.lines for module in modules),
}


@pytest.mark.parametrize("name", RATCHETS)
def test_what_may_only_fall_has_not_risen_and_what_was_gained_is_recorded(name, modules):
    now, most = round(RATCHETS[name](modules), 1), recorded()[name]
    assert not risen(name, now, most)
    assert not fallen(name, now, most)


def test_every_number_is_recorded_with_its_reason(root):
    record = json.loads((root / PLACE).read_text(encoding="utf-8"))
    assert set(record) == {*RATCHETS, "audits", "searches", "demos"}
    assert all(len(entry["reason"]) > 20 for entry in record.values())


def test_a_ratio_may_not_rise_a_total_may_a_little_and_both_are_recorded_when_they_fall():
    assert f"Make it smaller, or record 25.3 in {PLACE} with the reason" in risen("ratio", 25.3, 25.2)
    assert not risen("ratio", 25.2, 25.2)
    assert not risen("lines", 100_900, 100_000)
    assert risen("lines", 101_100, 100_000)
    assert not fallen("ratio", 24.1, 25.2)
    assert fallen("ratio", 23.1, 25.2).endswith(f"Keep what was gained: record 23.1 in {PLACE}.")


def test_modules_are_told_apart_by_lines_and_importers():
    """Two readers of one module, one through its package; one reader of another; a door alone; nobody."""
    texts = {
        "__init__.py": "",
        "rooms/__init__.py": "from kakurenbo.rooms.shared import a\nfrom kakurenbo.rooms.shown import b\n",
        "rooms/shared.py": "def a(): ...\n",
        "rooms/shown.py": "def b(): ...\n",
        "rooms/single.py": "def one(): ...\n" * 69,
        "rooms/long.py": "def one(): ...\n" * 70,
        "first.py": "from kakurenbo.rooms import a\nfrom kakurenbo.rooms import single, long\n",
        "second.py": "import kakurenbo.rooms.shared\n",
    }
    made = [Module.parsed(path, text) for path, text in texts.items()]
    assert [module.path for module in lonely(made)] == ["rooms/shown.py", "rooms/single.py"]


def test_what_a_process_is_asked_for_is_read_from_its_words():
    assert typed("python -m kakurenbo audit shop.csv new") == {"audits": 1}
    assert typed("python -c kb.tune(shop); kb.audit(shop, new)") == {"searches": 1, "audits": 1}
    assert typed("python -c from kakurenbo.cli.main import run; run(['demo', '--seed', '1'])") == {"demos": 1}
    assert typed("/bin/kakurenbo demo --shop-only") == typed("kakurenbo audit --help") == {}
    assert typed("kakurenbo profile demo.csv") == {}


COUNTED = {
    "conftest.py": """
        from counting import Counting

        WORKS = {"work": ("audit", "audits"), "work.story": ("Story.all", "demos")}

        def pytest_addoption(parser):
            parser.addoption("--most", type=int)

        def pytest_configure(config):
            most = dict.fromkeys(["audits", "searches", "demos"], config.getoption("most"))
            config.pluginmanager.register(Counting(config, WORKS, most))
        """,
    "work/__init__.py": """
        from kakurenbo.errors import InputError

        def audit(number):
            if not number:
                raise InputError("Nothing to audit.", code="parameter")
            return number
        """,
    "work/story.py": """
        class Story:
            def all(self):
                return ["the end"]
        """,
    "tests/test_works.py": """
        import pytest
        from kakurenbo.errors import InputError
        from work import audit
        from work.story import Story

        def test_audits():
            assert audit(1) == audit(number=1) == 1
            with pytest.raises(InputError):
                audit(0)

        def test_story():
            assert Story().all() == ["the end"]
        """,
    "tests/test_process.py": """
        import subprocess
        import sys

        def test_process():
            subprocess.run([sys.executable, "-c", "'kakurenbo audit'"], check=True)
        """,
    "pyproject.toml": """
        [tool.pytest.ini_options]
        testpaths = ["tests"]
        pythonpath = ["."]
        markers = ["campaign"]
        """,
}


@pytest.fixture(scope="module")
def counted(root, tmp_path_factory):
    """Run three tests that make three audits and one demo, and return the exit code and what was told."""
    place = tmp_path_factory.mktemp("counted")
    for name, text in COUNTED.items():
        (place / name).parent.mkdir(exist_ok=True)
        (place / name).write_text(textwrap.dedent(text), encoding="utf-8")

    def run(*words):
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *words], cwd=place, text=True,
            capture_output=True, check=False, env={**os.environ, "PYTHONPATH": str(root / "tests")},
        )  # fmt: skip
        return done.returncode, done.stdout

    return run


def test_a_run_of_all_tests_fails_where_its_workers_make_more_audits_than_recorded(counted):
    code, told = counted("-m", "not campaign", "--most", "2", "--numprocesses", "2")
    assert code == 1
    assert "3 passed" in told
    assert "run: 3 audits, 0 searches, 1 demos" in told
    assert "audits: 3, where at most 2 are recorded. Make it smaller" in told


def test_a_run_of_all_tests_passes_with_as_many_audits_as_recorded(counted):
    code, told = counted("-m", "not campaign", "--most", "3")
    assert code == 0
    assert "audits: 3" not in told
    assert "demos: 1, where at most 3 are recorded. Keep what was gained: record 1" in told


def test_make_runs_all_tests(root):
    """What is chosen otherwise than by the marker would be counted and never judged."""
    makefile = (root / "Makefile").read_text(encoding="utf-8")
    recipe = re.search(r"^unit:.*\n((?:\t.*\n)+)", makefile, re.MULTILINE)[1]
    chosen = [re.sub(r"--ignore[ =]\S+", "", words) for words in re.findall(r" -m pytest (.*)", recipe)]
    assert any(f'-m "{ALL}"' in words and not re.search(r"\btests\b|-k\b", words) for words in chosen)


def test_a_run_of_some_tests_counts_and_judges_nothing(counted):
    code, told = counted("-m", "not campaign", "--most", "0", "tests/test_works.py")
    assert code == 0
    assert "run: 2 audits, 0 searches, 1 demos" in told
    assert "recorded" not in told
