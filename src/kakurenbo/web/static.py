"""Style sheets, scripts and pictures, under addresses that change with their content.

They are small and few, so they are read once and kept. The address holds a hash of the content: browsers may
keep a file for a year, and get the new one as soon as a page asks for it.
"""

from __future__ import annotations

import gzip
import hashlib
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING, Final

from starlette.responses import Response

from kakurenbo.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from starlette.requests import Request

_KINDS: Final = {
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
    "png": "image/png",
    "ico": "image/x-icon",
    "woff2": "font/woff2",
}
_YEAR: Final = "public, max-age=31536000, immutable"


@dataclass(frozen=True)
class Asset:
    """A file with its hash, plain and packed."""

    name: str
    content: bytes
    packed: bytes
    digest: str
    kind: str

    @classmethod
    def of(cls, name: str, content: bytes) -> Asset:
        """Return a file; its ending says of what kind it is."""
        digest = hashlib.sha256(content).hexdigest()[:16]
        return cls(name, content, gzip.compress(content, mtime=0), digest, _KINDS[name.rpartition(".")[2]])

    @property
    def address(self) -> str:
        """Where it is served."""
        return f"/static/{self.digest}/{self.name}"

    def answer(self, request: Request, digest: str) -> Response:
        """Return the file; one that was asked for by the hash of an older one is not kept."""
        packs = "gzip" in request.headers.get("accept-encoding", "") and len(self.packed) < len(self.content)
        headers = {
            "Cache-Control": _YEAR if digest == self.digest else "no-cache",
            "Vary": "Accept-Encoding",
        }
        if packs:
            headers["Content-Encoding"] = "gzip"
        return Response(self.packed if packs else self.content, media_type=self.kind, headers=headers)


@dataclass(frozen=True)
class Assets:
    """The files of all packages by their names; an earlier package's stands for a later one's."""

    named: Mapping[str, Asset]

    @classmethod
    def read(cls, packages: Sequence[str]) -> Assets:
        """Return the files of kinds that are served."""
        found: dict[str, Asset] = {}
        for package in packages:
            for file in files(package).joinpath("static").iterdir():
                if file.is_file() and file.name.rpartition(".")[2] in _KINDS:
                    found.setdefault(file.name, Asset.of(file.name, file.read_bytes()))
        return cls(found)

    def address(self, name: str) -> str:
        """Return where a file is served."""
        if name not in self.named:
            raise ParameterError(f"There is no file {name} among the static ones.", code="unknown-name")
        return self.named[name].address
