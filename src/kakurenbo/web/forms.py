"""What a form sent: a field is asked for by what it must be, and refused with a sentence where it is not."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qsl

from kakurenbo.web.refusals import Refusal
from kakurenbo.web.visit import visit_of

if TYPE_CHECKING:
    from starlette.requests import Request

_MOST_FIELDS: Final = 200
_HIDDEN: Final = frozenset(
    "\u00ad\u061c\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff"
)  # what has no width, or turns the direction of what stands beside it


class Form(Mapping[str, str]):
    """The fields of a form, each a text; of a field that was sent twice the first."""

    def __init__(self, pairs: Sequence[tuple[str, str]]) -> None:
        self._pairs = tuple(pairs)
        self._first = dict(reversed(self._pairs))

    def __getitem__(self, name: str) -> str:
        return self._first[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._first)

    def __len__(self) -> int:
        return len(self._first)

    def all(self, name: str) -> list[str]:
        """Return everything that was sent under a name."""
        return [value for key, value in self._pairs if key == name]

    def text(self, name: str, *, longest: int = 200, required: bool = True) -> str:
        """Return one line of text, without blanks around it."""
        return self._checked(name, longest, required=required, breaks=False)

    def long_text(self, name: str, *, longest: int = 5_000, required: bool = True) -> str:
        """Return text that may have several lines."""
        return self._checked(name, longest, required=required, breaks=True)

    def secret(self, name: str, *, longest: int = 1_000) -> str:
        """Return a password as it was typed."""
        value = self.get(name, "")
        if not value:
            raise _refused("Please fill in {field}.", name)
        if len(value) > longest:
            raise _refused("{field} is too long.", name)
        return value

    def choice(self, name: str, options: Collection[str]) -> str:
        """Return one of some words."""
        value = self.get(name, "")
        if value not in options:
            raise _refused("Please choose {field}.", name)
        return value

    def flag(self, name: str) -> bool:
        """Return whether a box was ticked."""
        return bool(self.get(name))

    def _checked(self, name: str, longest: int, *, required: bool, breaks: bool) -> str:
        lines = self.get(name, "").replace("\r\n", "\n").replace("\r", "\n")
        value = unicodedata.normalize("NFC", lines).strip()
        if required and not value:
            raise _refused("Please fill in {field}.", name)
        if len(value) > longest:
            raise _refused("{field} is too long.", name)
        if any(_is_control(letter) and not (breaks and letter in "\n\t") for letter in value):
            raise _refused("{field} holds characters that cannot be shown.", name)
        return value


def form(request: Request) -> Form:
    """Return the form that was sent with a request, as its route's needs have read it."""
    return visit_of(request).form or Form(())


def parsed(body: bytes) -> Form:
    """Return the form that a body holds."""
    try:
        pairs = parse_qsl(
            body.decode("ascii"), keep_blank_values=True, max_num_fields=_MOST_FIELDS, errors="strict"
        )
    except ValueError:
        raise Refusal(400) from None
    return Form(pairs)


def _is_control(letter: str) -> bool:
    """Return whether a letter cannot be seen."""
    return unicodedata.category(letter) in {"Cc", "Cs", "Zl", "Zp"} or letter in _HIDDEN


def _refused(sentence: str, name: str) -> Refusal:
    return Refusal(422, sentence, code="parameter", field=name)
