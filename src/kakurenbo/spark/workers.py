"""What runs in the workers' Python: work on whole blocks, and every answer or refusal as bytes.

Nothing here knows Spark. A refusal of ours is an answer too: it comes back by its code and words and is
raised where the work was asked for. So does a fault, by its kind alone, since its words may hold a person's
value. Only what another worker may not meet, a full memory or disk, is left to the cluster to try again.
"""

from __future__ import annotations

import pickle
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from kakurenbo import errors
from kakurenbo.data.purchases import Purchases
from kakurenbo.spark import pieces
from kakurenbo.threads import take

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    import polars as pl
    import pyarrow as pa

    from kakurenbo.data.hierarchy import Hierarchy
    from kakurenbo.data.layout import Layout, Role


@dataclass(frozen=True)
class Form:
    """What makes a block of records `Purchases`: all that is not a record; `types` are Spark's, by role."""

    layout: Layout
    roles: tuple[Role, ...]
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)
    types: Mapping[str, str] = field(default_factory=dict)

    def block(self, records: pl.DataFrame) -> Purchases:
        """Return the purchases of a block."""
        return Purchases(records.select(self.roles), self.layout, hierarchies=self.hierarchies)


@dataclass(frozen=True)
class Refused:
    """A refusal on its way home."""

    kind: str
    message: str
    places: Mapping[str, Any]

    @classmethod
    def of(cls, error: errors.KakurenboError) -> Refused:
        """Return what there is to tell of an error."""
        places = {name: getattr(error, name) for name in ("code", "row", "column", "parameter")}
        return cls(type(error).__name__, error.message, places)

    def error(self) -> errors.KakurenboError:
        """Return the error again."""
        made: errors.KakurenboError = getattr(errors, self.kind)(self.message, **self.places)
        return made


@dataclass(frozen=True)
class Work:
    """Work on a block, and what makes it a block: all that is sent to the workers, once for every pass."""

    form: Form
    wanted: Callable[[Purchases], object]

    def __call__(self, body: bytes) -> object:
        """Return what becomes of a block."""
        return self.wanted(self.form.block(pieces.unpacked(body)))


@dataclass(frozen=True)
class Sent:
    """Work that was broadcast, on the blocks of a partition."""

    work: Any

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yield what the work makes of the blocks; a task has one processor, the others are other tasks'."""
        take(1)
        for number, body in pieces.gathered(batches):
            yield from pieces.in_pieces(number, pickle.dumps(answered(self.work.value, body)))


def answered(work: Callable[..., object], *arguments: object) -> object:
    """Return what work makes, or its refusal."""
    try:
        return work(*arguments)
    except errors.KakurenboError as error:
        return Refused.of(error)
    except (MemoryError, OSError):
        raise
    except Exception as error:  # noqa: BLE001 - told where the work was asked for
        told = f"A worker met a fault that nobody expected, {type(error).__name__}."
        return Refused("KakurenboError", told, {"code": "cluster"})
