"""What generalised goods keep at equal risk: the cut that follows the risk beside cut codes and equal shares.

Online Retail without prices and quantities, times by quarter or left out, released from nine tenths of the
people; the others are the control. The seeker knows two records of everybody and names the person whose
records they were most likely drawn from. Each way is made as fine as a rate of finding allows, and then:

| column | what is kept |
|---|---|
| own | share of the records that keep their own good |
| penalty | normalised certainty penalty: of the other goods, those a record's word may stand for |
| rules | of the 100 surest rules between goods, those that keep half of their lift (in bits) between words |
| mix | of people's mix of 40 kinds by description, what the words tell beyond everybody's mix |
| buyer | AUC of a model of who buys next quarter, on people it never saw; recency, visits and words |
| kind | the same of whether a buyer takes each of the kinds, mean of 20; words alone |
"""

import numpy as np
from scipy import sparse
from sklearn.cluster import KMeans
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.preprocessing import StandardScaler, normalize

import kakurenbo as kb
from bench.harness import DATA
from kakurenbo.chance import Chance
from kakurenbo.deidentify.purchases.kinds import Kinds
from kakurenbo.kernels.taxonomy import Bought, cut_for

LEAST, KNOWN = 1e-4, 2


class Shop:
    """The records as plain arrays, and what is asked of every way to write the goods."""

    def __init__(self, data):
        table = data.records
        self.data = data
        self.codes = data.goods.to_list()
        self.who, self.what = (
            table[role].to_physical().to_numpy().astype(np.int64) for role in ("customer", "goods")
        )
        self.quarter = table["time"].dt.truncate("1q").rank("dense").to_numpy().astype(np.int64) - 1
        self.day = table["time"].dt.epoch("d").to_numpy()
        self.receipt = table["receipt"].rank("dense").to_numpy().astype(np.int64) - 1
        self.people, self.goods = len(data.customers), len(data.goods)
        self.each = np.bincount(self.who)
        self.sold = np.bincount(self.what).astype(float)
        self.inside = np.random.default_rng(7).permutation(self.people) < round(0.9 * self.people)
        self.kinds = self._kinds()
        self.rules = self._rules()

    def _kinds(self):
        texts = self.data.goods.to_frame("goods").join(self.data.goods_table, on="goods", how="left")
        words = TfidfVectorizer(min_df=2).fit_transform(texts.sort("goods")[:, 1].fill_null("").to_list())
        points = normalize(TruncatedSVD(48, random_state=1).fit_transform(words))
        return KMeans(40, n_init=2, random_state=5).fit(points).labels_

    def on(self, rows, words, count):
        """Rows x words, how many records."""
        made = sparse.csr_array((np.ones(len(rows)), (rows, words)), shape=(rows.max() + 1, count))
        made.sum_duplicates()
        return made

    def _rules(self):
        held = self.on(self.receipt, self.what, self.goods)
        held.data[:] = 1
        support = held.sum(axis=0)
        often = np.flatnonzero(support >= 0.01 * held.shape[0])
        both = (held[:, often].T @ held[:, often]).toarray()
        np.fill_diagonal(both, 0)
        sure = np.where(both >= 0.005 * held.shape[0], both / support[often][:, None], 0)
        best = np.argsort(-sure, axis=None, kind="stable")[:100]
        one, other = often[best // len(often)], often[best % len(often)]
        return one, other, self._lift(held, one, other)

    def _lift(self, held, one, other):
        column = sparse.csc_array(held)
        both = np.array(
            [column[:, [a]].multiply(column[:, [b]]).sum() for a, b in zip(one, other, strict=True)]
        )
        support = held.sum(axis=0)
        return both * held.shape[0] / support[one] / support[other]

    def found(self, word, when, seeds=(0, 1)):
        """What the seeker finds, and what he lays open of the people inside and of the control."""
        words, period = word[self.what], self.quarter if when else np.zeros_like(self.quarter)
        shares = sparse.csc_array(
            self.on(self.who, words * (period.max() + 1) + period, (words.max() + 1) * (period.max() + 1))
        )
        shares.data /= self.each[shares.indices]
        trace = words * (period.max() + 1) + period
        held = [
            set(part)
            for part in np.split(words[np.argsort(self.who, kind="stable")], np.cumsum(self.each)[:-1])
        ]
        mine = np.split(np.argsort(self.who, kind="stable"), np.cumsum(self.each)[:-1])
        outside = np.where(self.inside, 0.0, -1e9)
        hits, open_ = [], {True: [], False: []}
        for seed in seeds:
            rng = np.random.default_rng(seed)
            for person in np.flatnonzero(self.each >= KNOWN):
                score, known = outside.copy(), rng.choice(mine[person], KNOWN, replace=False)
                for record in known:
                    span = slice(shares.indptr[trace[record]], shares.indptr[trace[record] + 1])
                    chance = np.full(self.people, LEAST)
                    chance[shares.indices[span]] += shares.data[span]
                    score += np.log(chance)
                best = np.flatnonzero(score >= score.max() - 1e-12)
                if self.inside[person]:
                    hits.append((person in best) / len(best))
                claimed, true = (held[one] - set(words[known]) for one in (rng.choice(best), person))
                union = len(claimed | true)
                open_[bool(self.inside[person])].append(bool(union) and len(claimed & true) >= union / 2)
        return np.mean(hits), np.mean(open_[True]), np.mean(open_[False])

    def kept(self, word):
        """The columns of the table."""
        size, count = np.bincount(word), int(word.max()) + 1
        share = self.sold / self.sold.sum()
        one, other, lift = self.rules
        held = self.on(self.receipt, word[self.what], count)
        held.data[:] = 1
        after = self._lift(held, word[one], word[other])
        survive = (word[one] != word[other]) & (np.log(np.maximum(after, 1e-9)) >= np.log(lift) / 2)
        return {
            "words": count, "own": share[size[word] == 1].sum(),
            "penalty": share @ (size[word] - 1) / (self.goods - 1), "rules": survive.mean(),
            "mix": self._mix(word, count), **self._models(word, count),
        }  # fmt: skip

    def _mix(self, word, count):
        told = sparse.csr_array((self.sold / np.bincount(word, self.sold)[word], (word, self.kinds)))
        guess = (self.on(self.who, word[self.what], count) @ told).toarray() / self.each[:, None]
        true = self.on(self.who, self.kinds[self.what], 40).toarray() / self.each[:, None]
        everybody = np.bincount(self.kinds, self.sold) / self.sold.sum()
        return 1 - np.abs(guess - true).sum() / np.abs(everybody - true).sum()

    def _models(self, word, count):
        last = self.quarter.max() - 1
        past, later = self.quarter < last, self.quarter == last
        seen = self.on(np.append(self.who[past], self.people - 1), np.append(word[self.what[past]], 0), count)
        seen.data = np.log1p(seen.data)
        visits = np.bincount(self.who[past], minlength=self.people)
        recent = np.zeros(self.people)
        np.maximum.at(recent, self.who[past], self.day[past] - self.day.min())
        plain = StandardScaler().fit_transform(np.column_stack([recent, np.log1p(visits)]))
        everything = sparse.csr_array(sparse.hstack([seen, 3 * plain]))
        bought = np.zeros((self.people, 40), dtype=bool)
        bought[self.who[later], self.kinds[self.what[later]]] = True
        there, buyers = visits > 0, bought.any(axis=1)

        def auc(features, who, label):
            train, test = (np.flatnonzero(who & (np.arange(self.people) % 2 == half)) for half in (0, 1))
            model = LogisticRegression(C=0.02, max_iter=500).fit(features[train], label[train])
            return roc_auc_score(label[test], model.decision_function(features[test]))

        kinds = [auc(seen, there & buyers, bought[:, kind]) for kind in range(0, 40, 2)]
        return {"buyer": auc(everything, there, buyers), "kind": np.mean(kinds)}


def equal_shares(points, count):
    """So many categories of equally many goods: the largest is halved across its longest axis."""
    parts = [np.arange(len(points))]
    while len(parts) < count:
        part = parts.pop(max(range(len(parts)), key=lambda place: len(parts[place])))
        middle = points[part] - points[part].mean(axis=0)
        order = part[np.argsort(middle @ np.linalg.svd(middle, full_matrices=False)[2][0], kind="stable")]
        parts += [order[: len(order) // 2], order[len(order) // 2 :]]
    word = np.empty(len(points), dtype=np.int64)
    for place, part in enumerate(parts):
        word[part] = place
    return word


def dense(word):
    """The words by numbers that leave none out."""
    return np.unique(word, return_inverse=True)[1]


def finest(shop, make, when, rate, *, span, finer):
    """The finest way whose seeker finds at most this rate: make(number), finer by the number or not."""
    low, high = span
    for _ in range(7):
        middle = (low * high) ** 0.5
        held = shop.found(make(middle), when)[0] <= rate
        low, high = (middle, high) if held == finer else (low, middle)
    return make(low if finer else high)


def run():
    """Print the table."""
    shop = Shop(kb.read_purchases(DATA / "online_retail.parquet", policy="drop"))
    bought = shop.on(shop.what, shop.who, shop.people)
    bought.data[:] = 1
    points = normalize(TruncatedSVD(48, random_state=0).fit_transform(normalize(bought)))
    trees = {
        by: Kinds.of(kb.methods.Generalize(crowd=2, by=by).tree(shop.data, Chance(1)))
        for by in ("learnt", "characters")
    }

    def cut(by, when, own, span):
        period = shop.quarter if when else np.zeros_like(shop.quarter)
        counted = Bought.of(shop.who, shop.what, period)

        def make(crowd):
            made = cut_for(counted, trees[by].forest, 1 / crowd, own=own, span=span)
            return dense(np.where(made.own, np.arange(shop.goods), made.nodes))

        return make

    def line(name, when, word):
        found, laid_open, control = shop.found(word, when)
        rest = "  ".join(
            f"{key} {value:.3f}" if key != "words" else f"{key} {value:4d}"
            for key, value in shop.kept(word).items()
        )
        print(f"{name:<34} found {found:.3f}  laid open {laid_open:.3f} ({control:.3f})  {rest}", flush=True)

    line("goods as they are, no time", False, np.arange(shop.goods))
    for when, size in ((True, 2), (False, 3), (True, 0), (False, 0)):
        title = "quarters" if when else "no time"
        word = dense([code[:size] for code in shop.codes])
        rate = shop.found(word, when)[0] if size else 0.1
        print(f"-- {title}, found at most {rate:.3f}")
        if size:
            line(f"first {size} characters", when, word)
        shares = finest(
            shop, lambda count: equal_shares(points, round(count)), when, rate, 3, 400, finer=True
        )
        line("equal shares by co-purchase", when, shares)
        for by, favour, own, span in WAYS:
            word = finest(shop, cut(by, when, own, span), when, rate, span=(8, 800), finer=False)
            line(f"risk-driven, {by}, {favour}", when, word)


WAYS = (
    ("learnt", "both", 2.0, 20.0),
    ("learnt", "kinds", 0.0, 150.0),
    ("learnt", "goods", 25.0, 0.0),
    ("characters", "both", 2.0, 20.0),
)
if __name__ == "__main__":
    run()
