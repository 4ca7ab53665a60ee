"""A finished search: all trials, the plan to take, and why; JSON holds all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from kakurenbo.about import Kind
from kakurenbo.document import parse, plain, record, text, written
from kakurenbo.notebook import Drawn, card
from kakurenbo.provenance import Filing, Provenance
from kakurenbo.tuning.results.choice import (
    choose,
    compared,
    dealt,
    frontier,
    no_worse,
    papers,
    preference,
    worse_in,
)
from kakurenbo.tuning.results.trial import Theory, Trial

_CHOSEN = (
    "plan",
    "words",
    "risk",
    "attacker",
    "learnt",
    "learner",
    "worse",
    "loss",
    "measures",
)  # of the plan to take, beside the rest


@dataclass(frozen=True, eq=False)
class Tuned(Drawn):
    """A finished search.

    Attributes:
        kind: of the data.
        people: customers, or rows.
        trials: all plans tried, in order.
        finalists: the best of them as fresh draws show them (largest risk, mean loss), and the papers' plan.
        max_risk: the limit asked for on what is found.
        max_learnt: the limit on what is learnt beyond the control.
        knowledge: the rung up to which attackers counted; None for all.
        rungs: the kinds of knowledge that were tried.
        seed: of the search; the same seed tries the same plans.
        resumed: how many trials earlier runs had made.
        theory: figure 14 of 000 for these data, where it applies.
        seconds: of search and of fresh draws, over all runs.
        provenance: the fingerprint of the data, and versions.
        purpose: what the release is for, or nothing where all measures count alike.
        weights: how much every measure counts that counts at all.
        fresh: how many fresh draws the finalists were checked on, over all runs.
        filing: when it was run, and where it is known by whom, with what command and on what files.
    """

    kind: Kind
    people: int
    trials: tuple[Trial, ...]
    finalists: tuple[Trial, ...]
    max_risk: float
    max_learnt: float
    knowledge: str | None
    rungs: tuple[str, ...]
    seed: int
    resumed: int
    theory: Theory | None
    seconds: float
    provenance: Provenance
    purpose: str = ""
    weights: Mapping[str, float] = field(default_factory=dict)
    filing: Filing = field(default_factory=Filing)
    fresh: int = 0

    def __repr__(self) -> str:
        plan = "no plan" if self.chosen is None else f"{self.called} {self.chosen.plan}"
        return f"Tuned({self.verdict}: {plan}; {len(self.trials):,} trials, {self.fresh:,} fresh draws)"

    def _repr_html_(self) -> str:
        rows: list[tuple[str, object]] = [("trials", len(self.trials)), ("fresh draws", self.fresh)]
        if self.chosen is not None:
            found, learnt = self.chosen.outcome.risk, self.chosen.outcome.learnt
            rows.insert(0, (self.called, self.chosen.plan))
            rows += [("found", f"{found:.1%}"), ("laid open beyond outside", f"{learnt:.1%}")]
            rows += [("loss", f"{self.chosen.loss:.3f}")]
        return card(f"Search for a plan: {self.verdict}", rows, self.headline)

    @property
    def done(self) -> tuple[Trial, ...]:
        """The trials that could be carried out."""
        return tuple(trial for trial in self.trials if not trial.outcome.failed)

    @property
    def frontier(self) -> tuple[Trial, ...]:
        """The plans that no other beats in both risk and loss, by risk: the worse of found and learnt."""
        return frontier(self.done)

    @property
    def verdict(self) -> Literal["yes", "no"]:
        """Whether any plan meets the limit."""
        return "yes" if any(trial.worse <= self.max_risk for trial in self.finalists) else "no"

    @property
    def chosen(self) -> Trial | None:
        """The plan to take, as its checks show it; where none meets the limit, the one nearest to it."""
        if self.verdict == "yes":
            return choose(self.finalists, self.max_risk, self.rival)
        numbers = {trial.number for trial in self.finalists}
        others = (trial for trial in self.done if trial.number not in numbers)
        above = (trial for trial in others if trial.worse > self.max_risk)
        return choose((*self.finalists, *above), self.max_risk)

    @property
    def called(self) -> str:
        """What the plan to take is called: advised only where it keeps the limit."""
        return "advised" if self.verdict == "yes" else "nearest"

    @property
    def paper(self) -> Trial | None:
        """The papers' plan for this risk (`balanced` with s_min = 1 / risk), as its checks show it.

        Where it lies far above the limit, it was not checked, and stands as in its one draw.
        """
        return papers(self.finalists) or papers(self.done)

    @property
    def dealt(self) -> Trial | None:
        """The plan that deals records anew, alike."""
        return dealt(self.finalists) or dealt(self.done)

    @property
    def rival(self) -> Trial | None:
        """The papers' plan where it keeps the limit itself: then its own measures are the ones to beat."""
        fair = self.purpose in {"", "papers"}
        return self.paper if fair and self.paper is not None and self.paper.worse <= self.max_risk else None

    @property
    def padding(self) -> tuple[Trial, ...]:
        """The trials of padding alone, whose clusters, dummies and goods-set risk theory foresees."""
        return tuple(
            trial
            for trial in self.done
            if len(trial.plan.steps) == 1
            and trial.outcome.facts.get("clusters")
            and trial.outcome.facts.get("dummies")
            and "goods" in trial.outcome.rungs
        )

    @property
    def best_padding(self) -> Trial | None:
        """The padding plan with the smallest alpha Delta_m + goods-set risk: the measured c*."""
        return min(self.padding, key=self._joint, default=None)

    def _joint(self, trial: Trial) -> float:
        alpha = self.theory.alpha if self.theory is not None else 0.0
        return alpha * trial.outcome.facts["dummies"] + trial.outcome.rungs["goods"]

    @property
    def headline(self) -> str:
        """What the partner can still do with the data, and what an attacker can: for who has to decide."""
        if self.chosen is None:
            return ""
        outcome = self.chosen.outcome
        said = "; ".join(text for name, text in outcome.said.items() if name in self.weights)
        nearest = "" if self.verdict == "yes" else ", the nearest, which does not keep the limit,"
        keeps = f"With {self.chosen.plan}{nearest} the partner has: {said}." if said else ""
        lost = [name for name in self.weights if name not in outcome.measures]
        loses = f"Lost altogether: {', '.join(lost)}." if lost else ""
        who = (
            f"who knows {self.knowledge} of somebody" if self.knowledge else "who knows everything of people"
        )
        risk = (
            f"An attacker {who} finds {outcome.risk:.1%} of the people, and lays open {outcome.learnt:.1%} "
            "more of them than of people who are not in the release."
        )
        return " ".join(filter(None, (keeps, loses, risk)))

    @property
    def why(self) -> str:
        """The reason for the choice, in a sentence or two."""
        if self.chosen is None:
            return "None of the plans could be carried out on these data."
        known = f"attackers who know up to {self.knowledge}" if self.knowledge else "all attackers"
        both = f"{self.max_risk:.3g}"
        if self.max_learnt != self.max_risk:
            both += f" (found) and {self.max_learnt:.3g} (learnt)"
        limit = f"{known} at or below {both}"
        if self.verdict == "no":
            nearest = f"The nearest is {_described(self.chosen)}."
            return f"None of the {len(self.done)} plans tried keeps {limit}. {nearest}"
        seemed = sum(trial.worse <= self.max_risk for trial in self.done)
        holding = [trial for trial in self.finalists if trial.worse <= self.max_risk]
        first = (
            f"Of the {len(self.done)} plans tried, {seemed} keep {limit} in one draw; {len(self.finalists)} "
            f"were checked on fresh draws, and {len(holding)} hold."
        )
        fair = self.rival is not None and no_worse(self.chosen, self.rival)
        rule = ", and no more than the papers' plan in any of its own measures" if fair else ""
        second = f"Of these it loses least{rule}: {_described(self.chosen)}."
        return " ".join(filter(None, (first, second, self._beside_paper(), self._traded(holding))))

    def _beside_paper(self) -> str:
        if self.paper is None or self.chosen is None:
            return ""
        if self.paper.number == self.chosen.number:
            return "It is the papers' own plan."
        better, worse = compared(self.chosen, self.paper)
        return (
            f"The papers' plan, {self.paper.plan}, loses {self.paper.loss:.3f} at "
            f"{_shares(self.paper)}; beside it this one is better in {better} and worse in {worse} of "
            f"{len(self.paper.outcome.measures)} measures."
        )

    def _traded(self, holding: Sequence[Trial]) -> str:
        """Say which finalist would lose less in the mean, and what it trades for that."""
        least = min(holding, key=lambda trial: preference(trial, None))
        if self.rival is None or self.chosen is None or least.loss >= self.chosen.loss:
            return ""
        return (
            f"In the mean {least.plan} loses less, {least.loss:.3f} at {_shares(least)}, but more "
            f"than the papers' plan in {' and '.join(worse_in(least, self.rival))}."
        )

    def to_dict(self) -> dict[str, Any]:
        """Return plain values under the JSON keys of `kakurenbo tune`."""
        chosen, document, best = plain(self.chosen), written(self), self.best_padding
        if self.theory is not None:
            document["theory"]["clusters_measured"] = best and best.outcome.facts["clusters"]
        return {
            "verdict": self.verdict, "headline": self.headline, "why": self.why, "chosen": chosen,
            **{name: chosen and chosen[name] for name in _CHOSEN},
            "paper": plain(self.paper), "frontier": plain(self.frontier), **document,
        }  # fmt: skip

    def to_json(self) -> str:
        """Return `to_dict` as the text of a file."""
        return text(self.to_dict())

    @classmethod
    def from_json(cls, document: str) -> Tuned:
        """Return the search whose `to_json` this is: the same plans, choice and report."""
        return parse(document, lambda stored: record(cls, stored), "a search")


def _described(trial: Trial) -> str:
    outcome = trial.outcome
    learns = (
        f" and lays open {outcome.learnt:.4g} more than outside ({outcome.learner})"
        if outcome.learner
        else ""
    )
    return (
        f"{trial.plan}, loss {trial.loss:.3f}, where the worst attacker ({outcome.attacker}) finds "
        f"{outcome.risk:.4g} of the people{learns}"
    )


def _shares(trial: Trial) -> str:
    return f"{trial.outcome.risk:.4g} found and {trial.outcome.learnt:.4g} learnt"
