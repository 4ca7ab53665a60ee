"""What bots send: a file's name and content."""

from __future__ import annotations

import io
import zipfile
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True)
class Upload:
    """A file as it goes over the line."""

    name: str
    content: bytes


def zipped(name: str, files: Mapping[str, bytes]) -> Upload:
    """Return files as one."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for inside, content in files.items():
            archive.writestr(inside, content)
    return Upload(name, packed.getvalue())


def unzipped(name: str, content: bytes) -> dict[str, bytes]:
    """Return the files of what was published: those of a zip, or the one there is."""
    if not name.endswith(".zip"):
        return {name: content}
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {inside: archive.read(inside) for inside in archive.namelist()}
