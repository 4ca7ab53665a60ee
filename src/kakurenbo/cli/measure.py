"""`kakurenbo measure MEASURE ORIGINAL RELEASE`: one number of utility or risk."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kakurenbo.catalogue import find
from kakurenbo.cli import options, output
from kakurenbo.files.pairings import read_pairing

if TYPE_CHECKING:
    from collections.abc import Callable

app = typer.Typer(no_args_is_help=True, help="Measure what a release cost, or how large its groups are.")


def _command(name: str) -> Callable[..., None]:
    """Make the command of one measure."""

    def command(
        original: options.Original,
        release: options.Released,
        *,
        secret: Annotated[
            Path | None,
            typer.Option(help="The secret pairing, for measures that follow people.", metavar="FILE"),
        ] = None,
        json: options.Json = False,
        seed: options.Seed = None,  # noqa: ARG001 - every command takes it
        quiet: options.Quiet = False,
        **named: Any,  # noqa: ANN401 - spelled out below
    ) -> None:
        reading, given = options.split(named)
        kind = options.kind_of(original, reading)
        measure = options.build(find(name, "measure", kind).what, given)
        with output.working(quiet=quiet or json):
            before, after = options.read_both(original, release, reading)
            result = measure.of(before, after, None if secret is None else read_pairing(secret))
        if json:
            output.print_json(
                {"measure": name, "value": result.value, "better": result.better, "unit": result.unit}
            )
        else:
            output.console().print(f"{name}: {result.value:.6g} {result.unit} ({result.better} is better)")

    command.__doc__, extra = options.named(name, "measure")
    return options.with_options(command, extra)


for _name in options.names("measure"):
    app.command(_name)(_command(_name))
