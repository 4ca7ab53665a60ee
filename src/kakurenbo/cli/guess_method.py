"""`kakurenbo guess-method ORIGINAL RELEASE [--secret FILE]`: which methods made this release?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from kakurenbo.auditing.method_guess import guess_methods
from kakurenbo.cli import left_out, options, output
from kakurenbo.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kakurenbo.auditing.method_guess import MethodGuess


@options.reading
def guess_method(
    original: options.Original,
    release: options.Released,
    *,
    secret: Annotated[
        Path | None,
        typer.Option(help="The secret pairing; without it cheating cannot be told.", metavar="FILE"),
    ] = None,
    run: options.Run,
    **reading: Any,  # noqa: ANN401 - spelled out by the decorator
) -> None:
    """Which methods made a release of microdata, told from its measures, with the reasons (001 table 15)."""
    if options.kind_of(original, reading) != "microdata":
        raise ParameterError(
            "This works on microdata: name the columns with --qi and --sa.", code="parameter"
        )
    with run.working():
        before, after = options.read_both(original, release, reading)
        guess = guess_methods(before, after, options.secret_of(secret, original, reading))
    answer = {**guess.to_dict(), **left_out.documents(before, after)}
    told = map(Text, left_out.remarks_on_both(before, after))
    run.answer(answer, [*_shown(guess, quiet=run.quiet), *told])


def _shown(guess: MethodGuess, *, quiet: bool) -> Iterator[Any]:
    rows = [
        (name, f"{guess.measures[name]:.4g}", _before(guess, name), effect)
        for name, effect in guess.grades.items()
    ]
    if not quiet:
        yield output.table("Measures of the release", ("", "value", "original", "effect"), rows)
    reasons = [(suspect.method, suspect.verdict, "; ".join(suspect.reasons)) for suspect in guess.suspects]
    yield output.table("Which methods made it", ("method", "verdict", "because"), reasons, others="left")


def _before(guess: MethodGuess, name: str) -> str:
    before = guess.measures.get(f"{name} before")
    return "" if before is None else f"{before:.4g}"
