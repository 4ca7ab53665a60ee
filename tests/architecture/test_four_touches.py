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

CONTRACT = (
    "test_methods.py::test_the_pairing_gives_every_name_a_person_and_a_person_one_name_unless_names_change[thin]",
    "test_methods.py::test_the_order_of_the_input_changes_nothing[thin]",
    "test_attacks.py::test_names_and_order_of_either_side_change_no_rate[days]",
    "test_attacks.py::test_unrelated_noise_gives_chance[days]",
)


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
        shutil.copytree(root / part, place / part, ignore=shutil.ignore_patterns("__pycache__", "kernels"))
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


@pytest.fixture(scope="module")
def run(scratch):
    """Run Python in the scratch copy."""

    def run(*words, codes=(0,)):
        path = os.pathsep.join([str(scratch / "src"), str(scratch / "tests")])
        done = subprocess.run(
            [sys.executable, *words], cwd=scratch, capture_output=True, text=True, check=False,
            env={**os.environ, "PYTHONPATH": path, "HYPOTHESIS_PROFILE": "ci"},
        )  # fmt: skip
        assert done.returncode in codes, done.stdout[-2000:] + done.stderr[-2000:]
        return done.stdout

    return run


@pytest.fixture(scope="module")
def command(run):
    """Run one command of the scratch copy's command line and return its JSON."""

    def command(*words, codes=(0,)):
        call = f"from kakurenbo.cli.main import run; raise SystemExit(run({[*map(str, words), '--json']!r}))"
        return json.loads(run("-c", call, codes=codes))

    return command


@pytest.fixture(scope="module")
def shop(command, scratch):
    place = scratch / "shop"
    command("demo", "--shop-only", "--customers", "25", "--seed", "1", "--out", place)
    roles = ("customer", "goods", "receipt", "time", "price", "quantity")
    (place / "kakurenbo.toml").write_text("".join(f'{role} = "{role}"\n' for role in roles))
    command(
        "deidentify", "thin", place, "--share", "0.9", "--out", scratch / "released",
        "--secret", scratch / "secret.csv", "--seed", "1",
    )  # fmt: skip
    return place


def test_both_are_listed_and_documented(command, run):
    named = {(entry["family"], entry["name"]) for entry in command("methods")}
    assert {("method", "thin"), ("attack", "days")} <= named
    page = run(
        "-c", "import sys; sys.path.insert(0, 'tools'); import make_docs; print(make_docs.catalogue_page())"
    )
    assert "## thin (method, purchases)" in page
    assert "## days (attack, purchases)" in page


def test_the_contract_tests_cover_both(run):
    said = run("-m", "pytest", "-q", "-p", "no:xdist", *(f"tests/contract/{test}" for test in CONTRACT))
    assert said.strip().splitlines()[-1].startswith("." * len(CONTRACT))


def test_the_attack_is_run_and_proved_in_an_audit(command, shop, scratch):
    audit = command(
        "audit", shop, scratch / "released", "--secret", scratch / "secret.csv", "--seed", "1", codes=(0, 1)
    )
    (days,) = [attack for attack in audit["attacks"] if attack["attack"] == "days"]
    assert (days["knowledge"], days["proven"]) == ("totals", True)
    (proof,) = [attacker for attacker in audit["proof"]["attackers"] if attacker["attack"] == "days"]
    assert proof["holds"]
    assert proof["copy"] >= 0.9 * proof["attainable"] > 0
    assert audit["proof"]["holds"]


def test_the_method_is_tried_by_the_tuner(command, shop):
    tuned = command(
        "tune", shop, "--knowledge", "order", "--trials", "20", "--jobs", "1", "--seed", "1", codes=(0, 1)
    )
    tried = {step["method"] for trial in tuned["trials"] for step in trial["plan"]["steps"]}
    assert "thin" in tried
