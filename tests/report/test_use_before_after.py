"""Before and after, for who will use a release: sales, retention, segments, and what models foretell."""

import dataclasses
from collections import Counter

import polars as pl
import pytest

import kakurenbo as kb
import sample_audit
from kakurenbo import report
from kakurenbo.auditing.figures import figures
from kakurenbo.auditing.results import Audit, Compared, Kept
from kakurenbo.report.audit.utility import sections
from kakurenbo.report.charts import basic


@pytest.fixture(scope="module")
def shop():
    return kb.demo.shop(60, seed=1)


def pictures(*tables):
    return {picture.name: picture for picture in figures(*tables)}


def test_sales_retention_and_segments_are_drawn(shop):
    release = kb.methods.Coarsen(times="month", price_bands=3).release(shop, seed=1)
    spoken = kb.methods.Coarsen(times="month", price_bands=3).change(shop, None).data
    drawn = pictures(spoken, release.data, shop)
    money = Counter()
    for when, price, quantity in shop.records.select("time", "price", "quantity").iter_rows():
        money[f"{when:%y-%m}"] += price * quantity
    months = drawn["sales-month"]
    assert dict(zip(months.labels, months.before, strict=True)) == pytest.approx(money), "prices as they were"
    assert months.before != pytest.approx(months.after), "prices in bands have other sums"
    assert months.form == drawn["retention"].form == "line"
    assert drawn["retention"].before == pytest.approx(drawn["retention"].after)
    came = shop.records.select("customer", month=pl.col("time").dt.truncate("1mo")).unique()
    first = came.group_by("customer").agg(pl.col("month").min().alias("first"))
    last = came["month"].max()
    early = first.filter(pl.col("first") < last)["customer"]
    again = came.join(first, on="customer").filter(pl.col("month") == pl.col("first").dt.offset_by("1mo"))
    assert drawn["retention"].before[0] == pytest.approx(len(again) / len(early))
    for shares in (drawn["rfm-segments"].before, drawn["rfm-segments"].after):
        assert sum(shares) == pytest.approx(1)


def test_without_times_what_needs_them_is_not_drawn(shop):
    bare = kb.Purchases.from_frame(shop.under(None), customer="customer", goods="goods")
    assert set(pictures(shop, bare, shop)) == {"sales-category", "popularity", "co-purchase"}


def test_scores_of_models_stand_beside_each_other():
    scored = Kept(
        "next-buyer", 10.0, "points", "lower", 0.2, "who buys again", "ours",
        {"AUC before": 0.74, "AUC after": 0.64, "people": 900.0},
    )  # fmt: skip
    line = Compared("sales-month", "Sales", "month", "money", ("a", "b"), (1.0, 2.0), (2.0, 1.0), form="line")
    audit = dataclasses.replace(sample_audit.purchases(), utility=(scored,), pictures=(line,))
    assert Audit.from_json(audit.to_json()).utility == (scored,)
    assert "AUC before 0.7400; AUC after 0.6400; people 900" in report.markdown(audit, "figures")
    scores, months = sections(audit)[1].blocks[0].figures
    assert scores.described.replace("\u00a0", " ") == "next-buyer: AUC: 74.0 %, then 64.0 %."
    assert months.title == "Sales"
    drawn = basic.before_after_lines(line.labels, line.before, line.after, x="month", y="money")
    assert drawn["mark"]["type"] == "line"
