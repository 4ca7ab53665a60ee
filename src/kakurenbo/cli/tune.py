"""`kakurenbo tune DATA --max-risk 0.1`: the frontier of risk and utility, and the best plan on it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kakurenbo.cli import options, output
from kakurenbo.errors import ParameterError, WriteError
from kakurenbo.files.release_folder import write_release
from kakurenbo.report.words import number
from kakurenbo.tuning import apply as applying
from kakurenbo.tuning.search import TRIALS
from kakurenbo.tuning.search import tune as search

if TYPE_CHECKING:
    from rich.console import Console

    from kakurenbo.data.microdata import Microdata
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.tuning.apply import Applied
    from kakurenbo.tuning.records import Trial
    from kakurenbo.tuning.results import Tuned

_COLUMNS = ("plan", "risk", "worst attacker", "loss", "")


def tune(
    data: options.Data,
    *,
    max_risk: Annotated[float, typer.Option(help="The largest share that any attacker may find.")] = 0.1,
    knowledge: Annotated[
        str | None,
        typer.Option(
            help="Count attackers up to this knowledge, such as goods (default: all).", metavar="RUNG"
        ),
    ] = None,
    trials: Annotated[
        int, typer.Option(min=1, help="Plans to try, those of a resumed study included.")
    ] = TRIALS,
    minutes: Annotated[
        float | None, typer.Option(help="Stop after so many minutes, those of a resumed study included.")
    ] = None,
    jobs: Annotated[int | None, typer.Option(min=1, help="Processes to use (default: one a core).")] = None,
    study: Annotated[
        Path | None,
        typer.Option(help="Keep the trials in this SQLite file, or go on from it.", metavar="FILE"),
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option(help="Draw the frontier, and theory beside it, to an .svg or .png.", metavar="FILE"),
    ] = None,
    apply: Annotated[bool, typer.Option("--apply", help="Make the release with the plan found.")] = False,
    out: Annotated[
        Path | None, typer.Option(help="With --apply: the release folder to make.", metavar="DIR")
    ] = None,
    secret: Annotated[
        Path | None,
        typer.Option(help="With --apply: the file for the secret pairing, outside DIR.", metavar="FILE"),
    ] = None,
    json: options.Json = False,
    seed: options.Seed = None,
    quiet: options.Quiet = False,
    **named: Any,  # noqa: ANN401 - spelled out below
) -> None:
    """The frontier of measured risk and utility loss, and the best plan under a limit (exit code 1 if none).

    Tries methods, chains of them and their parameters, starting from what theory and the papers advise.
    Every plan is carried out, attacked and measured; the plan with the least loss within the limit is
    advised. It is the best of those tried, for the attackers that were run, on one draw each.
    """
    _check(plot, out, secret, apply=apply)
    with output.working(quiet=quiet or json) as step:
        table = options.read(data, named)
        result = search(
            table, max_risk, knowledge, trials=trials, minutes=minutes, seed=seed, study=study, jobs=jobs,
            progress=step,
        )  # fmt: skip
        if plot is not None:
            step("drawing")
            _draw(result, plot)
        applied = _applied(result, table, out, secret, seed) if apply else None
    if json:
        output.print_json({**result.to_dict(), "applied": applied and applied.to_dict()})
    else:
        show(result, applied, str(data), output.console())
    if result.verdict == "no" or (applied is not None and applied.release is None):
        raise typer.Exit(1)


def _check(plot: Path | None, out: Path | None, secret: Path | None, *, apply: bool) -> None:
    """Refuse before the search what would fail after it."""
    if plot is not None and plot.suffix not in {".svg", ".png"}:
        raise ParameterError("The plot must end in .svg or .png.", code="parameter")
    if not apply and (out is not None or secret is not None):
        raise ParameterError("--out and --secret go with --apply.", code="parameter")
    if apply and (out is None or secret is None):
        raise ParameterError("--apply needs --out DIR and --secret FILE.", code="parameter")
    for path in (out, secret):
        if path is not None and path.exists():
            raise WriteError(
                f"{path.name} exists already; choose another name, or remove it first.", code="exists"
            )


def _applied(
    result: Tuned, table: Purchases | Microdata, out: Path | None, secret: Path | None, seed: int | None
) -> Applied | None:
    """Make the release of the plan found, and write it if it holds the limit itself."""
    if result.verdict == "no" or out is None or secret is None:
        return None
    applied = applying.apply(result, table, seed=seed)
    if applied.release is not None:
        write_release(applied.release, out, secret=secret)
    return applied


def _draw(result: Tuned, plot: Path) -> None:
    from kakurenbo.report.charts.frontier import figure  # noqa: PLC0415 - plots are slow to load

    figure(result, plot)


def show(result: Tuned, applied: Applied | None, data: str, console: Console) -> None:
    """Print the frontier, the plan to take beside the papers', why, and what to type next."""
    rows = [
        (
            trial.plan.words(),
            f"{trial.risk:.2%}",
            trial.outcome.attacker,
            f"{trial.loss:.3f}",
            _mark(trial, result),
        )
        for trial in _shown(result)
    ]
    console.print(
        output.table(
            "The frontier: no plan tried has both less risk and less loss (one draw each)", _COLUMNS, rows
        )
    )
    chosen, paper = result.chosen, result.paper
    if chosen is not None:
        console.print()
        console.print(
            output.table(
                "The plan, measure by measure (fresh draws: largest risk, means of the rest)",
                *_measures(chosen, paper),
            )
        )
    console.print()
    for said in (result.why, *_remarks(result, applied, data)):
        console.print(said, markup=False)


def _shown(result: Tuned) -> list[Trial]:
    """Return the frontier with the plan advised and the papers', which may lie off it, by risk."""
    named = {trial.number for trial in (result.chosen, result.paper) if trial is not None}
    extra = {trial.number: trial for trial in (*result.done, *result.frontier) if trial.number in named}
    shown = {**extra, **{trial.number: trial for trial in result.frontier}}
    return sorted(shown.values(), key=lambda one: (one.risk, one.loss))


def _mark(trial: Trial, result: Tuned) -> str:
    told = (("advised", result.chosen), ("the papers'", result.paper))
    return ", ".join(word for word, one in told if one is not None and one.number == trial.number)


def _measures(chosen: Trial, paper: Trial | None) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Return header and rows: each measure's number and loss, the papers' plan beside the one advised."""
    shown = [("advised", chosen), *([("the papers'", paper)] if paper is not None else [])]
    header = ("measure", *(part for name, _ in shown for part in (name, "loss")))
    rows = [("risk", *(part for _, trial in shown for part in (f"{trial.risk:.2%}", "")))]
    rows += [("mean loss", *(part for _, trial in shown for part in ("", f"{trial.loss:.3f}")))]
    for name in chosen.outcome.measures:
        cells = [trial.outcome.measures.get(name) for _, trial in shown]
        told = [part for cell in cells for part in (_pair(cell))]
        rows.append((name, *told))
    return header, rows


def _pair(cell: tuple[float, float] | None) -> tuple[str, str]:
    return ("-", "-") if cell is None else (number(cell[0]), f"{cell[1]:.3f}")


def _beside_theory(result: Tuned) -> list[str]:
    """Return the best number of clusters by theory and as measured."""
    theory, best = result.theory, result.best_padding
    if theory is None:
        return []
    other = f", {theory.sharing} by 003" if theory.sharing else ""
    told = f"Theory's best number of clusters is {theory.occupancy} by 000{other}: the search started there."
    if best is not None:
        told += f" Measured, alpha Delta_m + risk is smallest at {best.outcome.facts['clusters']}."
    return [told]


def _remarks(result: Tuned, applied: Applied | None, data: str) -> list[str]:
    """Return how it was searched, what became of the release, and what to type next."""
    resumed = f", {result.resumed} of them in earlier runs" if result.resumed else ""
    told = [f"{len(result.trials)} trials{resumed} in {result.seconds:.0f} s; seed {result.seed}."]
    told += _beside_theory(result)
    if result.knowledge:
        told.append(f"Attackers who know more than {result.knowledge} were not run.")
    if applied is not None:
        told.append(applied.words())
    elif result.chosen is not None and result.verdict == "yes":
        told.append(f"Make the release: {result.chosen.plan.command(data)}")
    return told


command = options.reading(tune)
