"""`kakurenbo profile DATA`: who is in it and how unique they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kakurenbo.cli import options, output
from kakurenbo.risk.profile import MicrodataProfile, PurchasesProfile
from kakurenbo.risk.profile import profile as make_profile

if TYPE_CHECKING:
    from rich.console import Console

    from kakurenbo.theory.rate import Rate

_BAR = 40


@options.reading
def profile(
    data: options.Data,
    *,
    json: options.Json = False,
    seed: options.Seed = None,
    quiet: options.Quiet = False,
    **reading: Any,  # noqa: ANN401 - spelled out by the decorator
) -> None:
    """Who is in the data and how unique they are."""
    with output.working(quiet=quiet or json) as progress:
        result = make_profile(options.read(data, reading), seed=seed, progress=progress)
    if json:
        output.print_json(result.to_dict())
    else:
        show(result, output.console())


def show(result: PurchasesProfile | MicrodataProfile, console: Console) -> None:
    """Print a profile for people."""
    if isinstance(result, MicrodataProfile):
        _microdata(result, console)
        return
    _counts(result, console)
    _similarity(result, console)
    _unicity(result, console)


def _counts(result: PurchasesProfile, console: Console) -> None:
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
    rows += [
        (f"dropped: {reason.replace('_', ' ')}", f"{n:,}")
        for reason, n in result.dropped.as_dict().items()
        if n
    ]
    console.print(output.table("Who is in it", ("", ""), rows))


def _similarity(result: PurchasesProfile, console: Console) -> None:
    alike = result.similarity
    if alike is None or result.mean_intersection is None:
        return
    about = "" if alike.exact else f" (from {alike.pairs:,} sampled pairs)"
    margin = "" if alike.exact else f" [{alike.mean_low:.5f}, {alike.mean_high:.5f}]"
    least = "" if alike.exact or alike.maximum == 1 else "at least "
    rows = [
        ("mean Jaccard of two customers", f"{alike.mean:.5f}{margin}"),
        ("largest Jaccard", f"{least}{alike.maximum:.4f}"),
        ("goods two customers share (mean)", f"{result.mean_intersection:.4f}"),
    ]
    console.print()
    console.print(output.table(f"How alike two customers are{about}", ("", ""), rows))
    top = max(alike.histogram)
    shown = max((i for i, count in enumerate(alike.histogram) if count * _BAR >= top), default=0)
    for i, count in enumerate(alike.histogram[: shown + 1]):
        console.print(
            f"  {i / 100:.2f}-{(i + 1) / 100:.2f} {'█' * round(_BAR * count / top):<{_BAR}} {count:,}"
        )
    rest = sum(alike.histogram[shown + 1 :])
    if rest:
        console.print(f"  above     {'':<{_BAR}} {rest:,}")


def _unicity(result: PurchasesProfile, console: Console) -> None:
    kinds = dict.fromkeys(row.knowledge for row in result.unicity)
    rows = []
    for kind in kinds:
        rates = {row.k: row.rate for row in result.unicity if row.knowledge == kind}
        rows.append((kind, *(_share(rate) for rate in rates.values())))
    console.print()
    console.print(
        output.table(
            "Singled out by k random points of their own history",
            ("one point is a", "k=1", "k=2", "k=3", "k=4"),
            rows,
        )
    )


def _share(rate: Rate) -> str:
    return f"{rate.value:.1%}" if rate.exact else f"{rate.value:.1%} ±{(rate.high - rate.low) / 2:.1%}"


def _microdata(result: MicrodataProfile, console: Console) -> None:
    rows = [
        ("rows", f"{result.rows:,}"),
        ("quasi-identifiers", f"{result.quasi_identifiers}"),
        ("sensitive attributes", f"{result.sensitive}"),
        ("groups of equal quasi-identifiers", f"{result.groups:,}"),
        ("smallest group (k)", f"{result.smallest_group:,}"),
        ("mean group", f"{result.mean_group:.3f}"),
        ("persons alone in their group", f"{result.unique_share:.1%}"),
        *([("dropped: missing value", f"{result.dropped:,}")] if result.dropped else []),
    ]
    console.print(output.table("Who is in it", ("", ""), rows))
