"""`kakurenbo contest judge RULES --original DIR --submission FILE_OR_DIR`: the judge without a server."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from kakurenbo.cli import options, output
from kakurenbo.errors import InputError, ParameterError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from kakurenbo.contest.judging.formats import Order
    from kakurenbo.contest.judging.records import Judged
    from kakurenbo.contest.rules import Limits

ORDERS = ("shuffled", "submitted")
_TABLES = {".csv", ".parquet"}
_ALL = 1 << 40  # faults: a server stores them and stops somewhere, here all are listed


@options.command
def judge(
    rules: Annotated[
        str,
        typer.Argument(
            metavar="RULES",
            help="pws2015, pws2016, pws2017, custom, a TOML file of rules, or a contest's folder.",
        ),
    ],
    *,
    original: Annotated[
        Path, typer.Option(help="The folder of the contest's data, as teams download it.", metavar="DIR")
    ],
    submission: Annotated[
        Path,
        typer.Option(
            help="The release with its secret: a file, a zip, or a folder of files.", metavar="FILE_OR_DIR"
        ),
    ],
    guess: Annotated[
        Path | None, typer.Option(help="A guess at this release, to be judged too.", metavar="FILE_OR_DIR")
    ] = None,
    published_order: Annotated[
        str,
        typer.Option(
            help="How the sample attacks see the rows: in an order of chance, as they are published, or as "
            "they were submitted.",
            metavar="shuffled|submitted",
        ),
    ] = "shuffled",
    run: options.Run,
) -> None:
    """Judge a submission without a server: all its faults, or what it is worth (exit code 1 for faults).

    The same judge works on the server of a contest, under the same rules. Faults are listed all, with file,
    line and cell; numbers are given where there are none, and everything is better when it is lower.
    """
    if published_order not in ORDERS:
        raise ParameterError(
            "The order is shuffled or submitted.", code="parameter", parameter="published_order"
        )
    with run.working() as progress:
        progress.step("judging")
        judged = _judged(
            rules, original, submission, guess,
            order=cast("Order", published_order), seed=run.seed, progress=progress,
        )  # fmt: skip
    run.answer(judged.to_dict(), _shown(judged))
    if not judged.valid:
        raise typer.Exit(1)


def _judged(rules: str, original: Path, submission: Path, guess: Path | None, **how: Any) -> Judged:  # noqa: ANN401 - the judge's own
    from kakurenbo.contest.judging.judge import check_rules  # noqa: PLC0415 - loads much
    from kakurenbo.contest.judging.judge import judge as judged_by  # noqa: PLC0415 - the same
    from kakurenbo.contest.judging.records import Fault, Judged  # noqa: PLC0415 - the same
    from kakurenbo.contest.rules import Rules  # noqa: PLC0415 - the same
    from kakurenbo.contest.uploads import UploadError  # noqa: PLC0415 - the same

    asked = Rules.read(rules)
    asked = asked.model_copy(update={"limits": asked.limits.model_copy(update={"faults": _ALL})})
    check_rules(asked)
    place = submission
    try:
        released = _files(submission, asked.limits)
        place = guess or submission
        named = None if guess is None else _files(guess, asked.limits)
    except UploadError as error:  # what a server tells a team as a fault of what it sent
        return Judged(faults=(Fault(place.name, None, None, error.message, error.code),))
    return judged_by(asked, original, released, named, **how)


def _files(place: Path, limits: Limits) -> dict[str, bytes]:
    """Return the files of a submission, as a server would find them in an upload."""
    from kakurenbo.contest.uploads import unpack  # noqa: PLC0415 - loads with the command

    if place.is_dir():
        files = sorted(file for file in place.iterdir() if file.is_file() and file.suffix.lower() in _TABLES)
        return {file.name: file.read_bytes() for file in files}
    if not place.is_file():
        raise InputError(f"There is no file {place.name}.", code="path-missing")
    return unpack(place, place.name, limits)


def _shown(judged: Judged) -> Iterator[Any]:
    """Yield the faults, or the numbers, for people."""
    if judged.faults:
        yield output.table(
            "Faults", ("file", "line", "cell", "what is wrong"),
            [
                (fault.file, str(fault.line or ""), str(fault.column or ""), fault.fault)
                for fault in judged.faults
            ],
            others="left",
        )  # fmt: skip
        yield f"\nNot valid: {len(judged.faults):,} faults."
        return
    yield output.table(
        "What was lost (0 is best)", ("measure", "value"),
        [(name, f"{value:.6f}") for name, value in judged.utility.items()],
    )  # fmt: skip
    yield from _rates("What was found", "attack", judged.attacks)
    yield from _rates("What was learnt", "knowledge", judged.learnt)
    if judged.score is not None:
        yield (
            f"\nValid. Utility {judged.score.utility:.6f}, security {judged.score.security:.6f}, "
            f"total {judged.score.total:.6f}; lower is better."
        )


def _rates(title: str, first: str, rates: Mapping[str, tuple[float, ...]]) -> Iterator[Any]:
    if rates:
        levels = max(map(len, rates.values()))
        columns = (
            (first, *(f"level {level}" for level in range(1, levels + 1))) if levels > 1 else (first, "rate")
        )
        rows = [(name, *(f"{rate:.2%}" for rate in found)) for name, found in rates.items()]
        yield output.table(f"\n{title}", columns, rows)
