"""`kakurenbo tune DATA --max-risk 0.1`: the frontier of risk and utility, and the best plan on it."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kakurenbo.cli import engines, filing, left_out, options, output, sheets
from kakurenbo.cli.deidentify import written_down
from kakurenbo.data.blocks import Blocks, in_blocks
from kakurenbo.data.purchases import Purchases
from kakurenbo.document import text
from kakurenbo.errors import ParameterError
from kakurenbo.extras import require
from kakurenbo.files import outputs, release_folder
from kakurenbo.files.atomic import write_file
from kakurenbo.files.register import refuse_overlooking
from kakurenbo.files.weights import read_weights
from kakurenbo.report import drawable, picture, write
from kakurenbo.report import output as output_of
from kakurenbo.report import tuning as tables
from kakurenbo.report.languages import language
from kakurenbo.tuning import draws
from kakurenbo.tuning.ledger import recognise
from kakurenbo.tuning.results import Tuned
from kakurenbo.tuning.search import TRIALS
from kakurenbo.tuning.search import tune as search

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kakurenbo.data.table import Table
    from kakurenbo.files.register import Register
    from kakurenbo.plan import Plan
    from kakurenbo.sheet.record import DataSheet
    from kakurenbo.tuning.draws import Applied

PEOPLE = 2_000  # on whom plans are tried, where everybody is too many


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
            help="Count attackers up to this knowledge, such as goods (default: all).",
            metavar="RUNG",
            autocompletion=options.rungs,
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
        float | None,
        typer.Option(help="So many in all, for search and checks, those of a resumed study too."),
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
    people: Annotated[
        int | None,
        typer.Option(
            min=2,
            help=f"Search on so many people, drawn by chance, with all their records; of blocks {PEOPLE} "
            "unless given.",
            metavar="N",
        ),
    ] = None,
    engine: options.Engine = "auto",
    master: options.Master = None,
    overwrite: options.Overwrite = False,
    datasheet: options.Datasheet = True,
    contact: options.Contact = None,
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
    places = _places(report or [], plot, plan, out, secret, overwrite=overwrite)
    _check_places(places, outputs.inputs_of(data, weights), study, allow_exposed=allow_exposed)
    if out is not None and secret is not None:
        release_folder.check(out, secret)
    register = options.register_of(ledger, data, allow_exposed=allow_exposed, others=places)
    asked = sheets.Asked.of(data, wanted=datasheet, contact=contact)
    with run.working() as progress:
        whole = engines.read(data, reading, engine=engine, master=master, progress=progress, quiet=run.quiet)
        table = _searched(whole, people, run.seed, apply=apply)
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
            with run.keeping():
                register = register.add(
                    "tuned", data=table.fingerprint(), verdict=result.verdict,
                    plan=None if result.chosen is None else result.chosen.plan.to_dict(),
                    overlooked=[one.release for one in known], reason=overlook,
                )  # fmt: skip
        result = replace(result, filing=filing.filing(by, [("original", data)]))
        for path in filter(None, (plot, *(report or []))):
            progress.step("drawing")
            with run.keeping():
                write(result, path, lang=lang, overwrite=overwrite)
        advised = result.chosen.plan if result.chosen is not None and result.verdict == "yes" else None
        if plan is not None and advised is not None:
            with run.keeping():
                _write_plan(replace(advised, people=len(table.people)), plan)
        applied = None
        if out is not None and secret is not None and advised is not None:
            applied = draws.apply(result, table, progress=progress.part(0.9, 1))
            if applied.release is not None:
                sheet = asked.sheet(applied.release, table, progress, sheets.sought_by(result, applied))
                progress.step("writing the release", 1)
                applied = _write_release(
                    applied, table, register, (out, secret), run, sheet=sheet, allow_exposed=allow_exposed
                )
    applied_to = applied and {**applied.to_dict(), **left_out.master(table)}
    document = {**result.to_dict(), "applied": applied_to, **left_out.document(table)}
    told = [*left_out.remarks(table), *(left_out.remarks_on_master(table) if applied else ())]
    written = plan if plan is not None and plan.exists() else None
    run.answer(document, shown(result, [*told, *_next(advised, plan, written, applied, str(data))]))
    if result.verdict == "no" or (applied is not None and applied.release is None):
        raise typer.Exit(1)


def _searched(whole: Table | Blocks, people: int | None, seed: int | None, *, apply: bool) -> Any:  # noqa: ANN401 - of either kind
    """Return the people that plans are tried on: everybody, or some with all their records."""
    if not isinstance(whole, Blocks) and people is None:
        return whole
    if not isinstance(whole, Purchases | Blocks):
        raise ParameterError(
            "Some people are drawn of purchases; give microdata whole.", code="parameter", parameter="people"
        )
    if apply:
        raise ParameterError(
            "A plan that was sought on some people is applied to everybody by its file: write the plan, then "
            "de-identify with it.",
            code="parameter",
            parameter="apply",
        )
    return in_blocks(whole).some(people or PEOPLE, seed=seed)


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


def _places(
    reports: list[Path],
    plot: Path | None,
    plan: Path | None,
    out: Path | None,
    secret: Path | None,
    *,
    overwrite: bool,
) -> list[outputs.Output]:
    """Return what the command will write, but for study and ledger; a plan must be new."""
    places = [output_of(Tuned, path, overwrite=overwrite) for path in reports]
    if plot is not None:
        places.append(picture("plot", plot, overwrite=overwrite))
    if plan is not None:
        places.append(outputs.Output("plan", plan))
    if out is not None and secret is not None:
        places += release_folder.outputs_of(out, secret)
    return places


def _check_places(
    places: list[outputs.Output], inputs: list[Path], study: Path | None, *, allow_exposed: bool
) -> None:
    """Refuse places where nothing may be written, and a study that cannot be gone on with."""
    outputs.check(places, inputs, allow_exposed=allow_exposed)
    if study is not None:
        kept = outputs.Output("study", study)
        outputs.check_places([kept, *places], inputs, allow_exposed=allow_exposed)
        recognise(study)


def _write_release(
    applied: Applied,
    table: Table,
    register: Register | None,
    places: tuple[Path, Path],
    run: options.Run,
    *,
    sheet: DataSheet | None,
    allow_exposed: bool,
) -> Applied | None:
    """Write the release and its secret; return what was applied, nothing where it could not be written."""
    out, secret = places
    if applied.release is not None:
        with run.keeping():
            with written_down(register, table, applied.release):
                release_folder.write_release(
                    applied.release, out, secret=secret, sheet=sheet, allow_exposed=allow_exposed
                )
            return applied
    return None


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


def _next(
    advised: Plan | None, asked: Path | None, file: Path | None, applied: Applied | None, data: str
) -> Iterator[str]:
    """Yield what became of the plan's file and of the release, or what to type next."""
    if asked is not None and advised is None:
        yield "No plan was written: none keeps the limit."
    elif file is not None:
        yield f"The plan is in {file}."
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
