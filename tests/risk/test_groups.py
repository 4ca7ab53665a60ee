"""k, l, t and the three risks against their definitions in plain Python, and against pyCANON."""

from collections import Counter
from itertools import accumulate

import pytest
from hypothesis import given, settings

import kakurenbo as kb
from kakurenbo.measures import (
    JournalistRisk,
    KAnonymity,
    LDiversity,
    MarketerRisk,
    MeanGroupMicrodata,
    ProsecutorRisk,
    TCloseness,
    UniqueRows,
)
from kakurenbo.methods import DeleteMicrodata
from people import microdata_of, people_rows

many = settings(max_examples=30)
# k, l and t as pyCANON 1.3.6 gives them for this table (l and t over both attributes).
TABLE = [
    (20, "a", 1, 5), (20, "a", 2, 5), (20, "a", 2, 6), (20, "a", 9, 8),
    (21, "b", 1, 5), (21, "b", 4, 6), (21, "b", 4, 5), (22, "c", 7, 5), (22, "c", 9, 6),
]  # fmt: skip
PYCANON = {"k": 2, "l": 2, "t": 0.40277777777777773}


def groups_of(table):
    found = {}
    for row in table:
        found.setdefault(row[:2], []).append(row)
    return found


def plain_t(table, k, distance):
    values = sorted({row[k] for row in table})
    if len(values) == 1:
        return 0
    whole = Counter(row[k] for row in table)
    worst = 0
    for rows in groups_of(table).values():
        own = Counter(row[k] for row in rows)
        gaps = [own[v] / len(rows) - whole[v] / len(table) for v in values]
        if distance == "ordered":
            far = sum(abs(gap) for gap in accumulate(gaps)) / (len(values) - 1)
        else:
            far = sum(map(abs, gaps)) / 2
        worst = max(worst, far)
    return worst


@given(table=people_rows)
@many
def test_groups_are_those_of_plain_python(table):
    people = microdata_of(table)
    groups = groups_of(table)
    sizes = [len(rows) for rows in groups.values()]
    assert KAnonymity().of(people, people).value == min(sizes)
    assert MeanGroupMicrodata().of(people, people).value == pytest.approx(len(table) / len(groups))
    assert UniqueRows().of(people, people).value == pytest.approx(sizes.count(1) / len(table))
    expected = min(len({row[k] for row in rows}) for rows in groups.values() for k in (2, 3))
    assert LDiversity().of(people, people).value == expected
    assert LDiversity(s=("rent",)).of(people, people).value == min(
        len({row[3] for row in rows}) for rows in groups.values()
    )
    for distance in ("ordered", "equal"):
        found = TCloseness(distance=distance).of(people, people).value
        assert found == pytest.approx(max(plain_t(table, k, distance) for k in (2, 3)), abs=1e-12)


@given(table=people_rows)
@many
def test_t_by_steps_is_t_by_definition(table):
    """Many distinct values take the way by sorting; it must give the same number."""
    wide = [(*row[:2], 1000 * i + row[2], row[3]) for i, row in enumerate(table * 3)]
    found = TCloseness(s=("income",)).of(microdata_of(wide), microdata_of(wide)).value
    assert found == pytest.approx(plain_t(wide, 2, "ordered"), abs=1e-12)


@given(table=people_rows)
@many
def test_risks_are_chances_of_people(table):
    people = microdata_of(table)
    release = DeleteMicrodata(share=0.3).release(people, seed=1)
    before = Counter(row[:2] for row in table)
    after = Counter(row[:2] for row in release.data.records.rows())
    assert ProsecutorRisk().of(people, release.data).value == pytest.approx(1 / min(after.values()))
    assert JournalistRisk().of(people, release.data).value == pytest.approx(max(1 / before[g] for g in after))
    found = MarketerRisk().of(people, release.data).value
    assert found == pytest.approx(sum(n / before[g] for g, n in after.items()) / sum(after.values()))
    guess = kb.attacks.IdentifyRand().guess(people, release.data, seed=1)
    rate = kb.reidentification(release.pairing, guess).rate.value
    assert found == pytest.approx(rate), "the marketer is identify-rand, computed without guessing"


def test_the_average_risk_is_a_mean_over_people_not_over_groups():
    people = microdata_of([(20, "a", i, 0) for i in range(9)] + [(21, "a", 0, 0)])
    assert MarketerRisk().of(people, people).value == pytest.approx(0.2)  # pyCANON's mean over groups: 0.56


def test_a_generalised_group_is_at_least_as_large_as_it_shows():
    people = microdata_of([(20, "a", 0, 0), (21, "b", 0, 0)])
    release = kb.methods.KAnonymize(k=2).release(people, seed=1)
    for measure in (ProsecutorRisk(), JournalistRisk(), MarketerRisk()):
        assert measure.of(people, release.data).value == 0.5


def test_numbers_are_those_of_pycanon():
    people = microdata_of(TABLE)
    assert KAnonymity().of(people, people).value == PYCANON["k"]
    assert LDiversity().of(people, people).value == PYCANON["l"]
    assert TCloseness().of(people, people).value == pytest.approx(PYCANON["t"])


def test_numbers_are_those_of_pycanon_where_it_is_installed():
    """It pins versions that ours cannot share, so it is only in the environment of `make bench`."""
    anonymity = pytest.importorskip("pycanon.anonymity", reason="pyCANON lives in the bench environment")
    frame = kb.demo.households_frame(3000, seed=1)
    qi, sa = ["region", "sex"], ["rooms", "cars"]
    people, plain = kb.Microdata.from_frame(frame, qi=qi, sa=sa), frame.to_pandas()
    assert KAnonymity().of(people, people).value == anonymity.k_anonymity(plain, qi)
    assert LDiversity().of(people, people).value == anonymity.l_diversity(plain, qi, sa)
    assert TCloseness().of(people, people).value == pytest.approx(anonymity.t_closeness(plain, qi, sa))
