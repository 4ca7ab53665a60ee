"""Two made-up worlds to play hide-and-seek in: a shop with its customers, and a survey of households.

Nobody in them exists. Use them to try a method before real data may be touched, to teach, and to test at
scale.
"""

from kakurenbo.demo.households import QUASI_IDENTIFIERS, SENSITIVE, households, households_frame
from kakurenbo.demo.nation import Nation
from kakurenbo.demo.pieces import write_shop
from kakurenbo.demo.shop import shop, shop_frame, shop_master
from kakurenbo.demo.world import ShopWorld

__all__ = [
    "QUASI_IDENTIFIERS",
    "SENSITIVE",
    "Nation",
    "ShopWorld",
    "households",
    "households_frame",
    "shop",
    "shop_frame",
    "shop_master",
    "write_shop",
]
