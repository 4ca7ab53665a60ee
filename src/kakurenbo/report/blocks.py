"""What a report is made of, whatever it becomes: sections of text, lists, tables and pictures.

A report is put together once from these records. One renderer makes HTML of them, another Markdown, so the
two never tell different stories.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

Tone = Literal["plain", "good", "bad", "open"]
Kind = Literal["word", "number", "prose", "code"]


@dataclass(frozen=True)
class Text:
    """A paragraph; one with a tone other than plain stands in a box."""

    text: str
    tone: Tone = "plain"


@dataclass(frozen=True)
class Bullets:
    """Sentences one below the other."""

    items: tuple[str, ...]


@dataclass(frozen=True)
class Column:
    """The head of a column: numbers go to the right, prose may wrap, codes break anywhere."""

    name: str
    kind: Kind = "word"


def heads(*names: str, kind: Kind = "word") -> tuple[Column, ...]:
    """Return the heads of columns of one kind."""
    return tuple(Column(name, kind) for name in names)


@dataclass(frozen=True)
class Table:
    """Rows of text under their heads; `marked` are the places of rows to look at first."""

    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    marked: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Figure:
    """A picture.

    Attributes:
        slug: its name as a file and within a page.
        title: what it is, in a few words.
        described: what it shows, in words for those who cannot see it.
        note: how to read it.
        chart: its Vega-Lite specification.
        small: the same for a narrow screen, where the first would become unreadable.
    """

    slug: str
    title: str
    described: str
    note: str
    chart: dict[str, Any] = field(repr=False)
    small: dict[str, Any] | None = field(default=None, repr=False)


@dataclass(frozen=True)
class Gallery:
    """Pictures that stand side by side where there is room."""

    figures: tuple[Figure, ...]


Block = Text | Bullets | Table | Gallery


@dataclass(frozen=True)
class Section:
    """A headline and what stands below it."""

    slug: str
    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Card:
    """A key number with its name and a sentence or two."""

    label: str
    value: str
    detail: str
    tone: Tone = "plain"


@dataclass(frozen=True)
class Page:
    """A whole report.

    Attributes:
        title: its headline.
        about: one line below it.
        question: what is answered.
        answer: in a word or two, with its `tone`.
        tone: of the answer.
        reasons: why, a sentence each.
        warnings: what must be read before anything else.
        cards: the key numbers.
        sections: all the rest.
        filed: when, by whom and on which files, in a line for the file; empty where nothing is known.
        lang: the language it is written in, by its code.
    """

    title: str
    about: str
    question: str
    answer: str
    tone: Tone
    reasons: tuple[str, ...]
    warnings: tuple[str, ...]
    cards: tuple[Card, ...]
    sections: tuple[Section, ...]
    filed: str = ""
    lang: str = "en"

    @property
    def figures(self) -> tuple[Figure, ...]:
        """All pictures, in their order."""
        blocks = (block for section in self.sections for block in section.blocks)
        return tuple(figure for block in blocks if isinstance(block, Gallery) for figure in block.figures)
