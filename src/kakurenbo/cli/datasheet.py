"""`kakurenbo datasheet ORIGINAL RELEASE`: renew the data sheet of a release, with what an audit found."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kakurenbo.auditing.results import Audit
from kakurenbo.auditing.sheet.make import sheet_of
from kakurenbo.cli import options
from kakurenbo.cli.sheets import Asked
from kakurenbo.errors import InputError, ParameterError
from kakurenbo.files import datasheet as sheets
from kakurenbo.files import manifest, release_folder
from kakurenbo.provenance import Provenance
from kakurenbo.sheet.record import Language

if TYPE_CHECKING:
    from kakurenbo.data.table import Table

_LARGEST = 1 << 28


@options.reading
def datasheet(
    original: options.Original,
    release: options.Released,
    *,
    secret: Annotated[
        Path | None,
        typer.Option(help="The secret pairing, for figures that follow people.", metavar="FILE"),
    ] = None,
    audit: Annotated[
        Path | None,
        typer.Option(help="The .json report of an audit of this release.", metavar="FILE"),
    ] = None,
    contact: options.Contact = None,
    lang: Annotated[Language | None, typer.Option(help="The language of README.md.")] = None,
    run: options.Run,
    **reading: Any,  # noqa: ANN401 - spelled out by the decorator
) -> None:
    """Renew the data sheet of a release: measured anew, and with what an audit found.

    RELEASE is a folder that this program wrote and nobody has changed; its README.md, datasheet.json and
    release.json are exchanged in one step, its tables stay as they are.
    """
    listed = manifest.read_manifest(release) if manifest.is_release(release) else None
    if listed is None:
        raise ParameterError(
            f"{release.name} is not a release folder that this program wrote, or was changed since, so it "
            "gets no data sheet.",
            code="parameter",
        )
    old = sheets.read(release)
    asked = Asked.of(original, wanted=True, contact=contact)
    with run.working() as progress:
        before, after = options.read_both(original, release, reading)
        judged = None if audit is None else _audit(audit, after)
        made = sheet_of(
            after, before, options.owners_of(secret, original, reading),
            made=Provenance(listed.plan, listed.reproducible), audit=judged,
            sought=old.sought if old is not None and judged is None else None,
            edits={} if old is None else old.edits,
            contact=asked.contact or ("" if old is None else old.contact),
            language=lang or ("en" if old is None else old.language), progress=progress,
        )  # fmt: skip
        progress.step("writing the data sheet", 1)
        release_folder.renew(release, made)
    run.answer(made.to_dict(), [f"The data sheet of {release} is new: README.md and datasheet.json in it."])


def _audit(path: Path, released: Table) -> Audit:
    """Read an audit, and refuse that of another release."""
    try:
        if path.stat().st_size > _LARGEST:
            raise InputError("The audit's file is too large to be one.", code="limit")
        result = Audit.from_json(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError("The audit's file does not exist.", code="path-missing") from None
    except (OSError, UnicodeDecodeError):
        raise InputError("The audit's file cannot be read as text.", code="path-unreadable") from None
    if result.provenance.fingerprints.get("released") != released.fingerprint():
        raise InputError(
            "This audit is of another release: give the report of an audit of this one.", code="parameter"
        )
    return result
