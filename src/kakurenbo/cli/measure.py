"""`kakurenbo measure MEASURE ORIGINAL RELEASE`: one number of utility or risk."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text

from kakurenbo.catalogue import find
from kakurenbo.cli import engines, left_out, options
from kakurenbo.data.blocks import Blocks, in_blocks
from kakurenbo.measure import Measured, Sampled


def measure(
    name: str,
    original: options.Original,
    release: options.Released,
    *,
    secret: Annotated[
        Path | None,
        typer.Option(help="The secret pairing, for measures that follow people.", metavar="FILE"),
    ] = None,
    targets: options.Targets = None,
    engine: options.Engine = "auto",
    master: options.Master = None,
    run: options.Run,
    **named: Any,  # noqa: ANN401 - spelled out below
) -> None:
    """Measure a release with one measure."""
    reading, given = options.split(named)
    kind = options.kind_of(original, reading)
    chosen = options.build(find(name, "measure", kind).what, given)
    with run.working() as progress:
        before, after = engines.read_both(
            original, release, reading, engine=engine, master=master, progress=progress, quiet=run.quiet
        )
        both = None if isinstance(before, Blocks) else (before, after)
        owners = options.owners_of(secret, original, reading, both)
        if both is None or (targets is not None and kind == "purchases"):
            result = chosen.of_blocks(
                *map(in_blocks, (before, after)), owners, targets=options.targets_of(targets), seed=run.seed,
                progress=progress,
            )  # fmt: skip
        else:
            result = chosen.of(before, after, owners)
    answer = {
        "measure": name, "value": result.value, "better": result.better, "unit": result.unit,
        **_sampling(result), **({"detail": dict(result.detail)} if result.detail else {}),
        **left_out.documents(before, after),
    }  # fmt: skip
    sentence = f"{name}: {result.value:.6g} {result.unit} ({result.better} is better){_words(result)}"
    further = [f"  {name}: {figure:.6g}" for name, figure in result.detail.items()]
    run.answer(answer, map(Text, [sentence, *further, *left_out.remarks_on_both(before, after)]))


def _sampling(result: Measured) -> dict[str, Any]:
    """Return what sampling cost, where people were sampled."""
    if not isinstance(result, Sampled):
        return {}
    return {name: getattr(result, name) for name in ("low", "high", "people", "everybody", "paired")}


def _words(result: Measured) -> str:
    if not isinstance(result, Sampled) or result.people == result.everybody:
        return ""
    apart = "" if result.paired else ", names drawn apart: the secret would follow the same people"
    return (
        f", between {result.low:.6g} and {result.high:.6g} by {result.people:,} of {result.everybody:,} "
        f"people{apart}"
    )


app = options.commands("measure", measure, help="Measure what a release cost, or how large its groups are.")
