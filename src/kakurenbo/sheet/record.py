"""The data sheet of a release: what it is, in which grain, what was changed, what it may be used for.

A folder of tables tells nobody that its repeat rate is an artefact. So every release carries a sheet, for
people (`README.md`) and for programs (`datasheet.json`): the first is made from the second and from nothing
else. A sheet speaks of the whole and of nobody in it: figures of the original are rounded, those that rest on
few people are left out, and it holds no seed, no secret, no path and no date, so that equal releases have
equal sheets.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from kakurenbo.about import Kind
from kakurenbo.document import plain, record, text, written

README, JSON = "README.md", "datasheet.json"
NAMES = (README, JSON)
LARGEST = 1 << 16  # bytes of a sheet
_MADE_BY = "kakurenbo data sheet"
_LONGEST = 400  # characters of anything said in it

Language = Literal["en", "ja"]
Advice = Literal["exact", "care", "avoid"]
NEARLY, CAREFUL = 0.02, 0.15  # the share of a use that may be lost: nearly exact, and with care


def advised(loss: float) -> Advice:
    """Return what to do with a figure of which such a share is lost."""
    return "exact" if loss <= NEARLY else "care" if loss <= CAREFUL else "avoid"


@dataclass(frozen=True)
class Column:
    """A released column.

    Attributes:
        table: the table it stands in.
        name: as it is released.
        role: what it means: a role of purchases, `master`, `qi`, `sa` or `id`.
        grain: how fine its values are: of a time `month` and the like; `decimals`, `whole`, `words`, `text`.
        values: how many different ones there are.
        decimals: of its numbers.
        levels: of words of several levels: how many there are of each, the finest (the values) first.
        stands_for: how many values of the original these words stand for.
        since: the month of the first time.
        until: and of the last.
    """

    table: str
    name: str
    role: str
    grain: str
    values: int
    decimals: int | None = None
    levels: tuple[int, ...] = ()
    stands_for: int | None = None
    since: str = ""
    until: str = ""


@dataclass(frozen=True)
class Change:
    """One step of what was done: the method's name in the catalogue, and what that does."""

    method: str
    does: str


@dataclass(frozen=True)
class Use:
    """What one figure of the release is worth.

    Attributes:
        measure: by which it was measured, its name in the catalogue.
        advice: whether to rely on it.
        says: the figure, and what it is in truth, in words.
        lost: the share of this use that is lost, 0 for a copy.
        figures: what that rests on; of two whose names end so, `before` is the original's.
    """

    measure: str
    advice: Advice
    says: str
    lost: float
    figures: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Rung:
    """What the best attacker with some knowledge got.

    Attributes:
        knowledge: what he knows of people.
        found: the share of people he names rightly.
        chance: the share that luck names.
        laid_open: the share of people of whom he learns one half or more, above that outside the release.
    """

    knowledge: str
    found: float | None
    chance: float | None
    laid_open: float | None


@dataclass(frozen=True)
class Sought:
    """What attackers were tried.

    Attributes:
        by: by an `audit`, or while a plan was sought (`tune`); empty where none were.
        verdict: the answer.
        attackers: how many were tried.
        max_risk: the share that none may find.
        max_learnt: by how much more people may be laid open than outside the release.
        knowledge: what an attacker may know to decide; empty for everything.
        rungs: what each got, by what he knows.
        targets: how many people were sought, drawn at random; None where that was everybody.
    """

    by: Literal["", "audit", "tune"] = ""
    verdict: str = ""
    attackers: int | None = None
    max_risk: float | None = None
    max_learnt: float | None = None
    knowledge: str = ""
    rungs: tuple[Rung, ...] = ()
    targets: int | None = None


@dataclass(frozen=True)
class DataSheet:
    """All that is said of a release.

    Attributes:
        made_by: that this program wrote it.
        version: of this program.
        language: of the page to read.
        kind: purchases or microdata.
        counts: what there is, and how much of it.
        columns: of all its tables.
        left_out: columns of the original that were not released, by name.
        unread: further columns of the original, which were never read.
        changes: what was done, in order.
        edits: records that were `added`, `deleted` or `altered`, about; none where that is not known.
        several_names: whether a person may stand under several names.
        no_purchases: people of the original's master who bought nothing and are not released, about.
        uses: what it may be used for.
        grain: what coarser words cost.
        unmeasured: why nothing is said of other uses: the reason -> measures.
        compared: whether the release was measured beside its original at all.
        sampled: on how many people, drawn by chance, where not on everybody; left out of the document else.
        sought: what attackers were tried.
        reproducible: drawn with a seed, and therefore not for release.
        contact: whom to ask.
    """

    kind: Kind
    version: str
    counts: Mapping[str, int]
    columns: tuple[Column, ...]
    language: Language
    left_out: tuple[str, ...]
    unread: int
    changes: tuple[Change, ...]
    edits: Mapping[str, int]
    several_names: bool
    no_purchases: int
    uses: tuple[Use, ...]
    grain: tuple[Use, ...]
    unmeasured: Mapping[str, tuple[str, ...]]
    compared: bool
    sampled: int
    sought: Sought
    reproducible: bool
    contact: str
    made_by: str = _MADE_BY

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        document = written(self)
        if not self.sampled:
            del document["sampled"]
        return {"made_by": document.pop("made_by"), **document}

    def to_json(self) -> str:
        """Return the text of `datasheet.json`."""
        return text(self.to_dict())


def parsed(document: Any) -> DataSheet | None:  # noqa: ANN401 - whatever JSON holds
    """Return the sheet that such a document is, to the letter and no longer than sheets are; else None."""
    try:
        sheet = record(DataSheet, {"sampled": 0, **document})
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
        return None
    same = sheet.made_by == _MADE_BY and sheet.to_dict() == document
    return sheet if same and all(len(words) <= _LONGEST for words in _said(plain(sheet))) else None


def _said(value: Any) -> list[str]:  # noqa: ANN401 - whatever JSON holds
    """Return every text in a document, the names of its values too."""
    if isinstance(value, dict):
        return [*map(str, value), *(words for inner in value.values() for words in _said(inner))]
    if isinstance(value, list):
        return [words for inner in value for words in _said(inner)]
    return [value] if isinstance(value, str) else []
