"""What workers do, without a cluster: parts of blocks leave, whole blocks arrive, whatever the batches."""

import pickle

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from kakurenbo.data.blocks import InMemory
from kakurenbo.spark import pieces, placing, workers
from strategies import purchases_of, rows
from works import Refuse, content, crash


class Sent:
    """A broadcast value, as workers see it."""

    def __init__(self, value):
        self.value = value


def arrived(batches, blocks):
    """Return the batches that a shuffle brings to every block."""
    told = list(batches)
    return [[batch for batch in told if batch["block"][0].as_py() == number] for number in range(blocks)]


@given(table=rows, blocks=st.integers(1, 4), cut=st.integers(1, 5))
def test_people_arrive_in_the_blocks_of_memory_whatever_batches_they_leave_in(table, blocks, cut):
    shop = purchases_of(table)
    parts = (batch for part in shop.under(None).iter_slices(cut) for batch in placing.placed(part, blocks))
    form = workers.Form(shop.layout, shop.roles)
    work = workers.Sent(Sent(workers.Work(form, content)))
    answers = [
        pickle.loads(body)  # noqa: S301 - our own
        for there in arrived(parts, blocks)
        for _, body in pieces.gathered(work(placing.settled(blocks, there)))
    ]
    expected = list(InMemory(shop, blocks).map(content))
    assert len(answers) == len(expected)
    assert all(one.equals(other) for one, other in zip(answers, expected, strict=True))


@given(table=rows)
def test_people_are_dealt_to_the_parts_they_are_given_and_the_others_stay_behind(table):
    shop = purchases_of(table)
    given_to = pl.DataFrame({"customer": shop.customers, "part": [i % 3 for i in range(len(shop.customers))]})
    named = given_to.filter(pl.col("part") < 2).cast({"part": pl.Int32})
    held = list(placing.settled(1, placing.placed(shop.under(None), 1)))
    for number, there in enumerate(arrived(placing.Dealt(Sent(named), 1, 2)(held), 2)):
        mine = named.filter(pl.col("part") == number)["customer"]
        expected = shop.by_content().filter(pl.col("customer").is_in(mine.implode()))
        got = [pieces.unpacked(body) for _, body in pieces.gathered(placing.settled(2, there))]
        together = pl.concat(got).with_columns(pl.col(pl.Enum).cast(pl.String)) if got else expected.clear()
        assert together.sort(together.columns).equals(expected)


def test_a_body_of_many_pieces_is_put_together_again(monkeypatch):
    monkeypatch.setattr(pieces, "_SIZE", 3)
    batches = [*pieces.in_pieces(4, b"0123456789"), *pieces.in_pieces(5, b""), *pieces.in_pieces(4, b"ab")]
    assert list(pieces.gathered(batches)) == [(4, b"0123456789"), (5, b""), (4, b"ab")]


def test_refusals_come_home_with_their_places_and_faults_without_any_value(small):
    refused = workers.answered(Refuse("unmeasurable"), small).error()
    assert (refused.code, refused.column, refused.message) == ("unmeasurable", "goods", "Not today.")
    fault = workers.answered(crash, small).error()
    assert fault.code == "cluster"
    assert "ValueError" in fault.message
    assert not any(person in fault.message for person in small.customers)
