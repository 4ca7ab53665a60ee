"""`kakurenbo tree DATA --out tree.csv`: the tree of goods that `generalize` would cut, to be edited first."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kakurenbo.catalogue import find
from kakurenbo.chance import Chance
from kakurenbo.cli import left_out, options
from kakurenbo.data.purchases import Purchases
from kakurenbo.errors import ParameterError
from kakurenbo.files import outputs
from kakurenbo.files.hierarchy import write_hierarchy

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kakurenbo.data.hierarchy import Hierarchy


@options.reading
def tree(
    data: options.Data,
    *,
    out: Annotated[Path, typer.Option(help="The new CSV file for the tree.", metavar="FILE")],
    by: Annotated[
        str,
        typer.Option(
            help="learnt from who buys what together and from what is said of goods, or the first characters "
            "of their codes.",
            metavar="learnt|characters",
        ),
    ] = "learnt",
    run: options.Run,
    **reading: Any,  # noqa: ANN401 - spelled out by the decorator
) -> None:
    """A tree of goods with a name for every kind, one row a good, to be looked at, edited and used again.

    `kakurenbo deidentify generalize DATA --hierarchy goods=FILE` takes it up.
    """
    outputs.check([outputs.Output("out", out)], outputs.inputs_of(data))
    with run.working() as progress:
        table = options.read(data, reading)
        if not isinstance(table, Purchases):
            raise ParameterError("Only purchases have a tree of goods.", code="parameter")
        progress.step("learning which goods are alike", 0.2)
        method = find("generalize", "method", "purchases").what(crowd=1, by=by)
        made = method.tree(table, Chance(0 if run.seed is None else run.seed))
        with run.keeping():
            write_hierarchy(made, out, column=table.layout.name_of("goods"))
    kinds = [made.frame[level].n_unique() for level in made.levels]
    document = {
        "goods": made.frame.height,
        "levels": kinds,
        "out": None if run.unwritten else str(out),
        **left_out.document(table),
    }
    run.answer(document, shown(made, kinds, None if run.unwritten else out))


def shown(made: Hierarchy, kinds: list[int], out: Path | None) -> Iterator[str]:
    """Yield how many kinds every level has, and what to do next."""
    counts = ", ".join(f"{count:,}" for count in kinds)
    yield f"{made.frame.height:,} goods in {counts} kinds, level by level."
    if out is not None:
        yield f"The tree is in {out}. Edit it, and generalise by it with --hierarchy goods={out}."
