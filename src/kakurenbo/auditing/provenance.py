"""What was audited with what: counts, fingerprints and versions, enough to file and to repeat."""

from __future__ import annotations

import hashlib
import io
import platform
from importlib.metadata import version
from typing import TYPE_CHECKING

import kakurenbo
from kakurenbo.data.purchases import Purchases

if TYPE_CHECKING:
    import polars as pl

    from kakurenbo.data.microdata import Microdata

    Data = Purchases | Microdata

_STANDS_ON = ("numpy", "scipy", "polars", "numba", "scikit-learn")


def fingerprint(data: Data) -> str:
    """Return the SHA-256 of the content: the same for the same rows, in whatever order and kind of file."""
    if isinstance(data, Purchases):
        tables = [data.under(None)] if data.master is None else [data.under(None), data.master]
    else:
        tables = [data.records.with_columns(data.ids.alias("\0id"))]
    digest = hashlib.sha256()
    for table in tables:
        digest.update(_written(table))
    return digest.hexdigest()


def _written(table: pl.DataFrame) -> bytes:
    named = table.select(sorted(table.columns))
    out = io.BytesIO()
    named.sort(named.columns).write_csv(out)
    return out.getvalue()


def counts(data: Data) -> tuple[tuple[str, int], ...]:
    """Return what there is and how much of it."""
    if isinstance(data, Purchases):
        receipts = () if data.receipts is None else (("receipts", data.receipts),)
        return (
            ("customers", len(data.customers)),
            ("records", len(data)),
            *receipts,
            ("goods", len(data.goods)),
        )
    return ("people", len(data)), ("quasi-identifiers", len(data.qi)), ("sensitive attributes", len(data.sa))


def versions() -> tuple[tuple[str, str], ...]:
    """Return the versions of this program and of what it stands on."""
    own = ("kakurenbo", kakurenbo.__version__), ("python", platform.python_version())
    return *own, *((name, version(name)) for name in _STANDS_ON)
