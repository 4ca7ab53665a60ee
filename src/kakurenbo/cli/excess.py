"""`kakurenbo excess ORIGINAL [RELEASE --secret FILE]`: is a release too far from its data?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import numpy as np
import typer
from rich.text import Text

from kakurenbo.chance import Chance
from kakurenbo.cli import engines, left_out, options, output
from kakurenbo.data.blocks import Blocks
from kakurenbo.data.groups import groups
from kakurenbo.errors import ParameterError
from kakurenbo.files import outputs
from kakurenbo.report import drawable, picture
from kakurenbo.risk.excess.aligned import rows
from kakurenbo.risk.excess.judge import PEOPLE, Excess, limits_and_verdict
from kakurenbo.risk.excess.limits import EXACT
from kakurenbo.risk.excess.trials import trials as run_trials
from kakurenbo.theory import format_certainty

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kakurenbo.data.table import Table
    from kakurenbo.kernels.permutations import Bracket
    from kakurenbo.risk.excess.judge import Verdict
    from kakurenbo.risk.excess.limits import Limits
    from kakurenbo.risk.excess.trials import Trials

_EMPTY = dict.fromkeys((
    "distance", "mean_distance", "farthest", "margin", "verdict", "reason", "mean_distance_low",
    "mean_distance_high",
))  # fmt: skip


@options.taking({**options.fields_of(Excess), **options.JUDGING})
def excess(
    original: options.Original,
    release: Annotated[
        Path | None,
        typer.Argument(metavar="RELEASE", help="The release; without it only the limits are told."),
    ] = None,
    *,
    secret: Annotated[
        Path | None, typer.Option(help="The pairing declared for the release.", metavar="FILE")
    ] = None,
    trials: Annotated[int, typer.Option(min=0, help="Try each cheat of 004 so many times.")] = 0,
    plot: Annotated[
        Path | None,
        typer.Option(help="Draw limits, release and trials to an .svg or .png.", metavar="FILE"),
    ] = None,
    overwrite: options.Overwrite = False,
    targets: options.Targets = None,
    engine: options.Engine = "auto",
    master: options.Master = None,
    run: options.Run,
    **named: Any,  # noqa: ANN401 - spelled out below
) -> None:
    """Whether a release is so far from its data that its pairing may be a cheat (exit code 1 if so).

    Sums the distance of every person from the record declared to be his, and compares the sum with what a
    mere shuffle of true records would cost at least. The limits hold for the chosen distance only.
    """
    reading, given = options.split(named)
    judge = options.build(Excess, given)
    if (release is None) != (secret is None):
        raise ParameterError("A release and its secret go together: give both or none.", code="parameter")
    if plot is not None and plot.suffix not in {".svg", ".png"}:
        raise ParameterError("The plot must end in .svg or .png.", code="parameter")
    if plot is not None:
        place = picture("plot", plot, overwrite=overwrite)
        outputs.check([place], outputs.inputs_of(original, release, secret))
        drawable()
    with run.working() as progress:
        how: dict[str, Any] = {
            "engine": engine, "master": master, "progress": progress, "quiet": run.quiet,
        }  # fmt: skip
        if release is None:
            before, released = engines.read(original, reading, **how), None
        else:
            before, released = engines.read_both(original, release, reading, **how)
        count = _people(before, targets)
        whole = count is None and not isinstance(before, Blocks)
        if not whole and (trials or plot is not None):
            raise ParameterError(
                "Trials and plots need everybody in memory.", code="parameter", parameter="engine"
            )
        both = None if released is None or isinstance(before, Blocks) else (before, released)
        owners = options.owners_of(secret, original, reading, both)
        known, verdict = limits_and_verdict(
            judge, before, released, owners, people=count, chance=Chance(run.seed), progress=progress
        )
        tried: tuple[Trials, ...] = ()
        if trials:
            progress.step("trying the cheats")
            people, inside = rows(before, known.measure), groups(cast("Table", before), judge.by)
            tried = run_trials(people, known.measure, inside, trials, np.random.default_rng(run.seed))
        if plot is not None:
            progress.step("drawing")
            with run.keeping():
                _draw(judge, cast("Table", before), known, verdict, tried, plot, overwrite=overwrite)
    t = judge.threshold(known)
    answer = {**_answer(known, verdict, tried, t), **left_out.documents(before, released)}
    told = [*left_out.remarks_on_both(before, released)]
    if not known.nearest.complete:
        some = f"{known.nearest.people:,} of {known.people:,}"
        told.insert(0, f"Told from {some} people; the limits are bounds.")
    run.answer(answer, [*_shown(known, verdict, tried, t), *map(Text, told)])
    if verdict is not None and verdict.excessive:
        raise typer.Exit(1)


def _people(before: Table | Blocks, targets: str | None) -> int | None:
    """Return how many people are judged for all, None for everybody."""
    if isinstance(before, Blocks) or (targets is not None and before.kind == "purchases"):
        return options.targets_of(targets, PEOPLE)
    return None


def _answer(known: Limits, verdict: Verdict | None, tried: tuple[Trials, ...], t: float) -> dict[str, Any]:
    limits = {"threshold": t, "mean_threshold": t / known.people, **known.to_dict()}
    answer = {**_EMPTY, "readings": [], **limits} if verdict is None else verdict.to_dict()
    return {**answer, "cheats": [cheat.to_dict(t) for cheat in tried]}


def _shown(known: Limits, verdict: Verdict | None, tried: tuple[Trials, ...], t: float) -> Iterator[Any]:
    """Yield limits and verdict for people."""
    n = known.people
    exact = {bracket.r: bracket for bracket in known.s_exact}
    yield output.table(
        f"What a shuffle of {n:,} true records costs at least (mean {known.measure} distance)",
        ("left in place, at most", "s_lower", "s_exact", "probability in a random shuffle"),
        [
            (f"{r}", f"{value / n:.6f}", _bracket(exact.get(r), n), format_certainty(q))
            for (r, value), (_, q) in zip(known.s_lower, known.certainty, strict=True)
        ],
    )
    yield (
        f"\nA threshold must lie above {known.low / n:.4f} (or nothing can be anonymized) and not above "
        f"{known.high / n:.4f} = s_lower({known.l})/n. It is {t / n:.4f} a person, {t:.4f} in all."
    )
    for cheat in tried:
        yield (
            f"{cheat.cheat}: {cheat.rejected(t):,} of {len(cheat.sums):,} caught, "
            f"mean distance {cheat.sums.min() / n:.4f} to {cheat.sums.max() / n:.4f}."
        )
    if verdict is not None:
        yield f"\n{verdict.verdict}: {verdict.reason}"


def _bracket(bracket: Bracket | None, n: int) -> str:
    if bracket is None:
        return "not solved"
    if bracket.exact:
        return f"{bracket.upper / n:.6f}"
    return f"{bracket.lower / n:.6f} to {bracket.upper / n:.6f}"


def _draw(  # noqa: PLR0917 - what the picture shows
    judge: Excess,
    data: Table,
    known: Limits,
    verdict: Verdict | None,
    tried: tuple[Trials, ...],
    place: Path,
    *,
    overwrite: bool,
) -> None:
    """Draw the limits for every r from 0 to n, where s_exact can be had for all, and what was tried."""
    from kakurenbo.report.charts import excess as chart  # noqa: PLC0415 - plots are slow to load

    curve = known
    if known.people <= EXACT:
        every = tuple(range(known.people + 1))
        curve = judge.model_copy(update={"r": every, "close": 0.0}).limits(data)
    chart.draw(curve, judge.threshold(known), verdict, tried, place, overwrite=overwrite)
