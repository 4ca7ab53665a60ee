"""Reproduce papers: do the experiments once, lay them out as every paper asked for does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kakurenbo.errors import ParameterError
from kakurenbo.reproduction import reasons
from kakurenbo.reproduction.figures import figures
from kakurenbo.reproduction.printed import PAPERS
from kakurenbo.reproduction.results import Reproduction
from kakurenbo.reproduction.runs import SWEEP, Laboratory
from kakurenbo.reproduction.tables import tables

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from kakurenbo.data.purchases import Purchases

_CONTEST = (400, 38_087, 1_763, 2_781)  # customers, records, receipts and goods of TC400


def reproduce(
    shop: Purchases,
    papers: Sequence[str] = PAPERS,
    seeds: Sequence[int] = range(5),
    progress: Callable[[str], None] | None = None,
    *,
    clusters: Sequence[int] = SWEEP,
) -> Reproduction:
    """Measure what the papers print.

    Args:
        shop: TC400, the contest table of 2016; with a master (from the UCI file) U1 and U2 can be measured.
        papers: the papers' numbers, of those in `printed.PAPERS`.
        seeds: one run each; the papers had ten. The same seeds give the same numbers.
        progress: called with a word on each experiment.
        clusters: the sweep of c for correlations and figures.
    """
    wanted = chosen(papers)
    if not seeds:
        raise ParameterError("reproduce: at least one seed is needed.", code="parameter")
    if not any(c <= len(shop.customers) for c in clusters):
        raise ParameterError(
            "reproduce: the data has fewer customers than any c of the sweep.", code="parameter"
        )
    lab = Laboratory(shop, seeds, clusters, progress or (lambda _: None))
    omitted = tuple(what for paper in wanted for what in reasons.OMITTED[paper])
    return Reproduction(
        papers=wanted,
        seeds=lab.seeds,
        clusters=lab.sweep,
        customers=lab.people,
        records=len(shop),
        contest=(lab.people, len(shop), shop.receipts, len(shop.goods)) == _CONTEST,
        nations=shop.master is not None,
        tables=tables(wanted, lab),
        figures=figures(wanted, lab),
        omitted=omitted,
    )


def chosen(papers: Sequence[str]) -> tuple[str, ...]:
    """Return the papers in order, or say which there are."""
    for paper in papers:
        if paper not in PAPERS:
            raise ParameterError(
                f"There is no paper of this name to reproduce; there are: {', '.join(PAPERS)}, all.",
                code="unknown-name",
            )
    return tuple(paper for paper in PAPERS if paper in papers)
