"""Made-up shops for tests that need people and no bulk: whole histories, but short ones."""

from functools import cache

import polars as pl

import kakurenbo as kb
from kakurenbo.demo.world import ShopWorld

ROLES = ("customer", "goods", "receipt", "time", "price", "quantity")
NAMED = {role: role for role in ROLES}


@cache
def light_shop(customers, seed):
    """Return a shop like the demo's whose customers take a quarter of the lines: audits cost what is read."""
    return kb.Purchases.from_frame(
        kb.demo.shop_frame(customers, seed=seed, world=ShopWorld(lines_mean=26.5)),
        master=kb.demo.shop_master(customers, seed=seed),
        keep_master=("sex", "birth", "country"),
        **NAMED,
    )


def held_declared_another(shop):
    """Every name holds one person verbatim, and another's larger quantities on other days: he is declared."""
    people = shop.customers.to_list()
    declared = dict(zip(people, people[1:] + people[:1], strict=True))
    records = shop.under(None)
    holder = pl.col("customer").replace_strict({other: who for who, other in declared.items()})
    large = records.filter(pl.col("quantity") >= pl.col("quantity").median().over("customer"))
    moved = large.with_columns(holder, pl.col("time") + pl.duration(days=3))
    names = pl.concat([records, moved]).with_columns(customer="new " + pl.col("customer"))
    pairing = kb.Pairing.of({f"new {who}": other for who, other in declared.items()})
    return shop.with_records(names), pairing
