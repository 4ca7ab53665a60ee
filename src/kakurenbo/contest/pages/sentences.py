"""What pages say, before it is said in a language: an English text with named fields.

The text is the key under which `languages/` holds the translation, so a sentence is always whole and its
fields keep their names. A field may itself be a sentence, which is then said in the same language.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence


@dataclass(frozen=True, slots=True)
class Sentence:
    """A text with named fields, to be said in the reader's language."""

    text: str
    fields: Mapping[str, object] = field(default_factory=lambda: MappingProxyType({}))

    def said(self, t: Callable[..., str]) -> str:
        """Return it in a language, `t` being what translates texts into that."""
        told = {
            name: value.said(t) if isinstance(value, Sentence) else value
            for name, value in self.fields.items()
        }
        return t(self.text, **told)


@dataclass(frozen=True, slots=True)
class Line:
    """A row of a table: what it is about, and what is said of it.

    Attributes:
        name: as it is typed in the rules.
        said: what it is.
        rung: whether the name is a kind of knowledge, which is said in the reader's language too.
    """

    name: str
    said: Sentence
    rung: bool = False


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a page: a heading, sentences, and then names with what each is.

    Attributes:
        slug: its anchor.
        title: its heading.
        sentences: what is said first, as a list.
        caption: of the table of `lines`.
        lines: the table's rows.
    """

    slug: str
    title: str
    sentences: Sequence[Sentence] = ()
    caption: str = ""
    lines: Sequence[Line] = ()


def say(text: str, **fields: object) -> Sentence:
    """Return a sentence."""
    return Sentence(text, MappingProxyType(fields))
