"""`kakurenbo score --secret FILE --guess GUESS`: what a guess is worth."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kakurenbo.cli import options, output
from kakurenbo.files.pairings import read_pairing
from kakurenbo.risk.found import reidentification


def score(
    *,
    secret: Annotated[Path, typer.Option(help="The secret pairing of the release.", metavar="FILE")],
    guess: Annotated[Path, typer.Option(help="The guess to score.", metavar="GUESS")],
    json: options.Json = False,
    seed: options.Seed = None,  # noqa: ARG001 - every command takes it
    quiet: options.Quiet = False,
) -> None:
    """How many people a guess names rightly, with interval and chance level."""
    result = reidentification(read_pairing(secret), read_pairing(guess)).to_dict()
    if json:
        output.print_json(result)
        return
    console = output.console()
    console.print(
        f"re-identified {result['rate']:.1%} ({result['hits']:,.0f} of {result['people']:,}), "
        f"95 % interval {result['low']:.1%} to {result['high']:.1%}; chance {result['chance']:.2%}"
    )
    if result["abstained"] and not quiet:
        console.print(f"{result['abstained']:,} people were not named.")
