"""`kakurenbo tune DATA --max-risk 0.1`: the frontier of risk and utility, and the best plan on it."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kakurenbo.cli import filing, left_out, options, output
from kakurenbo.cli.deidentify import written_down
from kakurenbo.document import text
from kakurenbo.errors import ParameterError
from kakurenbo.extras import require
from kakurenbo.files import outputs, release_folder
from kakurenbo.files.atomic import write_file
from kakurenbo.files.register import refuse_overlooking
from kakurenbo.files.weights import read_weights
from kakurenbo.report import drawable, write
from kakurenbo.report import output as output_of
from kakurenbo.report import tuning as tables
from kakurenbo.report.languages import language
from kakurenbo.tuning import draws
from kakurenbo.tuning.results import Tuned
from kakurenbo.tuning.search import TRIALS
from kakurenbo.tuning.search import tune as search

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kakurenbo.plan import Plan
    from kakurenbo.tuning.draws import Applied


@options.releasing
def tune(
    data: options.Data,
    *,
    max_risk: Annotated[float, typer.Option(help="The largest share that any attacker may find.")] = 0.1,
    max_learnt: Annotated[
        float | None,
        typer.Option(
            help="By how much the share of people laid open may exceed that outside the release (default: as "
            "--max-risk)."
        ),
    ] = None,
    knowledge: Annotated[
        str | None,
        typer.Option(
            help="Count attackers up to this knowledge, such as goods (default: all).", metavar="RUNG"
        ),
    ] = None,
    purpose: Annotated[
        str | None,
        typer.Option(
            "--for",
            help="What the release is for, which says what measures count: customers, baskets, trends or "
            "papers (default: all measures alike).",
            metavar="PURPOSE",
        ),
    ] = None,
    weights: Annotated[
        Path | None,
        typer.Option(
            help="A TOML file that says how much each measure counts instead: lines such as rules = 2.",
            metavar="FILE",
        ),
    ] = None,
    trials: Annotated[
        int | None,
        typer.Option(
            min=1,
            help=f"Plans to try, those of a resumed study included (default: {TRIALS}, as far as five "
            "minutes go).",
        ),
    ] = None,
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
    report: Annotated[
        list[Path] | None,
        typer.Option(help="Write .html, .md, .json, or a new folder with all of them.", metavar="FILE"),
    ] = None,
    by: filing.By = None,
    lang: filing.Lang = "en",
    plan: Annotated[
        Path | None, typer.Option(help="Write the plan advised to this new .toml or .json.", metavar="FILE")
    ] = None,
    apply: Annotated[bool, typer.Option("--apply", help="Make the release with the plan found.")] = False,
    out: Annotated[
        Path | None, typer.Option(help="With --apply: the release folder to make.", metavar="DIR")
    ] = None,
    secret: Annotated[
        Path | None,
        typer.Option(help="With --apply: the file for the secret pairing, outside DIR.", metavar="FILE"),
    ] = None,
    ledger: options.Ledger = None,
    overlook: options.Overlook = None,
    allow_exposed: options.AllowExposed = False,
    run: options.Run,
    **reading: Any,  # noqa: ANN401 - spelled out by the decorator
) -> None:
    """The frontier of measured risk and utility loss, and the best plan under a limit (exit code 1 if none).

    Tries methods, chains of them and their parameters, starting from what theory and the papers advise.
    Every plan is carried out, attacked and measured; the plan with the least loss within the limit is
    advised. It is the best of those tried, for the attackers that were run, on one draw each.
    """
    language(lang)
    _check(plot, plan, out, secret, apply=apply)
    inputs = outputs.inputs_of(data, study)
    outputs.check([output_of(Tuned, path) for path in report or []], inputs)
    _check_places(plot, plan, out, secret, inputs, allow_exposed=allow_exposed)
    register = options.register_of(ledger, data, allow_exposed=allow_exposed)
    with run.working() as progress:
        table = options.read(data, reading)
        known = () if register is None else register.overlooked(register.about(table), ())
        if overlook is None:
            refuse_overlooking(known, parameter="overlook")
        result = search(
            table, max_risk, knowledge, max_learnt=max_learnt, purpose=purpose,
            weights=None if weights is None else read_weights(weights),
            trials=trials, minutes=minutes, seed=run.seed, study=study, jobs=jobs,
            progress=progress.part(0, 0.9 if apply else 1),
        )  # fmt: skip
        if register is not None:
            register = register.add(
                "tuned", data=table.fingerprint(), verdict=result.verdict,
                plan=None if result.chosen is None else result.chosen.plan.to_dict(),
                overlooked=[one.release for one in known], reason=overlook,
            )  # fmt: skip
        result = replace(result, filing=filing.filing(by, [("original", data)]))
        for path in filter(None, (plot, *(report or []))):
            progress.step("drawing")
            write(result, path, lang=lang)
        advised = result.chosen.plan if result.chosen is not None and result.verdict == "yes" else None
        if plan is not None and advised is not None:
            _write_plan(advised, plan)
        applied = None
        if out is not None and secret is not None and advised is not None:
            applied = draws.apply(result, table, progress=progress.part(0.9, 1))
            if applied.release is not None:
                progress.step("writing the release", 1)
                with written_down(register, table, applied.release):
                    release_folder.write_release(
                        applied.release, out, secret=secret, allow_exposed=allow_exposed
                    )
    applied_to = applied and {**applied.to_dict(), **left_out.master(table)}
    document = {**result.to_dict(), "applied": applied_to, **left_out.document(table)}
    told = [*left_out.remarks(table), *(left_out.remarks_on_master(table) if applied else ())]
    run.answer(document, shown(result, [*told, *_next(advised, plan, applied, str(data))]))
    if result.verdict == "no" or (applied is not None and applied.release is None):
        raise typer.Exit(1)


def _check(
    plot: Path | None, plan: Path | None, out: Path | None, secret: Path | None, *, apply: bool
) -> None:
    """Refuse before the search what would fail after it."""
    require("tune")
    if plot is not None and plot.suffix not in {".svg", ".png"}:
        raise ParameterError("The plot must end in .svg or .png.", code="parameter")
    if plot is not None:
        drawable()
    if plan is not None and plan.suffix not in {".toml", ".json"}:
        raise ParameterError("The plan must end in .toml or .json.", code="parameter")
    if not apply and (out is not None or secret is not None):
        raise ParameterError("--out and --secret go with --apply.", code="parameter")
    if apply and (out is None or secret is None):
        raise ParameterError("--apply needs --out DIR and --secret FILE.", code="parameter")


def _check_places(
    plot: Path | None,
    plan: Path | None,
    out: Path | None,
    secret: Path | None,
    inputs: list[Path],
    *,
    allow_exposed: bool,
) -> None:
    """Refuse places where nothing may be written; a picture and a plan must be new."""
    places = [
        outputs.Output(name, path) for name, path in (("plot", plot), ("plan", plan)) if path is not None
    ]
    if out is not None and secret is not None:
        places += release_folder.outputs_of(out, secret)
    outputs.check(places, inputs, allow_exposed=allow_exposed)
    if out is not None and secret is not None:
        release_folder.check(out, secret)


def _write_plan(plan: Plan, path: Path) -> None:
    content = plan.to_toml() if path.suffix == ".toml" else text(plan.to_dict())
    write_file(path, content.encode())


def shown(result: Tuned, remarks: Iterable[str]) -> Iterator[Any]:
    """Yield the frontier, the plan to take beside the papers', why, and what else there is to say."""
    if result.headline:
        yield from (result.headline, "")
    yield output.block(tables.frontier(result))
    if result.chosen is not None:
        yield ""
        yield output.block(tables.measures(result))
    yield ""
    yield from (result.why, *tables.conditions(result), *remarks)


def _next(advised: Plan | None, file: Path | None, applied: Applied | None, data: str) -> Iterator[str]:
    """Yield what became of the plan's file and of the release, or what to type next."""
    if file is not None:
        yield f"The plan is in {file}." if advised else "No plan was written: none keeps the limit."
    if applied is not None:
        again = f" ({options.flag('max_risk')})" if applied.release is None else ""
        yield f"{applied.words()}{again}"
    elif advised is not None:
        yield f"Make the release: {typed(advised, data, file)}"


def typed(plan: Plan, data: str, file: Path | None = None) -> str:
    """Return the command that makes the release of a plan, which may stand in a file."""
    if file is not None:
        return f"{shlex.join(['kakurenbo', 'deidentify', data, '--plan', str(file)])} --out DIR --secret FILE"
    first, *others = plan.named
    words = ["kakurenbo", "deidentify", first.method, data]
    for name, _, value in (pair.partition("=") for pair in first.pairs("{name}={value}")):
        words += [f"--{name.replace('_', '-')}", value]
    for step in others:
        words += ["--then", " ".join([step.method, *step.pairs("{name}={value}")])]
    return f"{shlex.join(words)} --out DIR --secret FILE"
