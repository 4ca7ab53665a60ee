"""Made microdata for property tests: few values, so that rows tie, repeat and share quasi-identifiers."""

import polars as pl
from hypothesis import strategies as st

import kakurenbo as kb

QI, SA = ["age", "town"], ["income", "rent"]
people_rows = st.lists(
    st.tuples(st.integers(20, 24), st.sampled_from("abc"), st.integers(0, 6), st.integers(0, 6)),
    min_size=1,
    max_size=25,
)

# A table with all of it: rows twice, groups of equals, rows that differ in amounts alone, and somebody alone.
TABLE = [
    *((20 + who % 3, "ab"[who % 2], who % 7, who * who % 7) for who in range(12)),
    *[(21, "b", 3, 5)] * 2,
    (24, "c", 6, 0),
]


def microdata_of(table, **options):
    """Build Microdata from (age, town, income, rent) tuples."""
    frame = pl.DataFrame(table, schema=[*QI, *SA], orient="row")
    return kb.Microdata.from_frame(frame, qi=QI, sa=SA, **options)


def told_apart(table):
    """Give everybody amounts whose values and sums nobody else has."""
    return [(age, town, 100 * i + income % 7, 10_000 * i) for i, (age, town, income, _) in enumerate(table)]


def shuffled(data, order):
    """Return the data with its rows in another order, each with its id."""
    places = list(range(len(data)))
    order.shuffle(places)
    table = data.records[places].with_columns(id=data.ids.gather(places))
    return kb.Microdata.from_frame(table, qi=data.qi, sa=data.sa, id="id")
