"""The data sheet that goes with a release: what the options ask for, and what it is made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kakurenbo.auditing.sheet.make import sheet_of
from kakurenbo.errors import ParameterError
from kakurenbo.files.options import options_for
from kakurenbo.files.places import folder_of
from kakurenbo.sheet.record import Rung, Sought

if TYPE_CHECKING:
    from pathlib import Path

    from kakurenbo.data.release import Release
    from kakurenbo.data.table import Table
    from kakurenbo.progress import Progress
    from kakurenbo.sheet.record import DataSheet, Language
    from kakurenbo.tuning.draws import Applied
    from kakurenbo.tuning.results import Tuned

_LONGEST = 200


@dataclass(frozen=True)
class Asked:
    """What the user asked for.

    Attributes:
        wanted: whether there is to be a sheet.
        contact: whom it names.
        language: of its page.
    """

    wanted: bool
    contact: str
    language: Language = "en"

    @classmethod
    def of(cls, data: Path, *, wanted: bool, contact: str | None, language: Language = "en") -> Asked:
        """Take what was given, else what stands in the settings beside the data."""
        named = contact if contact is not None else options_for(folder_of(data), {}).contact or ""
        if len(named) > _LONGEST:
            raise ParameterError(
                f"The contact has more than {_LONGEST} characters.", code="parameter", parameter="contact"
            )
        return cls(wanted, named, language)

    def sheet(
        self, release: Release[Any], original: Table, progress: Progress, sought: Sought | None = None
    ) -> DataSheet | None:
        """Return the sheet of a release, None where none is wanted."""
        if not self.wanted:
            return None
        progress.step("measuring for the data sheet")
        return sheet_of(
            release.data, original, release.pairing, facts=release.facts, made=release.provenance,
            sought=sought, contact=self.contact, language=self.language,
        )  # fmt: skip


def sought_by(result: Tuned, applied: Applied) -> Sought:
    """Return who was tried on the very release that a search ended with."""
    worst = Rung("", float(f"{applied.risk:.3g}"), None, float(f"{applied.learnt:.3g}"))
    return Sought("tune", "yes", None, result.max_risk, result.max_learnt, result.knowledge or "", (worst,))
