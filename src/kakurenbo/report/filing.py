"""What a filed report says of its own making: when, by whom, with what, on which files.

Two sums stand side by side. One is of a file's bytes, so anybody can check a file with `sha256sum`; the other
is of what the file says, so the same records in another file, order or format have the same one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kakurenbo.report.blocks import Column, Section, Table, Text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from kakurenbo.provenance import Filing, Provenance
    from kakurenbo.report.blocks import Block

_SUMS: Final = (
    "The SHA-256 of a file is of its bytes, as sha256sum prints it: it tells whether this file is meant. The "
    "fingerprint is of the content that was read, whatever the file, its format and the order of rows."
)


def line(filing: Filing, say: Callable[[str], str] = str) -> str:
    """Return what stands below a report's headline: the day, who and the files, as far as known."""
    names = dict.fromkeys((one.role, one.name.split("/")[0]) for one in filing.files)
    return " · ".join(filter(None, (filing.at, filing.by, *(f"{say(role)}: {name}" for role, name in names))))


def section(filing: Filing, provenance: Provenance) -> Section:
    """Return the section of a report that has no other place for it."""
    return Section("record", "Record of this report", tuple(blocks(filing, provenance)))


def blocks(filing: Filing, provenance: Provenance) -> Iterator[Block]:
    """Yield how the report came about, then files, fingerprints and versions."""
    told = (("date and time", filing.at), ("run by", filing.by), ("command", filing.command))
    rows = tuple((what, value) for what, value in told if value)
    if rows:
        yield Table("How this report came about", (Column("what"), Column("value", "prose")), rows)
    if filing.files:
        yield Text(_SUMS)
        columns = (Column("read as"), Column("file", "code"), Column("SHA-256 of the file", "code"))
        files = tuple((one.role, one.name, one.sha256) for one in filing.files)
        yield Table("Files as they were read", columns, files)
    yield Table(
        "Fingerprints of the content (SHA-256)", (Column("data"), Column("fingerprint", "code")),
        tuple(provenance.fingerprints.items()),
    )  # fmt: skip
    yield Table("Versions", (Column("program"), Column("version")), tuple(provenance.versions.items()))
