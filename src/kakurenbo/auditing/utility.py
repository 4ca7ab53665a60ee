"""What a release is still good for: every utility measure, and what share of the use it says is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kakurenbo.auditing.results import Kept, Skipped
from kakurenbo.catalogue import entries
from kakurenbo.errors import KakurenboError
from kakurenbo.progress import Progress

if TYPE_CHECKING:
    from kakurenbo.catalogue import Entry
    from kakurenbo.data.owners import Owners
    from kakurenbo.data.pairing import Pairing
    from kakurenbo.data.table import Data


def utility(
    original: Data, released: Data, secret: Pairing | Owners | None, progress: Progress | None = None
) -> tuple[tuple[Kept, ...], tuple[Skipped, ...]]:
    """Return what every utility measure says, and which had to be left out and why."""
    kept: list[Kept] = []
    skipped: list[Skipped] = []
    measures = [entry for entry in entries("measure", original.kind) if entry.what.about.kept != "risk"]
    for place, entry in enumerate(measures):
        (progress or Progress()).step(f"measuring {entry.name}", place / len(measures))
        try:
            kept.append(_kept(entry, original, released, secret))
        except KakurenboError as error:
            skipped.append(Skipped(entry.name, str(error)))
    return tuple(kept), tuple(skipped)


def _kept(entry: Entry, original: Data, released: Data, secret: Pairing | Owners | None) -> Kept:
    measure = entry.what()
    measured = measure.of(original, released, secret)
    loss = measure.loss(measured.value, original)
    return Kept(entry.name, measured.value, measured.unit, measured.better, loss, entry.summary, entry.source)
