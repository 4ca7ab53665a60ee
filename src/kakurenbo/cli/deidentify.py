"""`kakurenbo deidentify METHOD DATA --out DIR --secret FILE`: make a release, its secret apart."""

from __future__ import annotations

import shlex
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kakurenbo.catalogue import find
from kakurenbo.cli import options, output
from kakurenbo.deidentify.chain import Chain, ChainMicrodata
from kakurenbo.errors import ParameterError
from kakurenbo.files.release_folder import write_release

if TYPE_CHECKING:
    from collections.abc import Callable

    from kakurenbo.catalogue import Kind
    from kakurenbo.data.microdata import Microdata
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.data.release import Release
    from kakurenbo.parameters import Parameters

_TOLD = ("dummies", "deleted", "dealt", "undivided", "clusters", "largest_cluster", "smallest_cluster")

app = typer.Typer(no_args_is_help=True, help="Hide people: make a release and its secret pairing.")


def _command(name: str) -> Callable[..., None]:
    """Make the command of one method: its parameters, how to read, where to write."""

    def command(
        data: options.Data,
        *,
        out: Annotated[Path, typer.Option(help="The release folder to make.", metavar="DIR")],
        secret: Annotated[
            Path, typer.Option(help="The file for the secret pairing, outside DIR.", metavar="FILE")
        ],
        then: Annotated[
            list[str] | None,
            typer.Option(help="Another method to chain, such as 'delete share=0.1'.", metavar="METHOD"),
        ] = None,
        overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace DIR if it exists.")] = False,
        json: options.Json = False,
        seed: options.Seed = None,
        quiet: options.Quiet = False,
        **named: Any,  # noqa: ANN401 - spelled out below
    ) -> None:
        reading, given = options.split(named)
        with output.working(quiet=quiet or json) as progress:
            kind = options.kind_of(data, reading)
            plan = _plan(name, given, then or [], kind)
            chain = Chain if kind == "purchases" else ChainMicrodata
            method = plan[0][1] if len(plan) == 1 else chain(methods=tuple(one for _, one in plan))
            table = options.read(data, reading)
            progress.step(f"hiding with {name}")
            start = time.perf_counter()
            release = _release(method, table, seed)
            seconds = time.perf_counter() - start
            progress.step("writing the release")
            write_release(release, out, secret=secret, overwrite=overwrite)
        _tell(_answer(plan, release, seconds, seed), as_json=json, quiet=quiet)

    command.__doc__, extra = options.named(name, "method")
    return options.with_options(command, extra)


def _plan(name: str, given: dict[str, Any], then: list[str], kind: Kind) -> list[tuple[str, Parameters]]:
    """Return the methods in order, by name, built and checked before any data is read."""
    plan = [(name, options.build(find(name, "method", kind).what, given))]
    for words in then:
        other, *pairs = shlex.split(words) or [""]
        if not all("=" in pair for pair in pairs):
            raise ParameterError("Parameters of a chained method are written name=value.", code="parameter")
        values = dict(pair.split("=", 1) for pair in pairs)
        plan.append((other, options.build(find(other, "method", kind).what, values)))
    return plan


def _release(method: Any, table: Purchases | Microdata, seed: int | None) -> Release[Any]:  # noqa: ANN401
    """Release with a method that the catalogue gave for the table's kind."""
    release: Release[Any] = method.release(table, seed=seed)
    return release


def _answer(
    plan: list[tuple[str, Parameters]], release: Release[Any], seconds: float, seed: int | None
) -> dict[str, Any]:
    each = [{"method": name, **method.model_dump(mode="json")} for name, method in plan]
    return {
        "method": "+".join(name for name, _ in plan),
        "parameters": plan[0][1].model_dump(mode="json") if len(plan) == 1 else each,
        "records": len(release.data),
        **{key: release.facts.get(key) for key in _TOLD},
        "seconds": seconds,
        "reproducible": seed is not None,
    }


def _tell(answer: dict[str, Any], *, as_json: bool, quiet: bool) -> None:
    if as_json:
        output.print_json(answer)
        return
    console = output.console()
    rows = [
        (key.replace("_", " "), f"{answer[key]:,}") for key in ("records", *_TOLD) if answer[key] is not None
    ]
    console.print(output.table(f"Released with {answer['method']}", ("", ""), rows))
    if answer["reproducible"] and not quiet:
        console.print("Reproducible: not for release. Who knows the seed can undo the pseudonyms.")


for _name in options.names("method"):
    app.command(_name)(_command(_name))
