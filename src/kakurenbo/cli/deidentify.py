"""`kakurenbo deidentify METHOD DATA --out DIR --secret FILE`: make a release, its secret apart.

`kakurenbo deidentify DATA --plan plan.toml` carries out a plan, such as the one `kakurenbo tune` advised.
"""

from __future__ import annotations

import shlex
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text
from typer.core import TyperGroup

from kakurenbo.catalogue import build, find
from kakurenbo.cli import engines, left_out, options, output, sheets
from kakurenbo.data.blocks import Blocks
from kakurenbo.deidentify.base import Chain
from kakurenbo.deidentify.in_blocks import release_in_blocks
from kakurenbo.errors import ParameterError
from kakurenbo.files import outputs, release_folder
from kakurenbo.files.release_in_blocks import write_in_blocks
from kakurenbo.plan import Plan

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kakurenbo.about import Kind
    from kakurenbo.data.release import Facts, Release
    from kakurenbo.data.table import Table
    from kakurenbo.deidentify.base import Method
    from kakurenbo.deidentify.in_blocks import ReleaseInBlocks
    from kakurenbo.files.register import Register
    from kakurenbo.files.release_in_blocks import Written
    from kakurenbo.progress import Progress
    from kakurenbo.provenance import Provenance

_BY_PLAN = "plan"
_NO_SHEET = "A release in blocks has no data sheet: its figures are measured on whole tables."


class _MethodOrPlan(TyperGroup):
    """Takes a method's name first, or `--plan FILE` anywhere."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # noqa: ANN401 - the option parser's context
        """Send what has `--plan` to the command of plans."""
        planned = any(word == "--plan" or word.startswith("--plan=") for word in args)
        return super().parse_args(ctx, [_BY_PLAN, *args] if planned and args[0] != _BY_PLAN else args)


Out = Annotated[Path, typer.Option(help="The release folder to make.", metavar="DIR")]
Secret = Annotated[Path, typer.Option(help="The file for the secret pairing, outside DIR.", metavar="FILE")]
Overwrite = Annotated[
    bool, typer.Option("--overwrite", help="Replace DIR if it is a release of ours that nobody changed.")
]


def by_name(
    name: str,
    data: options.Data,
    *,
    out: Out,
    secret: Secret,
    then: Annotated[
        list[str] | None,
        typer.Option(help="Another method to chain, such as 'delete share=0.1'.", metavar="METHOD"),
    ] = None,
    overwrite: Overwrite = False,
    datasheet: options.Datasheet = True,
    contact: options.Contact = None,
    ledger: options.Ledger = None,
    allow_exposed: options.AllowExposed = False,
    engine: options.Engine = "auto",
    run: options.Run,
    **named: Any,  # noqa: ANN401 - spelled out below
) -> None:
    """Carry out one method, with its parameters and those chained after it."""
    reading, given = options.split(named)
    method = _chained(name, given, then or [], options.kind_of(data, reading))
    asked = sheets.Asked.of(data, wanted=datasheet, contact=contact)
    write = _Writer((out, secret), asked, overwrite, allow_exposed)
    write.check(data)
    register = options.register_of(ledger, data, allow_exposed=allow_exposed)
    with run.working() as progress:
        table = engines.read(data, reading, engine=engine, progress=progress, quiet=run.quiet)
        answer, told = _release(method, table, run.seed, progress, (write, register))
    run.answer(answer, _shown(answer, told))


@options.releasing
def by_plan(
    data: options.Data,
    *,
    plan: Annotated[Path, typer.Option(help="The plan, as TOML or JSON.", metavar="FILE")],
    out: Out,
    secret: Secret,
    overwrite: Overwrite = False,
    datasheet: options.Datasheet = True,
    contact: options.Contact = None,
    ledger: options.Ledger = None,
    allow_exposed: options.AllowExposed = False,
    engine: options.Engine = "auto",
    master: options.Master = None,
    run: options.Run,
    **reading: Any,  # noqa: ANN401 - spelled out by the decorator
) -> None:
    """Carry out a plan: a chain of methods with their parameters, such as `kakurenbo tune --plan` writes."""
    planned = Plan.read(plan)
    method = build(planned)
    if planned.kind != options.kind_of(data, reading):
        raise ParameterError(f"The plan is for {planned.kind}, and the data is not.", code="parameter")
    asked = sheets.Asked.of(data, wanted=datasheet, contact=contact)
    write = _Writer((out, secret), asked, overwrite, allow_exposed)
    write.check(data, plan)
    register = options.register_of(ledger, data, allow_exposed=allow_exposed)
    with run.working() as progress:
        table = engines.read(data, reading, engine=engine, master=master, progress=progress, quiet=run.quiet)
        answer, told = _release(method, table, run.seed, progress, (write, register))
    run.answer(answer, _shown(answer, told))


@dataclass(frozen=True)
class _Writer:
    """Where a release goes, and what writes it there with its sheet."""

    pair: tuple[Path, Path]
    asked: sheets.Asked
    overwrite: bool
    allow_exposed: bool

    def check(self, *inputs: Path) -> None:
        """Refuse places where the release may not go, before any work."""
        out, secret = self.pair
        places = release_folder.outputs_of(out, secret)
        outputs.check(places, outputs.inputs_of(*inputs), allow_exposed=self.allow_exposed)
        release_folder.check(out, secret, overwrite=self.overwrite)

    def write(self, release: Release[Any], table: Table, progress: Progress) -> None:
        """Write a release."""
        out, secret = self.pair
        release_folder.write_release(
            release, out, secret=secret, sheet=self.asked.sheet(release, table, progress),
            overwrite=self.overwrite, allow_exposed=self.allow_exposed,
        )  # fmt: skip

    def write_in_blocks(self, release: ReleaseInBlocks, blocks: int, progress: Progress) -> Written:
        """Make and write a release in blocks; it has no sheet."""
        out, secret = self.pair
        return write_in_blocks(
            release, blocks, out, secret=secret, overwrite=self.overwrite, allow_exposed=self.allow_exposed,
            progress=progress,
        )  # fmt: skip


def _release(
    method: Method[Any],
    table: Table | Blocks,
    seed: int | None,
    progress: Progress,
    places: tuple[_Writer, Register | None],
) -> tuple[dict[str, Any], list[str]]:
    """Make the release and write it with its secret; return what was done, as a document and in remarks.

    Places are what writes the release, and the ledger it is written down in.
    """
    write, register = places
    progress.step(f"hiding with {method.plan.name}")
    start = time.perf_counter()
    if isinstance(table, Blocks):
        answer = _in_blocks(method, table, seed, progress, places)
        dropped, source = table.whole.dropped.as_dict(), table.whole.source
        unread = [] if source is None else list(source.unread)
        kept = {"dropped": dropped, "unread": unread, "master_kept": list(table.whole.keep_master)}
        return {**answer, "seconds": time.perf_counter() - start, **kept}, [_NO_SHEET]
    release = method.release(table, seed=seed)
    seconds = time.perf_counter() - start
    progress.step("writing the release")
    with written_down(register, table, release):
        write.write(release, table, progress)
    answer = {
        **_answer(method, release.facts, len(release.data), seconds, release.provenance),
        **left_out.document(table), **left_out.master(table),
    }  # fmt: skip
    return answer, [*left_out.remarks(table), *left_out.remarks_on_master(table)]


def _in_blocks(
    method: Method[Any],
    blocks: Blocks,
    seed: int | None,
    progress: Progress,
    places: tuple[_Writer, Register | None],
) -> dict[str, Any]:
    """Make and write a release block by block."""
    write, register = places
    if register is not None:
        raise ParameterError(
            "The ledger knows tables by their whole content, which is not read in blocks; leave it out, or "
            "use the engine memory.", code="parameter", parameter="ledger",
        )  # fmt: skip
    release = release_in_blocks(method, blocks, seed=seed, progress=progress.part(0.0, 0.4))
    written = write.write_in_blocks(release, len(blocks), progress.part(0.4, 1.0))
    return _answer(method, written.facts, written.records, 0.0, release.provenance)


@contextmanager
def written_down(register: Register | None, table: Table, release: Release[Any]) -> Iterator[None]:
    """Write a release down in the ledger before it appears; where it then does not, write that down too."""
    if register is None:
        yield
        return
    fingerprint, made = release.data.fingerprint(), release.provenance
    plan = None if made.plan is None else made.plan.to_dict()
    register = register.add(
        "release", **register.about(table), release=fingerprint, plan=plan, reproducible=made.reproducible
    )
    try:
        yield
    except BaseException:
        register.add("withdrawn", of=fingerprint, reason="it could not be written")
        raise


def _chained(name: str, given: dict[str, Any], then: list[str], kind: Kind) -> Method[Any]:
    """Return the method, chained with others where asked for, built and checked before any data is read."""
    methods = [options.build(find(name, "method", kind).what, given)]
    for words in then:
        other, *pairs = shlex.split(words) or [""]
        if not all("=" in pair for pair in pairs):
            raise ParameterError("Parameters of a chained method are written name=value.", code="parameter")
        values = dict(pair.split("=", 1) for pair in pairs)
        methods.append(options.build(find(other, "method", kind).what, values))
    return methods[0] if len(methods) == 1 else Chain(methods=tuple(methods))


def _answer(
    method: Method[Any], facts: Facts, records: int, seconds: float, made: Provenance
) -> dict[str, Any]:
    chained = getattr(method, "methods", (method,))
    each = [{"method": step.about.name, **step.model_dump(mode="json")} for step in chained]
    return {
        "method": "+".join(step["method"] for step in each),
        "parameters": method.model_dump(mode="json") if len(each) == 1 else each,
        "plan": method.plan.to_dict(),
        "records": records,
        **facts.to_dict(),
        "seconds": seconds,
        "reproducible": made.reproducible,
    }


def _shown(answer: dict[str, Any], told: list[str]) -> Iterator[Any]:
    counts = {key: value for key, value in answer.items() if isinstance(value, int) and key != "reproducible"}
    rows = [(key.replace("_", " "), f"{count:,}") for key, count in counts.items()]
    yield output.table(f"Released with {answer['method']}", ("", ""), rows)
    yield from map(Text, told)
    if answer["reproducible"]:
        yield "Reproducible: not for release. Who knows the seed can undo the pseudonyms."


app = options.commands(
    "method", by_name, cls=_MethodOrPlan, help="Hide people: make a release and its secret pairing."
)
app.command(_BY_PLAN)(by_plan)
