"""What contests about tables share: a release is checked, read, measured and attacked by the catalogue.

Purchases and microdata differ in the files of a submission and in what their cells must hold; `Tabled` is the
rest. A submission is read once and kept for a moment, since it is checked, judged and published in turn.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Generic, cast

import polars as pl

from kakurenbo.chance import Chance
from kakurenbo.contest.judging import pairs
from kakurenbo.contest.judging.catalogued import Asked, check_data, learnt
from kakurenbo.contest.judging.chosen import digest, only
from kakurenbo.contest.judging.faults import WORDS, Faults
from kakurenbo.contest.judging.originals import Original, once, stamps
from kakurenbo.contest.judging.records import Fault, Judged
from kakurenbo.contest.judging.remembered import Remembered
from kakurenbo.contest.judging.scoring import score
from kakurenbo.data.table import Data
from kakurenbo.errors import InputError
from kakurenbo.progress import Progress
from kakurenbo.risk.found import reidentification

if TYPE_CHECKING:
    from pathlib import Path

    from kakurenbo.contest.judging.formats import Files, Order
    from kakurenbo.contest.judging.reading import Reading, Submitted
    from kakurenbo.contest.rules import Rules
    from kakurenbo.risk.found import Reidentification

_SUBMISSIONS = 2  # kept at once: one that is judged, one that is guessed at


class Tabled(ABC, Generic[Data]):
    """A format of contests about tables; see `judging.formats` for its verbs."""

    def __init__(self) -> None:
        self._submitted: Remembered[Submitted[Data]] = Remembered(_SUBMISSIONS)

    @abstractmethod
    def read_original(self, rules: Rules, original: Path) -> Original[Data]:
        """Read the tables of the contest."""

    @abstractmethod
    def reading(self, rules: Rules, original: Original[Data], files: Files) -> Reading[Data]:
        """Return a submission to be read."""

    @abstractmethod
    def shuffled(self, released: Data, chance: Chance) -> Data:
        """Return a release with its rows in an order of chance, as others see it."""

    def original(self, rules: Rules, place: Path) -> Original[Data]:
        """Return the tables of the contest, read once; those that the rules do not fit are refused."""
        how = f"{rules.data.model_dump_json()} {rules.hide.model_dump_json()}"
        made = once(type(self).__name__, place, how, lambda: self._read(rules, place))
        return cast("Original[Data]", made)

    def _read(self, rules: Rules, place: Path) -> Original[Data]:
        original = self.read_original(rules, place)
        check_data(Asked.of(rules), original.data)
        if rules.hide.excess:
            original.limits(rules.hide.excess_r)
        return original

    def submitted(self, rules: Rules, original: Path, files: Files) -> Submitted[Data]:
        """Return a submission as it was read."""
        key = (rules.model_dump_json(), str(original), stamps(original), digest(files))
        before = self.original(rules, original)
        return self._submitted.once(key, lambda: self.reading(rules, before, files).submitted())

    def check_rules(self, rules: Rules) -> None:
        """Refuse rules that name what the catalogue has not."""
        Asked.of(rules)

    def check(self, rules: Rules, original: Path, submission: Files) -> tuple[Fault, ...]:
        """Return every fault of a release."""
        return self.submitted(rules, original, submission).faults

    def check_guess(self, rules: Rules, original: Path, submission: Files, guess: Files) -> tuple[Fault, ...]:
        """Return every fault of a guess about a release without faults."""
        released, _ = self.submitted(rules, original, submission).release
        faults = Faults(rules.limits.faults)
        lines = _guess(rules, guess, faults)
        if lines is not None:
            people, names = self.original(rules, original).people, released.people.cast(pl.String)
            pairs.check_known(lines, faults, released=names, original=people)
        return faults.listed()

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
        """Return all numbers of a release without faults; what makes one unmeasurable is a fault of its."""
        before, made = self.original(rules, original), self.submitted(rules, original, submission)
        asked, file = Asked.of(rules), next(iter(made.tables.values())).file
        try:
            return self._judged(rules, asked, before, made, order=order, seed=seed, progress=progress)
        except InputError as error:
            return Judged(faults=(Fault(file, None, None, error.message.rstrip("."), error.code),))

    def _judged(
        self,
        rules: Rules,
        asked: Asked,
        original: Original[Data],
        made: Submitted[Data],
        *,
        order: Order,
        seed: int | None,
        progress: Progress | None,
    ) -> Judged:
        steps = progress or Progress()
        released, secret = made.release
        if rules.hide.excess:
            steps.step("measuring how far the release is from the data", 0.0)
            verdict = original.excess(rules.hide.excess_r, released, secret)
            if verdict.excessive:
                words = f"{WORDS['excessive']}: {verdict.reason.rstrip('.')}"
                return Judged(faults=(Fault(made.tables["P"].file, None, None, words, "excessive"),))
        steps.step("measuring what is kept", 0.1)
        utility = {
            label: one.of(original.data, released, secret).value for label, one in asked.measures.items()
        }
        losses = {label: one.loss(utility[label], original.data) for label, one in asked.measures.items()}
        attacks: dict[str, tuple[float, ...]] = {}
        shown = released if order == "submitted" else self.shuffled(released, Chance(seed))
        for label, one in asked.attacks.items():
            steps.step(f"attacking: {label}", 0.3 + 0.4 * len(attacks) / len(asked.attacks))
            attacks[label] = (one.rate(original.data, shown, secret, seed),)
        steps.step("asking what is learnt", 0.7)
        lessons = learnt(original.data, released, asked.learnt, seed)
        laid_open = [rates[0] for rates in lessons.values()]
        return Judged(
            utility=utility, attacks=attacks, learnt=lessons, score=score(rules, losses, attacks, laid_open)
        )

    def guessed(
        self, rules: Rules, original: Path, submission: Files, guess: Files, *, seed: int | None = None
    ) -> tuple[float, ...]:
        """Return the share of people that a guess finds; there is one level of knowledge."""
        return (self._found(rules, original, submission, guess, seed).persons_rate.value,)

    def hits(
        self, rules: Rules, original: Path, submission: Files, guess: Files, *, seed: int | None = None
    ) -> list[float]:
        """Return 1 for everybody whom the guess finds, else 0; who is not in the release is not found."""
        found = self._found(rules, original, submission, guess, seed).by_person
        people = pl.DataFrame({"original": self.original(rules, original).people})
        rows = people.join(found, on="original", how="left", maintain_order="left")
        return rows["chance"].fill_null(0.0).to_list()

    def _found(
        self, rules: Rules, original: Path, submission: Files, guess: Files, seed: int | None
    ) -> Reidentification:
        released, secret = self.submitted(rules, original, submission).release
        lines = _guess(rules, guess, Faults(1))
        if lines is None:
            raise InputError("The guess has faults, so nothing can be told of it.", code="submission")
        people = self.original(rules, original).people
        return reidentification(secret, pairs.filled(lines, released.people, people, Chance(seed)))

    def people(self, rules: Rules, original: Path) -> list[str]:
        """Return the ids of everybody in the original."""
        return self.original(rules, original).people.to_list()


def _guess(rules: Rules, guess: Files, faults: Faults) -> pairs.Lines | None:
    """Return the lines of a guess, and note what is wrong with them."""
    file = only(guess, faults)
    if file is None:
        return None
    return pairs.read_lines(*file, faults, rows=rules.limits.rows, blanks=True)
