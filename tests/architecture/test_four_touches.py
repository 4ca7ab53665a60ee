"""Adding a method and an attack by the four touches of CONTRIBUTING, in a scratch copy of the package.

One source file, one test file, one line in the list, one line in the changelog: what is added so must then be
offered, documented, covered by the contract tests, run and proved in an audit, and tried by the tuner.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import textwrap

import pytest

from kakurenbo.cli.main import run as main


def shown(page):
    """The source files that CONTRIBUTING shows, without the lines that try them out."""
    for block in re.findall(r"^   ```python\n(.*?)^   ```$", page, flags=re.MULTILINE | re.DOTALL):
        source = textwrap.dedent(block).partition("\n\n\nshop = ")[0]
        yield source.replace("import kakurenbo as kb\n", "") + "\n"


@pytest.fixture(scope="module")
def scratch(root, tmp_path_factory):
    """A copy of the project with the four touches of a method and of an attack, as CONTRIBUTING has them."""
    place = tmp_path_factory.mktemp("scratch")
    for part in ("src", "tests", "tools"):
        shutil.copytree(root / part, place / part, ignore=shutil.ignore_patterns("kernels"))
    package = place / "src" / "kakurenbo"
    (package / "kernels").symlink_to(root / "src" / "kakurenbo" / "kernels")  # compiled once for both
    for name in ("pyproject.toml", "CHANGELOG.md"):
        shutil.copy(root / name, place)
    method, attack = shown((root / "CONTRIBUTING.md").read_text(encoding="utf-8"))
    added = {
        package / "deidentify/purchases/thin.py": method,
        package / "attacks/purchases/days.py": attack,
        place / "tests/deidentify/test_thin.py": "",
        place / "tests/attacks/test_days.py": "",
    }
    for path, content in added.items():
        path.write_text(content, encoding="utf-8")
    lines = {
        package / "methods.py": "from kakurenbo.deidentify.purchases.thin import Thin as Thin",
        package / "attacks/__init__.py": "from kakurenbo.attacks.purchases.days import DaysAttack",
        place / "CHANGELOG.md": "- `thin` and `days`, made up.",
    }
    for path, line in lines.items():
        path.write_text(path.read_text(encoding="utf-8") + f"{line}\n", encoding="utf-8")
    return place


# One process for all of it loads the copy once. An imagined laboratory tells which plans a search tries
# without an attack on any of them.
SCRIPT = """
import contextlib, io, json, sys

import pytest


class OfTheTwo:
    def __init__(self):
        self.ran = {}

    def pytest_collection_modifyitems(self, items):
        items[:] = [item for item in items if self.named(item) and not item.get_closest_marker("campaign")]

    def named(self, item):
        entry = item.callspec.params.get("entry") if hasattr(item, "callspec") else None
        return entry is not None and entry.name in {"thin", "days"}

    def pytest_runtest_logreport(self, report):
        if report.when == "call" or not report.passed:
            self.ran[report.nodeid] = report.outcome


def contract():
    chosen = OfTheTwo()
    files = [f"tests/contract/test_{family}.py" for family in ("methods", "attacks")]
    with contextlib.redirect_stdout(sys.stderr):
        code = pytest.main(["-p", "no:xdist", *files], plugins=[chosen])
    print(json.dumps(chosen.ran))
    return code


def page():
    import make_docs

    print(make_docs.catalogue_page())
    return 0


def command(words):
    from kakurenbo.cli.main import run

    return run([*words, "--json"])


def search(words):
    from searches import imagined

    with imagined():
        return command(words)


told = []
for line in sys.argv[1:]:
    first, *words = line.split()
    with contextlib.redirect_stdout(io.StringIO()) as out:
        code = {"contract": contract, "page": page}[first]() if not words else (
            {"kakurenbo": command, "imagined": search}[first](words)
        )
    told.append((int(code), out.getvalue()))
print(json.dumps(told))
"""
HIDE = "kakurenbo deidentify thin shop --share 0.9 --out released --secret secret.csv --seed 1"
AUDIT = "kakurenbo audit shop released --secret secret.csv --seed 1"
TUNE = "tune shop --knowledge order --trials 20 --jobs 1 --seed 1"
LINES = ("contract", "page", "kakurenbo methods", HIDE, AUDIT, f"imagined {TUNE}")


@pytest.fixture(scope="module")
def run(scratch):
    """Run lines in the scratch copy; return the exit code of each and what it said."""
    place = scratch / "shop"
    assert main(["demo", "--shop-only", "--customers", "25", "--seed", "1", "--out", str(place), "-q"]) == 0
    roles = ("customer", "goods", "receipt", "time", "price", "quantity")
    (place / "kakurenbo.toml").write_text("".join(f'{role} = "{role}"\n' for role in roles))

    def run(*lines):
        folders = os.pathsep.join(str(scratch / part) for part in ("src", "tests", "tools"))
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT, *lines], cwd=scratch, capture_output=True, text=True, check=False,
            env={**os.environ, "PYTHONPATH": folders, "HYPOTHESIS_PROFILE": "ci"},
        )  # fmt: skip
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
        return dict(zip(lines, json.loads(done.stdout), strict=True))

    return run


@pytest.fixture(scope="module")
def told(run):
    return run(*LINES)


def answer(one, codes=(0,)):
    code, said = one
    assert code in codes, said
    return json.loads(said)


def test_both_are_listed_and_documented(told):
    named = {(entry["family"], entry["name"]) for entry in answer(told["kakurenbo methods"])}
    assert {("method", "thin"), ("attack", "days")} <= named
    _, page = told["page"]
    assert "## thin (method, purchases)" in page
    assert "## days (attack, purchases)" in page


def test_the_contract_tests_cover_both(told):
    ran = answer(told["contract"])
    for name in ("thin", "days"):
        assert sum(bool(re.search(rf"\b{name}\b", test)) for test in ran) >= 3
    assert set(ran.values()) == {"passed"}


def test_the_attack_is_run_and_proved_in_an_audit(told):
    answer(told[HIDE])
    audit = answer(told[AUDIT], codes=(0, 1))
    (days,) = [attack for attack in audit["attacks"] if attack["attack"] == "days"]
    assert (days["knowledge"], days["proven"]) == ("totals", True)
    (proof,) = [attacker for attacker in audit["proof"]["attackers"] if attacker["attack"] == "days"]
    assert proof["holds"]
    assert proof["copy"] >= 0.9 * proof["attainable"] > 0
    assert audit["proof"]["holds"]


def tried(tuned):
    return {step["method"] for trial in tuned["trials"] for step in trial["plan"]["steps"]}


def test_the_method_is_tried_by_the_tuner(told):
    assert "thin" in tried(answer(told[f"imagined {TUNE}"], codes=(0, 1)))


@pytest.mark.campaign
def test_the_method_is_tried_and_attacked_by_the_tuner(run):
    assert "thin" in tried(answer(run(f"kakurenbo {TUNE}")[f"kakurenbo {TUNE}"], codes=(0, 1)))
