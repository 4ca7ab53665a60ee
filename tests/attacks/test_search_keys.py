"""A block laid out by its keys, against counting them in plain Python."""

from collections import Counter
from datetime import datetime

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kakurenbo as kb
from kakurenbo.attacks.search.keys import Forms, Laid, Reading
from kakurenbo.kernels.scan import Codes

GRAINS = [("goods",), ("goods", "month"), ("goods", "day", "price", "quantity")]
rows = st.lists(
    st.tuples(
        st.sampled_from("dbac"), st.sampled_from("xyz"), st.integers(1, 3), st.sampled_from([0.5, 2.0])
    ),
    min_size=1,
    max_size=25,
)


def _shop(held):
    frame = pl.DataFrame({
        "who": [who for who, _, _, _ in held], "what": [what for _, what, _, _ in held],
        "when": [datetime(2024, 1 + day // 3, day) for _, _, day, _ in held],
        "price": [price for _, _, _, price in held], "pieces": [day for _, _, day, _ in held],
    })  # fmt: skip
    return kb.Purchases.from_frame(
        frame, customer="who", goods="what", time="when", price="price", quantity="pieces"
    )


@given(rows, rows)
@pytest.mark.parametrize("most", [0.0, 1.0])
def test_keys_are_counted_and_laid_out_whether_records_repeat_or_not(most, known, held):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("kakurenbo.attacks.search.keys._MOST", most)
        targets, block = _shop(known), _shop(held)
        forms = Forms.common(targets.records, block.records, {part for grain in GRAINS for part in grain})
        wanted = forms.hashes(targets.records, GRAINS)
        reading = Reading(forms, {grain: Codes.of(wanted[grain]) for grain in GRAINS})
        laid = Laid(block, reading)
        everybody = block.records["customer"].to_physical().to_list()
        for grain in GRAINS:
            keys = forms.hashes(block.records, [grain])[grain].tolist()
            having = Counter(zip(everybody, keys, strict=True))
            codes = reading.codes[grain].keys.tolist()
            holders, records = laid.tally(grain)
            assert holders.tolist() == [sum(key == code for _, key in having) for code in codes]
            assert records.tolist() == [keys.count(code) for code in codes]
            spread = laid.at(grain)
            for place, code in enumerate(codes):
                there = slice(spread.starts[place], spread.starts[place + 1])
                found = dict(zip(spread.who[there].tolist(), spread.held[there].tolist(), strict=True))
                assert found == {who: count for (who, key), count in having.items() if key == code}
            assert (
                spread.distinct.tolist()
                == np.bincount([who for who, _ in having], minlength=len(block.customers)).tolist()
            )
