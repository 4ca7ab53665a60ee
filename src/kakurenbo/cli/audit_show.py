"""An audit's answer on a terminal: the verdict, the ladder, and what is kept, on one screen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.text import Text

from kakurenbo.cli import output
from kakurenbo.cli.profile import diversities
from kakurenbo.data.unseen import spoken
from kakurenbo.report import words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import Console

    from kakurenbo.auditing.results import Audit, Control, Finding, Synthetic
    from kakurenbo.theory.rate import Rate

_NAMED = 3  # of those who were left out for one reason
_EVERYTHING = ("full records", "records+master", "everything")


def show(result: Audit, console: Console, *, quiet: bool = False) -> None:
    """Print the answer, the ladder and what is kept, on one screen."""
    console.print(f"Verdict: {result.verdict} ({_asked(result)})", style="bold")
    for reason in result.reasons:
        console.print(Text(f"- {reason}"))
    for told in _told(result):
        console.print(Text(told))
    if result.attacks or result.learnt:
        console.print()
        console.print(_ladder(result))
        for told in _explained(result):
            console.print(Text(told))
    for part in ("", _kept(result), "", _distances(result), *diversities(result.diversity)):
        console.print(part)
    for told in () if quiet else _how(result):
        console.print(told)


def _how(result: Audit) -> Iterator[str]:
    """Yield how the audit was made, and how far it goes."""
    if result.proof is not None:
        yield _proof(result)
    if result.engine is not None:
        yield str(result.engine)
    if result.skipped:
        yield f"Not run: {'; '.join(_not_run(result))}"
    if result.attacks:
        yield "A rate is that of these attackers; another one may do better."


def _told(result: Audit) -> Iterator[str]:
    """Yield what is no reason, but must be known."""
    dropped = spoken(result.dropped.get("original", {}))
    if dropped:
        yield f"Rows of the original that were not read: {dropped}."
    if result.targets is not None:
        yield str(result.targets)
    if result.unseen.changed:
        yield f"Changed since the release's manifest was written: {', '.join(result.unseen.changed)}."


def _not_run(result: Audit) -> Iterator[str]:
    """Yield what was not run, reason by reason; of many only the first are named."""
    for why, names in result.not_run.items():
        yield f"{words.some(names, _NAMED)} ({why})"


def _asked(result: Audit) -> str:
    """Return the limits in a few words."""
    limits = result.limits
    known = "" if limits.knowledge is None else f" who knows at most {limits.knowledge}"
    found, open_to = f"{limits.max_risk:.1%}", f"{limits.max_learnt:.1%}"
    return f"no attacker{known} may find more than {found}, or lay open {open_to} more than outside"


def _ladder(result: Audit) -> Any:  # noqa: ANN401 - a rich table
    tried = {finding.knowledge for finding in result.attacks} | {one.knowledge for one in result.learnt}
    rows = [_rung(result, name) for name, _ in result.ladder if name in tried]
    heads = (
        "what the attacker knows",
        "found",
        "95 % interval",
        "worst attacker",
        "laid open",
        "control",
        "by",
    )
    count = f"{len(result.attacks)} attackers who find, {len(result.learnt)} ways to learn"
    return output.table(f"{count}; the worst of each rung", heads, rows)


def _rung(result: Audit, name: str) -> tuple[str, ...]:
    mark = "" if result.decides(name) else " (shown only)"
    return (f"{name}{mark}", *_found(result, name), *_laid_open(result, name))


def _found(result: Audit, name: str) -> tuple[str, str, str]:
    worst = result.worst_of(name)
    if worst is None:
        tried = any(finding.knowledge == name for finding in result.attacks)
        unknown = "not measured" if name in result.blind else "not proven"
        return (unknown if tried else "-", "", "")
    rate, mark = worst.exposed, "" if worst.proven else " (not proven)"
    return f"{rate.value:.1%}{mark}", f"{rate.low:.1%} to {rate.high:.1%}", worst.name


def _laid_open(result: Audit, name: str) -> tuple[str, str, str]:
    worst = result.lesson_of(name)
    if worst is None:
        tried = any(lesson.knowledge == name for lesson in result.learnt)
        return "not measured" if tried else "-", "", ""
    return f"{worst.laid_open.value:.1%}", f"{worst.control_laid_open:.1%}", worst.name


def _explained(result: Audit) -> Iterator[str]:
    """Yield how the table is to be read, and what it does not show."""
    people, worst = result.people, result.worst
    if people is not None and people.certain:
        yield (
            f"{people.certain:,} of {people.people:,} people are named all but certainly, nine times in ten "
            "or more, by at least one attacker."
        )
    yield from _about_worst(worst, result.worst_again)
    if result.owners:
        best = result.owners[0]
        yield (
            f"Whatever name stands on them, {best.right:.1%} of the released records are given to who bought "
            f"them by who knows {best.knowledge}."
        )
    if worst is not None and worst.knowledge in _EVERYTHING:
        yield "Who knows everything finds the name, and learns nothing by it."
    if result.control is not None:
        yield f"Laid open: at least half of what else a person has is learnt. {_control(result.control)}"
    if result.dummies is not None:
        yield (
            f"A real good looks more real than a dummy {result.dummies.auc:.1%} of the time "
            f"({result.dummies.attack}; 50 % is a guess)."
        )
    for one in result.earlier:
        judged = "" if one.rightly is None else f", {one.rightly:,} of them rightly"
        names = "names" if one.asked is None else f"of {one.asked:,} names of people who were sought"
        held = f"Held with an earlier release of {one.names:,} names"
        yield f"{held}: {one.linked:,} {names} were linked{judged}."
    if result.names is not None:
        yield str(result.names)
    yield from _of_nobody(result.synthetic)
    yield from _in_population(result)
    if result.inferred:
        yield f"The release was read as it writes: {'; '.join(result.inferred)}."


def _about_worst(worst: Finding | None, again: Rate | None) -> Iterator[str]:
    """Say of what the worst rate is the mean and the largest, where it is."""
    spread = worst and worst.spread
    if spread and spread.low < spread.high:
        yield (
            f"The worst rate is the mean over {spread.draws} equally good pairings, which find "
            f"{spread.low:.1%} to {spread.high:.1%}."
        )
    if worst is not None and again is not None:
        yield (
            "The worst rate is the largest of many. Read on people it was not chosen on, it is "
            f"{again.value:.1%} ({again.low:.1%} to {again.high:.1%})."
        )


def _in_population(result: Audit) -> Iterator[str]:
    """Say what models make of a population that the released people were drawn from."""
    for model in result.population:
        fit = "fits" if model.fits else "does not fit and is not to be relied on"
        yield (
            f"In the population, by the {model.model} model ({fit}): {model.alone_there:.1%} of the "
            f"{model.alone:,} people alone here are alone there; a journalist names one of them with chance "
            f"{model.journalist:.1%}, a marketer {model.marketer:.1%} of all."
        )


def _of_nobody(made: Synthetic | None) -> Iterator[str]:
    """Say what rows give away that are nobody's, where there is no pairing."""
    if made is None:
        return
    beside = f"{made.outsiders:,} people not used" if made.judged else "without a release"
    for verb, tried in (("told by the nearest row", made.inferred), ("true of one person", made.singled_out)):
        for one in tried:
            other = one.naive if one.control is None else one.control.value
            yield f"{one.what}: {verb} in {one.rate.value:.1%} of {one.attempts:,} ({beside}: {other:.1%})."
    for told in made.membership:
        yield (
            f"Whose rows were used, by {told.attack}: AUC {told.auc:.3f}, {told.caught:.1%} caught at 1 % "
            f"false alarms, {told.caught_tenth:.1%} at 10 %."
        )
    copies = made.copies
    where = "people not used" if made.judged else "one original to another"
    yield (
        f"{copies.exact:.1%} of the rows copy a person exactly (usual: {copies.usual:.1%}); median distance "
        f"to the nearest person {copies.distance[1]:.4f} ({where}: {copies.outside[1]:.4f})."
    )
    if not made.judged:
        yield "Nobody was given who was not used: whether it can be told who was used is not measured."


def _control(control: Control) -> str:
    """Say what the lessons are compared with."""
    if control.kind == "no release":
        return f"The control is the best claim without any release: {control.why}."
    people = f"{control.people:,} people who are not in it"
    made = "a release by the same plan" if control.kind == "plan" else "the release"
    drawn = "" if control.drawn_from is None else f", drawn from {control.drawn_from:,}"
    return f"The control is the same attacks on {made} and {people}{drawn}."


def _kept(result: Audit) -> Any:  # noqa: ANN401 - a rich table
    rows = [(use.name, f"{use.value:,.4g} {use.unit}", f"{use.kept:.0%}") for use in result.utility]
    rows.append(("mean", "", f"{result.kept:.0%}"))
    return output.table("What is kept", ("measure", "value", "kept"), rows)


def _distances(result: Audit) -> str:
    groups, near, excess = result.groups, result.nearness, result.excess
    like = "a copy of somebody" if result.kind == "purchases" else "like somebody in all sensitive attributes"
    said = (
        f"{groups.count:,} groups of equal {groups.of}, the smallest of {groups.smallest:,}; "
        f"{groups.alone:.1%} of the people are alone.\n"
        f"{near.copies:.1%} of the released are {like} ({near.measure} distance 0)."
    )
    if excess is None:
        return said
    distance = f"Mean {excess.measure} distance from oneself {excess.mean:.4f}, limit {excess.threshold:.4f}"
    return f"{said}\n{distance}: {excess.verdict}."


def _proof(result: Audit) -> str:
    proof = result.proof
    if proof is None or not proof.holds:
        return "THE PROOF FAILED: see the reasons above."
    through = sum(bool(attacker.through) for attacker in proof.attackers)
    seen = f" {through} of them see through the disguises they are meant for." if through else ""
    return (
        f"The proof holds: tried on {proof.people} people, every attacker finds whom he can in a copy, and "
        f"nobody beyond chance in noise.{seen}"
    )
