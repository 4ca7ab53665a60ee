"""`kakurenbo demo`: a made-up shop and what its records tell of its customers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kakurenbo.cli import options, output
from kakurenbo.cli.profile import show
from kakurenbo.data.profile import PurchasesProfile
from kakurenbo.data.profile import profile as make_profile
from kakurenbo.demo import shop as make_shop
from kakurenbo.files import atomic
from kakurenbo.files.release_folder import fill

_NEXT = (
    "Next: deidentify hides them, attack seeks them again, score counts. "
    "To come: audit, report and tuning in one go."
)


def demo(
    *,
    customers: Annotated[int, typer.Option(min=2, help="How many customers the shop has.")] = 400,
    out: Annotated[
        Path | None, typer.Option(help="Also write the shop to this new folder.", metavar="DIR")
    ] = None,
    json: options.Json = False,
    seed: options.Seed = None,
    quiet: options.Quiet = False,
) -> None:
    """The story on a made-up shop: who is in it and how unique they are."""
    with output.working(quiet=quiet or json) as step:
        step("making a shop")
        shop = make_shop(customers, seed=seed)
        if out is not None:
            atomic.write_folder(out, lambda folder: fill(shop, folder))
        result = make_profile(shop, seed=seed, progress=step)
    if not isinstance(result, PurchasesProfile):
        raise TypeError("a shop has purchases")
    if json:
        output.print_json({**result.to_dict(), "out": None if out is None else str(out)})
        return
    console = output.console()
    if not quiet:
        console.print("A shop that never was: every customer, receipt and price below is made up.\n")
    show(result, console)
    if not quiet:
        console.print(f"\n{_moral(result)}")
        if out is not None:
            console.print(f"The shop is in {out}; try: kakurenbo profile {out}")
        console.print(_NEXT)


def _moral(result: PurchasesProfile) -> str:
    share = {(row.knowledge, row.k): row.rate.value for row in result.unicity}
    return (
        f"Who saw a customer buy two goods on known days can single out {share['good+day', 2]:.0%} of them: "
        "new names alone hide nobody."
    )
