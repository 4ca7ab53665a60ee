"""Reproduce papers: do the experiments once, lay them out as every paper asked for does."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from kakurenbo.errors import ParameterError
from kakurenbo.progress import Progress
from kakurenbo.reproduction import layout_001, microdata_001, reasons
from kakurenbo.reproduction.figures import figures
from kakurenbo.reproduction.printed import PAPERS
from kakurenbo.reproduction.results import Figure, Reproduction, Table
from kakurenbo.reproduction.runs import SWEEP, Laboratory
from kakurenbo.reproduction.tables import tables

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kakurenbo.data.purchases import Purchases

Part = TypeVar("Part", Table, Figure)

_CONTEST = (400, 38_087, 1_763, 2_781)  # customers, records, receipts and goods of TC400
_BEFORE_001 = 0.8  # share of the work where other papers are asked for too

OFFERED = tuple(sorted((*PAPERS, layout_001.PAPER)))


def reproduce(
    shop: Purchases | None,
    papers: Sequence[str] = PAPERS,
    seeds: Sequence[int] = range(5),
    progress: Progress | None = None,
    *,
    clusters: Sequence[int] = SWEEP,
) -> Reproduction:
    """Measure what the papers print.

    Args:
        shop: TC400, the contest table of 2016; with a master (from the UCI file) U1 and U2 can be measured.
            Paper 001 alone needs none: made-up households stand in for its data.
        papers: the papers' numbers, of those in `OFFERED`.
        seeds: one run each; the papers had ten. The same seeds give the same numbers (but for the seconds
            of 001's figures); 001 is run once, with the first of them.
        progress: shows the experiments, and stops between them.
        clusters: the sweep of c for correlations and figures.
    """
    wanted = chosen(papers)
    if not seeds:
        raise ParameterError("reproduce: at least one seed is needed.", code="parameter")
    progress = progress or Progress()
    found = _purchases(shop, wanted, seeds, progress, clusters)
    if layout_001.PAPER not in wanted:
        return found
    made = microdata_001.reproduce(
        seed=seeds[0], progress=progress.part(_BEFORE_001 if found.tables else 0, 1)
    )
    return replace(
        found,
        tables=_in_order((*found.tables, *layout_001.tables(made))),
        figures=_in_order((*found.figures, *layout_001.figures(made))),
    )


def _purchases(
    shop: Purchases | None,
    wanted: tuple[str, ...],
    seeds: Sequence[int],
    progress: Progress,
    clusters: Sequence[int],
) -> Reproduction:
    omitted = tuple(what for paper in wanted for what in reasons.OMITTED[paper])
    asked = tuple(paper for paper in wanted if paper in PAPERS)
    if shop is None:
        if asked:
            raise ParameterError(
                f"reproduce: paper {asked[0]} needs the contest table as its shop (TC400, or the UCI file).",
                code="parameter",
                parameter="shop",
            )
        return Reproduction(
            papers=wanted, seeds=tuple(seeds), clusters=(), customers=0, records=0,
            contest=True, nations=True, tables=(), figures=(), omitted=omitted,
        )  # fmt: skip
    if asked and not any(c <= len(shop.customers) for c in clusters):
        raise ParameterError(
            "reproduce: the data has fewer customers than any c of the sweep.", code="parameter"
        )
    lab = Laboratory(shop, seeds, clusters, progress)
    return Reproduction(
        papers=wanted,
        seeds=lab.seeds,
        clusters=lab.sweep,
        customers=lab.people,
        records=len(shop),
        contest=(lab.people, len(shop), shop.receipts, len(shop.goods)) == _CONTEST,
        nations=shop.master is not None,
        tables=tables(asked, lab),
        figures=figures(asked, lab),
        omitted=omitted,
    )


def _in_order(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    return tuple(sorted(parts, key=lambda part: part.paper))


def chosen(papers: Sequence[str]) -> tuple[str, ...]:
    """Return the papers in order, or say which there are."""
    for paper in papers:
        if paper not in OFFERED:
            raise ParameterError(
                f"There is no paper of this name to reproduce; there are: {', '.join(OFFERED)}, all.",
                code="unknown-name",
            )
    return tuple(paper for paper in OFFERED if paper in papers)
