"""What bots send: a file's name and content."""

from __future__ import annotations

import io
import zipfile
from dataclasses import dataclass


@dataclass(frozen=True)
class Upload:
    """A file as it goes over the line."""

    name: str
    content: bytes


def unzipped(name: str, content: bytes) -> dict[str, bytes]:
    """Return the files of what was published: those of a zip, or the one there is."""
    if not name.endswith(".zip"):
        return {name: content}
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {inside: archive.read(inside) for inside in archive.namelist()}
