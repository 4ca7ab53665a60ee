"""`kakurenbo audit ORIGINAL RELEASE [--secret FILE]`: the panel of attackers, what is kept, and yes or no."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from kakurenbo import report as reporting
from kakurenbo.auditing.audit import MAX_RISK
from kakurenbo.auditing.audit import audit as run_audit
from kakurenbo.auditing.results import Audit
from kakurenbo.cli import options, output
from kakurenbo.data.unseen import spoken
from kakurenbo.errors import ParameterError
from kakurenbo.files import atomic, outputs
from kakurenbo.files.aside import PRIVATE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import Console

    from kakurenbo.auditing.results import Finding


@options.reading
def audit(
    original: options.Original,
    release: options.Released,
    *,
    secret: Annotated[
        Path | None,
        typer.Option(help="The secret pairing; without it no attack can be scored.", metavar="FILE"),
    ] = None,
    max_risk: Annotated[
        float | None,
        typer.Option(min=0, max=1, help=f"Largest share any attacker may find (default {MAX_RISK})."),
    ] = None,
    min_utility: Annotated[
        list[str] | None,
        typer.Option(
            help="Least share of the use kept: 0.7 for the mean of all measures, or u3-rfm=0.5 for one.",
            metavar="SHARE",
        ),
    ] = None,
    trust_pairing: Annotated[
        bool,
        typer.Option(
            "--trust-pairing", help="The pairing is known to be true: an excessive distance is told, no more."
        ),
    ] = False,
    report: Annotated[
        list[Path] | None,
        typer.Option(help="Write .html, .md, .json, or a new folder with all of them.", metavar="FILE"),
    ] = None,
    people: Annotated[
        Path | None,
        typer.Option(help="Write who is found, by whom and why: secret, mode 0600.", metavar="FILE"),
    ] = None,
    allow_exposed: options.AllowExposed = False,
    run: options.Run,
    **reading: Any,  # noqa: ANN401 - spelled out by the decorator
) -> None:
    """Attack a release with everything there is, measure what is kept, and answer (exit code 1 means no).

    Attackers stand on a ladder of knowledge and are first proved on a copy and on noise. The answer is yes if
    none of them finds more than --max-risk, enough use is kept, the pairing is not as far from the data as a
    shuffled one, and nothing was released that nobody looked at: rows left out, columns unread, other files.
    """
    least, reports = _shares(min_utility or []), report or []
    _check(people, reports, outputs.inputs_of(original, release, secret), allow_exposed=allow_exposed)
    if people is not None and secret is None:
        raise ParameterError("Who is found can only be told with the secret.", code="parameter")
    with run.working() as progress:
        before, after = options.read_both(original, release, reading)
        result = run_audit(
            before,
            after,
            options.owners_of(secret, original, reading),
            max_risk=MAX_RISK if max_risk is None else max_risk,
            min_utility=least,
            trust_pairing=trust_pairing,
            seed=run.seed,
            progress=progress,
        )
        if people is not None or reports:
            progress.step("writing the report", 1)
            _write(result, people, reports)
    if run.json:
        output.print_json(result.to_dict())
    else:
        show(result, output.console(), quiet=run.quiet)
    if result.verdict == "no" or (result.verdict == "not measured" and max_risk is not None):
        raise typer.Exit(1)


def _write(result: Audit, people: Path | None, reports: list[Path]) -> None:
    """Write who is found, for the owner's eyes only, and the reports."""
    if people is not None and result.people is not None and result.people.table is not None:
        atomic.write_file(people, result.people.table.write_csv().encode(), mode=PRIVATE)
    for path in reports:
        reporting.write(result, path)


def _check(people: Path | None, reports: list[Path], inputs: list[Path], *, allow_exposed: bool) -> None:
    """Refuse what cannot work before anything is read."""
    asked = [reporting.output(Audit, path) for path in reports]
    if people is not None:
        asked.append(outputs.Output("people", people, private=True))
    outputs.check(asked, inputs, allow_exposed=allow_exposed)


def _shares(given: list[str]) -> dict[str, float]:
    """Return the least share by measure; a bare number is for the mean of all."""
    shares: dict[str, float] = {}
    for text in given:
        name, _, share = text.rpartition("=")
        try:
            shares[name or "mean"] = float(share)
        except ValueError:
            raise ParameterError(
                "--min-utility is a share such as 0.7, or measure=share.", code="parameter"
            ) from None
        if not 0 <= shares[name or "mean"] <= 1:
            raise ParameterError("--min-utility must lie between 0 and 1.", code="parameter")
    return shares


def show(result: Audit, console: Console, *, quiet: bool = False) -> None:
    """Print the answer, the ladder and what is kept, on one screen."""
    limit = f"no attacker may find more than {result.limits.max_risk:.1%}"
    console.print(f"Verdict: {result.verdict} ({limit})", style="bold")
    for reason in result.reasons:
        console.print(Text(f"- {reason}"))
    for told in _told(result):
        console.print(Text(told))
    if result.attacks:
        console.print()
        console.print(_ladder(result))
    for part in ("", _kept(result), "", _distances(result)):
        console.print(part)
    if quiet:
        return
    if result.proof is not None:
        console.print(_proof(result))
    if result.skipped:
        console.print(f"Not run: {'; '.join(f'{left.name} ({left.why})' for left in result.skipped)}")
    if result.attacks:
        console.print("A rate is that of these attackers; another one may do better.")


def _told(result: Audit) -> Iterator[str]:
    """Yield what is no reason, but must be known."""
    dropped = spoken(result.dropped.get("original", {}))
    if dropped:
        yield f"Rows of the original that were not read: {dropped}."
    if result.unseen.changed:
        yield f"Changed since the release's manifest was written: {', '.join(result.unseen.changed)}."


def _ladder(result: Audit) -> Any:  # noqa: ANN401 - a rich table
    tried = {finding.knowledge for finding in result.attacks}
    rows = [_rung(name, result.worst_of(name)) for name, _ in result.ladder if name in tried]
    columns = ("what the attacker knows", "worst attacker", "found", "95 % interval", "chance")
    return output.table(f"{len(result.attacks)} attackers, the worst of each rung", columns, rows)


def _rung(name: str, worst: Finding | None) -> tuple[str, ...]:
    if worst is None:
        return name, "none", "not proven", "", ""
    rate, mark = worst.rate, "" if worst.proven else " (not proven)"
    interval, chance = f"{rate.low:.1%} to {rate.high:.1%}", f"{worst.chance:.2%}"
    return name, worst.name, f"{rate.value:.1%}{mark}", interval, chance


def _kept(result: Audit) -> Any:  # noqa: ANN401 - a rich table
    rows = [(use.name, f"{use.value:,.4g} {use.unit}", f"{use.kept:.0%}") for use in result.utility]
    rows.append(("mean", "", f"{result.kept:.0%}"))
    return output.table("What is kept", ("measure", "value", "kept"), rows)


def _distances(result: Audit) -> str:
    groups, near, excess = result.groups, result.nearness, result.excess
    said = (
        f"{groups.count:,} groups of equal {groups.of}, the smallest of {groups.smallest:,}; "
        f"{groups.alone:.1%} of the people are alone.\n"
        f"{near.copies:.1%} of the released are a copy of somebody ({near.measure} distance 0)."
    )
    if excess is None:
        return said
    distance = f"Mean {excess.measure} distance from oneself {excess.mean:.4f}, limit {excess.threshold:.4f}"
    return f"{said}\n{distance}: {excess.verdict}."


def _proof(result: Audit) -> str:
    proof = result.proof
    if proof is None or not proof.holds:
        return "THE PROOF FAILED: see the reasons above."
    return (
        f"The proof holds: tried on {proof.people} people, every attacker finds whom he can in a copy, and "
        "nobody beyond chance in noise."
    )
