"""Searches made by hand, one of every sort a report must tell: no numbers of any real search."""

from __future__ import annotations

import dataclasses
import math

from kakurenbo.plan import Plan, Step
from kakurenbo.provenance import Provenance
from kakurenbo.tuning.results import PAPER, SEARCH, START, Outcome, Theory, Trial, Tuned

THEORY = Theory(14, 23, 1 / 73_648, tuple((c, (60 - c) / 60, c / 60) for c in range(1, 61)))


def trial(number: int, method: str, risk: float, loss: float, **parameters: object) -> Trial:
    facts = {"clusters": 6 + number, "dummies": 9_000 - 500 * number} if method != "pseudonymize" else {}
    steps = (Step(method, parameters),) if facts else ()
    return Trial(
        number, PAPER if number == 0 else SEARCH, {"groups": method if facts else "nothing"},
        Plan("purchases", steps),
        Outcome(
            risk, "rows, assignment", loss, risk / 3, "evidence, 2 records", 1.0,
            {"goods": risk / 2, "full records": risk},
            {"delta-m": (8_000 - number, loss), "u3-rfm": (loss / 3, loss / 3)}, facts, seconds=0.5,
        ),
        1.5 * number,
    )  # fmt: skip


def failed(number: int) -> Trial:
    outcome = Outcome(math.inf, "", math.inf, math.inf, failed="Compact: it cannot be.")
    plan = Plan("purchases", (Step("compact", {"min_size": 30}),))
    return Trial(number, START, {"groups": "compact"}, plan, outcome, 9.0)


def purchases() -> Tuned:
    """Return a search that found a plan beside the papers'."""
    paper = trial(0, "balanced", 0.19, 0.46, clusters=12, min_size=5)
    best = trial(2, "compact", 0.18, 0.41, min_size=6)
    trials = (paper, trial(1, "pseudonymize", 1.0, 0.0), best, trial(3, "deal", 0.3, 0.2), failed(4))
    checked = dataclasses.replace(best, outcome=dataclasses.replace(best.outcome, risk=0.2, loss=0.42))
    return Tuned(
        kind="purchases", people=60, trials=trials, finalists=(paper, checked), max_risk=0.2,
        max_learnt=0.2, knowledge=None, rungs=("goods", "full records"), seed=5, resumed=2, theory=THEORY,
        seconds=23.4,
        provenance=Provenance(fingerprints={"data": 64 * "0"}, versions={"kakurenbo": "0"}),
    )  # fmt: skip


def strict() -> Tuned:
    """Return the same under a limit that no plan keeps."""
    return dataclasses.replace(purchases(), max_risk=0.01, knowledge="goods")


def microdata() -> Tuned:
    """Return a search for which theory and the papers have no advice."""
    whole = purchases()
    trials = tuple(
        dataclasses.replace(one, origin=SEARCH, plan=dataclasses.replace(one.plan, kind="microdata"))
        for one in whole.trials
    )
    return dataclasses.replace(
        whole, kind="microdata", trials=trials, finalists=trials[2:3], theory=None, resumed=0
    )


def nothing() -> Tuned:
    """Return a search in which no plan could be carried out."""
    return dataclasses.replace(purchases(), trials=(failed(0),), finalists=(), theory=None)


ALL = {"purchases": purchases, "strict": strict, "microdata": microdata, "nothing": nothing}
