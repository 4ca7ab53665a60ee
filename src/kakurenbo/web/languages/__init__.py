"""The words of the pages in other languages: whole sentences, by tables that packages bring.

English is written where it is needed, `t("Try again in {n} seconds.", n=30)`. A language is a file
`languages/ja.toml` in a package: English sentences and what they are in that language, under any headings.
What has no entry stays English, and `untranslated` finds it before a reader does.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from importlib.resources import files
from threading import Lock
from typing import TYPE_CHECKING, Final

from markupsafe import Markup, escape

from kakurenbo.report.languages import Language, Message
from kakurenbo.web.languages.search import sentences, untranslated

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["LANGUAGES", "Words", "best", "sentences", "table", "untranslated"]

LANGUAGES: Final = {"en": "English", "ja": "日本語"}
_LOOKING: Final = Lock()  # a text that is being looked up counts as unknown until it is found
_MOST_KNOWN: Final = 5_000  # finished texts whose translation is kept


def table(package: str, code: str = "ja") -> dict[str, str]:
    """Return a package's sentences in a language."""
    text = files(package).joinpath("languages", f"{code}.toml").read_text(encoding="utf-8")
    return {english: said for part in tomllib.loads(text).values() for english, said in part.items()}


@dataclass(frozen=True)
class Words:
    """The sentences of all packages, by language."""

    spoken: Mapping[str, Language]

    @classmethod
    def read(cls, packages: Sequence[str]) -> Words:
        """Return the sentences of packages; an earlier one's stands for a later one's."""
        others = (code for code in LANGUAGES if code != "en")
        return cls({code: _language(code, packages) for code in others})

    def t(self, lang: str, sentence: str, /, **fields: object) -> str:
        """Return a sentence in a language, its fields filled; markup among them makes markup of it."""
        spoken = self.spoken.get(lang)
        said = sentence if spoken is None else self._entry(spoken, sentence)
        if any(isinstance(value, Markup) for value in fields.values()):
            return escape(said).format(**fields)
        return said.format(**fields) if fields else said

    def said(self, lang: str, text: str, /, **fields: object) -> str:
        """Return a text in a language: a sentence with fields, or one that is finished, as errors' are."""
        spoken = self.spoken.get(lang)
        if fields or spoken is None:
            return self.t(lang, text, **fields)
        with _LOOKING:
            if len(spoken.known) > _MOST_KNOWN:
                spoken.known.clear()
            return spoken.say(text)

    @staticmethod
    def _entry(spoken: Language, sentence: str) -> str:
        return spoken.exact.get(sentence, sentence)


def _language(code: str, packages: Sequence[str]) -> Language:
    pairs: dict[str, str] = {}
    for package in reversed(packages):
        pairs |= table(package, code)
    messages = [Message.of(*pair) for pair in sorted(pairs.items(), key=_literal) if "{" in pair[0]]
    return Language(code, pairs, tuple(messages))


def _literal(pair: tuple[str, str]) -> int:
    """Return a key that puts sentences with many words of their own before those that are mostly fields."""
    return -len(pair[0].partition("{")[0])


def best(*asked: str | None, accepts: str = "") -> str:
    """Return the language of an answer: the first of ours that was asked for, else what the browser says."""
    known = [code for code in asked if code in LANGUAGES]
    return str(known[0]) if known else _accepted(accepts)


def _accepted(header: str) -> str:
    """Return the language that an Accept-Language header prefers; English where it names none of ours."""
    found: list[tuple[float, str]] = []
    for part in header.split(",")[:20]:
        name, _, quality = part.partition(";q=")
        code = name.strip().partition("-")[0].lower()
        weight = _weight(quality)
        if code in LANGUAGES and weight > 0:
            found.append((weight, code))
    return max(found, key=lambda pair: pair[0])[1] if found else "en"


def _weight(text: str) -> float:
    try:
        return min(1.0, float(text)) if text.strip() else 1.0
    except ValueError:
        return 0.0
