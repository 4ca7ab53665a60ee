"""The controller's ledger: who is known to be in earlier releases, and that it names nobody."""

import polars as pl
import pytest

import kakurenbo as kb
from kakurenbo.errors import InputError, ParameterError
from kakurenbo.files.register import SKETCH, Register, refuse_overlooking
from people import microdata_of
from shops import light_shop


@pytest.fixture
def register(tmp_path):
    return Register.opened(tmp_path / "ledger.jsonl")


def released(register, data, name):
    return register.add("release", **register.about(data), release=name, plan=None)


def test_a_release_of_some_of_the_same_people_is_known(register):
    shop = light_shop(120, seed=3)
    people = shop.customers.cast(pl.String)
    register = released(register, shop.of(people[:60]), "first")
    about = register.about(shop.of(people[50:]))
    assert [one.release for one in register.releases_of(about)] == ["first"]
    assert register.overlooked(about, ["first"]) == ()
    apart = register.about(shop.of(people[60:]))
    assert register.releases_of(apart) == ()


def test_of_many_people_few_in_common_are_enough(register):
    """Of 5,000 and 5,000 people who share 500, the sketches of 256 have some in common."""
    one = pl.Series([f"c{number}" for number in range(5000)])
    other = pl.Series([f"c{number}" for number in range(4500, 9500)])
    first, second = set(register.sketch(one)), set(register.sketch(other))
    assert len(first) == len(second) == SKETCH
    assert first & second
    assert not first & set(register.sketch(pl.Series([f"d{number}" for number in range(5000)])))


def test_another_ledger_has_another_key(register, tmp_path):
    other = Register.opened(tmp_path / "other.jsonl")
    people = pl.Series(["a", "b"])
    assert not set(register.sketch(people)) & set(other.sketch(people))
    assert register.sketch(people) == Register.read(register.path).sketch(people)


def test_rows_that_are_only_numbered_are_nobody(register):
    one, other = microdata_of([(20, "a", 1, 1)] * 5), microdata_of([(21, "b", 2, 2)] * 5)
    register = released(register, one, "first")
    assert register.releases_of(register.about(other)) == ()
    assert [known.release for known in register.releases_of(register.about(one))] == ["first"]


def test_what_was_withdrawn_is_not_asked_for(register):
    shop = light_shop(30, seed=1)
    register = released(released(register, shop, "first"), shop, "second")
    register = register.withdraw(1, "never handed out")
    assert [one.release for one in register.releases_of(register.about(shop))] == ["second"]
    for number in (0, 3, 4):
        with pytest.raises(ParameterError, match="no release of this number"):
            register.withdraw(number, "nonsense")


def test_overlooking_is_refused_with_numbers_and_a_stable_code(register):
    shop = light_shop(30, seed=1)
    register = released(register, shop, "first")
    refuse_overlooking((), parameter="earlier")
    with pytest.raises(ParameterError, match="number 1 of ") as refused:
        refuse_overlooking(register.overlooked(register.about(shop), ()), parameter="earlier")
    assert refused.value.code == "earlier-release"


def test_nobodys_id_and_no_value_stands_in_it(register):
    rows = {
        "customer": [f"person-{k:03}" for k in range(300)],
        "goods": [f"article-{k:03}" for k in range(300)],
    }
    shop = kb.Purchases.from_frame(pl.DataFrame(rows), customer="customer", goods="goods")
    content = released(register, shop, "first").path.read_text()
    assert "person-" not in content
    assert "article-" not in content


def test_a_chain_of_something_else_is_no_ledger(tmp_path):
    from kakurenbo.files import chain  # noqa: PLC0415 - only here

    place = tmp_path / "other.jsonl"
    chain.begun(place, {"kind": "something else"})
    with pytest.raises(InputError, match="none of this program's"):
        Register.opened(place)
