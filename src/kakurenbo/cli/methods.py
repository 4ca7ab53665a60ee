"""`kakurenbo methods`: everything in the catalogue, with one line each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kakurenbo.catalogue import entries
from kakurenbo.cli import options, output

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kakurenbo.catalogue import Entry


@options.command
def methods(*, run: options.Run) -> None:
    """Everything in the catalogue, with one line each."""
    listed = entries()
    document = [
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
    run.answer(document, _shown(listed))


def _shown(listed: Sequence[Entry]) -> Iterator[Any]:
    for family in dict.fromkeys(entry.family for entry in listed):
        rows = [(entry.name, entry.kind, entry.summary) for entry in listed if entry.family == family]
        columns = ("name", "data", "what it does")
        yield output.table(f"{family.capitalize()}s", columns, rows, others="left")
