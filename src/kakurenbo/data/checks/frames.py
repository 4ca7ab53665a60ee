"""The dataframe door: polars, pandas or pyarrow in, the same kind out.

narwhals tells the kinds apart; inside there is only polars. Nothing here imports pandas or pyarrow: if a
user hands one over, it is loaded already.
"""

from __future__ import annotations

from typing import Any, Literal

import narwhals as nw
import polars as pl

from kakurenbo.errors import InputError

Library = Literal["polars", "pandas", "pyarrow"]


def to_polars(frame: Any) -> tuple[pl.DataFrame, Library]:  # noqa: ANN401 - any dataframe is welcome
    """Return the frame as polars, with the library it came from."""
    try:
        native = nw.from_native(frame, eager_only=True)
    except TypeError:
        raise InputError(
            f"Expected a polars, pandas or pyarrow dataframe, but got {type(frame).__name__}.", code="frame"
        ) from None
    library = native.implementation.name.lower()
    if library not in {"polars", "pandas", "pyarrow"}:
        raise InputError(
            f"Dataframes of {library} are not supported; convert to polars, pandas or pyarrow.", code="frame"
        )
    try:
        return native.to_polars(), library
    except (TypeError, ValueError, pl.exceptions.PolarsError):
        raise InputError(
            "A column of the dataframe holds values of several kinds; give it one, such as text.",
            code="frame",
        ) from None


def from_polars(frame: pl.DataFrame, library: Library) -> Any:  # noqa: ANN401 - the library decides the type
    """Return a polars frame as a dataframe of the library asked for."""
    if library == "polars":
        return frame
    if library == "pyarrow":
        return frame.to_arrow()
    columns = {series.name: series.to_numpy() for series in frame}
    return nw.from_dict(columns, backend=library).to_native()
