"""A report in another language: the finished page, sentence by sentence, by a table of messages.

English is written where things are found out, and results keep it. A language is one TOML file beside this
one: whole English sentences with named fields, `{share} of the people`, and what they are in that language,
so word order is free and nothing is glued. A field's value is itself looked up, so `2 records` is said in
that language wherever it stands; `{people:d}` takes a number only, `{plan:n}` a name, which stays,
`{who:a}` attackers with what they know, whose names stay, and `{attribute:w}` nothing with a comma. What is
no message stays as it is: names of methods, columns and files,
and numbers.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any, Final, TypeVar

from kakurenbo.errors import ParameterError
from kakurenbo.report.blocks import Table

LANGUAGES: Final = ("en", "ja")
_CHARTED: Final = {"title", "subtitle", "text", "domain", "values"}  # what of a chart is read
_CODES: Final = {"slug", "tone", "kind", "lang", "filed"}  # what of a page is not
_FIELD: Final = re.compile(r"\\\{(\w+)(?::([adnw]))?\\\}")
_TAKES: Final = {
    "a": r".+", "d": r"[-+<>\d.,%\s]+", "n": r"(?:(?!\. ).)+", "w": r"[^,]+?", None: r"(?:(?!\. ).)+?",
}  # fmt: skip
_SENTENCES: Final = re.compile(r"(?<=[.”])\s+")
_NAMED: Final = {"attacker", "worst attacker", "by", "way", "worst way", "measure", "plan", "file", "program"}

Part = TypeVar("Part")


@dataclass(frozen=True)
class Message:
    """A sentence with named fields, in English and in another language."""

    pattern: re.Pattern[str]
    start: str
    takes: dict[str, str | None]
    said: str

    @classmethod
    def of(cls, english: str, said: str) -> Message:
        """Return the message; a field takes anything but the end of a sentence."""
        escaped = re.escape(english)
        pattern = _FIELD.sub(lambda found: f"(?P<{found[1]}>{_TAKES[found[2]]})", escaped)
        takes = {found[1]: found[2] for found in _FIELD.finditer(escaped)}
        return cls(re.compile(pattern), english.partition("{")[0], takes, said)

    def filled(self, text: str, spoken: Language) -> str | None:
        """Return what a text says in the other language; None where it is another message's."""
        match = self.pattern.fullmatch(text) if text.startswith(self.start) else None
        if match is None:
            return None
        values = match.groupdict().items()
        return self.said.format(**{name: self._said(name, value, spoken) for name, value in values})

    def _said(self, name: str, value: str, spoken: Language) -> str:
        if self.takes[name] == "a":
            return spoken.attackers(value)
        return value if self.takes[name] == "n" else spoken.say(value)


@dataclass(frozen=True)
class Language:
    """A language's messages: those without fields by their text, the others most literal first."""

    code: str
    exact: dict[str, str]
    messages: tuple[Message, ...]
    known: dict[str, str | None] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def read(cls, code: str) -> Language:
        """Return a language from its table of messages."""
        text = files(__package__).joinpath(f"{code}.toml").read_text(encoding="utf-8")
        pairs = [pair for table in tomllib.loads(text).values() for pair in table.items()]
        ordered = sorted((pair for pair in pairs if "{" in pair[0]), key=lambda pair: -_literal(pair[0]))
        exact = {english: said for english, said in pairs if "{" not in english}
        return cls(code, exact, tuple(Message.of(*pair) for pair in ordered))

    def say(self, text: str) -> str:
        """Return a text in this language, as far as there are messages for it."""
        return self.found(text) or text

    def found(self, text: str) -> str | None:
        """Return a text in this language; None where there is no message for it, nor for parts of it."""
        plain = text.replace("\u00a0%", " %")
        if plain not in self.known:
            self.known[plain] = None  # a text that is part of itself is not looked for again
            self.known[plain] = self._row(plain) or self._message(plain) or self._sentences(plain)
            self.known[plain] = self.known[plain] or self._whole(plain)
        return self.known[plain]

    def attackers(self, text: str) -> str:
        """Return attackers in a row, what each knows in this language and his name as it is."""
        told = (part.partition(": ") for part in text.split(", "))
        return "、".join(f"{self.say(knows)}{mark}{name}" if mark else knows for knows, mark, name in told)

    def _message(self, text: str) -> str | None:
        if text in self.exact:
            return self.exact[text]
        if text.endswith(".") and text[:-1] in self.exact:
            return f"{self.exact[text[:-1]]}。"
        filled = (message.filled(text, self) for message in self.messages)
        return next((said for said in filled if said is not None), None)

    def _sentences(self, text: str) -> str | None:
        """Return several sentences, the longest run that is a message first."""
        parts = _SENTENCES.split(text)
        for end in range(len(parts) - 1, 0, -1):
            run = " ".join(parts[:end])
            first = self.found(run) if end == 1 else self._message(run)
            if first is not None:
                return first + self.say(" ".join(parts[end:]))
        rest = self.found(" ".join(parts[1:])) if len(parts) > 1 else None
        return None if rest is None else f"{parts[0]} {rest}"

    def _whole(self, text: str) -> str | None:
        """Return a text that ends like a sentence, and is a message or a row without its full stop."""
        if not text.endswith("."):
            return self._listed(text)
        said = self.found(text[:-1])
        return None if said is None else f"{said}。"

    def _row(self, text: str) -> str | None:
        """Return things in a row that are messages all; a sentence is no such thing."""
        if text in self.exact or text.endswith("."):
            return None
        return self._joined(text, "; ", "\uff1b", every=True)

    def _listed(self, text: str) -> str | None:
        """Return names in a row, or a name and what belongs to it, some of which are messages."""
        return (
            self._joined(text, " or ", "または", every=True)
            or self._joined(text, "; ", "\uff1b")
            or self._joined(text, ", ", "、")
            or self._joined(text, ": ", ": ")
        )

    def _joined(self, text: str, mark: str, said: str, *, every: bool = False) -> str | None:
        parts = text.split(mark)
        found = [self.found(part) for part in parts] if len(parts) > 1 else []
        if not any(found) or (every and not all(found)):
            return None
        return said.join(new or old for new, old in zip(found, parts, strict=True))


@cache
def language(code: str) -> Language:
    """Return a language by its code; English has no messages, for everything is English already."""
    if code not in LANGUAGES:
        raise ParameterError(f"A report is written in one of: {', '.join(LANGUAGES)}.", code="parameter")
    return Language(code, {}, ()) if code == "en" else Language.read(code)


def translated(part: Part, spoken: Language) -> Part:
    """Return a page, or a part of one, with every text said in a language."""
    if isinstance(part, str):
        return spoken.say(part)  # type: ignore[return-value] # a text is a text
    if isinstance(part, tuple):
        return tuple(translated(inner, spoken) for inner in part)  # type: ignore[return-value] # as above
    if not is_dataclass(part) or isinstance(part, type):
        return part
    if isinstance(part, Table):
        return _table(part, spoken)  # type: ignore[return-value] # a table
    texts = (one.name for one in fields(part) if one.name not in _CODES)
    changed = {name: _changed(getattr(part, name), spoken) for name in texts}
    return replace(part, **changed)


def _table(table: Table, spoken: Language) -> Table:
    """Return a table; in columns of names cells stay as they are."""
    kept = [column.name in _NAMED or column.kind == "code" for column in table.columns]
    rows = (zip(row, kept, strict=True) for row in table.rows)
    return replace(
        table,
        caption=spoken.say(table.caption),
        columns=translated(table.columns, spoken),
        rows=tuple(tuple(cell if stays else spoken.say(cell) for cell, stays in row) for row in rows),
    )


def _changed(value: Any, spoken: Language) -> Any:  # noqa: ANN401 - whatever a page holds
    return charted(value, spoken) if isinstance(value, dict) else translated(value, spoken)


def charted(specification: dict[str, Any], spoken: Language) -> dict[str, Any]:
    """Return a picture's specification with its titles, names and notes said in a language."""
    return {
        name: _dataset(value, spoken) if name == "datasets" else _drawn(value, spoken, read=name in _CHARTED)
        for name, value in specification.items()
        if name != "config"
    } | ({"config": specification["config"]} if "config" in specification else {})


def _dataset(tables: dict[str, Any], spoken: Language) -> dict[str, Any]:
    return {name: [_row(one, spoken) for one in rows] for name, rows in tables.items()}


def _drawn(value: Any, spoken: Language, *, read: bool) -> Any:  # noqa: ANN401 - whatever a specification holds
    if isinstance(value, str):
        return spoken.say(value) if read else value
    if isinstance(value, list):
        return [_row(one, spoken) if read else _drawn(one, spoken, read=False) for one in value]
    return charted(value, spoken) if isinstance(value, dict) else value


def _row(value: Any, spoken: Language) -> Any:  # noqa: ANN401 - a row of data, or a name
    if isinstance(value, dict):
        return {name: spoken.say(one) if isinstance(one, str) else one for name, one in value.items()}
    return spoken.say(value) if isinstance(value, str) else value


def _literal(english: str) -> int:
    return len(re.sub(r"\{[\w:]+\}", "", english))
