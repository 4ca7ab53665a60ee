"""Snapshots as files: figures in, text out, and what moved between two of them.

A file is JSON with a line for every row of figures, so that what a change moved is read member by member in
the difference of two versions. A table tells its columns once, and what all of its rows share once as well.

Figures are rounded to `DIGITS` digits after the point. One has moved where old and new differ by more than
`TOLERANCE`, of a figure above 1 by more than that share of it; words, counts of rows and yes or no move with
any change. What is smaller than that is told and does no harm: sums come out otherwise in the last digits
with another processor or another version of a library.
"""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

DIGITS = 3
TOLERANCE = 0.001
FOLDER = Path(__file__).parent / "frozen"
_WIDTH, _WIDE = 110, 150  # of a line, and of one that holds nothing but words and figures
_PLAIN = str | int | float | None
_INDENTED = 3  # at most: spaces before thousands of rows would be a tenth of the files
_TABLE = ("columns", "same", "rows")


def table(columns, rows, name):
    """Return rows as an object of lists by their names, one within the other.

    Args:
        columns: the figures that are kept.
        rows: objects that have them all.
        name: the key that holds the name of a row, or a function that returns its names, outermost first.
    """
    named = {}
    for row in rows:
        path = (row[name],) if isinstance(name, str) else name(row)
        if path in named:
            raise ValueError(f"two rows are called {path}")
        named[path] = [rounded(row[column]) for column in columns]
    values = list(zip(*named.values(), strict=True))
    same = {column: one[0] for column, one in zip(columns, values, strict=bool(named)) if len(set(one)) == 1}
    kept = [place for place, column in enumerate(columns) if column not in same]
    made = {}
    for path, row in sorted(named.items()):
        at = made
        for part in path[:-1]:
            at = at.setdefault(part, {})
        at[path[-1]] = [row[place] for place in kept]
    return dict(zip(_TABLE, ([columns[place] for place in kept], same, made), strict=True))


def rounded(part):
    """Return figures as they are frozen."""
    if isinstance(part, Mapping):
        return {name: rounded(inner) for name, inner in part.items()}
    if isinstance(part, list | tuple):
        return [rounded(inner) for inner in part]
    if isinstance(part, float):
        if not math.isfinite(part):
            return str(part)
        short = round(part, DIGITS)
        return int(short) if short.is_integer() else short
    return part


def frozen():
    """Return the names of all snapshots that lie there."""
    return {path.stem for path in FOLDER.glob("*.json")}


def read(name):
    """Return a frozen snapshot."""
    return json.loads(_path(name).read_text(encoding="utf-8"))


def write(name, document):
    """Freeze a snapshot."""
    _path(name).write_text(text(document), encoding="utf-8")


def forget(name):
    """Remove a snapshot."""
    _path(name).unlink()


def _path(name):
    return FOLDER / f"{name}.json"


def text(document):
    """Return a document as the text of its file."""
    return _lines(document, 0) + "\n"


def _lines(part, depth):
    """Return what fits on a line as one, and a row of figures always; else a line for each part."""
    if not (isinstance(part, dict | list) and part):
        return json.dumps(part, ensure_ascii=False)
    inner = list(part.values()) if isinstance(part, dict) else part
    row = isinstance(part, list) and not any(isinstance(one, dict | str) for one in inner)
    line = json.dumps(part, ensure_ascii=False, separators=(",", ":") if row else None)
    fits = len(line) + depth <= (_WIDE if all(isinstance(one, _PLAIN) for one in inner) else _WIDTH)
    if row or (fits and not any(isinstance(one, dict) for one in inner)):
        return line
    keys = [f"{json.dumps(name, ensure_ascii=False)}: " for name in part] if isinstance(part, dict) else None
    told = [_lines(one, depth + 1) for one in inner]
    space = " " * min(depth + 1, _INDENTED)
    told = [f"{space}{key}{one}" for key, one in zip(keys or [""] * len(told), told, strict=True)]
    first, last = "{}" if isinstance(part, dict) else "[]"
    return f"{first}\n" + ",\n".join(told) + f"\n{space[:depth]}{last}"


@dataclass(frozen=True)
class Moved:
    """A figure that is not what it was; None where there was or is none."""

    figure: str
    old: object
    new: object

    @property
    def beyond(self):
        """Whether by more than the tolerance."""
        if not (_number(self.old) and _number(self.new)):
            return True
        return abs(self.new - self.old) > TOLERANCE * max(1, abs(self.old)) + 10 ** -(DIGITS + 2)

    def __str__(self):
        by = f" ({self.new - self.old:+.{DIGITS}g})" if _number(self.old) and _number(self.new) else ""
        kept = "" if self.beyond else ", within the tolerance"
        return f"{self.figure}: {_said(self.old)} -> {_said(self.new)}{by}{kept}"


def moved(old, new):
    """Return every figure that differs between two documents, in their order."""
    before, after = dict(figures(old)), dict(figures(new))
    names = dict.fromkeys([*before, *after])
    return [
        Moved(" / ".join(name), before.get(name), after.get(name))
        for name in names if before.get(name) != after.get(name) or (name in before) != (name in after)
    ]  # fmt: skip


def figures(part, path=()):
    """Yield every figure of a document with where it stands; of a table, every one of every row."""
    if isinstance(part, dict) and tuple(part) == _TABLE:
        yield from _of_rows(part["rows"], part["columns"], part["same"], path)
    elif isinstance(part, dict):
        for name, inner in part.items():
            yield from figures(inner, (*path, name))
    elif isinstance(part, list):
        for place, inner in enumerate(part, 1):
            yield from figures(inner, (*path, str(place)))
    else:
        yield path, part


def _of_rows(rows, columns, same, path):
    for name, row in rows.items():
        if isinstance(row, dict):
            yield from _of_rows(row, columns, same, (*path, name))
        else:
            yield from figures({**dict(zip(columns, row, strict=True)), **same}, (*path, name))


def _number(value):
    return isinstance(value, int | float) and not isinstance(value, bool)


def _said(value):
    return "nothing" if value is None else json.dumps(value, ensure_ascii=False)
