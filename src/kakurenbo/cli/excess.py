"""`kakurenbo excess ORIGINAL [RELEASE --secret FILE]`: is a release too far from its data?"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import numpy as np
import typer
from rich.text import Text

from kakurenbo.chance import Chance
from kakurenbo.cli import engines, left_out, options, output
from kakurenbo.data.blocks import Blocks, in_blocks
from kakurenbo.data.groups import groups
from kakurenbo.data.purchases import Purchases
from kakurenbo.errors import ParameterError
from kakurenbo.files import outputs
from kakurenbo.report import drawable, picture
from kakurenbo.risk.excess.aligned import rows
from kakurenbo.risk.excess.judge import Excess
from kakurenbo.risk.excess.limits import EXACT
from kakurenbo.risk.excess.sampled import PEOPLE, excess_in_blocks
from kakurenbo.risk.excess.trials import Trials
from kakurenbo.risk.excess.trials import trials as run_trials
from kakurenbo.theory import format_certainty

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kakurenbo.data.owners import Owners
    from kakurenbo.data.table import Data
    from kakurenbo.kernels.permutations import Bracket
    from kakurenbo.risk.excess.judge import Verdict
    from kakurenbo.risk.excess.limits import Limits

_EMPTY = {"distance": None, "mean_distance": None, "farthest": None, "margin": None, "verdict": None}


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
    owners = partial(options.owners_of, secret, original, reading)
    if isinstance(before, Blocks) or (targets is not None and isinstance(before, Purchases)):
        _refuse_whole(trials, plot)
        _judge_some(judge, before, released, owners(), options.targets_of(targets, PEOPLE), run=run)
        return
    both = None if released is None else (before, released)
    _judge_all(judge, before, released, owners(both), Asked(trials, plot, overwrite), run=run)


class Asked(NamedTuple):
    """What else is wanted of a table in memory: so many trials of each cheat, and a picture."""

    trials: int
    plot: Path | None
    overwrite: bool


def _judge_all(
    judge: Excess,
    before: Data,
    released: Data | None,
    pairing: Owners | None,
    asked: Asked,
    *,
    run: options.Run,
) -> None:
    """Judge a table in memory, and tell."""
    with run.working() as progress:
        progress.step("finding the limits")
        known = judge.limits(before)
        t = judge.threshold(known)
        verdict = None
        if released is not None and pairing is not None:
            progress.step("following everybody")
            verdict = judge.judge(before, released, pairing, known)
        tried: tuple[Trials, ...] = ()
        if asked.trials:
            progress.step("trying the cheats")
            tried = run_trials(
                rows(before, known.measure), known.measure, groups(before, judge.by), asked.trials,
                np.random.default_rng(run.seed),
            )  # fmt: skip
        if asked.plot is not None:
            progress.step("drawing")
            from kakurenbo.report.charts import excess as chart  # noqa: PLC0415 - plots are slow to load

            with run.keeping():
                curve = _whole_curve(judge, before, known)
                chart.draw(curve, t, verdict, tried, asked.plot, overwrite=asked.overwrite)
    answer = {**_answer(known, verdict, tried, t), **left_out.documents(before, released)}
    told = map(Text, left_out.remarks_on_both(before, released))
    run.answer(answer, [*_shown(known, verdict, tried, t), *told])
    if verdict is not None and verdict.excessive:
        raise typer.Exit(1)


def _refuse_whole(trials: int, plot: Path | None) -> None:
    if trials or plot is not None:
        raise ParameterError(
            "Trials and plots need everybody in memory.", code="parameter", parameter="engine"
        )


def _judge_some(
    judge: Excess,
    before: Purchases | Blocks,
    released: Purchases | Blocks | None,
    owners: Owners | None,
    people: int | None,
    *,
    run: options.Run,
) -> None:
    """Judge a table by some of its people, and tell."""
    with run.working() as progress:
        found = excess_in_blocks(
            judge, in_blocks(before), None if released is None else in_blocks(released), owners,
            people=people, chance=Chance(run.seed), progress=progress,
        )  # fmt: skip
    answer = {**_answer(found.limits, found.verdict, (), found.threshold), **found.to_dict()}
    told = [*left_out.remarks_on_both(before, released)]
    if found.nearest is not None:
        told.insert(
            0, f"Told from {found.people:,} of {found.limits.people:,} people; the limits are bounds."
        )
    shown = _shown(found.limits, found.verdict, (), found.threshold)
    run.answer({**answer, **left_out.documents(before, released)}, [*shown, *map(Text, told)])
    if found.verdict is not None and found.verdict.excessive:
        raise typer.Exit(1)


def _answer(known: Limits, verdict: Verdict | None, tried: tuple[Trials, ...], t: float) -> dict[str, Any]:
    limits = {"threshold": t, "mean_threshold": t / known.people, **known.to_dict()}
    judged = {**_EMPTY, "reason": None, "readings": [], **limits} if verdict is None else verdict.to_dict()
    return {**judged, "cheats": [cheat.to_dict(t) for cheat in tried]}


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


def _whole_curve(judge: Excess, data: Data, known: Limits) -> Limits:
    """Return the limits with every r from 0 to n, where s_exact can be had for all."""
    if known.people > EXACT:
        return known
    return judge.model_copy(update={"r": tuple(range(known.people + 1)), "close": 0.0}).limits(data)
