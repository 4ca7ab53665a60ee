"""`kakurenbo guess-method ORIGINAL RELEASE [--secret FILE]`: which methods made this release?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from kakurenbo.auditing.method_guess import guess_methods
from kakurenbo.auditing.plan_guess import guess_plan
from kakurenbo.cli import left_out, options, output
from kakurenbo.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kakurenbo.auditing.method_guess import MethodGuess
    from kakurenbo.data.microdata import Microdata
    from kakurenbo.data.pairing import Pairing
    from kakurenbo.data.purchases import Purchases


@options.judging
def guess_method(
    original: options.Original,
    release: options.Released,
    *,
    secret: Annotated[
        Path | None,
        typer.Option(help="Of microdata: the secret pairing, to tell cheating.", metavar="FILE"),
    ] = None,
    run: options.Run,
    **reading: Any,  # noqa: ANN401 - spelled out by the decorator
) -> None:
    """Which methods made a release, with the reasons: of purchases the plan, of microdata as in 001 table 15.

    The plan of purchases is guessed from both tables alone; where something was done to them that no plan
    explains, nothing is guessed, and that is said.
    """
    purchases = options.kind_of(original, reading) == "purchases"
    if purchases and secret is not None:
        raise ParameterError(
            "The plan of purchases is guessed without the pairing: leave out --secret. Of microdata name the "
            "columns with --qi and --sa.",
            code="parameter",
        )
    with run.working():
        before, after = options.read_both(original, release, reading)
        answer, shown = (
            _of_purchases(before, after)
            if purchases
            else _of_microdata(
                before, after, options.secret_of(secret, original, reading, (before, after)), quiet=run.quiet
            )
        )
    told = map(Text, left_out.remarks_on_both(before, after))
    run.answer({**answer, **left_out.documents(before, after)}, [*shown, *told])


def _of_purchases(before: Purchases, after: Purchases) -> tuple[dict[str, Any], list[Any]]:
    guess = guess_plan(before, after)
    plan = "nothing can be guessed" if guess.plan is None else str(guess.plan)
    return guess.to_dict(), [Text(f"Plan: {plan}"), *map(Text, guess.reasons)]


def _of_microdata(
    before: Microdata, after: Microdata, secret: Pairing | None, *, quiet: bool
) -> tuple[dict[str, Any], list[Any]]:
    guess = guess_methods(before, after, secret and secret.as_secret())
    return guess.to_dict(), [*_shown(guess, quiet=quiet)]


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
