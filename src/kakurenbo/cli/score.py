"""`kakurenbo score --secret FILE --guess GUESS`: what a guess is worth."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from kakurenbo.cli import options
from kakurenbo.data.checks.spelling import refuse_apart
from kakurenbo.errors import ParameterError
from kakurenbo.files.pairings import is_guess, read_both
from kakurenbo.risk.found import reidentification

if TYPE_CHECKING:
    from kakurenbo.data.checks.spelling import Spelling


@options.command
def score(
    *,
    secret: Annotated[Path, typer.Option(help="The secret pairing of the release.", metavar="FILE")],
    guess: Annotated[Path, typer.Option(help="The guess to score.", metavar="GUESS")],
    spelling: Annotated[
        str, typer.Option(help="How the ids were read, see the other commands.", metavar="refuse|merge|keep")
    ] = "refuse",
    run: options.Run,
) -> None:
    """How many people a guess names rightly, with interval and chance level.

    Where a person has several names, names are counted and people of whom at least one is found.
    """
    chosen = cast("Spelling", spelling)  # checked where ids are read
    if is_guess(secret) and not is_guess(guess):
        raise ParameterError(
            f"{secret.name} looks like a guess and {guess.name} like a secret: are they exchanged?",
            code="parameter",
        )
    pairing, named = read_both(secret, guess, spelling=chosen)
    if chosen == "refuse":
        refuse_apart(pairing.original, named.original, column="original")
    result = reidentification(pairing, named).to_dict()
    sentence = (
        f"re-identified {result['rate']:.1%} ({result['hits']:,.0f} of {result['people']:,}), "
        f"95 % interval {result['low']:.1%} to {result['high']:.1%}; chance {result['chance']:.2%}"
    )
    if result["persons"] != result["people"]:
        sentence += (
            f"; of {result['persons']:,} people {result['persons_rate']:.1%} by at least one of their names, "
            f"95 % interval {result['persons_low']:.1%} to {result['persons_high']:.1%}; chance "
            f"{result['persons_chance']:.2%}"
        )
    unnamed = [f"{result['abstained']:,} people were not named."]
    run.answer(result, [sentence, *(unnamed if result["abstained"] and not run.quiet else [])])
