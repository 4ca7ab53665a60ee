"""Reproduce papers: do the experiments once, lay them out as every paper asked for does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kakurenbo.errors import ParameterError
from kakurenbo.progress import Progress
from kakurenbo.reproduction import paper_000, paper_001, paper_002, paper_003, paper_004
from kakurenbo.reproduction.results import Reproduction
from kakurenbo.reproduction.runs import SWEEP, Laboratory

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kakurenbo.data.purchases import Purchases
    from kakurenbo.reproduction.results import Parts

_CONTEST = (400, 38_087, 1_763, 2_781)  # customers, records, receipts and goods of TC400
_MODULES = {module.PAPER: module for module in (paper_000, paper_001, paper_002, paper_003, paper_004)}
OFFERED = tuple(_MODULES)
PAPERS = tuple(paper for paper in OFFERED if paper != paper_001.PAPER)  # those on the contest table


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
    lab = _laboratory(shop, wanted, seeds, progress, clusters)
    parts: list[Parts] = []
    for place, paper in enumerate(wanted):
        if paper == paper_001.PAPER:
            part = progress.part(place / len(wanted), (place + 1) / len(wanted))
            parts.append(paper_001.reproduced(seed=seeds[0], progress=part))
        else:
            parts.append(_MODULES[paper].reproduced(lab))
    return Reproduction(
        papers=wanted,
        seeds=tuple(seeds),
        **_conditions(lab),
        tables=tuple(table for tables, _ in parts for table in tables),
        figures=tuple(figure for _, figures in parts for figure in figures),
        omitted=tuple(what for paper in wanted for what in _MODULES[paper].OMITTED),
    )


def _laboratory(
    shop: Purchases | None,
    wanted: tuple[str, ...],
    seeds: Sequence[int],
    progress: Progress,
    clusters: Sequence[int],
) -> Laboratory | None:
    """Return where the papers on purchases are tried; none without purchases, which 001 alone can do."""
    asked = [paper for paper in wanted if paper in PAPERS]
    if shop is None:
        if asked:
            raise ParameterError(
                f"reproduce: paper {asked[0]} needs the contest table as its shop (TC400, or the UCI file).",
                code="parameter",
                parameter="shop",
            )
        return None
    if asked and not any(c <= len(shop.customers) for c in clusters):
        raise ParameterError(
            "reproduce: the data has fewer customers than any c of the sweep.", code="parameter"
        )
    return Laboratory(shop, seeds, clusters, progress)


def _conditions(lab: Laboratory | None) -> dict[str, Any]:
    if lab is None:
        return {"clusters": (), "customers": 0, "records": 0, "contest": True, "nations": True}
    shop = lab.shop
    return {
        "clusters": lab.sweep,
        "customers": lab.people,
        "records": len(shop),
        "contest": (lab.people, len(shop), shop.receipts, len(shop.goods)) == _CONTEST,
        "nations": shop.master is not None,
    }


def chosen(papers: Sequence[str]) -> tuple[str, ...]:
    """Return the papers in order, or say which there are."""
    for paper in papers:
        if paper not in OFFERED:
            raise ParameterError(
                f"There is no paper of this name to reproduce; there are: {', '.join(OFFERED)}, all.",
                code="unknown-name",
            )
    return tuple(paper for paper in OFFERED if paper in papers)
