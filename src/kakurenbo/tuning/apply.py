"""From the plan to the release: draw it afresh, attack that very release, and hand it out only if it holds.

The search measured other draws of the same plan. What is written must be measured itself: a few fresh draws
are made, and the first whose own worst risk is within the limit is taken.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

from kakurenbo.progress import Progress
from kakurenbo.tuning.trials import Laboratory, draw, made

if TYPE_CHECKING:
    from kakurenbo.data.release import Release
    from kakurenbo.data.table import Table
    from kakurenbo.tuning.results import Tuned

DRAWS = 5
_FAR = 2**31


@dataclass(frozen=True, eq=False)
class Applied:
    """What became of the plan.

    Attributes:
        release: the release that holds the limit, or None where no draw did.
        risk: the worst measured risk of the release, or the least of all draws.
        attacker: who found that share.
        loss: the mean utility loss of the release, or of the draw of least risk.
        draws: how many releases were drawn.
        max_risk: the limit.
        reproducible: whether a seed was given: then it is not for release.
    """

    release: Release[Any] | None
    risk: float
    attacker: str
    loss: float
    draws: int
    max_risk: float
    reproducible: bool

    def words(self) -> str:
        """Return what happened in a sentence or two."""
        if self.release is None:
            return (
                f"Nothing was written: in {self.draws} draws of the plan the worst attacker found at least "
                f"{self.risk:.2%}, above the limit of {self.max_risk:.2%}. Lower max_risk a little and "
                "search again."
            )
        said = (
            f"Written: in this very release the worst attacker ({self.attacker}) finds {self.risk:.2%}, and "
            f"the loss is {self.loss:.3f}."
        )
        if self.reproducible:
            said += " Reproducible: not for release. Who knows the seed can undo the pseudonyms."
        return said

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        return {
            "written": self.release is not None, "risk": self.risk, "attacker": self.attacker,
            "loss": self.loss, "draws": self.draws, "reproducible": self.reproducible,
        }  # fmt: skip


def apply(
    result: Tuned, data: Table, *, seed: int | None = None, progress: Progress | None = None
) -> Applied:
    """Draw releases of the plan found until one holds the limit, five at most.

    Args:
        result: of the search; it must have found a plan.
        data: the table that was searched for.
        seed: makes the draws repeatable, and therefore unfit for release.
        progress: shows the draws, and stops between them.
    """
    if result.chosen is None:
        raise AssertionError("a plan was found")
    progress = progress or Progress()
    laboratory = Laboratory.of(data, result.knowledge)
    best: Applied | None = None
    for number in range(DRAWS):
        progress.step(f"making the release: draw {number + 1} of at most {DRAWS}", number / DRAWS)
        drawn = None if seed is None else draw(seed, _FAR + number)  # apart from the draws of the search
        release = made(result.chosen.plan, data, drawn)
        found = laboratory.judge(release, seed=number)
        holds = found.risk <= result.max_risk
        one = Applied(
            release if holds else None, found.risk, found.attacker, found.loss, number + 1, result.max_risk,
            reproducible=seed is not None,
        )  # fmt: skip
        best = one if best is None or one.risk < best.risk else replace(best, draws=number + 1)
        if holds:
            return one
    return cast("Applied", best)
