"""`kakurenbo init DATA`: say once how a table is to be read."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.text import Text

from kakurenbo.cli import ask, options, output
from kakurenbo.errors import ParameterError
from kakurenbo.files import settings
from kakurenbo.files.read import propose


@options.command
def init(
    data: options.Data,
    *,
    yes: options.Yes = False,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace a kakurenbo.toml that stands there already.")
    ] = False,
    run: options.Run,
) -> None:
    """Show which column seems to play which role, ask, and write it to kakurenbo.toml beside the data.

    Forms of values are shown, never values. Every command then reads the table so; change the file by hand
    where the proposal is wrong.
    """
    place = settings.place_of(data)
    if place.exists() and not overwrite:
        raise ParameterError(
            f"{place} exists already; look at it, or replace it.", code="exists", parameter="overwrite"
        )
    proposal = propose(data, anew=True)
    if proposal is None:
        known = "The layout is a known one: every command reads it without settings, so none were written."
        run.answer({"kind": "purchases", "written": None}, [known])
        return
    if not run.json:
        ask.show(proposal, output.console())
    if not proposal.possible:
        raise ask.question(proposal)
    if not yes and not ask.confirmed():
        raise ParameterError(
            "Nothing was written: say yes to the proposal.", code="parameter", parameter="yes"
        )
    settings.write(place, proposal, overwrite=overwrite)
    document = {
        "kind": proposal.kind,
        "written": str(place),
        **proposal.options,
        "policy": proposal.policy,
        "left": list(proposal.left),
        "doubts": [doubt.question for doubt in proposal.doubts],
    }
    run.answer(document, [Text(f"\nWritten to {place}.")])
