"""What a release is still good for: every utility measure, and what share of the use it says is kept.

Measures speak in different units, so each also gets a loss between 0 (a copy) and 1:

| the measure is | its loss |
|---|---|
| a share (of the histogram that moved, of best sellers lost, ...) | the share, 1 at most |
| a similarity, higher is better | 1 - similarity |
| a cost x, of something the original has s of | x / (s + x): for dummies, their share of the release |

So no measure can drown the others in a mean, and a larger cost is always a larger loss.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np

from kakurenbo.auditing.results import Kept, Skipped
from kakurenbo.catalogue import entries
from kakurenbo.data.groups import group_codes
from kakurenbo.data.purchases import Purchases
from kakurenbo.errors import KakurenboError
from kakurenbo.progress import Progress
from kakurenbo.utility.microdata.contest import CELLS_BY

if TYPE_CHECKING:
    from collections.abc import Callable

    from kakurenbo.catalogue import Entry, Kind
    from kakurenbo.data.microdata import Microdata
    from kakurenbo.data.pairing import Pairing
    from kakurenbo.measure import Measured, MicrodataMeasure, PurchasesMeasure

    Data = Purchases | Microdata


def usefulness(
    original: Data, released: Data, secret: Pairing | None, progress: Progress | None = None
) -> tuple[tuple[Kept, ...], tuple[Skipped, ...]]:
    """Return what every utility measure says, and which had to be left out and why."""
    kept: list[Kept] = []
    skipped: list[Skipped] = []
    progress = progress or Progress()
    kind: Kind = "purchases" if isinstance(original, Purchases) else "microdata"
    measures = [entry for entry in entries("measure", kind) if "best-on-copy" in entry.obeys]
    for place, entry in enumerate(measures):
        progress.step(f"measuring {entry.name}", place / len(measures))
        try:
            kept.append(_kept(entry, original, released, secret))
        except KakurenboError as error:
            skipped.append(Skipped(entry.name, str(error)))
    return tuple(kept), tuple(skipped)


def _kept(entry: Entry, original: Data, released: Data, secret: Pairing | None) -> Kept:
    measure = cast("PurchasesMeasure | MicrodataMeasure", entry.what())
    found = measure.of(cast("Any", original), cast("Any", released), secret)
    loss = _loss(entry.name, found, original)
    return Kept(entry.name, found.value, found.unit, found.better, loss, entry.summary, entry.source)


def _loss(name: str, found: Measured, original: Data) -> float:
    if found.better == "higher":
        return min(max(1.0 - found.value, 0.0), 1.0)
    scale = _SCALE.get(name)
    if scale is None:
        return min(found.value, 1.0)
    return 1.0 - scale(original) / (scale(original) + found.value) if found.value else 0.0


def _rows(original: Data) -> float:
    return float(len(original))


def _mean_size(original: Data) -> float:
    """Return the mean over the sensitive attributes of the size of their means."""
    table = cast("Microdata", original)
    return float(np.abs(table.records.select(table.sa).to_numpy().mean(axis=0)).mean())


def _mean_cell(original: Data) -> float:
    """Return the people in a cell of U3's cross tabulation, on average."""
    table = cast("Microdata", original)
    (cells,) = group_codes([table.records], table.qi[:CELLS_BY])
    return len(table) / (int(cells.max()) + 1)


_SCALE: dict[str, Callable[[Data], float]] = {
    "delta-m": _rows,
    "records-added": _rows,
    "records-deleted": _rows,
    "u1-mean": _mean_size,
    "u2-cross-mean": _mean_size,
    "u3-cross-count": _mean_cell,
    "u6-rows": _rows,
}
