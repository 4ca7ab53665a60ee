"""The acid test: a model taught on the release must work on real people.

Who gets a release makes a model of it and sets it on customers he knows. So time is split where the last
quarter of its span begins: what people did before are features (how lately, how long, how often, how much
they bought, and what), what they do after is to be foretold. People are split in two halves by chance. One
model is taught on the release of one half, one on the original of the same people; both are tried on the
original of the other half, which neither has seen, in the words of the release; then the halves change
places. What counts is by how many points the release's model is worse. On Online Retail the original's has an
AUC of 0.74 for who buys again, that of `deal` in groups of 15 one of 0.64.

Coarser words cost a model something before anybody is hidden. So who buys again is also foretold from the
original in its own words, and the better of the two is what the release is held to; what is bought next can
be told in the words of the release only.

The pairing is needed to split the release's people as the original's are, and for nothing else: who has
several names is as many people to whoever makes the model.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np
import polars as pl
from pydantic import Field
from scipy import sparse

from kakurenbo.about import MeasureAbout
from kakurenbo.chance import Chance
from kakurenbo.data.pairing import Pairing
from kakurenbo.data.purchases import Purchases
from kakurenbo.errors import InputError
from kakurenbo.kernels import forecast
from kakurenbo.measure import Detailed, Measure, Measured
from kakurenbo.utility.purchases.together import in_codes, owners
from kakurenbo.utility.purchases.visits import visit_columns

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable

    from numpy.typing import NDArray

    from kakurenbo.data.owners import Owners

    Score = Callable[[Any, NDArray[np.float64], NDArray[np.int64]], float]

_BEFORE = 0.75  # of the span of time, whose purchases are features
_FEWEST = 50  # people of each half
_LEAST = 5  # of them, of each of two answers
_SPLIT = Chance(0)


class Common(NamedTuple):
    """What both tables are read by.

    Attributes:
        split: when the last quarter of the time begins.
        categories: the largest ones, by records of the original.
        visit: the column that tells a customer's visits apart.
        spend: whether amounts are shown.
    """

    split: dt.datetime
    categories: pl.Series
    visit: str
    spend: bool


class Cases(NamedTuple):
    """People who bought before the split: their half, what is known of them, and what is to be foretold."""

    half: NDArray[np.bool_]
    known: NDArray[np.float64]
    answer: NDArray[np.int64]

    def of(self, *, half: bool) -> Cases:
        """Return those of one half."""
        mine = self.half == half
        cases = Cases(self.half[mine], self.known[mine], self.answer[mine])
        counts = np.sort(np.unique(cases.answer, return_counts=True)[1])[::-1]
        if len(cases.answer) < _FEWEST or len(counts) < 2 or counts[1] < _LEAST:
            raise InputError(
                "There are too few people, or nearly all of one answer: no model can be taught and tried.",
                code="unmeasurable",
            )
        return cases


def _features(records: pl.DataFrame, by: Common) -> pl.DataFrame:
    """Return (customer, features) for everybody who bought before the split, without what he bought."""
    since = [pl.lit(by.split) - pl.col("time").max(), pl.lit(by.split) - pl.col("time").min()]
    amount = (pl.col("price") * pl.col("quantity")).sort().sum().log1p()  # equal people, equal sums
    return (
        records.filter(pl.col("time") < by.split)
        .group_by("customer")
        .agg(
            *(
                span.dt.total_seconds().alias(name)
                for span, name in zip(since, ("last", "first"), strict=True)
            ),
            visits=pl.col(by.visit).n_unique().log1p(),
            records=pl.len().log1p(),
            **({"spend": amount} if by.spend else {}),
        )
        .sort("customer")
    )


def _mix(records: pl.DataFrame, people: pl.Series, by: Common) -> NDArray[np.float64]:
    """Return people x categories with the share of everybody's records before the split."""
    places = pl.DataFrame({"goods": by.categories, "place": np.arange(len(by.categories))})
    rows = people.to_frame("customer").with_row_index("row")
    earlier = records.filter(pl.col("time") < by.split).join(rows, on="customer")
    cells = earlier.join(places, on="goods").group_by("row", "place").len()
    where = cells["row"].to_numpy().astype(np.int64), cells["place"].to_numpy()
    counts = sparse.coo_array((cells["len"].to_numpy(), where), shape=(len(people), len(places))).toarray()
    shares: NDArray[np.float64] = (
        counts / np.bincount(earlier["row"].to_numpy(), minlength=len(people))[:, None]
    )
    return shares


def _halves(
    halves: NDArray[np.bool_], original: Purchases, released: Purchases, secret: Pairing | None
) -> NDArray[np.bool_]:
    """Return the half of every released name: that of the person behind it, and of a fake one by chance."""
    own = _SPLIT.uniform("halves", released.customers) < 1 / 2
    if secret is None:
        return own
    behind = owners(original, released, secret)
    return np.where(behind.is_null(), own, halves[behind.fill_null(0).to_numpy()])


class AcidTest(Measure[Purchases]):
    """Shared by the acid tests: a model taught on the original, one on the release, tried on real people."""

    categories: int = Field(20, ge=2, description="how many of the largest categories are told apart")

    name: ClassVar[str]
    score: ClassVar[Score]

    @abstractmethod
    def answers(self, later: pl.DataFrame, people: pl.DataFrame, by: Common) -> pl.DataFrame:
        """Return (customer, answer), given the purchases after the split and who bought before it."""

    def value(self, original: Purchases, released: Purchases, secret: Pairing | None) -> Detailed:
        """Return by how many points the model taught on the release is worse; before is the original's."""
        before, after = in_codes(original, released, None)
        by = self._common(before, original, released)
        halves = _SPLIT.uniform("halves", original.customers) < 1 / 2
        real = self._cases(before, halves, by)
        seen = self._cases(after, _halves(halves, original, released, secret), by)
        scores = np.array([self._scores(real, seen, half=half) for half in (True, False)]).mean(axis=0)
        detail = {f"{self.name} before": float(scores[0]), f"{self.name} after": float(scores[1])}
        return Detailed(100 * max(0.0, float(scores[0] - scores[1])), detail)

    def _common(self, before: pl.DataFrame, original: Purchases, released: Purchases) -> Common:
        first, last = before["time"].min(), before["time"].max()
        if first == last:
            raise InputError(
                "All purchases are of one time, so there is no later to foretell.", code="unmeasurable"
            )
        split: Any = first + _BEFORE * (last - first)  # type: ignore[operator] # times
        largest = before.group_by("goods").len().sort("len", "goods", descending=[True, False])
        spend = {"price", "quantity"} <= original.shown & released.shown
        visit = visit_columns(original, released)[-1]
        return Common(split, largest["goods"].head(self.categories), visit, spend)

    def _cases(self, records: pl.DataFrame, halves: NDArray[np.bool_], by: Common) -> Cases:
        people = _features(records, by)
        later = self.answers(records.filter(pl.col("time") >= by.split), people.select("customer"), by)
        people = people.join(later, on="customer", maintain_order="left")
        who, answer = people["customer"], people["answer"].to_numpy().astype(np.int64)
        known = people.drop("customer", "answer").to_numpy().astype(np.float64)
        known = np.hstack([known, _mix(records, who, by)])
        order = np.lexsort((answer, *known.T))  # by what they are, so that no name changes a digit
        return Cases(halves[who.to_numpy()][order], known[order], answer[order])

    def _scores(self, real: Cases, seen: Cases, *, half: bool) -> list[float]:
        """Return how well the models of original and release do, taught on one half of the people."""
        tried = real.of(half=not half)
        lessons = real.of(half=half), seen.of(half=half)
        models = [forecast.taught(lesson.known, lesson.answer) for lesson in lessons]
        return [type(self).score(model, tried.known, tried.answer) for model in models]


class NextBuyer(AcidTest):
    """Who buys again in the last quarter of the time: points of AUC that a release's model falls short."""

    about: ClassVar = MeasureAbout(
        name="next-buyer", kind="purchases", source="ours: taught on the release, tried on real people",
        kept="points", promises=("best-on-copy",), needs=("time",), unit="points", secret=True, names=True,
        teaches=True,
        serves=("customers",), words="released", points=50.0,  # chance has an AUC of 1/2
        says="a model of who buys again with an AUC of {d[AUC after]:.2f} "
        "({d[AUC before]:.2f} from the original)",
    )  # fmt: skip

    name: ClassVar[str] = "AUC"
    score: ClassVar[Score] = staticmethod(forecast.auc)

    def of(
        self,
        original: Purchases,
        released: Purchases,
        secret: Owners | Pairing | None = None,
        *,
        spoken: Purchases | None = None,
    ) -> Measured:
        """Measure a release against the original's model in either words; see `Measure.of`."""
        found = super().of(original, released, secret, spoken=spoken)
        itself = Pairing(original.customers, original.customers)
        alike, after = found.detail["AUC before"], found.detail["AUC after"]
        own = super().of(original, original, itself, spoken=original).detail["AUC before"]
        before = max(own, alike)
        detail = {"AUC before": before, "AUC after": after, "AUC in the release's words": alike}
        return replace(found, value=100 * max(0.0, before - after), detail=detail)

    def answers(self, later: pl.DataFrame, people: pl.DataFrame, by: Common) -> pl.DataFrame:  # noqa: ARG002
        """Return 1 for those who bought, 0 for the others."""
        return people.with_columns(answer=pl.col("customer").is_in(later["customer"].unique().implode()))


class NextCategory(AcidTest):
    """What a customer buys most of next: points of accuracy that a release's model falls short."""

    about: ClassVar = MeasureAbout(
        name="next-category", kind="purchases", source="ours: taught on the release, tried on real people",
        kept="points", promises=("best-on-copy",), needs=("time",), unit="points", secret=True, names=True,
        teaches=True,
        serves=("customers",), words="released",
        says="a model of what is bought next that is right {d[accuracy after]:.0%} of the time "
        "({d[accuracy before]:.0%} from the original)",
    )  # fmt: skip

    name: ClassVar[str] = "accuracy"
    score: ClassVar[Score] = staticmethod(forecast.accuracy)

    def answers(self, later: pl.DataFrame, people: pl.DataFrame, by: Common) -> pl.DataFrame:
        """Return the category of which everybody has most records, of equal ones the larger."""
        places = pl.DataFrame({"goods": by.categories, "answer": np.arange(len(by.categories))})
        counts = later.join(places, on="goods").group_by("customer", "answer").len()
        best = counts.sort("customer", "len", "answer", descending=[False, True, False])
        return best.unique("customer", keep="first", maintain_order=True).join(
            people, on="customer", how="semi"
        )
