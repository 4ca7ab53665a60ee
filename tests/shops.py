"""Made-up shops for tests that need people and no bulk: whole histories, but short ones."""

from functools import cache

import kakurenbo as kb
from kakurenbo.demo.world import ShopWorld

ROLES = ("customer", "goods", "receipt", "time", "price", "quantity")


@cache
def light_shop(customers, seed):
    """Return a shop like the demo's whose customers take a quarter of the lines: audits cost what is read."""
    return kb.Purchases.from_frame(
        kb.demo.shop_frame(customers, seed=seed, world=ShopWorld(lines_mean=26.5)),
        master=kb.demo.shop_master(customers, seed=seed),
        keep_master=("sex", "birth", "country"),
        **{role: role for role in ROLES},
    )
