"""Releases whose names change, made by hand, and links between names counted plainly."""

import numpy as np
import polars as pl

import kakurenbo as kb

MONTH = pl.col("time").dt.strftime("%Y-%m")


def renamed(shop, piece, seed=1, change=None):
    """Give every (person, piece) a name by lot; return the release and whose each name is."""
    records = shop.under(None).with_columns(person="customer")
    records = records.with_columns(piece=pl.concat_str("person", piece.cast(pl.String), separator="|"))
    pieces = records["piece"].unique().sort()
    names = [f"n{number:05d}" for number in np.random.default_rng(seed).permutation(len(pieces))]
    records = records.with_columns(customer=pl.col("piece").replace_strict(pieces, names))
    whose = records.select("customer", "person").unique()
    records = records.drop("person", "piece")
    released = shop.with_records(records if change is None else change(records, seed), master=None)
    return released, kb.Owners(whose["customer"], whose["person"])


def true_links(released, owners, chain):
    """Count how many of a person's names, one after the other, are linked, and how many links are right."""
    whose = dict(owners.frame.iter_rows())
    first = dict(released.under(None).group_by("customer").agg(pl.col("time").min()).iter_rows())
    names = sorted(first, key=first.get)
    chains = dict(zip(released.customers.to_list(), chain.tolist(), strict=True))

    def pairs(label):
        last, found = {}, set()
        for name in names:
            if label[name] in last:
                found.add((last[label[name]], name))
            last[label[name]] = name
        return found

    truth, linked_pairs = pairs(whose), pairs(chains)
    recall = np.mean([chains[a] == chains[b] for a, b in truth])
    return recall, np.mean([whose[a] == whose[b] for a, b in linked_pairs])
