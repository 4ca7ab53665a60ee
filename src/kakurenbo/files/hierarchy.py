"""Hierarchies on disk: a table of a value and its coarser names, as people write them in a spreadsheet.

The first column holds the values, every further one a level, the finest first; an empty cell means: as the
level before. In a release folder `goods.csv` says what the released goods stand for, and `values-1.csv` and
so on do for columns of the master or of microdata, which the first cell of their header names.
"""

from __future__ import annotations

from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from kakurenbo.data.checks import ids
from kakurenbo.data.hierarchy import VALUE, Hierarchy
from kakurenbo.errors import InputError, in_file
from kakurenbo.files import atomic, outputs, tables

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import polars as pl

    from kakurenbo.data.checks.spelling import Spelling

GOODS = "goods.csv"
_OTHERS = "values-*.csv"
_LEVELS = 100


def read_hierarchy(
    path: str | Path, *, encoding: str | None = None, spelling: Spelling = "refuse"
) -> Hierarchy:
    """Read a hierarchy from a CSV, Parquet or XLSX file with a header.

    Args:
        path: the file: a column of values, then a column a level, the finest first.
        encoding: of text.
        spelling: values that differ only in how they are written: `refuse`, `merge` or `keep` them apart.
    """
    with in_file(Path(path)):
        return read_named(Path(path), encoding=encoding, spelling=spelling)[1]


def read_named(path: Path, *, encoding: str | None, spelling: Spelling) -> tuple[str, Hierarchy]:
    """Read a hierarchy, and the name of its column of values."""
    table = tables.open_any(path, encoding=encoding, header=True)
    if not 2 <= len(table.names) <= _LEVELS:
        raise InputError(
            f"A hierarchy has a column of values and 1 to {_LEVELS - 1} levels beside it.", code="hierarchy"
        )
    frame = table.load(table.names)
    values = ids.as_text(frame[table.names[0]], column=table.names[0], spelling=spelling)
    levels = (
        ids.as_text(frame[name], column=name, spelling="keep").alias(f"level {place}")
        for place, name in enumerate(table.names[1:], 1)
    )
    return table.names[0], Hierarchy(values.alias(VALUE).to_frame().with_columns(*levels))


def write_hierarchy(tree: Hierarchy, path: str | Path, *, column: str = VALUE) -> None:
    """Write a hierarchy as a CSV file to be looked at, edited and used again; it replaces nothing.

    Args:
        tree: what to write.
        path: the file.
        column: the header of the values.
    """
    output = outputs.Output("out", Path(path))
    outputs.check_places([output])
    atomic.write_file(output.path, named(tree, column).write_csv().encode())


def named(tree: Hierarchy, column: str) -> pl.DataFrame:
    """Return the table of a hierarchy with its column of values named."""
    return tree.frame.rename({VALUE: column})


def listed(trees: Mapping[str, Hierarchy], goods: str) -> Iterator[tuple[str, pl.DataFrame]]:
    """Yield the files of a release's hierarchies: their names and tables.

    Args:
        trees: by `goods` or the column they belong to.
        goods: what the release calls the column of goods.
    """
    others = (name for name in sorted(trees) if name != "goods")
    if "goods" in trees:
        yield GOODS, named(trees["goods"], goods)
    for place, name in enumerate(others, 1):
        yield _OTHERS.replace("*", str(place)), named(trees[name], name)


def found_in(folder: Path) -> tuple[Path, ...]:
    """Return the files of a release folder that hold hierarchies."""
    goods = folder / GOODS
    return (*([goods] if goods.is_file() else []), *sorted(folder.glob(_OTHERS)))


def is_one(name: str) -> bool:
    """Tell whether a file of a release folder holds a hierarchy, by its name."""
    return name == GOODS or PurePath(name).match(_OTHERS)


def read_all(files: tuple[Path, ...], *, encoding: str | None, spelling: Spelling) -> dict[str, Hierarchy]:
    """Read the hierarchies of a release folder, by what they belong to."""
    read = {path: read_named(path, encoding=encoding, spelling=spelling) for path in files}
    return {"goods" if path.name == GOODS else name: tree for path, (name, tree) in read.items()}
