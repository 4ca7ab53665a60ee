"""Options that several commands share, declared once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from kakurenbo.data.microdata import Microdata
from kakurenbo.data.purchases import Purchases
from kakurenbo.files.options import options_for
from kakurenbo.files.read import read_microdata, read_purchases

_COLUMNS = "Columns"
_READING = "Reading"

Data = Annotated[
    Path,
    typer.Argument(
        metavar="DATA", help="A CSV, Parquet or XLSX file, or a folder with transactions.* and master.*"
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]
Seed = Annotated[
    int | None, typer.Option(min=0, help="Repeat the same random choices; without it they are fresh.")
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress, no remarks.")]

Customer = Annotated[str | None, typer.Option(help="Column of customer ids.", rich_help_panel=_COLUMNS)]
Goods = Annotated[str | None, typer.Option(help="Column of goods ids.", rich_help_panel=_COLUMNS)]
Receipt = Annotated[str | None, typer.Option(help="Column of receipt ids.", rich_help_panel=_COLUMNS)]
Time = Annotated[
    str | None, typer.Option(help="Column of times, or two (date,clock).", rich_help_panel=_COLUMNS)
]
Price = Annotated[str | None, typer.Option(help="Column of prices.", rich_help_panel=_COLUMNS)]
Quantity = Annotated[str | None, typer.Option(help="Column of quantities.", rich_help_panel=_COLUMNS)]
Qi = Annotated[
    str | None, typer.Option(help="Microdata: quasi-identifiers, a,b,c.", rich_help_panel=_COLUMNS)
]
Sa = Annotated[
    str | None, typer.Option(help="Microdata: sensitive attributes, x,y.", rich_help_panel=_COLUMNS)
]
Id = Annotated[
    str | None, typer.Option("--id", help="Microdata: column of person ids.", rich_help_panel=_COLUMNS)
]

PolicyOption = Annotated[
    str | None,
    typer.Option(
        "--policy",
        metavar="refuse|drop",
        help="Rows without id, cancellations, zero or less: refuse them (default), or drop them with a count "
        "(default for known layouts).",
        rich_help_panel=_READING,
    ),
]
Cancelled = Annotated[
    str | None,
    typer.Option(
        help="Prefix of cancelled receipts, before digits [C]; '' for none.", rich_help_panel=_READING
    ),
]
EncodingOption = Annotated[
    str | None,
    typer.Option(
        "--encoding", metavar="utf-8|cp932|latin-1", help="Encoding of text.", rich_help_panel=_READING
    ),
]
NoHeader = Annotated[
    bool,
    typer.Option(
        "--no-header", help="The first row is data; columns are named 1, 2, 3.", rich_help_panel=_READING
    ),
]
Separator = Annotated[str | None, typer.Option(help="What stands between fields.", rich_help_panel=_READING)]
TimeFormat = Annotated[
    str | None, typer.Option(help="How times are written, such as %d/%m/%Y.", rich_help_panel=_READING)
]


def listed(text: str | None) -> tuple[str, ...]:
    """Return the parts of a comma-separated option."""
    return tuple(part.strip() for part in text.split(",")) if text else ()


def read(path: Path, **given: Any) -> Purchases | Microdata:  # noqa: ANN401 - checked by ReadOptions
    """Read purchases, or microdata where quasi-identifiers are named."""
    given["header"] = False if given.pop("no_header", False) else None
    given["qi"], given["sa"] = listed(given.get("qi")), listed(given.get("sa"))
    folder = path if path.is_dir() else path.parent
    if options_for(folder, given).qi:
        return read_microdata(path, **given)
    return read_purchases(path, **given)
