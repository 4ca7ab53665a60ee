"""The made-up shop must resemble TC400 where it matters, whatever the seed."""

from datetime import datetime
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from scipy import sparse

from kakurenbo.demo import ShopWorld, pieces, shop, shop_frame, shop_master, write_shop
from kakurenbo.errors import ParameterError, Stopped, WriteError
from kakurenbo.progress import Progress

SEEDS = range(20)

# Computed once from data/tc400.csv.
TC400_GOODS_QUANTILES = {0.25: 20, 0.5: 38, 0.75: 82, 0.9: 149, 0.95: 214}  # of |I(u)|; the mean is 65.7
TC400_TOP_DECILE = 0.471  # share of the records that the busiest tenth of customers holds
TC400_GINI = 0.606  # of records over customers
TC400_LINES_QUANTILES = {0.25: 8, 0.5: 16, 0.75: 28, 0.95: 62}  # of lines a receipt


def baskets(frame):
    pairs = frame.select(pl.col("customer", "goods").rank("dense").cast(pl.Int64) - 1).unique()
    ones = np.ones(pairs.height)
    return sparse.csr_array((ones, (pairs["customer"].to_numpy(), pairs["goods"].to_numpy())))


def similarities(matrix):
    common = (matrix @ matrix.T).toarray()
    sizes = common.diagonal()
    jaccard = common / (sizes[:, None] + sizes - common)
    return jaccard[np.triu_indices(len(sizes), 1)]


def gini(counts):
    ordered = np.sort(counts)
    size = len(ordered)
    return (2 * np.arange(1, size + 1) - size - 1) @ ordered / (size * ordered.sum())


@pytest.fixture(scope="module")
def frames():
    return [shop_frame(seed=seed) for seed in SEEDS]


@pytest.fixture(scope="module")
def frame(frames):
    return frames[3]


@pytest.mark.parametrize("seed", SEEDS)
def test_every_seed_has_the_profile_of_tc400(frames, seed):
    frame = frames[seed]
    matrix = baskets(frame)
    jaccard = similarities(matrix)
    assert frame["customer"].n_unique() == 400
    assert 36_000 <= frame.height <= 40_000
    assert 1_500 <= frame["receipt"].n_unique() <= 2_100
    assert 2_600 <= frame["goods"].n_unique() <= 3_000
    assert 55 <= matrix.sum(axis=1).mean() <= 75
    assert 0.02 <= jaccard.mean() <= 0.04
    assert jaccard.max() < 0.6


@pytest.mark.parametrize("seed", SEEDS)
def test_few_customers_hold_many_records_as_in_tc400(frames, seed):
    counts = np.sort(frames[seed].group_by("customer").len()["len"].to_numpy())
    assert counts[-40:].sum() / counts.sum() == pytest.approx(TC400_TOP_DECILE, abs=0.12)
    assert gini(counts) == pytest.approx(TC400_GINI, abs=0.08)


def test_baskets_are_as_long_tailed_as_in_tc400(frames):
    sizes = np.concatenate([baskets(frame).sum(axis=1) for frame in frames])
    for share, expected in TC400_GOODS_QUANTILES.items():
        assert np.quantile(sizes, share) == pytest.approx(expected, rel=0.2)


def test_receipts_are_as_long_as_in_tc400(frames):
    lines = np.concatenate([frame.group_by("receipt").len()["len"].to_numpy() for frame in frames])
    for share, expected in TC400_LINES_QUANTILES.items():
        assert np.quantile(lines, share) == pytest.approx(expected, rel=0.2)


def test_popularity_of_goods_is_long_tailed(frame):
    buyers = frame.group_by("goods").agg(pl.col("customer").n_unique())["customer"].sort(descending=True)
    assert buyers[0] > 60
    assert buyers.median() < 8
    assert buyers.head(buyers.len() // 10).sum() > 0.35 * buyers.sum()


def test_columns_and_types(frame):
    assert frame.schema == {
        "customer": pl.String(),
        "receipt": pl.String(),
        "time": pl.Datetime("us"),
        "goods": pl.String(),
        "price": pl.Float64(),
        "quantity": pl.Int64(),
    }
    assert frame.null_count().sum_horizontal().item() == 0
    assert frame.select(pl.col("customer", "receipt", "goods").str.len_chars().n_unique()).row(0) == (1, 1, 1)


def test_values_are_possible(frame):
    assert frame["quantity"].min() >= 1
    assert frame["price"].min() > 0
    assert (frame["price"] * 100 - (frame["price"] * 100).round()).abs().max() < 1e-6
    assert frame["time"].min() >= datetime(2010, 12, 1)
    assert frame["time"].max() < datetime(2011, 12, 10)
    assert frame["time"].dt.hour().is_between(8, 17).all()
    assert frame["time"].dt.second().max() == 0
    assert 6 not in frame["time"].dt.weekday()


def test_rows_come_as_the_tills_printed_them(frame):
    assert frame["time"].is_sorted()
    assert frame["receipt"].is_sorted()
    heads = frame.group_by("receipt").agg(pl.col("customer", "time").n_unique())
    assert heads.select("customer", "time").max().row(0) == (1, 1)
    assert not frame.select("receipt", "goods").is_duplicated().any()


def test_packs_are_common_and_quantities_long_tailed(frame):
    packed = frame["quantity"].is_in([6, 12, 24]).mean()
    assert 0.3 < packed < 0.6
    assert frame["quantity"].max() > 500
    assert frame["quantity"].median() <= 12


def test_prices_belong_to_goods_and_vary_slightly(frame):
    spread = frame.group_by("goods").agg(
        kinds=pl.col("price").n_unique(), ratio=pl.max("price") / pl.min("price")
    )
    assert 1 < spread["kinds"].mean() < 3
    assert spread["ratio"].quantile(0.99) < 1.35


def test_sales_rise_before_christmas_and_most_in_its_department(frame):
    november = frame["time"].dt.month() == 11
    christmas = frame["goods"].str.starts_with("10")
    assert november.mean() > 1.5 / 12
    assert november.filter(christmas).mean() > 1.3 * november.filter(~christmas).mean()


def test_customers_have_tastes_and_favourites(frame):
    departments = frame.with_columns(pl.col("goods").str.head(2))
    shares = departments.group_by("customer").agg(
        top=pl.col("goods").value_counts(normalize=True, sort=True).first()
    )
    assert shares["top"].struct.field("proportion").mean() > 2 / ShopWorld().departments
    again = frame.group_by("customer", "goods").len()["len"]
    shuffled = frame.with_columns(pl.col("goods").shuffle(seed=1)).group_by("customer", "goods").len()["len"]
    assert (again > 1).mean() > 1.5 * (shuffled > 1).mean()


def test_a_seed_repeats_the_shop_and_another_makes_another(frame):
    assert shop_frame(seed=3).equals(frame)
    assert not shop_frame(seed=4).equals(frame)
    assert not shop_frame(20).equals(shop_frame(20))


def test_the_global_generator_is_left_alone():
    before = np.random.get_state()[1].copy()  # noqa: NPY002 - it is the very thing under test
    shop_frame(10, seed=1)
    assert (np.random.get_state()[1] == before).all()  # noqa: NPY002


def test_more_customers_leave_baskets_as_they_are():
    frame = shop_frame(5_000, seed=1)
    assert frame["customer"].n_unique() == 5_000
    assert 90 <= frame.height / 5_000 <= 100
    assert 55 <= baskets(frame).sum(axis=1).mean() <= 75
    assert 2_950 < frame["goods"].n_unique() <= ShopWorld().goods(5_000)


@pytest.mark.parametrize(("customers", "goods"), [(1, None), (2, 1), (3, 5), (50, 200), (1_100, 100_000)])
def test_every_customer_of_an_odd_shop_buys_something(customers, goods):
    frame = shop_frame(customers, goods, seed=5)
    assert frame["customer"].n_unique() == customers
    assert goods is None or frame["goods"].n_unique() <= goods
    assert frame["goods"].str.len_chars().n_unique() == 1


def test_the_master_has_one_row_for_every_customer(frame):
    master = shop_master(seed=3)
    assert master.columns == ["customer", "sex", "birth", "country"]
    assert master["customer"].is_unique().all()
    assert set(master["customer"]) == set(frame["customer"])
    assert set(master["sex"]) == {"f", "m"}
    assert (master["birth"].dt.year() % 10 == 0).all()
    assert master["country"].n_unique() == 4
    assert master.equals(shop_master(seed=3))
    assert not master.equals(shop_master(seed=4))


@pytest.mark.parametrize("customers", [9_999, 10_000, 100_001])
def test_customer_ids_are_distinct_and_of_one_width(customers):
    ids = shop_master(customers, seed=1)["customer"]
    assert ids.n_unique() == customers
    assert ids.str.len_chars().n_unique() == 1


@pytest.mark.parametrize("make", [shop, shop_frame, shop_master])
@pytest.mark.parametrize("customers", [0, -1])
def test_a_shop_without_customers_is_refused(make, customers):
    with pytest.raises(ParameterError, match="customers must be at least 1") as refusal:
        make(customers)
    assert refusal.value.code == "parameter"


def test_a_seed_below_zero_is_refused():
    with pytest.raises(ParameterError, match="seed must be at least 0"):
        shop_frame(5, seed=-1)


def test_a_shop_without_goods_is_refused():
    with pytest.raises(ParameterError, match="goods must be at least 1"):
        shop_frame(5, 0)


def test_the_shop_is_accepted_as_purchases(frame):
    purchases = shop(seed=3)
    assert len(purchases) == frame.height
    assert len(purchases.customers) == 400
    assert purchases.receipts == frame["receipt"].n_unique()
    assert purchases.roles == ("customer", "receipt", "time", "goods", "price", "quantity")
    assert purchases.master is not None
    assert purchases.master.height == 400
    assert len(shop(10).customers) == 10


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """A shop of three pieces."""
    path = tmp_path_factory.mktemp("shop") / "shop.parquet"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pieces, "PIECE", 40)
        records = write_shop(path, 100, 3_000, seed=3)
    return path, records


def test_a_shop_in_pieces_is_one_shop(written):
    path, records = written
    whole = pl.read_parquet(path)
    assert whole.height == records
    assert whole.schema == shop_frame(2, seed=1).schema
    assert set(whole["customer"]) == set(shop_master(100)["customer"])
    heads = whole.group_by("receipt").agg(pl.col("customer", "time").n_unique())
    assert heads.select("customer", "time").max().row(0) == (1, 1)
    numbers = whole["receipt"].cast(pl.Int64).unique()
    assert numbers.max() - numbers.min() + 1 == numbers.len()
    spread = whole.group_by("goods").agg(ratio=pl.max("price") / pl.min("price"))
    assert spread["ratio"].max() < 1.35  # the shelves are the same for all pieces


def test_pieces_differ_and_nobody_stands_in_order(written):
    whole = pl.read_parquet(written[0])
    assert not whole["customer"].is_sorted()
    runs = (whole["customer"] != whole["customer"].shift()).sum()
    assert runs > 100
    sizes = whole.group_by("customer", maintain_order=True).len()["len"].to_list()
    assert sizes[:20] != sizes[40:60]


def test_a_shop_in_pieces_has_65_records_a_customer(tmp_path):
    records = [write_shop(tmp_path / f"{seed}.parquet", 2_000, seed=seed) for seed in range(3)]
    assert 60 <= sum(records) / 6_000 <= 70


def test_a_seed_repeats_a_shop_in_pieces(written, tmp_path, monkeypatch):
    monkeypatch.setattr(pieces, "PIECE", 40)
    path = tmp_path / "again.parquet"
    write_shop(path, 100, 3_000, seed=3)
    assert pl.read_parquet(path).equals(pl.read_parquet(written[0]))
    with pytest.raises(ParameterError, match=r"again.parquet exists already"):
        write_shop(path, 100, 3_000, seed=3)


def test_what_stops_a_shop_in_pieces_leaves_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(pieces, "PIECE", 4)
    progress = Progress(lambda step: progress.stop() if step.share else None)
    with pytest.raises(Stopped):
        write_shop(tmp_path / "shop.parquet", 10, progress=progress)
    assert not list(tmp_path.iterdir())
    with pytest.raises(ParameterError, match="customers must be at least 1"):
        write_shop(tmp_path / "shop.parquet", 0)
    with pytest.raises(ParameterError, match="goods must be at least 1"):
        write_shop(tmp_path / "shop.parquet", 1, 0)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full here")
def test_a_full_disk_is_told_in_a_sentence():
    frame = shop_frame(3, seed=1)
    with pytest.raises(WriteError, match="could not be written"):
        pieces._write(frame, iter([]), [], Path("/dev/full"))
