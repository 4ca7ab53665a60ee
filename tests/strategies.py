"""Made data for property tests: small tables of purchases with ties, repeats and rare goods."""

import datetime as dt

import polars as pl
from hypothesis import strategies as st

import kakurenbo as kb

DAY = dt.datetime(2024, 1, 1)
rows = st.lists(
    st.tuples(
        st.integers(0, 6),
        st.integers(0, 7),
        st.integers(0, 2),
        st.integers(0, 70),
        st.integers(1, 400),
        st.integers(1, 5),
    ),
    min_size=1,
    max_size=40,
)

# A shop with all of it: goods of one and of everybody, records twice, twins, and somebody with one record.
TABLE = [
    *(
        (who, who * place % 8, place % 3, 11 * place + who, 50 + 35 * (who * place % 5), 1 + place % 4)
        for who in range(6)
        for place in range(6)
    ),
    *[(1, 7, 0, 12, 99, 2)] * 2,
    *((who, good, good % 2, 30 * good, 210, 3) for who in (6, 7) for good in (0, 1, 2)),
    (8, 4, 0, 5, 120, 1),
]


def purchases_of(table):
    """Build Purchases with a master from (customer, goods, receipt, day, cents, quantity) tuples."""
    people = sorted({row[0] for row in table})
    return kb.Purchases.from_frame(
        pl.DataFrame(
            {
                "customer": [f"c{row[0]}" for row in table],
                "goods": [f"g{row[1]}" for row in table],
                "receipt": [f"r{row[0]}-{row[2]}" for row in table],
                "time": [DAY + dt.timedelta(days=row[3]) for row in table],
                "price": [row[4] / 100 for row in table],
                "quantity": [row[5] for row in table],
            }
        ),
        master=pl.DataFrame(
            {
                "customer": [f"c{who}" for who in people],
                "sex": ["fm"[who % 2] for who in people],
                "country": [("no", "se", "dk")[who % 3] for who in people],
            }
        ),
        **{role: role for role in ("customer", "goods", "receipt", "time", "price", "quantity")},
        keep_master=("sex", "country"),
    )


purchases = rows.map(purchases_of)
