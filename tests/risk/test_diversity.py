"""l-diversity and t-closeness, beside what pyCANON 1.3.6 printed for the same tables."""

from collections import Counter

import polars as pl
import pytest

import kakurenbo as kb
from kakurenbo.data.hierarchy import Hierarchy
from kakurenbo.measures import KAnonymity, LDiversity, TCloseness

ROWS = [
    ("a", "flu", "low", 3), ("a", "flu", "high", 5), ("a", "cold", "low", 5), ("a", "cancer", "low", 9),
    ("b", "flu", "low", 3), ("b", "cold", "high", 3), ("b", "cold", "low", 7), ("b", "flu", "high", 9),
    ("b", "flu", "high", 1), ("c", "cancer", "low", 2), ("c", "flu", "high", 2), ("c", "cold", "low", 8),
]  # fmt: skip
# Printed by pyCANON: k_anonymity, l_diversity, entropy_l_diversity and t_closeness of each attribute, with
# gen=True; and l_diversity and t_closeness of all three with gen=False, where the others are known.
PYCANON = {
    "k": 3,
    "ill": {"l": 2, "entropy": 1, "t": 0.16666666666666669},
    "pay": {"l": 2, "entropy": 1, "t": 0.18333333333333332},
    "days": {"l": 2, "entropy": 1, "t": 0.1527777777777778},
    "known": {"l": 1, "t": 0.8333333333333334},
}


def table(**options):
    frame = pl.DataFrame(ROWS, schema=["town", "ill", "pay", "days"], orient="row")
    return kb.Microdata.from_frame(frame, qi=["town"], sa=["ill", "pay", "days"], **options)


@pytest.mark.parametrize("name", ["ill", "pay", "days"])
def test_numbers_are_those_of_pycanon(name):
    people, printed = table(), PYCANON[name]
    assert KAnonymity().of(people, people).value == PYCANON["k"]
    assert LDiversity(s=[name]).of(people, people).value == printed["l"]
    assert LDiversity(s=[name], diversity="entropy").of(people, people).value == printed["entropy"]
    assert TCloseness(s=[name]).of(people, people).value == pytest.approx(printed["t"])


def test_other_attributes_may_be_known_as_pycanon_has_it():
    people = table()
    assert LDiversity(others="known").of(people, people).value == PYCANON["known"]["l"]
    assert TCloseness(others="known").of(people, people).value == pytest.approx(PYCANON["known"]["t"])


def test_the_profile_shows_each_attribute_and_the_worst_of_all():
    shown = kb.profile(table()).to_dict()
    assert (shown["k"], shown["l"]) == (PYCANON["k"], min(PYCANON[n]["l"] for n in ("ill", "pay", "days")))
    assert shown["t"] == pytest.approx(max(PYCANON[n]["t"] for n in ("ill", "pay", "days")))
    assert [row["kind"] for row in shown["diversity"]] == ["categories", "categories", "numbers"]


def test_recursive_diversity_follows_its_definition():
    """The most frequent value against all from the l-th on; pyCANON sorts the other way round, and says 1."""
    people = table()
    for c in (0.5, 1, 1.5, 2, 4):
        least = 99
        for town in "abc":
            counts = sorted(Counter(row[1] for row in ROWS if row[0] == town).values(), reverse=True)
            kept = [d for d in range(1, len(counts) + 1) if counts[0] < c * sum(counts[d - 1 :])]
            least = min(least, max(kept, default=0))
        assert LDiversity(s=["ill"], diversity="recursive", c=c).of(people, people).value == least
    by_name = {row.attribute: row for row in kb.profile(people).diversity}
    assert (by_name["ill"].l_distinct, by_name["ill"].c) == (2, 2), "3 of 5 against 2: 3 < 2 x 2"


def test_equally_frequent_values_count_in_full():
    people = kb.Microdata.from_frame(pl.DataFrame({"q": ["x"] * 3, "s": list("abc")}), qi=["q"], sa=["s"])
    assert LDiversity(diversity="entropy").of(people, people).value == 3, "pyCANON cuts 2.9999999999999996"


def test_a_hierarchy_makes_neighbours_near():
    """By hand: from half flu, half cold to all flu moves one half by one of two levels."""
    tree = Hierarchy.of({"flu": "lungs", "cold": "lungs", "ulcer": "stomach"})
    frame = pl.DataFrame({"q": list("aabb"), "s": ["flu", "flu", "cold", "cold"]})
    far = frame.with_columns(s=pl.Series(["flu", "flu", "ulcer", "ulcer"]))
    for rows, distance in ((frame, 0.5), (far, 1.0)):
        plain = kb.Microdata.from_frame(rows, qi=["q"], sa=["s"])
        known = kb.Microdata.from_frame(rows, qi=["q"], sa=["s"], hierarchies={"s": tree})
        assert TCloseness().of(plain, plain).value == pytest.approx(0.5)
        assert TCloseness().of(known, known).value == pytest.approx(0.5 * distance)
    with pytest.raises(kb.InputError) as error:
        TCloseness(distance="hierarchical").of(plain, plain)
    assert error.value.code == "hierarchy"
