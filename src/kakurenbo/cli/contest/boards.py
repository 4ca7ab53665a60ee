"""The board and the matrix of a contest as text, made from what the API answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kakurenbo.cli import output

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_REASONS = {
    "no-release": "no release", "no-valid-release": "no valid release", "failed": "could not be judged",
}  # fmt: skip


def rankings(board: Mapping[str, Any]) -> Iterator[Any]:
    """Yield the two rankings of a board, or why there are none."""
    if board["open"]:
        yield f"The board opens when the last {board['open']} submissions are judged."
    elif not board["hide"] and not board["seek"]:
        yield "There is nothing on the board yet."
    if board["hide"]:
        title = "Hiding (lower is better)" if board["final"] else "Hiding so far (lower is better)"
        columns = ("team", "utility", "security", "total", "found most by")
        yield output.table(title, columns, map(_hider, board["hide"]))
    if board["seek"]:
        rows = [
            (_place(row), f"{row['found']:.1%}", f"{row['guesses']} of {row['releases']}")
            for row in board["seek"]
        ]
        yield output.table("\nSeeking (higher is better)", ("team", "found", "guessed at"), rows)


def _hider(row: Mapping[str, Any]) -> tuple[str, ...]:
    if row["total"] is None:
        return _place(row), "", "", _REASONS.get(row["reason"], ""), ""
    numbers = (f"{row[name]:.4f}" for name in ("utility", "security", "total"))
    return _place(row), *numbers, row["by"] or ""


def _place(row: Mapping[str, Any]) -> str:
    return f"{row['rank']:>2}. {row['name']}"


def matrices(matrix: Mapping[str, Any]) -> Iterator[Any]:
    """Yield who found how many of whom, a row for every seeker."""
    names = [team["name"] for team in matrix["teams"]]
    if not matrix["final"]:
        yield "The matrix opens at the end of the contest."
        return
    rows = [
        (f"{place:>2}. {name}", *("" if rate is None else f"{rate:.0%}" for rate in rates))
        for place, (name, rates) in enumerate(zip(names, matrix["rates"], strict=True), 1)
    ]
    columns = ("seeker", *(f"{place}." for place in range(1, len(names) + 1)))
    yield output.table("\nWho found how many, in the release of whom", columns, rows)
