"""What a worker does with a submission: open it, unpack it, let the judge judge it.

What is wrong with the file itself, such as a zip that holds too much, is a fault of the submission, told to
its team; whatever else goes wrong is a fault of the server, and the job is tried again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kakurenbo.contest import submissions
from kakurenbo.contest.disclosure import blank_seed
from kakurenbo.contest.judging.records import Fault, Judged
from kakurenbo.contest.records import Outcome
from kakurenbo.contest.uploads import UploadError
from kakurenbo.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kakurenbo.contest.contest import Contest
    from kakurenbo.contest.records import Lease, SubmissionView


def examine(contest: Contest, lease: Lease) -> Outcome:
    """Judge what a lease is about."""
    view = submissions.one(contest, lease.submission)
    if view is None:
        raise ParameterError("There is no such submission.", code="contest")
    try:
        files = submissions.files_of(contest, view.id)
    except UploadError as error:
        fault = Fault(view.filename, None, None, error.message, error.code)
        return Outcome(Judged(faults=(fault,)))
    return _release(contest, view, files) if view.kind == "release" else _guess(contest, view, files)


def seed_of(contest: Contest, release: str) -> int:
    """Return the chance of a release: the same for judging it, publishing it and judging guesses about it."""
    return contest.vault.seed(f"release {release}")


def _release(contest: Contest, view: SubmissionView, files: Mapping[str, bytes]) -> Outcome:
    from kakurenbo.contest.judging.judge import judge  # noqa: PLC0415 - loads the measures

    return Outcome(judge(contest.rules, contest.data, files, seed=seed_of(contest, view.id)))


def _guess(contest: Contest, view: SubmissionView, guess: Mapping[str, bytes]) -> Outcome:
    from kakurenbo.contest.judging.judge import hits, judge  # noqa: PLC0415 - loads the measures

    assert view.release is not None  # noqa: S101 - a guess is about a release, the intake says
    release, seed = submissions.files_of(contest, view.release), seed_of(contest, view.release)
    judged = judge(contest.rules, contest.data, release, guess, seed=seed)
    if not judged.valid:
        return Outcome(judged)
    blanks = blank_seed(contest.vault, view.digest)  # of this guess alone, so that blanks of two never cancel
    return Outcome(judged, tuple(hits(contest.rules, contest.data, release, guess, seed=blanks)))
