"""Zips that tell no time: the same files make the same bytes, whenever and in whatever order packed."""

from __future__ import annotations

import io
import zipfile
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

_EARLIEST: Final = (1980, 1, 1, 0, 0, 0)  # the first day that a zip file knows


def zipped(files: Mapping[str, bytes]) -> bytes:
    """Return files as one."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(files):
            archive.writestr(zipfile.ZipInfo(name, _EARLIEST), files[name], zipfile.ZIP_DEFLATED)
    return content.getvalue()
