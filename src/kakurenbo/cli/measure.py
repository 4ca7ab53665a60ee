"""`kakurenbo measure MEASURE ORIGINAL RELEASE`: one number of utility or risk."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text

from kakurenbo.catalogue import find
from kakurenbo.cli import left_out, options


def measure(
    name: str,
    original: options.Original,
    release: options.Released,
    *,
    secret: Annotated[
        Path | None,
        typer.Option(help="The secret pairing, for measures that follow people.", metavar="FILE"),
    ] = None,
    run: options.Run,
    **named: Any,  # noqa: ANN401 - spelled out below
) -> None:
    """Measure a release with one measure."""
    reading, given = options.split(named)
    kind = options.kind_of(original, reading)
    chosen = options.build(find(name, "measure", kind).what, given)
    with run.working():
        before, after = options.read_both(original, release, reading)
        result = chosen.of(before, after, options.owners_of(secret, original, reading, (before, after)))
    answer = {
        "measure": name, "value": result.value, "better": result.better, "unit": result.unit,
        **({"detail": dict(result.detail)} if result.detail else {}), **left_out.documents(before, after),
    }  # fmt: skip
    sentence = f"{name}: {result.value:.6g} {result.unit} ({result.better} is better)"
    further = [f"  {name}: {figure:.6g}" for name, figure in result.detail.items()]
    run.answer(answer, map(Text, [sentence, *further, *left_out.remarks_on_both(before, after)]))


app = options.commands("measure", measure, help="Measure what a release cost, or how large its groups are.")
