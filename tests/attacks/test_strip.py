"""Strip: what lies on everybody's last receipt, whatever order rows and receipts come in."""

import datetime as dt

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

import kakurenbo as kb

rows = st.lists(
    st.tuples(st.integers(0, 4), st.integers(0, 3), st.integers(0, 2), st.integers(1, 3)),
    min_size=1, max_size=30,
)  # fmt: skip


@given(rows, st.booleans())
def test_records_of_the_last_receipt_alone_are_taken_for_dummies(rows, receipts):
    frame = pl.DataFrame({
        "c": [f"p{who}" for who, *_ in rows], "g": [f"g{i % 3}" for i in range(len(rows))],
        "t": [dt.date(2024, 1, 1 + day) for _, day, _, _ in rows],
        "r": [f"{who}-{day}-{receipt}" for who, day, receipt, _ in rows],
        "q": [pieces for *_, pieces in rows],
    })  # fmt: skip
    named = {"receipt": "r"} if receipts else {}
    shop = kb.Purchases.from_frame(frame, customer="c", goods="g", time="t", quantity="q", **named)
    moments = [(day, receipt if receipts else 0) for _, day, receipt, _ in rows]
    last = {who: max(m for (w, *_), m in zip(rows, moments, strict=True) if w == who) for who, *_ in rows}
    suspect = [moments[i] == last[row[0]] and row[3] == 2 for i, row in enumerate(rows)]
    lost = {who for who, *_ in rows if all(s for s, row in zip(suspect, rows, strict=True) if row[0] == who)}
    plain = [not s or row[0] in lost for s, row in zip(suspect, rows, strict=True)]
    assert kb.attacks.StripAttack().keeps(shop, 2.0).to_list() == plain
