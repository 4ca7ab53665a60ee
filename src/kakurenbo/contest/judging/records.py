"""What a judge says: every fault with its place, every number, and the score they make."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Fault:
    """Something a submission must not have.

    Attributes:
        file: in which file of the submission.
        line: which line of it, from 1, a header counted; None where it is about the whole file.
        column: which cell of the line, from 1; None where it is about the whole line.
        fault: what is wrong, without a value from the data.
        code: the same for machines: one of those that the format's checks declare.
    """

    file: str
    line: int | None
    column: int | None
    fault: str
    code: str

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        return {"file": self.file, "line": self.line, "column": self.column, "fault": self.fault,
                "code": self.code}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Score:
    """What the numbers add up to: all are better when they are lower, and 0 is best.

    Attributes:
        utility: what the release lost.
        security: what was found, or learnt, by whom the rules ask.
        total: both together.
    """

    utility: float
    security: float
    total: float

    def to_dict(self) -> dict[str, float]:
        """Return plain values."""
        return {"utility": self.utility, "security": self.security, "total": self.total}


@dataclass(frozen=True, slots=True)
class Judged:
    """The whole answer of the judge about a release, and about a guess where there is one.

    Attributes:
        faults: all of them, in the order of files, lines and cells.
        utility: each measure of the rules, by its name.
        attacks: each attack of the rules, and `guess` where one was judged, with its rate at every level of
            knowledge in the order of the rules.
        learnt: where the rules ask for it, what is learnt, in the same way.
        score: None where the submission is not valid.
    """

    faults: tuple[Fault, ...] = ()
    utility: Mapping[str, float] = field(default_factory=dict)
    attacks: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    learnt: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    score: Score | None = None

    @property
    def valid(self) -> bool:
        """Whether the submission may take part."""
        return not self.faults

    def to_dict(self) -> dict[str, Any]:
        """Return what `kakurenbo contest judge` prints as JSON."""
        return {
            "valid": self.valid,
            "faults": [fault.to_dict() for fault in self.faults],
            "utility": dict(self.utility),
            "attacks": {name: list(rates) for name, rates in self.attacks.items()},
            "learnt": {name: list(rates) for name, rates in self.learnt.items()},
            "score": None if self.score is None else self.score.to_dict(),
        }
