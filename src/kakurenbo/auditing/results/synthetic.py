"""What rows that are nobody's give away all the same: copies, people singled out or inferred, members."""

from __future__ import annotations

from dataclasses import dataclass

from kakurenbo.theory.rate import Rate


@dataclass(frozen=True)
class Tried:
    """What an attacker achieves with rows that are nobody's, beside people who were not used for them.

    Attributes:
        what: the attribute inferred, or what statements are about.
        attempts: of how many people, or with how many statements.
        rate: the share of attempts that succeed on the people of the original.
        control: the same on as many people who were not used; None where nobody was given.
        naive: the same without the release: the best constant claim, or statements drawn at random.
        advantage: rate less control, which the limit is for; None without a control.
        risk: (rate - control) / (1 - control), 0 at least: the share of what was left. None likewise.
    """

    what: str
    attempts: int
    rate: Rate
    control: Rate | None
    naive: float
    advantage: Rate | None
    risk: float | None

    def above(self, limit: float) -> bool:
        """Tell whether the release adds more than this, and luck with few attempts is not the reason."""
        return self.advantage is not None and self.advantage.value > limit and self.advantage.low > 0


@dataclass(frozen=True)
class Told:
    """Whether it can be told that somebody's row was used.

    Attributes:
        attack: who tells.
        story: what he does, in a sentence.
        auc: the chance that somebody used looks more so than somebody who was not; one half is a guess.
        caught: the share of those used whom he names with 1 % false alarms.
        caught_tenth: the same with 10 % false alarms.
    """

    attack: str
    story: str
    auc: float
    caught: float
    caught_tenth: float

    @property
    def advantage(self) -> float:
        """What he catches beyond his false alarms."""
        return max(self.caught - 0.01, self.caught_tenth - 0.1)


@dataclass(frozen=True)
class Copies:
    """How near released rows are to people, beside people who were not used.

    Attributes:
        exact: the share of released rows that equal a person of the original in every attribute.
        usual: the share of people who were not used of whom that is true; of the original's own people beside
            each other, where nobody else was given.
        distance: from a released row to the nearest person, the quantiles at 5, 50 and 95 %.
        outside: the same to as many people who were not used; from one original to the nearest other one,
            where nobody was given.
        ratio: of the distances to the nearest and to the second nearest person, the median; near 0 a row
            belongs to one person.
        ratio_outside: the same to people who were not used; None without them.
        nearer: the share of released rows nearer to the original than to as many people who were not used;
            one half is a guess. None without them.
    """

    exact: float
    usual: float
    distance: tuple[float, ...]
    outside: tuple[float, ...]
    ratio: float
    ratio_outside: float | None
    nearer: float | None


@dataclass(frozen=True)
class Synthetic:
    """All of it on one release without a pairing.

    Attributes:
        outsiders: people who were not used; 0 where none were given.
        attributes: compared in both tables.
        inferred: attribute by attribute, the easiest first.
        singled_out: by statements about one attribute and about several.
        membership: who tells members, the best first; empty without people outside.
        copies: how near rows are to people.
    """

    outsiders: int
    attributes: int
    inferred: tuple[Tried, ...]
    singled_out: tuple[Tried, ...]
    membership: tuple[Told, ...]
    copies: Copies

    @property
    def judged(self) -> bool:
        """Whether there are people to compare with, so that a limit can be held."""
        return self.outsiders > 0
