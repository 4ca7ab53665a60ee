"""The dataframe door: polars, pandas or pyarrow in, the same kind out.

narwhals tells the kinds apart; inside there is only polars. Nothing here imports pandas or pyarrow: if a
user hands one over, it is loaded already.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import narwhals as nw

from kakurenbo.errors import InputError

if TYPE_CHECKING:
    import polars as pl

Kind = Literal["polars", "pandas", "pyarrow"]


def to_polars(frame: Any) -> tuple[pl.DataFrame, Kind]:  # noqa: ANN401 - any dataframe is welcome
    """Return the frame as polars, with the kind it came in."""
    try:
        native = nw.from_native(frame, eager_only=True)
    except TypeError:
        raise InputError(
            f"Expected a polars, pandas or pyarrow dataframe, but got {type(frame).__name__}.", code="frame"
        ) from None
    kind = native.implementation.name.lower()
    if kind not in {"polars", "pandas", "pyarrow"}:
        raise InputError(
            f"Dataframes of {kind} are not supported; convert to polars, pandas or pyarrow.", code="frame"
        )
    return native.to_polars(), kind


def from_polars(frame: pl.DataFrame, kind: Kind) -> Any:  # noqa: ANN401 - the kind decides the type
    """Return a polars frame as the kind asked for."""
    if kind == "polars":
        return frame
    if kind == "pyarrow":
        return frame.to_arrow()
    columns = {series.name: series.to_numpy() for series in frame}
    return nw.from_dict(columns, backend=kind).to_native()
