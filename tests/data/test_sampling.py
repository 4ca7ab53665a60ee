"""Drawing people by chance: the same in blocks of any size, and everything of theirs comes along."""

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kakurenbo.chance import Chance
from kakurenbo.data.blocks import InMemory
from kakurenbo.data.owners import Owners
from kakurenbo.data.sampling import draw, draw_and_fetch, drawn, fetched, sample
from kakurenbo.errors import InputError
from strategies import purchases_of, rows

PEOPLE = pl.Series([f"{number}" for number in range(3000)])


@given(table=rows, records=st.integers(1, 50), wanted=st.integers(1, 8), seed=st.integers(0, 99))
def test_blocks_of_any_size_draw_the_same_people_and_fetch_all_of_theirs(table, records, wanted, seed):
    shop = purchases_of(table)
    blocks = InMemory.of(shop, records)
    people = draw(blocks, wanted, Chance(seed))
    assert people.to_list() == drawn(shop.customers, wanted, Chance(seed)).to_list()
    assert len(people) == min(wanted, len(shop.customers))
    part, at_once = fetched(blocks, people), draw_and_fetch(blocks, wanted, Chance(seed))
    assert at_once.fingerprint() == part.fingerprint()
    theirs = shop.under(None).filter(pl.col("customer").is_in(people.implode()))
    assert part.under(None).equals(theirs.sort("customer", maintain_order=True))
    assert part.master["customer"].to_list() == people.to_list()


def test_a_larger_draw_holds_the_smaller_and_is_even():
    few, many = (set(drawn(PEOPLE, wanted, Chance(4))) for wanted in (100, 1000))
    assert len(few) == 100
    assert few < many
    assert abs(sum(int(name) for name in many) / 1000 - 1499.5) < 4 * 866 / 1000**0.5
    assert set(drawn(PEOPLE.reverse(), 100, Chance(4))) == few
    assert set(drawn(PEOPLE, 100, Chance(5))) != few
    assert drawn(PEOPLE, None, Chance(4)).to_list() == sorted(PEOPLE)


def _shop(names):
    return purchases_of([(0, good, 0, 0, 100, 1) for good in range(3)]).with_records(
        pl.concat([
            purchases_of([(0, good, 0, 0, 100, 1) for good in range(3)]).under(None).with_columns(
                customer=pl.lit(name)
            )
            for name in names
        ])
    )  # fmt: skip


def test_names_fakes_and_shared_names_of_those_drawn_come_along():
    original = _shop([f"p{number}" for number in range(20)])
    names = [f"n{number}" for number in range(20)] + [f"f{number}" for number in range(10)]
    released = _shop(names)
    whose = [f"p{number}" for number in range(20)] + [None] * 10
    owners = Owners(pl.Series([*names, "n3"]), pl.Series([*whose, "p4"]))
    part = sample(InMemory.of(original, 7), InMemory.of(released, 7), owners, 10, Chance(1))
    people = set(drawn(original.customers, 10, Chance(1)))
    assert (part.people, part.everybody) == (10, 20)
    assert set(part.original.customers) == people
    expected = {name for name, who in zip([*names, "n3"], [*whose, "p4"], strict=True) if who in people}
    fakes = set(part.released.customers) - expected
    assert len(fakes) == 5
    assert fakes < set(names[20:])
    assert set(part.owners.persons) <= people
    part.owners.check(part.original, part.released)


def test_without_a_secret_an_equal_share_of_the_names_is_drawn():
    part = sample(
        InMemory.of(_shop([f"p{number}" for number in range(20)]), 7),
        InMemory.of(_shop([f"n{number}" for number in range(10)]), 7), None, 10, Chance(1),
    )  # fmt: skip
    assert (len(part.original.customers), len(part.released.customers), part.owners) == (10, 5, None)
    assert not part.complete


def test_nobody_found_is_an_error():
    with pytest.raises(InputError, match="draw more"):
        fetched(InMemory.of(_shop(["a"]), 7), pl.Series(["b"]))
