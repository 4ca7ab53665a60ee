"""How well dummies are told from real records: the paper's format beside donors, on the contest's table.

Two attackers who see only the release. One has learned from other customers what dummies look like (a
classifier, cross-validated by customer; an AUC of 0.5 is blind). The other drops every record of one piece on
the customer's last receipt, and then compares goods sets.
"""

import numpy as np
import polars as pl
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GroupKFold, cross_val_predict

import kakurenbo as kb
from bench.harness import DATA

CLUSTERS, MIN_SIZE = 50, 8
LOOKS = ["quantity", "price", "from_last", "receipt_size", "buyers", "gap", "of_median"]


def shown(padded):
    """Return the records with what an attacker may look at."""
    last = pl.col("time").rank("dense", descending=True).over("customer")
    table = padded.with_columns(
        from_last=last,
        receipt_size=pl.len().over("customer", "receipt"),
        buyers=pl.col("customer").n_unique().over("goods"),
        of_median=pl.col("quantity") / pl.col("quantity").median().over("goods"),
        alone=pl.len().over("customer", "goods") == 1,
    ).sort("goods", "time")
    days = [
        (pl.col("time") - pl.col("time").shift(step).over("goods")).dt.total_days().abs() for step in (1, -1)
    ]
    return table.with_columns(gap=pl.min_horizontal(days).fill_null(999))


def told(original, padded, looks):
    """Return the AUC of a classifier that never saw the customer it judges."""
    held = original.select("customer", "goods").unique().with_columns(real=1)
    table = shown(padded).join(held, on=["customer", "goods"], how="left").sort(padded.columns)
    dummy = table["real"].is_null().to_numpy()
    customers = table["customer"].rank("dense").to_numpy()
    features = table.select(pl.col(looks).cast(pl.Float64)).to_numpy()
    model = HistGradientBoostingClassifier(random_state=0)
    guessed = cross_val_predict(
        model, features, dummy, groups=customers, cv=GroupKFold(3), method="predict_proba"
    )
    return roc_auc_score(dummy, guessed[:, 1])


def dropped(shop, release):
    """Return the rate of the Jaccard attack after dropping single pieces on the last receipt."""
    glance = (pl.col("quantity") == 1) & (pl.col("time") == pl.col("time").max().over("customer"))
    kept = release.data.records.filter(~glance | (glance.all().over("customer")))
    data = release.data.with_records(kept, master=release.data.master)
    guess = kb.JaccardAttack().guess(shop, data, seed=1)
    return kb.reidentification(release.pairing, guess).rate.value


def run():
    shop = kb.read_purchases(DATA / "tc400.csv")
    original = shop.under(None)
    for dummies in ("paper", "donor"):
        method = kb.Balanced(clusters=CLUSTERS, min_size=MIN_SIZE, dummies=dummies)
        padded = method.change(shop, np.random.default_rng(1)).data.under(None)
        looks = told(original, padded, LOOKS), told(original, padded, [*LOOKS, "alone"])
        rate = dropped(shop, method.release(shop, seed=1))
        print(
            f"{dummies:>6}: told with AUC {looks[0]:.3f}, {looks[1]:.3f} who also counts repeats;"
            f" single pieces on the last receipt dropped, then Jaccard: {rate:.1%} found",
            flush=True,
        )
