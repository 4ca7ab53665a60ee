"""The ground: building baskets, similarity of all pairs, the profile of ten million rows."""

import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import sparse

import kakurenbo as kb
from bench.harness import compare, growth, in_process
from kakurenbo.chance import Chance
from kakurenbo.demo import shop_frame
from kakurenbo.risk.exposure.similarity import similarity

ROLES = {role: role for role in ("customer", "goods", "receipt", "time", "price", "quantity")}


def plain_baskets(frame):
    rows, customers = pd.factorize(frame["customer"], sort=True)
    columns, goods = pd.factorize(frame["goods"], sort=True)
    matrix = sparse.coo_array((np.ones(len(rows)), (rows, columns)), (len(customers), len(goods))).tocsr()
    matrix.data[:] = 1
    return matrix


def plain_similarity(matrix):
    dense = matrix.toarray().astype(np.float32)
    sizes = dense.sum(axis=1)
    common = dense @ dense.T
    upper = np.triu_indices(len(dense), 1)
    jaccard = (common / (sizes[:, None] + sizes[None, :] - common))[upper]
    return jaccard.mean(), jaccard.max(), np.histogram(jaccard, 100)


def run():
    frame = shop_frame(10_000, seed=1)
    plain = frame.to_pandas()
    compare(
        "1M records checked and made baskets, against pandas and scipy unchecked",
        lambda: kb.Purchases.from_frame(frame, customer="customer", goods="goods").baskets(),
        lambda: plain_baskets(plain),
    )
    small = kb.demo.shop(3000, seed=1)
    compare(
        "Jaccard of all pairs of 3,000 customers, against dense numpy",
        lambda: similarity(small, Chance(1)),
        lambda: plain_similarity(small.baskets().matrix),
    )
    growth(
        "profile",
        lambda n: lambda: kb.profile(kb.demo.shop(n, seed=1), seed=1),
        (1000, 2000, 4000, 8000, 16000),
    )
    with tempfile.TemporaryDirectory() as place:
        shop_frame(105_000, seed=1).write_parquet(Path(place) / "shop.parquet")
        arguments = [part for role in ROLES for part in (f"--{role}", role)]
        command = ["profile", f"{place}/shop.parquet", *arguments, "--json"]
        code = f"from kakurenbo.cli.main import run; run({command!r})"
        took, peak = in_process(code)
    print(f"kakurenbo profile of 10.1M rows (Parquet): {took:.1f} s, {peak:,} MiB at most")
