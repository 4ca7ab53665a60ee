"""`kakurenbo methods`: everything in the catalogue, with one line each."""

from __future__ import annotations

from kakurenbo.catalogue import entries
from kakurenbo.cli import options, output


def methods(*, json: options.Json = False, seed: options.Seed = None, quiet: options.Quiet = False) -> None:  # noqa: ARG001 - every command takes them
    """Everything in the catalogue, with one line each."""
    listed = entries()
    if json:
        output.print_json(
            [
                {
                    "name": entry.name,
                    "family": entry.family,
                    "data": entry.kind,
                    "summary": entry.summary,
                    "source": entry.source,
                    "parameters": entry.what.model_json_schema().get("properties", {}),
                }
                for entry in listed
            ]
        )
        return
    console = output.console()
    for family in dict.fromkeys(entry.family for entry in listed):
        rows = [(e.name, e.kind, e.summary) for e in listed if e.family == family]
        made = output.table(f"{family.capitalize()}s", ("name", "data", "what it does"), rows)
        for column in made.columns:
            column.justify = "left"
        console.print(made)
