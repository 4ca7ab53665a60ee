"""How a report is recognised as one of ours that nobody has changed, and so may be replaced by a newer one.

HTML and Markdown end in a comment with the SHA-256 of all that stands before it: who adds a note to his
report breaks it, and the note is kept. JSON has no comments; it is ours if reading and writing it again gives
the same text.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Final

from kakurenbo.auditing.results import Audit
from kakurenbo.errors import InputError
from kakurenbo.reproduction.results import Reproduction
from kakurenbo.tuning.results import Tuned

if TYPE_CHECKING:
    from pathlib import Path

SEALED: Final = (".html", ".md", ".json")
_SEAL: Final = "<!-- kakurenbo report, sha256 {} -->\n"
_LENGTH: Final = len(_SEAL.format("0" * 64))
_HEAD: Final = 64
_LARGEST: Final = 1 << 28


def sealed(page: str) -> str:
    """Return an HTML or Markdown report with its seal."""
    return page + _seal(page.encode()).decode()


def is_report(path: Path) -> bool:
    """Tell whether a file is a report that this program wrote, as it wrote it."""
    if path.is_symlink() or not path.is_file() or path.stat().st_size > _LARGEST:
        return False
    content = path.read_bytes()
    if content.endswith(b"-->\n"):
        return content[-_LENGTH:] == _seal(content[:-_LENGTH])
    try:
        return _is_document(content.decode())
    except UnicodeDecodeError:
        return False


def is_picture(path: Path) -> bool:
    """Tell whether a file is a PNG or an SVG: pictures carry no seal, and who asks for it replaces any."""
    if path.is_symlink() or not path.is_file():
        return False
    with path.open("rb") as file:
        start = file.read(_HEAD)
    return start.startswith(b"\x89PNG\r\n") or start.lstrip().startswith((b"<svg", b"<?xml"))


def _seal(content: bytes) -> bytes:
    return _SEAL.format(hashlib.sha256(content).hexdigest()).encode()


def _is_document(written: str) -> bool:
    for kind in (Audit, Tuned):
        try:
            return kind.from_json(written).to_json() == written
        except InputError:
            continue
    try:
        document = json.loads(written)
    except (ValueError, RecursionError):
        return False
    names = {*Reproduction.__dataclass_fields__, "verdicts"}
    return (
        isinstance(document, dict)
        and {*document} == names
        and json.dumps(document, indent=2, ensure_ascii=False) + "\n" == written
    )
