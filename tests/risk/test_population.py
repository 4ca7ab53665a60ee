"""The population behind a table of people, in profile and audit."""

import polars as pl
import pytest

import kakurenbo as kb
from kakurenbo.risk.classical.population import in_population
from kakurenbo.risk.profile import profile

PEOPLE = kb.Microdata.from_frame(
    pl.DataFrame({"age": [20, 20, 30, 40, 50, 50, 60, 70], "pay": [1.0] * 8}), qi=["age"], sa=["pay"]
)


def test_a_number_of_people_and_the_share_drawn_are_the_same():
    assert in_population(PEOPLE, 32) == in_population(PEOPLE, 0.25)
    assert [one.alone for one in in_population(PEOPLE, 32)] == [4, 4]


def test_a_profile_tells_the_plain_chances_and_the_models():
    made = profile(PEOPLE, population=80).to_dict()
    assert (made["prosecutor"], made["marketer"]) == (1, 6 / 8)
    assert [one["model"] for one in made["population"]] == ["pitman", "lognormal"]
    assert profile(PEOPLE).to_dict()["population"] == ()


@pytest.mark.parametrize("wrong", [0, -1, 7, 2])
def test_fewer_people_than_rows_are_refused(wrong):
    with pytest.raises(kb.ParameterError, match="population"):
        in_population(PEOPLE, wrong)


def test_purchases_have_no_population_model():
    with pytest.raises(kb.ParameterError, match="microdata"):
        profile(kb.demo.shop(5, seed=1), population=100)
