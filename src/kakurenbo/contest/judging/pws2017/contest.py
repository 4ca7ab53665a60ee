"""PWS Cup 2017 as a format of contests."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from kakurenbo.chance import Chance
from kakurenbo.contest.judging.faults import Faults
from kakurenbo.contest.judging.pws2017 import attacks, checks, guesses
from kakurenbo.contest.judging.pws2017.tables import DAY, DELETED, ID, LEVELS, Original, month_of, rows_of
from kakurenbo.contest.judging.pws2017.utility import utility_of
from kakurenbo.contest.judging.records import Judged
from kakurenbo.contest.judging.scoring import mean, score
from kakurenbo.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

    from kakurenbo.contest.judging.formats import Files, Order
    from kakurenbo.contest.judging.pws2017.tables import Month, Row
    from kakurenbo.contest.judging.records import Fault
    from kakurenbo.contest.rules import Rules
    from kakurenbo.progress import Progress

_ONE_FILE = "a submission is one CSV file, the rows of T in their order"
_TEXT = "the file must be text without NUL bytes"
_LONG = "the file has more rows than the rules allow"


class Pws2017:
    """Monthly pseudonyms, deletions as DEL, attackers with partial knowledge; see `judging.formats`."""

    def check_rules(self, rules: Rules) -> None:
        """Refuse rules that name measures or attacks: this format has its own."""
        if rules.hide.measures or rules.hide.attacks or rules.hide.learnt or rules.hide.excess:
            raise InputError(
                "The format pws2017 has its own measures and attacks: hide.measures, hide.attacks, "
                "hide.learnt and hide.excess must not be given.",
                code="rules",
            )

    def check(self, rules: Rules, original: Path, submission: Files) -> tuple[Fault, ...]:
        """Return every fault of a release."""
        faults = Faults(rules.limits.faults)
        rows = _only(submission, rules, faults)
        if rows is not None:
            file = next(iter(submission))
            for fault in checks.faults_of(file, rows, _original(original), rules.hide.keep_share):
                faults.add(file, fault.code, fault.fault, line=fault.line, column=fault.column)
        return faults.listed()

    def check_guess(self, rules: Rules, original: Path, submission: Files, guess: Files) -> tuple[Fault, ...]:
        """Return every fault of a guess about a release without faults."""
        faults = Faults(rules.limits.faults)
        maps = {name: _rows(name, content, rules, faults) for name, content in guess.items()}
        levels = guesses.by_level({name: rows or [] for name, rows in maps.items()})
        if levels is None:
            faults.add(next(iter(guess), ""), "guess-files", guesses.FAULTS["guess-files"])
        elif not faults:
            pseudonyms = frozenset(row[ID] for row in _kept(_rows_of(submission)))
            for file, rows in dict(levels.values()).items():
                for line, cell, code in guesses.faults_of(rows, _original(original), pseudonyms):
                    faults.add(file, code, guesses.FAULTS[code], line=line, column=cell)
        return faults.listed()

    def judged(
        self,
        rules: Rules,
        original: Path,
        submission: Files,
        *,
        order: Order = "shuffled",
        seed: int | None = None,
        progress: Progress | None = None,  # noqa: ARG002 - it takes seconds
    ) -> Judged:
        """Return the seven measures and the six sample attacks of a release without faults."""
        before, rows = _original(original), _rows_of(submission)
        shown = _kept(rows) if order == "submitted" else _shuffled(rows, seed)
        utility = utility_of(rows, before)
        found = attacks.sample_attacks(shown, attacks.truth_of(rows, before), before)
        return Judged(utility=utility, attacks=found, score=score(rules, utility, found))

    def guessed(
        self, rules: Rules, original: Path, submission: Files, guess: Files, *, seed: int | None = None
    ) -> tuple[float, ...]:
        """Return the share of customers that a guess finds at every level of knowledge."""
        people = len(_original(original).customers)
        found = self._found(rules, original, submission, guess, seed)
        return tuple(sum(right) / people for right in found)

    def hits(
        self, rules: Rules, original: Path, submission: Files, guess: Files, *, seed: int | None = None
    ) -> list[float]:
        """Return at which share of the levels the guess finds every customer."""
        found = self._found(rules, original, submission, guess, seed)
        return [mean(right) for right in zip(*found, strict=True)]

    def _found(
        self, rules: Rules, original: Path, submission: Files, guess: Files, seed: int | None
    ) -> list[list[bool]]:
        before, rows = _original(original), _rows_of(submission)
        truth = attacks.truth_of(rows, before)
        maps = {name: _rows(name, content, rules, Faults(1)) or [] for name, content in guess.items()}
        levels = guesses.by_level(maps)
        if levels is None:
            raise InputError(f"{guesses.FAULTS['guess-files']}.", code="submission")
        there, chance = _by_month(_kept(rows)), Chance(seed)
        return [
            attacks.found(truth, guesses.map_of(levels[level][1], before, there, chance.under(level)), before)
            for level in LEVELS
        ]

    def published(
        self,
        rules: Rules,  # noqa: ARG002 - they say nothing of it
        original: Path,  # noqa: ARG002 - the rows are the submission's
        submission: Files,
        *,
        seed: int | None = None,
    ) -> dict[str, bytes]:
        """Return S: the kept rows in an order of chance."""
        lines = [",".join(row) for row in _shuffled(_rows_of(submission), seed)]
        return {"S.csv": "".join(f"{line}\r\n" for line in lines).encode()}

    def people(self, rules: Rules, original: Path) -> list[str]:  # noqa: ARG002 - all are in M
        """Return the customers of M."""
        return list(_original(original).customers)


FORMAT = Pws2017()


def _only(submission: Files, rules: Rules, faults: Faults) -> list[Row] | None:
    """Return the rows of the one file there must be."""
    if len(submission) != 1:
        faults.add(next(iter(submission), ""), "files", _ONE_FILE)
        return None
    name, content = next(iter(submission.items()))
    return _rows(name, content, rules, faults)


def _rows(name: str, content: bytes, rules: Rules, faults: Faults) -> list[Row] | None:
    """Return the rows of a file, or note why it cannot be read."""
    if b"\0" in content:
        faults.add(name, "encoding", _TEXT)
        return None
    for line in _undecoded(content):
        faults.add(name, "encoding", checks.FAULTS["encoding"], line=line)
    rows = rows_of(content.decode("utf-8-sig", errors="replace"))
    if len(rows) > rules.limits.rows:
        faults.add(name, "limit", _LONG)
        return None
    return rows


def _undecoded(content: bytes) -> list[int]:
    """Return the lines that are no text in UTF-8."""
    try:
        content.decode("utf-8-sig")
    except UnicodeDecodeError:
        lines = enumerate(content.split(b"\n"), 1)
        return [place for place, line in lines if "\ufffd" in line.decode(errors="replace")]
    return []


def _rows_of(submission: Files) -> list[Row]:
    return rows_of(next(iter(submission.values())).decode("utf-8-sig"))


def _kept(rows: list[Row]) -> list[Row]:
    return [row for row in rows if row[ID] != DELETED]


def _shuffled(rows: list[Row], seed: int | None) -> list[Row]:
    """Return the kept rows as they are published: in an order that depends on nothing but chance."""
    kept = sorted(_kept(rows))
    return [kept[place] for place in Chance(seed).stream("published").permutation(len(kept)).tolist()]


def _by_month(rows: list[Row]) -> dict[Month, list[str]]:
    """Return the pseudonyms of every month, each once."""
    found: dict[Month, set[str]] = {}
    for row in rows:
        found.setdefault(month_of(row[DAY]), set()).add(row[ID])
    return {month: sorted(names) for month, names in found.items()}


def _original(folder: Path) -> Original:
    """Return the original, read once as long as nobody changes its files."""
    stamps = [(path.name, path.stat().st_mtime_ns, path.stat().st_size) for path in folder.glob("*")]
    return _read(folder, tuple(sorted(stamps)))


@lru_cache(maxsize=4)
def _read(folder: Path, stamps: tuple[tuple[str, int, int], ...]) -> Original:  # noqa: ARG001 - to be read anew
    return Original.read(folder)
