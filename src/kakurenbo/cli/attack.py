"""`kakurenbo attack ATTACK ORIGINAL RELEASE --out GUESS`: seek people in a release."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kakurenbo.catalogue import find
from kakurenbo.cli import options, output
from kakurenbo.files.pairings import write_pairing

if TYPE_CHECKING:
    from collections.abc import Callable

app = typer.Typer(no_args_is_help=True, help="Seek people: guess who is who in a release.")


def _command(name: str) -> Callable[..., None]:
    """Make the command of one attack."""

    def command(
        original: options.Original,
        release: options.Released,
        *,
        out: Annotated[
            Path, typer.Option(help="The file for the guess (released,original).", metavar="GUESS")
        ],
        json: options.Json = False,
        seed: options.Seed = None,
        quiet: options.Quiet = False,
        **named: Any,  # noqa: ANN401 - spelled out below
    ) -> None:
        reading, given = options.split(named)
        kind = options.kind_of(original, reading)
        attack = options.build(find(name, "attack", kind).what, given)
        with output.working(quiet=quiet or json) as progress:
            known, released = options.read_both(original, release, reading)
            progress.step(f"seeking with {name}")
            start = time.perf_counter()
            guess = attack.guess(known, released, seed=seed)
            seconds = time.perf_counter() - start
            write_pairing(guess, out)
        answer = {
            "attack": name,
            "parameters": attack.model_dump(mode="json"),
            "people": len(guess),
            "abstained": guess.abstained,
            "tied": guess.tied,
            "out": str(out),
            "seconds": seconds,
        }
        if json:
            output.print_json(answer)
        elif not quiet:
            told = len(guess) - guess.abstained
            output.console().print(
                f"{name}: named {told:,} of {len(guess):,} people, {guess.tied:,} of them by lot "
                f"among equals. The guess is in {out}."
            )

    command.__doc__, extra = options.named(name, "attack")
    return options.with_options(command, extra)


for _name in options.names("attack"):
    app.command(_name)(_command(_name))
