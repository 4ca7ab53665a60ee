"""What of a search must not depend on time, processes or interruptions, and searches without any attack."""

import random
from contextlib import contextmanager
from dataclasses import replace

import pytest

from kakurenbo.tuning import draws, search
from kakurenbo.tuning.laboratory import Laboratory
from kakurenbo.tuning.results import Outcome


def told(result):
    """Everything that must not depend on time, processes or interruptions."""
    return [
        (one.number, one.origin, one.plan, dict(one.values), replace(one.outcome, seconds=0))
        for one in (*result.trials, *result.finalists)
    ]


class Imagined(Laboratory):
    """Judges a plan by what is written in it and by the seed, as theory would: groups of k are found 1 in k.

    For what of a search is not about releases: which plans it tries and draws afresh, with which seeds, in
    how many processes, what it remembers, and whom it advises.
    """

    def measure(self, task):
        return self._imagine(task.plan, task.seed)

    def judge(self, release, seed, *, control=False):
        return self._imagine(release.provenance.plan, seed)

    def _imagine(self, plan, seed):
        luck = random.Random(f"{plan} {seed}")
        size = max((step.parameters.get("min_size", 1) for step in plan.steps), default=1)
        risk = min(luck.uniform(0.95, 1.05) / size, 1.0)
        loss = 1 - 1 / size + 0.01 * len(plan.steps)
        measures = {name: (loss * luck.uniform(0.9, 1.0), loss) for name in self.aim.measures}
        facts = {"clusters": 60 // size, "dummies": 100 * size} if size > 1 else {}
        rungs = {"goods": risk}
        return Outcome(risk, "jaccard", loss, risk / 2, "evidence", self.scale, rungs, measures, facts)


class Wary(Imagined):
    """Takes plans for half as good, so that those it advises hold when their releases are attacked."""

    def measure(self, task):
        found = super().measure(task)
        return replace(found, risk=min(2 * found.risk, 1.0))


@contextmanager
def imagined(laboratory=Imagined, *, handed_out=True):
    """Let plans of a search be judged so, and the releases of the one that is advised."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (search, draws) if handed_out else (search,):
            patch.setattr(module, "Laboratory", laboratory)
        yield
