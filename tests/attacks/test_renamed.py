"""Names that change: seen from the release, looked for piece by piece, and linked to each other."""

import numpy as np
import polars as pl
import pytest

import kakurenbo as kb
from kakurenbo.attacks import JaccardAttack, RenamedAttack
from kakurenbo.attacks.base import Tables
from kakurenbo.attacks.purchases.lifetimes import lifetime
from kakurenbo.attacks.purchases.linked_names import linked
from kakurenbo.auditing.panel.panel import Panel
from kakurenbo.chance import Chance
from names import MONTH, renamed, true_links
from shops import light_shop


def moved(records, seed):
    """Move every date within its month, and prices by up to a fifth."""
    rng = np.random.default_rng(seed)
    day = pl.Series(rng.random(records.height)) * pl.col("time").dt.month_end().dt.day()
    price = pl.col("price") * pl.Series(rng.uniform(0.8, 1.2, records.height))
    first = pl.col("time").dt.month_start().dt.truncate("1d")
    return records.with_columns(
        time=first + pl.duration(days=day.cast(pl.Float64).floor().cast(pl.Int64)), price=price.round(2)
    )


def rates(shop, released, owners, **parameters):
    scored = kb.reidentification(owners, RenamedAttack(**parameters).guess(shop, released, seed=1))
    return scored.rate.value, scored.persons_rate.value


@pytest.fixture(scope="module")
def shop():
    return kb.demo.shop(120, seed=3)


@pytest.fixture(scope="module")
def by_month(shop):
    return renamed(shop, MONTH)


def test_how_long_names_live_is_seen(shop, by_month):
    assert lifetime(shop, by_month[0]).unit == "month"
    assert str(lifetime(shop, by_month[0])).startswith("a new name every month: ")
    assert lifetime(shop, renamed(shop, pl.col("receipt"))[0]).unit == "receipt"
    assert lifetime(shop, renamed(shop, pl.col("time").dt.truncate("1q"))[0]).unit == "quarter"
    assert lifetime(shop, renamed(shop, MONTH, change=moved)[0]).unit == "month"
    rounded = shop.with_records(shop.under(None).with_columns(pl.col("time").dt.truncate("1mo")))
    assert lifetime(rounded, renamed(rounded, MONTH)[0]).unit == "month", "days are not to be seen"


def test_names_that_are_people_are_left_alone(shop):
    assert lifetime(shop, kb.methods.Pseudonymize().release(shop, seed=1).data) is None
    once = light_shop(60, seed=1)
    first = once.under(None).filter(pl.col("time") == pl.col("time").min().over("customer"))
    bought_once = once.with_records(first)
    assert lifetime(bought_once, bought_once) is None, "people who came once live no longer than their names"


def test_months_that_were_moved_as_a_whole_are_not_compared(shop):
    later = renamed(shop, MONTH, change=lambda rows, _: rows.with_columns(pl.col("time").dt.offset_by("5y")))
    life = lifetime(shop, later[0])
    assert (life.unit, life.period) == ("month", None)
    assert rates(shop, *later)[0] > 0.9, "goods and prices are left"


def test_every_name_may_go_to_the_same_person(shop, by_month):
    names, people = rates(shop, *by_month)
    assert names > 0.99
    assert people == 1
    assert rates(shop, *by_month, reading="assignment")[0] > 0.99
    assert rates(shop, *by_month, sees="months")[0] > 0.95


def test_dates_moved_within_the_month_and_prices_noised_hide_nobody(shop):
    assert rates(shop, *renamed(shop, MONTH, change=moved))[0] > 0.97


def test_a_name_for_every_receipt(shop):
    assert rates(shop, *renamed(shop, pl.col("receipt")))[0] > 0.97


def test_links_find_names_of_which_nothing_is_known(shop, by_month):
    alone, _ = rates(shop, *by_month, points=1)
    with_links, _ = rates(shop, *by_month, points=1, links=True)
    most = len(shop.customers) / len(by_month[1].names)
    assert alone == pytest.approx(most, abs=0.02), "one record gives one name away"
    assert with_links > 1.2 * most


def test_names_are_linked_without_any_data(shop, by_month):
    released, owners = by_month
    chain = linked(released, lifetime(shop, released))
    recall, precision = true_links(released, owners, chain)
    assert recall > 0.2
    assert precision > 0.9
    months = released.under(None).select("customer", month=MONTH).unique().sort("customer")["month"]
    assert pl.DataFrame({"chain": chain, "month": months}).is_duplicated().sum() == 0, "one name a month"


def test_receipts_are_linked_in_a_row(shop):
    released, owners = renamed(shop, pl.col("receipt"))
    recall, precision = true_links(released, owners, linked(released, lifetime(shop, released)))
    assert recall > 0.05
    assert precision > 0.8, "many names a month must not hang together by way of each other"


def test_strangers_are_not_linked(shop):
    """Deal the goods anew among all records: nothing is left of anybody's habits."""

    def dealt(records, seed):
        return records.with_columns(records["goods"].shuffle(seed=seed))

    released, owners = renamed(shop, MONTH, change=dealt)
    chain = linked(released, lifetime(shop, released))
    assert true_links(released, owners, chain)[0] < 0.05
    assert len(np.unique(chain)) > 0.9 * len(chain)


def test_the_master_keeps_names_apart(shop, by_month):
    released, _ = by_month
    life = lifetime(shop, released)
    plain = linked(released, life)
    names = released.customers.cast(pl.String)
    parts = pl.Series(np.arange(len(names)) % 2).cast(pl.String)
    told = released.with_records(released.under(None), master=pl.DataFrame({"customer": names, "sex": parts}))
    chain = linked(told, life)
    assert len(np.unique(plain)) < len(np.unique(chain)) < len(chain)
    sexes = pl.DataFrame({"chain": chain, "sex": parts}).group_by("chain").agg(pl.col("sex").n_unique())
    assert sexes["sex"].max() == 1


def test_he_is_left_out_where_names_do_not_change(shop, by_month):
    plain = kb.methods.Pseudonymize().release(shop, seed=1)
    assert RenamedAttack().idle(Tables(shop, plain.data, Chance(1))) == "names do not change in this release"
    assert not RenamedAttack().idle(Tables(shop, by_month[0], Chance(1)))
    panel = Panel.of(shop)
    idle = panel.idle(plain.data)
    assert "renamed" not in {who.name for who in panel.without(idle).members}
    assert len(panel.without(idle).members) == len(panel.members) - len(idle)


def test_who_gives_everybody_one_name_is_left_out_where_names_change(shop, by_month):
    plain, changing = (
        Tables(shop, released, Chance(1))
        for released in (kb.methods.Pseudonymize().release(shop, seed=1).data, by_month[0])
    )
    paired, nearest = JaccardAttack(reading="assignment"), JaccardAttack()
    assert paired.idle(changing) == "he pairs people with one name each, and names change"
    assert not any((paired.idle(plain), nearest.idle(changing), nearest.idle(plain)))


def test_monthly_names_of_the_contest_table(real):
    """By goods 92 % of the names and with days 99.5 % are what another attacker found."""
    tc400 = kb.read_purchases(real("tc400.csv"))
    for seed in (1, 2):
        released, owners = renamed(tc400, MONTH, seed)
        assert rates(tc400, released, owners, sees="months")[0] > 0.98
        assert rates(tc400, released, owners, sees="days")[0] > 0.99
