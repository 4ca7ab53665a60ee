"""`kakurenbo attack ATTACK ORIGINAL RELEASE --out GUESS`: seek people in a release."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text

from kakurenbo.catalogue import find
from kakurenbo.cli import left_out, options
from kakurenbo.files import outputs
from kakurenbo.files.pairings import is_guess, write_pairing


def attack(
    name: str,
    original: options.Original,
    release: options.Released,
    *,
    out: Annotated[Path, typer.Option(help="The file for the guess (released,original).", metavar="GUESS")],
    allow_exposed: options.AllowExposed = False,
    run: options.Run,
    **named: Any,  # noqa: ANN401 - spelled out below
) -> None:
    """Seek people with one attack."""
    reading, given = options.split(named)
    guesses = outputs.Output("out", out, private=True, replaces=is_guess)
    outputs.check([guesses], outputs.inputs_of(original, release), allow_exposed=allow_exposed)
    kind = options.kind_of(original, reading)
    attacker = options.build(find(name, "attack", kind).what, given)
    with run.working() as progress:
        known, released = options.read_both(original, release, reading)
        progress.step(f"seeking with {name}")
        start = time.perf_counter()
        guess = attacker.guess(known, released, seed=run.seed)
        seconds = time.perf_counter() - start
        with run.keeping():
            write_pairing(guess, out, allow_exposed=allow_exposed)
    answer = {
        "attack": name,
        "parameters": attacker.model_dump(mode="json"),
        "people": len(guess),
        "abstained": guess.abstained,
        "tied": guess.tied,
        "out": None if run.unwritten else str(out),
        "seconds": seconds,
        **left_out.documents(known, released),
    }
    sentence = (
        f"{name}: named {len(guess) - guess.abstained:,} of {len(guess):,} people, {guess.tied:,} of "
        f"them by lot among equals.{'' if run.unwritten else f' The guess is in {out}.'}"
    )
    told = left_out.remarks_on_both(known, released)
    run.answer(answer, map(Text, [*([] if run.quiet else [sentence]), *told]))


app = options.commands("attack", attack, help="Seek people: guess who is who in a release.")
