"""`kakurenbo score --secret FILE --guess GUESS`: what a guess is worth."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kakurenbo.cli import options
from kakurenbo.files.pairings import read_pairing, read_secret
from kakurenbo.risk.found import reidentification


@options.command
def score(
    *,
    secret: Annotated[Path, typer.Option(help="The secret pairing of the release.", metavar="FILE")],
    guess: Annotated[Path, typer.Option(help="The guess to score.", metavar="GUESS")],
    run: options.Run,
) -> None:
    """How many people a guess names rightly, with interval and chance level."""
    result = reidentification(read_secret(secret), read_pairing(guess)).to_dict()
    sentence = (
        f"re-identified {result['rate']:.1%} ({result['hits']:,.0f} of {result['people']:,}), "
        f"95 % interval {result['low']:.1%} to {result['high']:.1%}; chance {result['chance']:.2%}"
    )
    unnamed = [f"{result['abstained']:,} people were not named."]
    run.answer(result, [sentence, *(unnamed if result["abstained"] and not run.quiet else [])])
