"""`kakurenbo guess-method ORIGINAL RELEASE [--secret FILE]`: which methods made this release?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from kakurenbo.auditing.method_guess import MethodGuess, guess_methods
from kakurenbo.cli import options, output
from kakurenbo.errors import ParameterError
from kakurenbo.files.pairings import read_pairing


@options.reading
def guess_method(
    original: options.Original,
    release: options.Released,
    *,
    secret: Annotated[
        Path | None,
        typer.Option(help="The secret pairing; without it cheating cannot be told.", metavar="FILE"),
    ] = None,
    json: options.Json = False,
    seed: options.Seed = None,  # noqa: ARG001 - every command takes it
    quiet: options.Quiet = False,
    **reading: Any,  # noqa: ANN401 - spelled out by the decorator
) -> None:
    """Which methods made a release of microdata, told from its measures, with the reasons (001 table 15)."""
    if options.kind_of(original, reading) != "microdata":
        raise ParameterError(
            "This works on microdata: name the columns with --qi and --sa.", code="parameter"
        )
    with output.working(quiet=quiet or json):
        before, after = options.read_both(original, release, reading)
        guess = guess_methods(before, after, None if secret is None else read_pairing(secret))
    if json:
        output.print_json(guess.to_dict())
        return
    _show(guess, quiet=quiet)


def _show(guess: MethodGuess, *, quiet: bool) -> None:
    console = output.console()
    rows = [
        (name, f"{guess.measures[name]:.4g}", _before(guess, name), effect)
        for name, effect in guess.grades.items()
    ]
    if not quiet:
        console.print(output.table("Measures of the release", ("", "value", "original", "effect"), rows))
    reasons = [(suspect.method, suspect.verdict, "; ".join(suspect.reasons)) for suspect in guess.suspects]
    methods = output.table("Which methods made it", ("method", "verdict", "because"), reasons)
    for column in methods.columns:
        column.justify = "left"
    console.print(methods)


def _before(guess: MethodGuess, name: str) -> str:
    before = guess.measures.get(f"{name} before")
    return "" if before is None else f"{before:.4g}"
