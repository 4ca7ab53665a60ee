import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kakurenbo as kb

names = st.text("abcde", min_size=1, max_size=3)
guesses = st.dictionaries(names, st.none() | names, min_size=1, max_size=12)
many = settings(max_examples=100)  # rare cases are what this is about


def test_a_pairing_is_the_same_whatever_order_it_was_given_in():
    assert kb.Pairing.of({"x": "1", "y": "2"}) == kb.Pairing.of({"y": "2", "x": "1"})
    assert kb.Pairing.of({"x": "1"}) != kb.Pairing.of({"x": None})


@given(guesses)
@many
def test_abstentions_bijections_and_agreement_follow_their_definitions(pairs):
    pairing = kb.Pairing.of(pairs)
    assert pairing.to_dict() == dict(sorted(pairs.items()))
    assert pairing.abstained == sum(v is None for v in pairs.values())
    assert pairing.is_bijection == (None not in pairs.values() and len(set(pairs.values())) == len(pairs))
    assert pairing.expected(pairing)["chance"].sum() == len(pairs) - pairing.abstained


def test_agreement_needs_the_same_people():
    with pytest.raises(kb.InputError) as error:
        kb.Pairing.of({"a": "1"}).expected(kb.Pairing.of({"b": "1"}))
    assert error.value.code == "unknown-id"


@pytest.mark.parametrize(
    ("released", "code"),
    [(["a", "a"], "duplicate-id"), (["a", None], "missing-id"), (["a", ""], "missing-id")],
)
def test_released_ids_are_present_and_distinct(released, code):
    with pytest.raises(kb.InputError) as error:
        kb.Pairing(pl.Series(released), pl.Series(["1", "2"]))
    assert error.value.code == code


def test_numbers_and_text_are_the_same_ids():
    assert kb.Pairing(pl.Series([1, 2]), pl.Series([3.0, None])) == kb.Pairing.of({"1": "3", "2": None})


def test_a_pairing_survives_its_file(tmp_path):
    guess = kb.Pairing.of({"p1": "12583", "p2": None, "p3": "007"})
    kb.write_pairing(guess, tmp_path / "guess.csv")
    assert (tmp_path / "guess.csv").read_text() == "released,original\np3,007\np2,\np1,12583\n"
    assert kb.read_pairing(tmp_path / "guess.csv") == guess


def test_a_secret_is_private_and_never_overwritten(tmp_path):
    path = tmp_path / "secret.csv"
    kb.write_pairing(kb.Pairing.of({"a": "1"}), path, secret=True)
    assert path.stat().st_mode & 0o777 == 0o600
    with pytest.raises(kb.ParameterError) as error:
        kb.write_pairing(kb.Pairing.of({"a": "2"}), path, secret=True)
    assert error.value.code == "exists"
    assert kb.read_pairing(path) == kb.Pairing.of({"a": "1"})
