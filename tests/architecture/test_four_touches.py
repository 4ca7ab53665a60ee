"""Adding a method and an attack by the four touches of CONTRIBUTING, in a scratch copy of the package.

One source file, one test file, one line in the list, one line in the changelog: what is added so must then be
offered, documented, covered by the contract tests, run and proved in an audit, and tried by the tuner.
"""

import json
import os
import shutil
import subprocess
import sys

import pytest

METHOD = '''
"""Thin: keep a random share of the records."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import polars as pl
from pydantic import Field

from kakurenbo.about import Knob, MethodAbout
from kakurenbo.data.purchases import Purchases, turns
from kakurenbo.data.release import Facts
from kakurenbo.deidentify.base import Changed, Method

if TYPE_CHECKING:
    from kakurenbo.chance import Chance


class Thin(Method[Purchases]):
    """Keep a random share of everybody's records: what is gone cannot give anybody away."""

    about: ClassVar = MethodAbout(
        name="thin", kind="purchases", source="made up", slot="records", knobs=(Knob("share", low=0.5),),
        example={"share": 0.9},
    )

    share: float = Field(gt=0, le=1, description="share of the records to keep")

    def change(self, data: Purchases, chance: Chance) -> Changed[Purchases]:
        """Return the records that are kept, and one at least of everybody's."""
        records = data.by_content()
        drawn, turn = chance.uniform("thin", records["customer"], turns(records)), turns(records)
        kept = records.filter(pl.Series((drawn < self.share) | (turn == 0)))
        facts = Facts(deleted=records.height - kept.height)
        return Changed(data.with_records(kept, master=data.master), facts)
'''

ATTACK = '''
"""Days: who bought on as many different days, and as many different goods?"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np
import polars as pl

from kakurenbo.about import AttackAbout, Stand
from kakurenbo.attacks.base import Values
from kakurenbo.attacks.purchases.base import PurchasesAttack
from kakurenbo.data.guess import Guess

if TYPE_CHECKING:
    from kakurenbo.attacks.base import Tables
    from kakurenbo.chance import Chance
    from kakurenbo.data.purchases import Purchases


class DaysAttack(PurchasesAttack):
    """Knows on how many days everybody came, how much was spent, and names whoever did exactly the same."""

    about: ClassVar = AttackAbout(
        name="days", kind="purchases", source="made up", promises=("finds-copies",), needs=("time", "price"),
        stands=(Stand(rung="totals", story="Names who came on as many days and spent as much"),),
    )

    def compares(self, data: Purchases) -> Values:
        """Return days and spending."""
        spent = (pl.col("price") * pl.col("quantity")).sort().sum().round_sig_figs(9)
        return Values((pl.col("time").dt.date().n_unique(), spent.alias("spent")))

    def answer(self, seen: Tables[Purchases], chance: Chance) -> Guess:
        """Name anybody with the same numbers."""
        known, released = self.known(seen), seen.released
        mine, theirs = (data.summarised(self.compares(data).of).rows() for data in (known, released))
        rows = [[i for i, row in enumerate(mine) if row == other] for other in theirs]
        indptr = np.concatenate([[0], np.cumsum([len(row) for row in rows])]).astype(np.int64)
        indices = np.array([i for row in rows for i in row], dtype=np.int64)
        return Guess.drawn(released.customers, known.customers, indptr, indices, chance)
'''


@pytest.fixture(scope="module")
def scratch(root, tmp_path_factory):
    """A copy of the project with the four touches of a method and of an attack."""
    place = tmp_path_factory.mktemp("scratch")
    for part in ("src", "tests", "tools"):
        shutil.copytree(root / part, place / part, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(root / "pyproject.toml", place)
    package = place / "src" / "kakurenbo"
    (package / "deidentify" / "purchases" / "thin.py").write_text(METHOD.lstrip())
    (package / "attacks" / "purchases" / "days.py").write_text(ATTACK.lstrip())
    with (package / "methods.py").open("a") as lines:
        lines.write("from kakurenbo.deidentify.purchases.thin import Thin as Thin\n")
    with (package / "attacks" / "__init__.py").open("a") as lines:
        lines.write("from kakurenbo.attacks.purchases.days import DaysAttack as DaysAttack\n")
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
    command("demo", "--shop-only", "--customers", "25", "--seed", "1", "--out", scratch / "shop")
    command("deidentify", "thin", scratch / "shop", "--share", "0.9", "--out", scratch / "released",
            "--secret", scratch / "secret.csv", "--seed", "1")  # fmt: skip
    return scratch / "shop"


def test_both_are_listed_and_documented(command, run):
    named = {(entry["family"], entry["name"]) for entry in command("methods")}
    assert {("method", "thin"), ("attack", "days")} <= named
    page = run(
        "-c", "import sys; sys.path.insert(0, 'tools'); import make_docs; print(make_docs.catalogue_page())"
    )
    assert "## thin (method, purchases)" in page
    assert "## days (attack, purchases)" in page


def test_the_contract_tests_cover_both(run):
    said = run(
        "-m", "pytest", "tests/contract", "-q", "-k", "thin or days", "-p", "no:xdist", "--no-header", "-rA"
    )
    for wanted in ("bijection_onto_people_of_the_original[thin]", "order_of_the_input_changes_nothing[thin]",
                   "a_copy_gives_everybody_away[days]", "unrelated_noise_gives_chance[days]"):  # fmt: skip
        assert f"{wanted}\n" in said.replace(" ", "\n"), wanted


def test_the_attack_is_run_and_proved_in_an_audit(command, shop, scratch):
    audit = command(
        "audit", shop, scratch / "released", "--secret", scratch / "secret.csv", "--seed", "1", codes=(0, 1)
    )
    (days,) = [attack for attack in audit["attacks"] if attack["attack"] == "days"]
    assert (days["knowledge"], days["proven"]) == ("totals", True)
    (proof,) = [attacker for attacker in audit["proof"]["attackers"] if attacker["attack"] == "days"]
    assert proof["holds"]
    assert proof["copy"] >= 0.9 * proof["attainable"] > 0.8
    assert audit["proof"]["holds"]


def test_the_method_is_tried_by_the_tuner(command, shop):
    tuned = command(
        "tune", shop, "--knowledge", "order", "--trials", "40", "--jobs", "1", "--seed", "1", codes=(0, 1)
    )
    tried = {step["method"] for trial in tuned["trials"] for step in trial["plan"]["steps"]}
    assert "thin" in tried
