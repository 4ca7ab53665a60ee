"""What is imported is declared: in the core, or in the one extra whose package it serves."""

import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

import kakurenbo as kb
from kakurenbo.errors import CODES
from kakurenbo.extras import EXTRAS

HOMES = {  # whom an extra serves; templates are the report's and the pages'
    "report": {"report", "web", "contest"}, "tune": {"tuning"}, "xlsx": {"files"}, "spark": {"spark"},
    "contest": {"web", "contest"}, "postgres": {"contest"},
}  # fmt: skip
# Loaded by polars for a workbook, by pyspark before mapInArrow, by SQLAlchemy for an address that says so.
UNSEEN = {"fastexcel", "pandas", "psycopg"}
APART = {"spark", "postgres"}  # too large, or in need of a server, for whoever asks for everything
OURS = "kakurenbo"  # an extra may bring another one along


def normal(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def declared(lines):
    return {normal(re.match(r"[A-Za-z0-9_.-]+", line)[0]) for line in lines} - {OURS}


@pytest.fixture(scope="module")
def project(root):
    return tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]


@pytest.fixture(scope="module")
def imported(modules):
    """Every distribution that is imported, with the packages of ours that do."""
    owners, found = packages_distributions(), {}
    for module in modules:
        for top in {name.split(".")[0] for name in module.imported()} - {OURS} - sys.stdlib_module_names:
            unknown = top if top in EXTRAS["spark"] else f"{top} is not installed"
            (owner,) = {normal(owner) for owner in owners.get(top, [unknown])}
            found.setdefault(owner, set()).add(module.part)
    return found


def test_every_import_is_declared_where_it_belongs(project, imported):
    core = declared(project["dependencies"])
    optional = {name: declared(project["optional-dependencies"][name]) for name in EXTRAS}
    assert len(imported) > 10, "the rule was applied to real imports"
    for distribution, parts in imported.items():
        extras = [name for name, inside in optional.items() if distribution in inside]
        if distribution in core:
            assert not extras, f"{distribution} is in the core already"
        else:
            assert len(extras) == 1, f"{distribution} is imported and not declared"
            assert parts <= HOMES[extras[0]], f"{distribution} belongs to the extra {extras[0]}"


def test_nothing_is_declared_that_nobody_imports(project, imported):
    everything = declared(project["dependencies"]).union(
        *(declared(project["optional-dependencies"][name]) for name in EXTRAS)
    )
    assert everything - set(imported) == UNSEEN


def test_the_extras_are_those_the_program_asks_for(project):
    optional, owners = project["optional-dependencies"], packages_distributions()
    assert set(EXTRAS) == set(HOMES) == set(optional) - {"all", "dev", "bench"}
    assert optional["all"] == [f"kakurenbo[{','.join(name for name in EXTRAS if name not in APART)}]"]
    assert "kakurenbo[all]" in optional["dev"]
    brought = {extra: [line for line in optional[extra] if line.startswith(OURS)] for extra in EXTRAS}
    assert {extra: lines for extra, lines in brought.items() if lines} == {"contest": ["kakurenbo[report]"]}
    for extra, modules in EXTRAS.items():
        assert {normal(owners.get(module, [module])[0]) for module in modules} == declared(optional[extra])


CORE_ONLY = """
import sys

MISSING = {missing!r}


class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in MISSING:
            raise ModuleNotFoundError(name)


sys.meta_path.insert(0, Missing())
from kakurenbo.cli.main import run

for line in sys.stdin.read().splitlines():
    print(f"== {{run(line.split())}}", flush=True)
"""
ROLES = "--customer customer --goods goods"
WORKS = [
    f"profile shop.csv {ROLES}",
    f"deidentify balanced shop.csv {ROLES} --clusters 2 --min-size 4 --out new --secret secret.csv",
    f"attack jaccard shop.csv new {ROLES} --out guess.csv",
    "score --secret secret.csv --guess guess.csv",
    f"measure delta-m shop.csv new {ROLES}",
    f"audit shop.csv new {ROLES} --secret secret.csv --max-risk 1 --trust-pairing --report audit.json",
    "demo --customers 20 --shop-only --out made",
    "methods",
    "contest judge rules.toml --original original --submission submitted",
]
ASKS = {
    f"audit shop.csv new {ROLES} --secret secret.csv --report a.html": "report",
    f"audit shop.csv new {ROLES} --secret secret.csv --report folder": "report",
    f"excess shop.csv {ROLES} --plot e.svg": "report",
    "reproduce 001 --out papers": "report",
    f"tune nowhere.csv {ROLES}": "tune",
    "demo": "tune,report",
    f"profile book.xlsx {ROLES}": "xlsx",
    "contest new cup --rules custom": "contest,report",
    "contest play cup": "contest,report",
    "contest serve cup": "contest,report",
    "contest worker cup": "contest,report",
    "contest organiser cup somebody": "contest,report",
}
RULES = """
title = "Judged without a server"
format = "purchases"
[[hide.measures]]
name = "popularity"
[[hide.attacks]]
name = "jaccard"
"""


def contest(folder, rows):
    """Write rules, an original and a submission."""
    (folder / "rules.toml").write_text(RULES)
    for name, prefix in {"original": "c", "submitted": "x"}.items():
        (folder / name).mkdir()
        (folder / name / "T.csv").write_text(f"customer,goods\n{rows.replace('c', prefix)}")
    pairs = "".join(f"x{i},c{i}\n" for i in range(9))
    (folder / "submitted" / "P.csv").write_text(f"released,original\n{pairs}")


@pytest.fixture(scope="module")
def core_only(tmp_path_factory):
    """Return what the commands printed in a process that finds nothing of the extras, and its folder."""
    folder = tmp_path_factory.mktemp("core")
    rows = "".join(f"c{i % 9},g{i % 7}\n" for i in range(40))
    (folder / "shop.csv").write_text(f"customer,goods\n{rows}")
    (folder / "book.xlsx").write_bytes(b"PK\3\4")
    contest(folder, rows)
    script = CORE_ONLY.format(missing=sorted({module for modules in EXTRAS.values() for module in modules}))
    done = subprocess.run(
        [sys.executable, "-c", script], input="\n".join([*WORKS, *ASKS]), cwd=folder, text=True,
        capture_output=True, check=True, env={"PYTHONPATH": str(Path(kb.__file__).parent.parent)},
    )  # fmt: skip
    codes = [int(line[3:]) for line in done.stdout.splitlines() if line.startswith("== ")]
    return dict(zip([*WORKS, *ASKS], codes, strict=True)), done.stderr.splitlines(), folder


def test_the_core_hides_seeks_and_judges_by_itself(core_only):
    codes, _, folder = core_only
    assert {line: codes[line] for line in WORKS} == dict.fromkeys(WORKS, 0)
    assert (folder / "audit.json").exists()


def test_what_is_missing_is_named_before_any_work(core_only):
    codes, said, folder = core_only
    assert "extra" in CODES
    assert {line: codes[line] for line in ASKS} == dict.fromkeys(ASKS, 2)
    assert len(said) == len(ASKS)
    for extra, sentence in zip(ASKS.values(), said, strict=True):
        assert "asks for more than the core" in sentence
        assert sentence.endswith(f": pip install 'kakurenbo[{extra}]'. [extra]")
    made = {"shop.csv", "book.xlsx", "new", "secret.csv", "guess.csv", "audit.json", "made", "rules.toml",
            "original", "submitted"}  # fmt: skip
    assert {path.name for path in folder.iterdir()} == made
