"""What a format of contests can do: check a submission, measure it, attack it, and say what others may see.

A format knows the files of a submission and what the numbers of its rules mean. It is asked through one
protocol, so that judge, server and board never ask which contest it is:

| verb | answers | called with |
|---|---|---|
| `check_rules` | whether the rules can be kept | rules that were only read |
| `check`, `check_guess` | every fault of the files, by line and cell | anything that anybody uploads |
| `judged` | all numbers of a release, and their score | a release without faults |
| `guessed`, `hits` | what a guess finds, in all and by person | a release and a guess without faults |
| `published` | what other teams may see of it | a release without faults |
| `people` | who is sought | the original |

Whatever is drawn by chance is drawn from `seed`; None draws it anew. Originals may be read once and kept, as
a worker judges hundreds of submissions about the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    from pathlib import Path

    from kakurenbo.contest.judging.records import Fault, Judged
    from kakurenbo.contest.rules import Rules
    from kakurenbo.progress import Progress

Files = Mapping[str, bytes]  # the name of every file, and what it holds
Order = Literal["shuffled", "submitted"]


class Format(Protocol):
    """A kind of contest."""

    def check_rules(self, rules: Rules) -> None:
        """Raise an InputError with the code `rules` where the rules name what there is not."""

    def check(self, rules: Rules, original: Path, submission: Files) -> tuple[Fault, ...]:
        """Return every fault of a release, in the order of files, lines and cells."""

    def check_guess(self, rules: Rules, original: Path, submission: Files, guess: Files) -> tuple[Fault, ...]:
        """Return every fault of a guess about a release without faults."""

    def judged(
        self,
        rules: Rules,
        original: Path,
        submission: Files,
        *,
        order: Order = "shuffled",
        seed: int | None = None,
        progress: Progress | None = None,
    ) -> Judged:
        """Return the numbers of a release without faults; those that only numbers show are its faults.

        Args:
            rules: what is asked of it.
            original: the folder of the contest's data.
            submission: its files.
            order: how the sample attacks see the rows: as others will, or as they were submitted.
            seed: of all that is drawn.
            progress: told how far it is.
        """

    def guessed(
        self, rules: Rules, original: Path, submission: Files, guess: Files, *, seed: int | None = None
    ) -> tuple[float, ...]:
        """Return the share of people that a guess finds, at every level of knowledge that the rules have."""

    def hits(
        self, rules: Rules, original: Path, submission: Files, guess: Files, *, seed: int | None = None
    ) -> list[float]:
        """Return how far the guess found each of `people`, from 0 to 1: the mean over levels of knowledge.

        What the guess leaves blank is filled by chance, so that blanks tell nothing about the rest.
        """

    def published(
        self, rules: Rules, original: Path, submission: Files, *, seed: int | None = None
    ) -> dict[str, bytes]:
        """Return what other teams may see of a release: file names and what they hold."""

    def people(self, rules: Rules, original: Path) -> list[str]:
        """Return the ids of everybody in the original, in the order that `hits` keeps."""


def format_of(rules: Rules) -> Format:
    """Return the format of a contest; its code is loaded with it."""
    if rules.format == "pws2017":
        from kakurenbo.contest.judging import pws2017  # noqa: PLC0415 - only what is needed is loaded

        return pws2017.FORMAT
    if rules.format == "microdata":
        from kakurenbo.contest.judging import microdata  # noqa: PLC0415

        return microdata.FORMAT
    from kakurenbo.contest.judging import purchases  # noqa: PLC0415

    return purchases.FORMAT
