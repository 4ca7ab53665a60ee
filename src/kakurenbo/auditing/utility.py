"""What a release is still good for: every utility measure, and what share of the use it says is kept."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from kakurenbo.auditing.results import Kept, Skipped
from kakurenbo.auditing.words import in_words_of
from kakurenbo.catalogue import entries
from kakurenbo.data.sampling import Sample
from kakurenbo.errors import KakurenboError
from kakurenbo.measure import Groups
from kakurenbo.progress import Progress

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from kakurenbo.about import Kind
    from kakurenbo.auditing.input import AuditInput
    from kakurenbo.catalogue import Entry
    from kakurenbo.chance import Chance
    from kakurenbo.data.owners import Owners
    from kakurenbo.data.pairing import Pairing
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.data.table import Data
    from kakurenbo.measure import Measured


def measures_of(kind: Kind) -> list[Entry]:
    """Return the measures of what is kept of a table."""
    return [entry for entry in entries("measure", kind) if entry.what.about.kept != "risk"]


def utility(
    original: Data,
    released: Data,
    secret: Pairing | Owners | None,
    progress: Progress | None = None,
    *,
    spoken: Data | None = None,
    only: Collection[str] | None = None,
) -> tuple[tuple[Kept, ...], tuple[Skipped, ...]]:
    """Return what every utility measure says, and which had to be left out and why.

    Args:
        original: the data before.
        released: the data after.
        secret: who became whom; without it, measures that follow people are left out.
        progress: told about each measure.
        spoken: the original in the words of the release, made once for all measures where it is not at hand.
        only: the measures to take, by name; none given means all.
    """
    words = in_words_of(original, released) if spoken is None else spoken
    kept: list[Kept] = []
    skipped: list[Skipped] = []
    measures = [entry for entry in measures_of(original.kind) if only is None or entry.name in only]
    for place, entry in enumerate(measures):
        (progress or Progress()).step(f"measuring {entry.name}", place / len(measures))
        try:
            kept.append(_kept(entry, original, released, secret, words))
        except KakurenboError as error:
            skipped.append(Skipped(entry.name, str(error)))
    return tuple(kept), tuple(skipped)


def _kept(entry: Entry, original: Data, released: Data, secret: Pairing | Owners | None, words: Data) -> Kept:
    measure = entry.what()
    measured = measure.of(original, released, secret, spoken=words)
    return Kept(
        entry.name, measured.value, measured.unit, measured.better, measure.loss(measured.value, original),
        entry.summary, entry.source, measured.detail, _said(entry.what.about.says, measured),
    )  # fmt: skip


def _said(words: str, measured: Measured) -> str:
    """Return what a number means, in the measure's own words; nothing where a figure they need is missing."""
    try:
        return words.format(value=measured.value, d=measured.detail)
    except KeyError:
        return ""


def with_intervals(
    kept: Iterable[Kept], given: AuditInput[Any], seen: Purchases, chance: Chance, progress: Progress
) -> Iterator[Kept]:
    """Yield what every measure says of everybody, with the 95 % interval that drawing people costs.

    Args:
        kept: what it says of the people drawn.
        given: these people, and everybody.
        seen: their originals in the words of the release.
        chance: deals them into groups.
        progress: told about each measure.
    """
    drawn = len(given.original.people)
    groups = Groups.of(
        Sample(given.original, given.released, given.owners, drawn, given.people), seen, chance
    )
    measures, told = {entry.name: entry.what() for entry in measures_of("purchases")}, list(kept)
    for place, one in enumerate(told):
        progress.step(f"measuring {one.name} of groups", place / len(told))
        value, low, high = groups.told(measures[one.name], one.value)
        yield replace(one, value=value, low=low, high=high)
