"""`kakurenbo ledger FILE`: what was released of whom, and whether anybody changed the record of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from kakurenbo.cli import options, output
from kakurenbo.errors import InputError, ParameterError
from kakurenbo.files.register import Register

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_SHORT = 12  # characters of a fingerprint that tell releases apart to the eye


@options.command
def ledger(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The ledger.")],
    *,
    withdraw: Annotated[
        int | None,
        typer.Option(help="The number of a release that was never handed out.", metavar="NUMBER"),
    ] = None,
    reason: Annotated[str | None, typer.Option(help="With --withdraw: why.", metavar="REASON")] = None,
    run: options.Run,
) -> None:
    """Show a ledger and verify it (exit code 1 if it was changed or cut).

    Every line carries the SHA-256 of the one before, so nothing in it can be changed unseen. File the last
    number and its digest now and then: they prove later that nothing was cut off the end.
    """
    if (withdraw is None) != (reason is None):
        raise ParameterError("--withdraw NUMBER and --reason REASON go together.", code="parameter")
    try:
        found = Register.read(file)
    except InputError as error:
        if error.code != "ledger":
            raise
        run.answer({"whole": False, "fault": str(error), "entries": []}, [Text(str(error), style="bold")])
        raise typer.Exit(1) from None
    if withdraw is not None and reason is not None:
        found = found.withdraw(withdraw, reason)
    run.answer(_document(found), _shown(found))


def _document(found: Register) -> dict[str, Any]:
    """Return everything but the key and the sketches."""
    plain = [{name: value for name, value in entry.items() if name != "sketch"} for entry in found.entries]
    numbered = [{"number": number, **entry} for number, entry in enumerate(plain, 1)]
    return {
        "whole": True, "half_written": found.chain.half, "last": found.chain.last, "entries": numbered,
    }  # fmt: skip


def _shown(found: Register) -> Iterator[Any]:
    rows = [_row(number, entry) for number, entry in enumerate(found.entries, 1)]
    yield output.table(f"Ledger {found.path.name}", ("", "when", "what", "release", "people", "said"), rows)
    if found.chain.half:
        yield (
            f"A run was killed while it wrote: {found.chain.half:,} bytes at the end are no whole line and "
            "give way to the next."
        )
    yield f"The chain is whole. Its last line is number {len(rows)}, SHA-256 {found.chain.last}."


def _row(number: int, entry: Mapping[str, Any]) -> tuple[str, ...]:
    release = entry.get("release") or entry.get("of") or ""
    people = f"{entry['people']:,}" if "people" in entry else ""
    return str(number), entry["date"], entry["what"], release[:_SHORT], people, _said(entry)


def _said(entry: Mapping[str, Any]) -> str:
    """Return in a few words what an entry says."""
    said = [entry[name] for name in ("verdict", "reason") if entry.get(name)]
    if entry.get("worst"):
        knowledge, name, rate = entry["worst"]
        said.insert(1, f"worst {rate:.1%} ({name}, {knowledge})")
    if entry.get("overlooked"):
        said.append(f"{len(entry['overlooked'])} overlooked")
    if entry["what"] == "release" and entry.get("plan"):
        said.append(" + ".join(str(step.get("method", "")) for step in entry["plan"].get("steps", ())))
    return "; ".join(said)
