"""`kakurenbo audit ORIGINAL RELEASE [--secret FILE]`: the panel of attackers, what is kept, and yes or no."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, cast

import typer

from kakurenbo import report as reporting
from kakurenbo.auditing.audit import MAX_RISK
from kakurenbo.auditing.audit import audit as run_audit
from kakurenbo.auditing.earlier import Other
from kakurenbo.auditing.results import Audit
from kakurenbo.cli import engines, filing, options, output
from kakurenbo.cli.audit_show import show
from kakurenbo.data.blocks import Blocks
from kakurenbo.errors import ParameterError
from kakurenbo.files import atomic, outputs
from kakurenbo.files.aside import PRIVATE
from kakurenbo.files.fingerprints import fingerprint
from kakurenbo.files.register import refuse_overlooking
from kakurenbo.report.languages import language

if TYPE_CHECKING:
    from kakurenbo.data.table import Table
    from kakurenbo.files.register import Known, Register


@options.judging
def audit(
    original: options.Original,
    release: options.Released,
    *,
    secret: Annotated[
        Path | None,
        typer.Option(
            help="The secret pairing; without it the answer is about what is learnt.", metavar="FILE"
        ),
    ] = None,
    max_risk: Annotated[
        float | None,
        typer.Option(
            min=0, max=1, metavar="SHARE", help=f"Largest share any attacker may find (default {MAX_RISK})."
        ),
    ] = None,
    max_learnt: Annotated[
        float | None,
        typer.Option(
            min=0,
            max=1,
            metavar="SHARE",
            help="By how much the share of people laid open may exceed that outside the release (default: as "
            "--max-risk).",
        ),
    ] = None,
    knowledge: Annotated[
        str | None,
        typer.Option(
            help='What an attacker may know at most to decide, such as "2 records", "a receipt", "goods" or '
            '"everything" (the default). All are shown.',
            metavar="RUNG",
            autocompletion=options.rungs,
        ),
    ] = None,
    control: Annotated[
        Path | None,
        typer.Option(help="People of the same population who are not in the release.", metavar="DATA"),
    ] = None,
    earlier: Annotated[
        list[Path] | None,
        typer.Option(
            help="An earlier release that an attacker may hold too: he links names across all of them "
            "(repeatable).",
            metavar="RELEASE",
        ),
    ] = None,
    earlier_secret: Annotated[
        list[Path] | None,
        typer.Option(
            help="The secret of an earlier release, in the order of --earlier: only to count how many names "
            "were linked rightly (repeatable).",
            metavar="FILE",
        ),
    ] = None,
    population: options.Population = None,
    ledger: options.Ledger = None,
    overlook: options.Overlook = None,
    min_utility: Annotated[
        list[str] | None,
        typer.Option(
            help="Least share of the use kept: 0.7 for the mean of all measures, or u3-rfm=0.5 for one.",
            metavar="SHARE",
        ),
    ] = None,
    minutes: Annotated[
        float | None,
        typer.Option(
            help="How long attackers may seek; where they find nearly everybody, no more of them are asked.",
            metavar="MINUTES",
        ),
    ] = None,
    targets: Annotated[
        str | None,
        typer.Option(
            help="How many people are sought where there are more (default 10000), or all.",
            metavar="N|all",
        ),
    ] = None,
    engine: options.Engine = "auto",
    master: options.Master = None,
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
    overwrite: options.Overwrite = False,
    people: Annotated[
        Path | None,
        typer.Option(
            help="Write who is found of the people sought, by whom and why: secret, mode 0600.",
            metavar="FILE",
        ),
    ] = None,
    by: filing.By = None,
    lang: filing.Lang = "en",
    allow_exposed: options.AllowExposed = False,
    run: options.Run,
    **reading: Any,  # noqa: ANN401 - spelled out by the decorator
) -> None:
    """Attack a release with everything there is, measure what is kept, and answer (exit code 1 means no).

    Attackers stand on a ladder of knowledge and are first proved on a copy and on noise. The answer is yes if
    none of them finds more than --max-risk, or lays open more than --max-learnt, enough use is kept, the
    pairing looks true, and nothing was released that nobody looked at: rows left out, columns unread, other
    files.
    """
    language(lang)
    least, reports = _shares(min_utility or []), report or []
    held, held_secrets = earlier or [], earlier_secret or []
    inputs = outputs.inputs_of(original, release, secret, control, *held, *held_secrets)
    asked = _outputs(people, reports, overwrite=overwrite)
    outputs.check(asked, inputs, allow_exposed=allow_exposed)
    if people is not None and secret is None:
        raise ParameterError("Who is found can only be told with the secret.", code="parameter")
    register = options.register_of(ledger, original, allow_exposed=allow_exposed, others=asked)
    with run.working() as progress:
        by_engine: dict[str, Any] = {
            "engine": engine,
            "master": master,
            "progress": progress,
            "quiet": run.quiet,
        }
        before, after = engines.read_both(original, release, reading, **by_engine)
        others = _earlier(held, held_secrets, original, reading, before, by_engine)
        known = _known(register, before, after, others)
        if overlook is None:
            refuse_overlooking(known, parameter="earlier")
        outside = control and engines.read(control, reading, like=original, **by_engine)
        result = run_audit(
            before,
            after,
            engines.secret_of(secret, original, reading, (before, after)),
            max_risk=MAX_RISK if max_risk is None else max_risk,
            max_learnt=max_learnt,
            knowledge=knowledge,
            control=outside,
            earlier=others,
            min_utility=least,
            minutes=minutes,
            population=population,
            trust_pairing=trust_pairing,
            targets=_targets(targets),
            seed=run.seed,
            progress=progress,
        )
        files = (("original", original), ("release", release), ("secret", secret), ("control", control))
        held_too = [("earlier release", path) for path in held]
        result = replace(result, filing=filing.filing(by, (*files, *held_too)))
        if register is not None:
            with run.keeping():
                _write_down(register, (before, after), result, known, overlook)
        if people is not None or reports:
            progress.step("writing the report", 1)
        _write(result, people, reports, run, lang=lang, overwrite=overwrite)
    if run.json:
        output.print_json(result.to_dict())
    else:
        show(result, output.console(), quiet=run.quiet)
    run.settle()
    if result.verdict == "no" or (result.verdict == "not measured" and max_risk is not None):
        raise typer.Exit(1)


def _targets(asked: str | None) -> int | Literal["all"] | None:
    """Return how many people are to be sought."""
    if asked is None or asked == "all":
        return cast("Literal['all'] | None", asked)
    if not asked.isdecimal() or not int(asked):
        raise ParameterError(
            "--targets is a number of people, or all.", code="parameter", parameter="targets"
        )
    return int(asked)


def _earlier(  # noqa: PLR0917 - as the tables are read
    releases: list[Path],
    secrets: list[Path],
    original: Path,
    reading: dict[str, Any],
    before: Table | Blocks,
    by_engine: dict[str, Any],
) -> list[Any]:
    """Read earlier releases as the release is, each with its secret where there is one."""
    if len(secrets) > len(releases):
        raise ParameterError("Every --earlier-secret needs its --earlier.", code="parameter")
    tables = [engines.read(path, reading, like=original, **by_engine) for path in releases]
    paired = [
        (table, engines.secret_of(path, original, reading, (before, table)))
        for path, table in zip(secrets, tables, strict=False)
    ]
    return [*paired, *tables[len(paired) :]]


def _known(
    register: Register | None, before: Table | Blocks, after: Table | Blocks, others: list[Any]
) -> tuple[Known, ...]:
    """Return the releases of the same people that the ledger knows and nobody gave."""
    if register is None:
        return ()
    tables = [after, *(Other.of(other).data for other in others)]
    return register.overlooked(register.about(before), [fingerprint(table) for table in tables])


def _write_down(
    register: Register,
    tables: tuple[Table | Blocks, Table | Blocks],
    result: Audit,
    known: tuple[Known, ...],
    overlook: str | None,
) -> None:
    """Write the verdict into the ledger, with what it was given on and what was overlooked."""
    (before, after), worst, lesson = tables, result.worst, result.worst_lesson
    register.add(
        "audit",
        **register.about(before),
        release=fingerprint(after),
        verdict=result.verdict,
        max_risk=result.limits.max_risk,
        max_learnt=result.limits.max_learnt,
        knowledge=result.limits.knowledge,
        worst=None if worst is None else [worst.knowledge, worst.name, worst.exposed.value],
        worst_learnt=None if lesson is None else [lesson.knowledge, lesson.name, lesson.advantage.value],
        earlier=[one.fingerprint for one in result.earlier],
        overlooked=[one.release for one in known],
        reason=overlook,
    )


def _write(
    result: Audit, people: Path | None, reports: list[Path], run: options.Run, *, lang: str, overwrite: bool
) -> None:
    """Write who is found, for the owner's eyes only, and the reports; what fails does not stop the others."""
    if people is not None and result.people is not None and result.people.table is not None:
        with run.keeping():
            atomic.write_file(people, result.people.table.write_csv().encode(), mode=PRIVATE)
        if result.people.drawn_from is not None and not run.quiet:
            drawn = f"{result.people.people:,} people drawn from {result.people.drawn_from:,}"
            told = f"{people} tells who of the {drawn} is found; of the others nothing is known."
            print(output.visible(told), file=sys.stderr)
    for path in reports:
        with run.keeping():
            reporting.write(result, path, lang=lang, overwrite=overwrite)


def _outputs(people: Path | None, reports: list[Path], *, overwrite: bool) -> list[outputs.Output]:
    """Return what the command will write, but for the ledger."""
    asked = [reporting.output(Audit, path, overwrite=overwrite) for path in reports]
    return asked if people is None else [*asked, outputs.Output("people", people, private=True)]


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
