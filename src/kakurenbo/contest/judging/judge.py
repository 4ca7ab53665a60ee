"""The judge: what a submission is worth under the rules of a contest, with or without a server.

Every fault is told before any number is computed, and a submission with faults gets none. What a release is
worth does not depend on who guesses at it, so it is judged once and remembered: when every team seeks in
the release of every other, a guess costs no more than reading it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kakurenbo.contest.judging.chosen import digest
from kakurenbo.contest.judging.formats import format_of
from kakurenbo.contest.judging.originals import stamps
from kakurenbo.contest.judging.records import Judged
from kakurenbo.contest.judging.remembered import Remembered
from kakurenbo.contest.judging.scoring import with_guess

if TYPE_CHECKING:
    from pathlib import Path

    from kakurenbo.contest.judging.formats import Files, Order
    from kakurenbo.contest.judging.records import Fault
    from kakurenbo.contest.rules import Rules
    from kakurenbo.progress import Progress

_RELEASES = 256  # more than there are teams: only numbers are kept of each
_judged: Remembered[Judged] = Remembered(_RELEASES)


def judge(
    rules: Rules,
    original: Path,
    submission: Files,
    guess: Files | None = None,
    *,
    order: Order = "shuffled",
    seed: int | None = None,
    progress: Progress | None = None,
) -> Judged:
    """Return everything the judge says about a release, and about a guess at it.

    Args:
        rules: of the contest.
        original: the folder of its data.
        submission: the files of the release, its secret among them.
        guess: the files of a guess, where one is judged.
        order: how the sample attacks see the rows.
        seed: of all that is drawn; the same seed gives the same numbers.
        progress: told how far it is.
    """
    key = (rules.model_dump_json(), str(original), stamps(original), digest(submission), order, seed)
    found = _judged.once(
        key, lambda: _release(rules, original, submission, order=order, seed=seed, progress=progress)
    )
    if guess is None or found.faults:
        return found
    faults = format_of(rules).check_guess(rules, original, submission, guess)
    if faults:
        return Judged(faults=faults)
    rates = format_of(rules).guessed(rules, original, submission, guess, seed=seed)
    return with_guess(rules, found, rates)


def _release(
    rules: Rules,
    original: Path,
    submission: Files,
    *,
    order: Order,
    seed: int | None,
    progress: Progress | None,
) -> Judged:
    form = format_of(rules)
    faults = form.check(rules, original, submission)
    if faults:
        return Judged(faults=faults)
    return form.judged(rules, original, submission, order=order, seed=seed, progress=progress)


def check(rules: Rules, original: Path, submission: Files, guess: Files | None = None) -> tuple[Fault, ...]:
    """Return the faults of the files alone, as far as no number has to be computed; those of a guess after.

    A guess is looked at where the release has no faults.
    """
    faults = format_of(rules).check(rules, original, submission)
    if faults or guess is None:
        return faults
    return format_of(rules).check_guess(rules, original, submission, guess)


def published(
    rules: Rules, original: Path, submission: Files, *, seed: int | None = None
) -> dict[str, bytes]:
    """Return what other teams may see of a release without faults: file names and what they hold."""
    return format_of(rules).published(rules, original, submission, seed=seed)


def hits(
    rules: Rules, original: Path, submission: Files, guess: Files, *, seed: int | None = None
) -> list[float]:
    """Return how far a guess without faults found each of `people`, from 0 to 1."""
    return format_of(rules).hits(rules, original, submission, guess, seed=seed)


def people(rules: Rules, original: Path) -> list[str]:
    """Return the ids of everybody in the original, in the order that `hits` keeps."""
    return format_of(rules).people(rules, original)


def check_rules(rules: Rules) -> None:
    """Raise an InputError with the code `rules` where the rules name what there is not."""
    format_of(rules).check_rules(rules)
