"""Pictures for the contest's pages: inline SVG that brings no style along and tells itself to screen readers.

Nothing here has a `style` attribute, which a strict content security policy would drop: sizes and strengths
are attributes, colours are the page's by classes, and where no page gives any they are those of the text
around. So a picture is readable in light and dark. A cell is shaded so far that its number still stands out.

Classes: `matrix-picture` (the whole); `cell` with `found`, `tried`, `none`, `own` or `no-release`; `rate` (a
number), `mark` (a valid guess), `team` (a name), `axis` (what rows and columns are), `key` (what shades
mean); `sparkline` (the whole), `line`, `point`, and `counts` on the point that counts.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final, Literal

from kakurenbo import toml

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kakurenbo.contest.history import History
    from kakurenbo.contest.matrix import Cell, Matrix, Row

_CELL: Final = 44  # wide and high, where numbers stand in the cells
_SMALL: Final = 10  # the same where there are too many for that
_MOST: Final = 40  # teams with numbers in the cells
_SHADES: Final = 118  # width of the row of shades
_LETTER: Final = 7.5  # width of a narrow letter; a wide one has two
_LONGEST: Final = 24  # narrow letters of a name that are shown
_DEEPEST: Final = 0.42
_SLOPE: Final = 0.71  # of names that are turned by 45 degrees
_KEY: Final = 64  # height of what stands below
_WIDTH, _HEIGHT, _EDGE = 120, 28, 5  # of a sparkline


def svg(matrix: Matrix, language: str = "en") -> str:
    """Return the picture of a matrix, to stand within a page.

    Args:
        matrix: who found whom.
        language: `en` or `ja`.
    """
    return _MatrixPicture(matrix, _words(language)).drawn()


class _MatrixPicture:
    """Where everything of a matrix stands."""

    def __init__(self, matrix: Matrix, words: dict[str, str]) -> None:
        self._matrix, self._words, self._rows = matrix, words, matrix.rows()
        self._roomy = len(matrix.teams) <= _MOST
        self._cell = _CELL if self._roomy else _SMALL
        self._size = 13 if self._roomy else 9
        names = [shown(team.name) for team in matrix.teams]
        longest = max(map(width, [*names, f"{words['seekers']} ->"])) * _LETTER * self._size / 13
        self._left, self._top = longest + 18, longest * _SLOPE + 34
        self._most = max((rate for row in matrix.rates for rate in row if rate is not None), default=0.0)

    def drawn(self) -> str:
        side = self._cell * len(self._rows)
        wide = self._left + max(side + self._top - 16, self._key_width)
        high = self._top + side + _KEY
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="matrix-picture" role="img" '
            f'viewBox="0 0 {wide:.0f} {high:.0f}" width="{wide:.0f}" height="{high:.0f}" '
            f'font-size="{self._size}" aria-labelledby="matrix-title matrix-about">'
        )
        told = f'<title id="matrix-title">{escape(self._words["title"])}</title>'
        about = f'<desc id="matrix-about">{escape(self._about())}</desc>'
        parts = [head, told, about, *self._axes(), *self._names(), *self._cells(), *self._key(side), "</svg>"]
        return "\n".join(parts)

    def _about(self) -> str:
        if not self._matrix.final:
            return self._words["before"]
        cells = [(row, cell) for row in self._rows for cell in row.cells if cell.rate is not None]
        if not cells:
            return self._words["about"]
        row, cell = max(cells, key=lambda pair: pair[1].rate or 0.0)
        return f"{self._words['about']} {self._said('most', row, cell)}"

    def _axes(self) -> Iterator[str]:
        down, right = f"{self._words['seekers']} ↓", f"{self._words['hiders']} →"
        yield _text("axis", self._left - 10, self._top - 10, down, anchor="end")
        yield _text("axis", self._left, 16, right)

    def _names(self) -> Iterator[str]:
        for place, row in enumerate(self._rows):
            middle, name = (place + 0.5) * self._cell, shown(row.team.name)
            yield _text("team", self._left - 10, self._top + middle, name, anchor="end", middle=True)
            yield _text("team", self._left + middle, self._top - 8, name, turned=True)

    def _cells(self) -> Iterator[str]:
        for place, row in enumerate(self._rows):
            for column, cell in enumerate(row.cells):
                yield self._drawn(row, cell, self._left + column * self._cell, self._top + place * self._cell)

    def _drawn(self, row: Row, cell: Cell, x: float, y: float) -> str:
        """Return a cell: its shade, and what stands in it."""
        inner = self._cell - 2 if self._roomy else self._cell - 1
        shade = 0.04 if cell.rate is None else _DEEPEST * cell.rate / self._most if self._most else 0.0
        box = (
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{inner}" height="{inner}" rx="{3 if self._roomy else 1}" '
            f'fill="currentColor" fill-opacity="{shade:.3f}"/>'
        )
        said = f"<title>{escape(self._said(cell.state, row, cell))}</title>" if self._roomy else ""
        return f'<g class="cell {cell.state}">{said}{box}{self._content(cell, x, y, inner)}</g>'

    def _content(self, cell: Cell, x: float, y: float, inner: float) -> str:
        middle = inner / 2
        if cell.state == "own":
            ends = f'x1="{x:.1f}" y1="{y:.1f}" x2="{x + inner:.1f}" y2="{y + inner:.1f}"'
            return f'<line {ends} stroke="currentColor" stroke-opacity="0.35"/>'
        if cell.state == "tried":
            place = f'cx="{x + middle:.1f}" cy="{y + middle:.1f}" r="{inner / 8:.1f}"'
            return f'<circle class="mark" {place} fill="currentColor"/>'
        if not self._roomy or cell.state == "no-release":
            return ""
        number = "\u2013" if cell.rate is None else in_percent(cell.rate)
        return _text("rate", x + middle, y + middle, number, anchor="middle", middle=True)

    def _said(self, what: str, row: Row, cell: Cell) -> str:
        rate = "" if cell.rate is None else f"{in_percent(cell.rate)}\u00a0%"
        return self._words[what].format(seeker=row.team.name, hider=cell.team.name, rate=rate)

    @property
    def _meanings(self) -> tuple[str, str]:
        """What shades and marks mean, in two lines."""
        words = self._words
        first = f"{in_percent(self._most)} {words['key']}" if self._matrix.final else words["dot"]
        return first, f"{words['empty']} · {words['blank']}"

    @property
    def _key_width(self) -> float:
        first, second = (width(line) * _LETTER * self._size / 13 for line in self._meanings)
        return max(first + (_SHADES if self._matrix.final else 0), second) + 8

    def _key(self, side: float) -> Iterator[str]:
        """Yield what shades and marks mean."""
        x, y, (first, second) = self._left, self._top + side + 24, self._meanings
        if self._matrix.final:
            yield _text("key", x, y, "0", middle=True)
            yield from _shades(x + 14, y - 8)
        yield _text("key", x + (_SHADES if self._matrix.final else 0), y, first, middle=True)
        yield _text("key", x, y + 22, second, middle=True)


def _shades(x: float, y: float) -> Iterator[str]:
    for step in range(5):
        yield (
            f'<rect class="cell found" x="{x + 20 * step:.1f}" y="{y:.1f}" width="18" height="16" rx="2" '
            f'fill="currentColor" fill-opacity="{_DEEPEST * (step + 1) / 5:.3f}"/>'
        )


def sparkline(
    history: History, language: str = "en", *, of: Literal["releases", "guesses"] = "releases"
) -> str:
    """Return a small line of a team's numbers in the order they were received, to stand within a page.

    Args:
        history: how the team came where it is.
        language: `en` or `ja`.
        of: the scores of its releases, or what its guesses found.
    """
    words, points = _words(language), getattr(history, of)
    numbers = ", ".join(f"{point.value:.3f}" for point in points) or words["nothing"]
    spots = _spots([point.value for point in points])
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in spots)
    dots = [
        f'<circle class="point{" counts" if point.counts else ""}" cx="{x:.1f}" cy="{y:.1f}" '
        f'r="{3 if point.counts else 1.5}" fill="currentColor"/>'
        for point, (x, y) in zip(points, spots, strict=True)
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="sparkline" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
        f'width="{_WIDTH}" height="{_HEIGHT}" role="img">'
        f"<title>{escape(words[of].format(numbers=numbers))}</title>"
        f'<polyline class="line" points="{line}" fill="none" stroke="currentColor" stroke-width="1.5"/>'
        f"{''.join(dots)}</svg>"
    )


def _spots(values: Sequence[float]) -> list[tuple[float, float]]:
    """Return where numbers stand: side by side, the smallest at the bottom and the largest at the top."""
    low, high = min(values, default=0.0), max(values, default=1.0)
    across, up = (_WIDTH - 2 * _EDGE) / max(len(values) - 1, 1), _HEIGHT - 2 * _EDGE
    share = [(value - low) / (high - low) if high > low else 0.5 for value in values]
    return [(_EDGE + place * across, _HEIGHT - _EDGE - up * part) for place, part in enumerate(share)]


def _words(language: str) -> dict[str, str]:
    """Return what pictures say in a language, English where it is not spoken."""
    spoken = _languages()
    words: dict[str, str] = spoken.get(language, spoken["en"])
    return words


@cache
def _languages() -> dict[str, Any]:
    return toml.loads(files("kakurenbo.contest").joinpath("drawing.toml").read_text(encoding="utf-8"))


def in_percent(rate: float) -> str:
    """Return a share in percent, as it stands in a cell."""
    return f"{100 * rate:.1f}"


def shown(name: str) -> str:
    """Return a name as a picture has room for it."""
    if width(name) <= _LONGEST:
        return name
    kept = name
    while width(kept) > _LONGEST - 1:
        kept = kept[:-1]
    return f"{kept}…"


def width(text: str) -> int:
    """Return how wide a text is in narrow letters: those of Chinese and Japanese count twice."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


def _text(
    kind: str,
    x: float,
    y: float,
    text: str,
    *,
    anchor: str = "start",
    middle: bool = False,
    turned: bool = False,
) -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"'
    if middle:
        place += ' dominant-baseline="central"'
    if turned:
        place += f' transform="rotate(-45 {x:.1f} {y:.1f})"'
    return f'<text class="{kind}" {place} fill="currentColor">{escape(text)}</text>'
