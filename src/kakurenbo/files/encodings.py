"""Which encoding a text is in, worked out from the whole file: what is doubtful is asked, never guessed.

Statistics over bytes fail on the short files and half-width kana that tills write. So every encoding that may
be meant is tried, strictly, on the whole file, and what it makes of the bytes is held against how such text
is written:

| encoding | text is credible if |
|---|---|
| UTF-8 | it decodes: other text hardly ever does |
| UTF-16 | it has a mark, or only one of its two orders gives line ends |
| CP932, EUC-JP | kana and common kanji; half-width kana in words, voiced only where they can be |
| CP1252 | accented letters within words, signs apart from letters; not in long runs |

One credible reading is taken. Two that differ are a question, and so is none.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kakurenbo.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

CHUNK = 1 << 20
_SAMPLE = 1 << 16  # bytes of lines that are not ASCII
_CREDIBLE = 0.3  # share of characters that may look wrong
_CLEARLY = 0.25  # by which share the next encoding must look worse
_FEW = 5
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_TRIED = ("cp932", "euc_jp", "cp1252")
_SPOKEN = {"cp932": "CP932 (Shift-JIS)", "euc_jp": "EUC-JP", "cp1252": "CP1252 (Latin-1)"}
_NAMES = {
    "utf_8": "utf-8", "utf_8_sig": "utf-8", "utf_16_le": "utf-16-le", "utf_16_be": "utf-16-be",
    "utf_16": "utf-16", "cp932": "cp932", "shift_jis": "cp932", "euc_jp": "euc_jp", "iso8859_1": "latin-1",
    "latin_1": "latin-1", "cp1252": "cp1252", "ascii": "utf-8",
}  # fmt: skip
_OTHER_NAMES = {
    "windows31j": "cp932", "ms932": "cp932", "xsjis": "cp932", "cswindows31j": "cp932", "sjis": "cp932",
    "shiftjisms": "cp932", "mskanji": "cp932", "xeucjp": "euc_jp", "eucjpms": "euc_jp", "cp51932": "euc_jp",
    "ansi": "cp1252", "utf8bom": "utf-8", "utf8mark": "utf-8", "unicode": "utf-16",
}  # fmt: skip
ENCODINGS = ("utf-8", "utf-16", "cp932", "euc_jp", "cp1252", "latin-1")


@dataclass(frozen=True, slots=True)
class Encoded:
    """An encoding, and whether a byte order mark stands before the text."""

    name: str = "utf-8"
    mark: bool = False


def named(text: str) -> str:
    """Return our name of an encoding under any usual spelling; ValueError where it is none of ours."""
    plain = re.sub(r"[^a-z0-9]", "", text.lower())
    if plain in _OTHER_NAMES:
        return _OTHER_NAMES[plain]
    try:
        found = codecs.lookup(text.strip()).name.replace("-", "_")
    except (LookupError, UnicodeError, ValueError):
        found = ""
    if found not in _NAMES:
        raise ValueError(f"it is one of {', '.join(ENCODINGS)}, under any usual spelling")
    return _NAMES[found]


def encoding_of(path: Path, declared: str | None = None) -> Encoded:
    """Return the encoding of a text file: the declared one, or the one worked out from all of it."""
    with path.open("rb") as file:
        start = file.read(CHUNK)
    marked = next((name for mark, name in _MARKS if start.startswith(mark)), None)
    if declared == "utf-16":
        return Encoded(marked or _without_mark(start) or "utf-16-le", mark=marked is not None)
    if marked and declared in {None, marked}:
        return Encoded(marked, mark=True)
    if declared:
        return Encoded(declared)
    wide = _without_mark(start)
    if wide:
        return Encoded(wide)
    if b"\0" in start or _decodes(path, "utf-8"):
        return Encoded()  # whatever else is wrong with it is told with its row
    return Encoded(_most_credible(path))


def _without_mark(start: bytes) -> str | None:
    """Return the order of UTF-16 in which alone the bytes have lines; None if neither has, or both."""
    if b"\0" not in start:
        return None
    even = start[: len(start) // 2 * 2]
    fits = [name for name in ("utf-16-le", "utf-16-be") if _has_lines(even, name)]
    return fits[0] if len(fits) == 1 else None


def _has_lines(start: bytes, name: str) -> bool:
    text = codecs.getincrementaldecoder(name)("replace").decode(start)
    if "\n" not in text or "\0" in text or "\ufffd" in text:
        return False
    return all(_separates(line) for line in text.split("\n", 3)[:2] if line.strip())


def _separates(line: str) -> bool:
    return any(letter.isascii() for letter in line)


def _chunks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            yield chunk


def _decodes(path: Path, name: str) -> bool:
    """Tell whether the whole file is text in an encoding, or stops being text at all."""
    decoder = codecs.getincrementaldecoder(name)()
    clean = True
    try:
        for chunk in _chunks(path):
            if b"\0" in chunk:
                return True
            if clean and chunk.isascii():
                continue
            decoder.decode(chunk)
            clean = not decoder.getstate()[0]
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def _most_credible(path: Path) -> str:
    """Return the encoding of text that is not UTF-8."""
    lines = _lines(path)
    if _mostly_utf8(lines):
        return "utf-8"
    read = {name: lines.decode(name, "replace") for name in _TRIED if _decodes(path, name)}
    wrong = {name: _wrong(text, _FAULTS[name]) for name, text in read.items()}
    ranked = sorted(wrong, key=wrong.__getitem__)
    credible = [name for name in ranked if wrong[name] <= min(_CREDIBLE, wrong[ranked[0]] + _CLEARLY)]
    if len({read[name] for name in credible}) == 1 and _enough(read[credible[0]], wrong, ranked):
        return credible[0]
    fit = " and ".join(_SPOKEN[name] for name in (credible if len(credible) > 1 else ranked[:2]))
    words = (
        f"The text can be read as {fit}, and not with the same words; say which it is in encoding."
        if credible and len(ranked) > 1
        else "The text is in none of UTF-8, UTF-16, CP932, EUC-JP and CP1252, "
        "or is damaged; save it as UTF-8, or say in encoding which it is."
    )
    raise InputError(words, code="encoding", parameter="encoding")


def _enough(text: str, wrong: dict[str, float], ranked: list[str]) -> bool:
    """Tell whether a text is long enough to be sure; a few letters must be right, and wrong otherwise."""
    foreign = sum(not letter.isascii() for letter in text)
    others = [wrong[name] for name in ranked[1:]]
    return foreign >= _FEW or (wrong[ranked[0]] == 0 and min(others, default=1.0) >= 2 * _CREDIBLE)


def _lines(path: Path) -> bytes:
    """Return lines that are not ASCII, from the beginning on, up to a bounded number of bytes."""
    found: list[bytes] = []
    size = 0
    tail = b""
    for chunk in _chunks(path):
        text = tail + chunk
        cut = text.rfind(b"\n") + 1
        text, tail = text[:cut], text[cut:][-_SAMPLE:]
        for line in () if text.isascii() else text.split(b"\n"):
            if not line.isascii():
                found.append(line[:_SAMPLE])
                size += len(found[-1])
                if size > _SAMPLE:
                    return b"\n".join(found)
    return b"\n".join([*found, tail])


def _mostly_utf8(lines: bytes) -> bool:
    """Tell whether a text is UTF-8 but for a few bytes, which are then refused with their row."""
    text = lines.decode("utf-8", "replace")
    whole = sum(not letter.isascii() for letter in text) - text.count("\ufffd")
    return whole > 10 * text.count("\ufffd")


def _wrong(text: str, faults: Callable[[str], int]) -> float:
    """Return the share of characters outside ASCII that look wrong."""
    foreign = sum(not letter.isascii() for letter in text)
    return faults(text) / foreign if foreign else 1.0


_KANA = "\uff66-\uff9f"
_HALF = re.compile("[\uff61-\uff9f]+")
_VOICED = re.compile(r"(?<![ｳｶ-ﾄﾊ-ﾎ])ﾞ|(?<![ﾊ-ﾎ])ﾟ")
_NO_START = re.compile("^[ｧ-ｰﾞﾟ]")
_USUAL = re.compile("[\u3000-\u30ff\uff01-\uff60\uffe0-\uffe6\u2460-\u24ff\u3200-\u33ff\u2160-\u217f]")
_SIGNS = frozenset("×÷±°′″℃…‥―“”‘’→←↑↓○●◎△▲▽▼□■◇◆☆★※〒§∞≠≦≧∴♂♀№℡㎡")  # noqa: RUF001 - these very signs


def _japanese_faults(text: str) -> int:
    faults = sum(_unusual(letter) for letter in text if not letter.isascii())
    return faults + sum(_half_faults(match, text) for match in _HALF.finditer(text))


def _unusual(letter: str) -> bool:
    """Tell whether a character is hardly ever written in Japanese tables: rare kanji, foreign letters."""
    if _USUAL.match(letter) or letter in _SIGNS or "\uff61" <= letter <= "\uff9f":
        return False
    try:
        lead = letter.encode("euc_jp")[0]
    except UnicodeEncodeError:
        return not "\u4e00" <= letter <= "\u9fff"  # kanji of Windows alone, in names
    return not 0xB0 <= lead <= 0xCF  # the first level of kanji


def _half_faults(match: re.Match[str], text: str) -> int:
    """Return how many half-width kana of a run stand where they cannot."""
    run = match[0]
    before, after = text[: match.start()][-1:], text[match.end() :][:1]
    beside_letters = (before.isascii() and before.isalpha()) or (after.isascii() and after.isalpha())
    if len(run) == 1 and (beside_letters or not re.match("[ｱ-ﾝ]", run)):
        return 1
    kanji = any(_unusual(letter) for letter in before + after if not letter.isascii())
    return len(_VOICED.findall(run)) + bool(_NO_START.match(run)) + len(re.findall("[｡｢｣､]", run)) + kanji


_APART = "£€¥°§©®½¼¾²³µ±«»¿¡–—‘’“”…•™ªº·\u00a0"  # noqa: RUF001 - these very signs
_RUN = re.compile(r"[^\x00-\x7f]+")
_LETTER = re.compile("[À-ÖØ-öø-ÿŒœŠšŽžŸ]+")


def _latin_faults(text: str) -> int:
    """Return how many characters outside ASCII stand as they do not in words of Western Europe."""
    return sum(_run_faults(match, text) for match in _RUN.finditer(text))


def _run_faults(match: re.Match[str], text: str) -> int:
    run = match[0]
    before, after = text[: match.start()][-1:], text[match.end() :][:1]
    letters = before.isalpha() + after.isalpha()
    if _LETTER.fullmatch(run):
        case = re.search("[a-zß-ÿ][A-ZÀ-Þ]", before + run + after) is not None
        return len(run) * (len(run) > 2 or case or (len(run) == 2 and not letters))
    if all(letter in _APART for letter in run) and len(run) <= 2:
        inside = letters == 2 and run not in {"\u2019", "·"}
        return len(run) * inside
    return len(run)


_FAULTS: dict[str, Callable[[str], int]] = {
    "cp932": _japanese_faults, "euc_jp": _japanese_faults, "cp1252": _latin_faults,
}  # fmt: skip
