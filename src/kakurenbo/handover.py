"""Hand over: write a release with its data sheet, so that whoever gets it knows what it is good for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kakurenbo.auditing.sheet.make import SheetInBlocks, sheet_of
from kakurenbo.data.blocks import block_count
from kakurenbo.files import release_folder, release_in_blocks

if TYPE_CHECKING:
    from pathlib import Path

    from kakurenbo.auditing.results import Audit
    from kakurenbo.data.blocks import Blocks
    from kakurenbo.data.release import Release
    from kakurenbo.data.table import Data
    from kakurenbo.deidentify.in_blocks import ReleaseInBlocks
    from kakurenbo.files.release_in_blocks import Written
    from kakurenbo.progress import Progress
    from kakurenbo.sheet.record import Language


def write_release(
    release: Release[Data],
    folder: str | Path,
    *,
    secret: str | Path,
    original: Data | None = None,
    audit: Audit | None = None,
    sheet: bool = True,
    contact: str = "",
    lang: Language = "en",
    overwrite: bool = False,
    allow_exposed: bool = False,
) -> None:
    """Write a release and its secret pairing apart from each other, and a data sheet beside the tables.

    Args:
        release: what to write.
        folder: the release folder; it must not exist, unless `overwrite` exchanges it in one step.
        secret: the file for the pairing, outside the folder, mode 0600; never overwritten.
        original: the data before, so that the sheet can say what the release is good for.
        audit: of this release, so that the sheet can say who was tried.
        sheet: whether there is a data sheet: `README.md` and `datasheet.json`.
        contact: whom to ask, for the sheet.
        lang: the language of its page.
        overwrite: replace an existing release folder, if this program wrote it and it is unchanged.
        allow_exposed: write the secret even inside a release or a git work tree, where it may be published.
    """
    made = (
        sheet_of(
            release.data, original, release.pairing, facts=release.facts, made=release.provenance,
            audit=audit, contact=contact, language=lang,
        )
        if sheet
        else None
    )  # fmt: skip
    release_folder.write_release(
        release, folder, secret=secret, sheet=made, overwrite=overwrite, allow_exposed=allow_exposed
    )


def write_in_blocks(
    release: ReleaseInBlocks,
    folder: str | Path,
    *,
    secret: str | Path,
    original: Blocks | None = None,
    sheet: bool = True,
    contact: str = "",
    lang: Language = "en",
    overwrite: bool = False,
    allow_exposed: bool = False,
    progress: Progress | None = None,
) -> Written:
    """Make a release block by block and write it, its secret and its data sheet, as `write_release` would.

    Args:
        release: what a method's `release_in_blocks` returned.
        folder: as for `write_release`, and so are the options that are not named here.
        secret: the file for the pairing.
        original: the blocks before, so that the sheet can say what the release is good for: measured on
            10,000 people, where there are more.
        sheet: whether there is a data sheet.
        contact: whom to ask, for the sheet.
        lang: the language of its page.
        overwrite: replace an existing release folder of ours.
        allow_exposed: write the secret even where it may be published.
        progress: told how far it is.
    """
    noting = SheetInBlocks(original, release.provenance, contact, lang) if sheet else None
    blocks = block_count(release.fitted.blocks.whole.counts["records"])
    return release_in_blocks.write_in_blocks(
        release, blocks, folder, secret=secret, noting=noting, overwrite=overwrite,
        allow_exposed=allow_exposed, progress=progress,
    )  # fmt: skip
