"""`kakurenbo profile DATA`: who is in it and how unique they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.text import Text

from kakurenbo.cli import engines, left_out, options, output
from kakurenbo.risk.profile import MicrodataProfile, PurchasesProfile
from kakurenbo.risk.profile import profile as make_profile

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.table import Table

    from kakurenbo.risk.classical.diversity import Diversity
    from kakurenbo.theory.population import Population
    from kakurenbo.theory.rate import Rate

_BAR = 40


@options.reading
def profile(
    data: options.Data,
    *,
    population: options.Population = None,
    engine: options.Engine = "auto",
    master: options.Master = None,
    run: options.Run,
    **reading: Any,  # noqa: ANN401 - spelled out by the decorator
) -> None:
    """Who is in the data and how unique they are."""
    with run.working() as progress:
        table = engines.read(data, reading, engine=engine, master=master, progress=progress, quiet=run.quiet)
        result = make_profile(table, population=population, seed=run.seed, progress=progress)
    unread = left_out.document(table)["unread"]
    told = [f"Columns without a role were not read: {', '.join(unread)}."] if unread else []
    run.answer({**result.to_dict(), "unread": unread}, [*shown(result), *map(Text, told)])


def shown(result: PurchasesProfile | MicrodataProfile) -> Iterator[Any]:
    """Yield a profile for people."""
    if isinstance(result, MicrodataProfile):
        yield output.table("Who is in it", ("", ""), _microdata(result))
        yield from diversities(result.diversity)
        return
    yield output.table("Who is in it", ("", ""), _counts(result))
    yield from _similarity(result)
    yield ""
    yield _unicity(result)
    if result.master:
        yield ""
        yield _master(result)


def _master(result: PurchasesProfile) -> Table:
    rows = [
        (column.name or "all together", f"{column.values:,}", f"{column.missing:,}", f"{column.alone:,}",
         column.direct)
        for column in result.master
    ]  # fmt: skip
    columns = ("column", "values", "missing", "people alone by it", "looks direct")
    return output.table("What the master gives away", columns, rows)


def _counts(result: PurchasesProfile) -> list[tuple[str, str]]:
    rows = [
        ("customers", f"{result.customers:,}"),
        ("records", f"{result.records:,}"),
        ("receipts", "unknown" if result.receipts is None else f"{result.receipts:,}"),
        ("goods", f"{result.goods:,}"),
        ("goods per customer (mean)", f"{result.goods_per_customer:.3f}"),
        ("goods per customer (5 %, median, 95 %)", ", ".join(
            f"{result.goods_quantiles[q]:,.0f}" for q in ("0.05", "0.50", "0.95")
        )),
    ]  # fmt: skip
    rows += [(f"goods with {name}", f"{count:,}") for name, count in result.goods_known.items()]
    if result.without_purchases:
        rows.append(("people of the master without purchases", f"{result.without_purchases:,}"))
    dropped = result.dropped.as_dict().items()
    return rows + [(f"dropped: {reason.replace('_', ' ')}", f"{n:,}") for reason, n in dropped if n]


def _similarity(result: PurchasesProfile) -> Iterator[Any]:
    alike = result.similarity
    if alike is None or result.mean_intersection is None:
        return
    about = "" if alike.exact else f" (from {alike.pairs:,} sampled pairs)"
    about = f" ({alike.pairs:,} pairs with {result.sampled:,} sampled people)" if result.sampled else about
    margin = "" if alike.exact else f" [{alike.mean_low:.5f}, {alike.mean_high:.5f}]"
    least = "" if alike.exact or alike.maximum == 1 else "at least "
    rows = [
        ("mean Jaccard of two customers", f"{alike.mean:.5f}{margin}"),
        ("largest Jaccard", f"{least}{alike.maximum:.4f}"),
        ("goods two customers share (mean)", f"{result.mean_intersection:.4f}"),
    ]
    yield ""
    yield output.table(f"How alike two customers are{about}", ("", ""), rows)
    top = max(alike.histogram)
    shown = max((i for i, count in enumerate(alike.histogram) if count * _BAR >= top), default=0)
    for i, count in enumerate(alike.histogram[: shown + 1]):
        yield f"  {i / 100:.2f}-{(i + 1) / 100:.2f} {'█' * round(_BAR * count / top):<{_BAR}} {count:,}"
    rest = sum(alike.histogram[shown + 1 :])
    if rest:
        yield f"  above     {'':<{_BAR}} {rest:,}"


def _unicity(result: PurchasesProfile) -> Table:
    kinds = dict.fromkeys(row.knowledge for row in result.unicity)
    rows = []
    for kind in kinds:
        rates = {row.k: row.rate for row in result.unicity if row.knowledge == kind}
        rows.append((kind, *(_share(rate) for rate in rates.values())))
    columns = ("one point is a", "k=1", "k=2", "k=3", "k=4")
    return output.table("Singled out by k random points of their own history", columns, rows)


def _share(rate: Rate) -> str:
    return f"{rate.value:.1%}" if rate.exact else f"{rate.value:.1%} ±{(rate.high - rate.low) / 2:.1%}"


def diversities(each: Sequence[Diversity]) -> Iterator[Any]:
    """Yield what the groups say of every sensitive attribute, where there are any."""
    if not each:
        return
    columns = ("attribute", "values", "l", "l by entropy", "c of (c, l)", "t")
    rows = [
        (one.attribute, f"{one.values:,}", f"{one.l_distinct:,}", f"{one.l_entropy:,} ({one.effective:.2f})",
         "-" if one.c is None else f"{one.c:,}", f"{one.t:.4f}")
        for one in each
    ]  # fmt: skip
    yield ""
    yield output.table("Sensitive attributes in groups of equal quasi-identifiers", columns, rows)


def _microdata(result: MicrodataProfile) -> list[tuple[str, str]]:
    return [
        ("rows", f"{result.rows:,}"),
        ("quasi-identifiers", f"{result.quasi_identifiers}"),
        ("sensitive attributes", f"{result.sensitive}"),
        ("groups of equal quasi-identifiers", f"{result.groups:,}"),
        ("smallest group (k)", f"{result.smallest_group:,}"),
        ("mean group", f"{result.mean_group:.3f}"),
        ("persons alone in their group", f"{result.unique_share:.1%}"),
        ("best chance of a prosecutor (1 / k)", f"{result.prosecutor:.1%}"),
        ("found by a marketer (mean of 1 / group)", f"{result.marketer:.1%}"),
        *(row for model in result.population for row in _population(model)),
        *([("dropped: missing value", f"{result.dropped:,}")] if result.dropped else []),
    ]


def _population(model: Population) -> list[tuple[str, str]]:
    """Return what a model of the population says, and whether it is to be believed."""
    fit = "fits" if model.fits else "DOES NOT FIT, do not rely on it"
    return [
        (f"{model.model} model of the population", f"{fit} (misfit {model.misfit:.1%})"),
        ("  of those alone here, alone there too", f"{model.alone_there:.1%}"),
        ("  journalist: chance to name one alone here", f"{model.journalist:.1%}"),
        ("  marketer: share named rightly", f"{model.marketer:.1%}"),
    ]
