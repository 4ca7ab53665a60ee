"""Which file of a submission is which table: told by its name alone, in whatever letters and folder.

Other files, such as the data sheet that a release may bring along, are not looked at and never published.
"""

from __future__ import annotations

import hashlib
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

from kakurenbo.contest.judging.cells import TEXT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kakurenbo.contest.judging.faults import Faults
    from kakurenbo.contest.judging.formats import Files

ENDINGS: Final = (*TEXT, ".parquet")
_ASIDE: Final = "__macosx"  # what one system packs beside every file


def chosen(
    files: Files, wanted: Mapping[str, tuple[str, ...]], faults: Faults
) -> dict[str, tuple[str, bytes]]:
    """Return the file of each table that there is, by the table's letter; two for one are a fault.

    Args:
        files: of a submission.
        wanted: the names that the file of each table may have, without their ending.
        faults: where what is wrong is noted.
    """
    found: dict[str, tuple[str, bytes]] = {}
    for path in sorted(files):
        table = _table(path, wanted)
        if table is None:
            continue
        if table in found:
            faults.add(PurePosixPath(path).name, "file-twice")
        else:
            found[table] = PurePosixPath(path).name, files[path]
    return found


def _table(path: str, wanted: Mapping[str, tuple[str, ...]]) -> str | None:
    place = PurePosixPath(path.replace("\\", "/").lower())
    if _ASIDE in place.parts or place.suffix not in ENDINGS:
        return None
    return next((table for table, names in wanted.items() if place.stem in names), None)


def only(guess: Files, faults: Faults) -> tuple[str, bytes] | None:
    """Return the file of a guess: the one that is called so, or the only text there is."""
    named = chosen(guess, {"Q": ("q", "guess")}, faults)
    texts = [path for path in guess if PurePosixPath(path.lower()).suffix in TEXT]
    if "Q" not in named and len(texts) == 1:
        named["Q"] = PurePosixPath(texts[0]).name, guess[texts[0]]
    if "Q" not in named:
        faults.add("Q.csv", "file-missing")
    return named.get("Q")


def digest(files: Files) -> str:
    """Return one number for some files: the same for the same names and contents."""
    whole = hashlib.sha256()
    for name in sorted(files):
        for part in (name.encode(), files[name]):
            whole.update(len(part).to_bytes(8, "big") + part)
    return whole.hexdigest()
