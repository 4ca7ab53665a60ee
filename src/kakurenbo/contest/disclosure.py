"""What a team may be told of a submission now: that it arrived and is valid, never enough to be led by it.

A score that is told at once is an oracle: whoever changes one name and sees whether it rises needs no attack.
So by default a guess is told to be valid and nothing else, and its team sees the same whatever it is worth.
Rules may tell more:

| `seek.tells` | what a team is told of a guess | what bounds the leak |
|---|---|---|
| `nothing` | that it is valid | there is none |
| `ladder` | the best score so far, when it rose by a step (Blum & Hardt 2015) | each step is told once |
| `rounded` | its score, rounded | only the quota of tries: every guess is answered |

Both are measured on a share of the people whom nobody knows (`lookalikes`). Blanks of a guess are filled by
chance that comes from the contest's key and the guess itself (`blank_seed`): two guesses that differ in one
name differ in all their blanks too. What bots still gain is measured by `bench/oracle.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from kakurenbo.contest import results, standing, submissions
from kakurenbo.contest.judging.scoring import mean
from kakurenbo.contest.lookalikes import chosen, labels_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from kakurenbo.contest.contest import Contest
    from kakurenbo.contest.records import SubmissionView
    from kakurenbo.contest.rules import Seek
    from kakurenbo.contest.vault import Vault

_TINY: Final = 1e-9
_PARTS: Final = ("utility", "attacks", "learnt", "score")


def stepped(best: float, score: float, step: float) -> float:
    """Return the best told score after another one: the Ladder.

    It stays as it is until a score beats it by the step; then it is that score, rounded to whole steps.

    Args:
        best: what was told so far, 0 at first.
        score: of the new guess.
        step: 0 tells every rise.
    """
    if step <= 0.0:
        return max(best, score)
    if score < best + step - _TINY:
        return best
    return round(round(score / step) * step, 9)


def ladder(scores: Iterable[float], step: float) -> list[float]:
    """Return what is told after each of some scores."""
    told, best = [], 0.0
    for score in scores:
        best = stepped(best, score, step)
        told.append(best)
    return told


def tellable(seek: Seek, scores: Sequence[float]) -> float | None:
    """Return what is told of the last of some guesses about a release, given their scores in order."""
    if seek.tells == "ladder":
        return ladder(scores, seek.step)[-1]
    if seek.tells == "rounded":
        return round(scores[-1], seek.decimals)
    return None


def score_on(hits: Sequence[float] | NDArray[np.float64], share: NDArray[np.bool_]) -> float:
    """Return the score of a guess on a share of the people."""
    return mean(np.asarray(hits, dtype=np.float64)[share].tolist())


def blank_seed(vault: Vault, digest: str) -> int:
    """Return the chance that fills the blanks of a guess: the same for the same file, another for any other.

    Args:
        vault: whose key nobody knows.
        digest: of the file.
    """
    return vault.seed(f"blanks {digest}")


def told(contest: Contest, submission: SubmissionView | str) -> dict[str, Any] | None:
    """Return what its team may be told of a submission now, None where that is nothing.

    What is returned has `tells`: `everything` with all that the judge said, or `ladder` or `rounded` with a
    `score`. Where the rules tell nothing, no result is even read.
    """
    view = submissions.one(contest, submission) if isinstance(submission, str) else submission
    if view is None or view.state != "done" or not view.valid:
        return None
    if _is_open(contest, view):
        document = results.of(contest, view)
        return (
            None if document is None else {"tells": "everything", **{part: document[part] for part in _PARTS}}
        )
    if view.kind == "release" or contest.rules.seek.tells == "nothing":
        return None
    return _guess(contest, view)


def _is_open(contest: Contest, view: SubmissionView) -> bool:
    """Return whether all may be told: in practice, of what a live board shows, and after the end."""
    if view.phase == "practice" or (view.kind == "release" and contest.rules.scoring.board == "live"):
        return True
    return standing.has_ended(contest)


def _guess(contest: Contest, view: SubmissionView) -> dict[str, Any] | None:
    """Return the step or the rounded score.

    There is none until all earlier guesses of the team about this release are judged: otherwise the order in
    which workers end would decide what the ladder tells.
    """
    seek = contest.rules.seek
    series = _until(contest, view)
    if any(one.state in {"waiting", "judging"} for one in series):
        return None
    share = _share(contest, view)
    judged = [results.hits(contest, one) for one in series if one.valid]
    score = tellable(seek, [score_on(hits, share) for hits in judged if hits is not None] or [0.0])
    bound = {"step": seek.step} if seek.tells == "ladder" else {"decimals": seek.decimals}
    return {"tells": seek.tells, "score": score, **bound, "share": seek.share}


def _until(contest: Contest, view: SubmissionView) -> list[SubmissionView]:
    """Return the guesses that decide: for steps also the team's earlier ones about the release."""
    if contest.rules.seek.tells != "ladder":
        return [view]
    mine = [one for one in reversed(submissions.mine(contest, view.team)) if one.release == view.release]
    return mine[: [one.id for one in mine].index(view.id) + 1]


def _share(contest: Contest, view: SubmissionView) -> NDArray[np.bool_]:
    labels = labels_of(contest.rules, contest.data, contest.vault.seed("look-alikes"))
    return chosen(labels, contest.rules.seek.share, contest.vault.seed(f"share {view.release}"))
