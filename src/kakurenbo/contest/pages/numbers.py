"""What the judge said, as pages show it: every number with the sentence of the rules that says what it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kakurenbo.contest.judging.records import Score
from kakurenbo.contest.judging.scoring import GUESS, mean
from kakurenbo.contest.pages.sentences import Sentence, say
from kakurenbo.contest.pages.telling import entry_of, sections

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from kakurenbo.contest.rules import Rules

_LEVELS = {4: ("T25", "T50", "T75", "T100")}  # what is known, where attacks are run at several levels


@dataclass(frozen=True, slots=True)
class Row:
    """A number by its name.

    Attributes:
        name: as boards call it.
        said: what it is.
        value: of a measure its own number, of an attack the mean over levels of knowledge.
        rates: of an attack what it found at every level; of what is learnt the mean that is learnt.
        share: how long a bar is drawn for it, from 0 to 1; None where it is in units of the data.
        higher: whether more of it is better.
    """

    name: str
    said: Sentence | None
    value: float
    rates: tuple[float, ...] = ()
    share: float | None = None
    higher: bool = False


@dataclass(frozen=True, slots=True)
class Numbers:
    """All numbers of a release, or of a guess."""

    score: Score | None
    utility: tuple[Row, ...]
    attacks: tuple[Row, ...]
    learnt: tuple[Row, ...]
    levels: tuple[str, ...]


def numbers_of(rules: Rules, document: Mapping[str, Any]) -> Numbers:
    """Return what a document of the judge holds."""
    about = {line.name.partition(" (")[0]: line.said for section in sections(rules) for line in section.lines}
    about[GUESS] = say("What the guess found.")
    score, attacks = document.get("score"), document.get("attacks", {})
    lengths = {len(rates) for rates in attacks.values()}
    return Numbers(
        score=None if score is None else Score(**score),
        utility=tuple(_measured(rules, document.get("utility", {}), about)),
        attacks=tuple(_found(attacks, about)),
        learnt=tuple(
            Row(name, about.get(name), rates[0], tuple(rates[1:]), rates[0])
            for name, rates in document.get("learnt", {}).items()
        ),
        levels=_LEVELS.get(lengths.pop(), ()) if len(lengths) == 1 else (),
    )


def _measured(rules: Rules, given: Mapping[str, float], about: Mapping[str, Sentence]) -> Iterator[Row]:
    """Yield measures; those that the catalogue does not have are losses."""
    named = {one.shown: entry_of(rules, "measure", one) for one in rules.hide.measures}
    for name, value in given.items():
        higher = name in named and named[name].what.about.better == "higher"
        yield Row(
            name,
            about.get(name),
            value,
            share=value if 0 <= value <= 1 and not higher else None,
            higher=higher,
        )


def _found(given: Mapping[str, Sequence[float]], about: Mapping[str, Sentence]) -> list[Row]:
    """Return attacks, the guess of a team first, then who finds most."""
    rows = [
        Row(name, about.get(name), mean(rates), tuple(rates), mean(rates)) for name, rates in given.items()
    ]
    return sorted(rows, key=lambda row: (row.name != GUESS, -row.value))
