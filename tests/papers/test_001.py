"""Paper 001: the toy tables 2 to 11, digit by digit."""

import math
from collections import Counter

import polars as pl
import pytest

import kakurenbo as kb
from kakurenbo.attacks import Euc1, Euc2, IdentifyRand, IdentifySa, IdentifySa21, IdentifySort
from kakurenbo.data.groups import group_codes
from kakurenbo.measures import (
    CorrelationError,
    CrossCount,
    CrossMean,
    InformationLoss,
    KAnonymity,
    MeanError,
    MeanGroupMicrodata,
)
from kakurenbo.methods import Average, Swap, Unify

QI, SA = ["QI1", "QI2", "QI3"], ["SA1", "SA2"]
FIRST, SECOND = (2, 1, 1), (1, 1, 2)


def table(*rows):
    return kb.Microdata.from_frame(pl.DataFrame(rows, schema=[*QI, *SA], orient="row"), qi=QI, sa=SA)


X = table((*FIRST, 100, 100), (*FIRST, 200, 400), (*SECOND, 300, 200), (*SECOND, 400, 500))
B = table((*FIRST, 110, 90), (*FIRST, 220, 390), (*SECOND, 280, 210), (*SECOND, 390, 520))
D = table((*FIRST, 100, 100), (*FIRST, 200, 400), (1, 1, 1, 300, 200), (1, 1, 1, 400, 500))
F = table(*[(*FIRST, 150, 250)] * 2, *[(*SECOND, 350, 350)] * 2)
G = table((*FIRST, 200, 100), (*FIRST, 100, 400), (*SECOND, 300, 500), (*SECOND, 400, 200))
ROW_BY_ROW = kb.Pairing.of({str(i): str(i) for i in range(1, 5)})  # the toy releases are not shuffled


def rate(attack, released):
    return kb.reidentification(ROW_BY_ROW, attack.guess(X, released, seed=1)).rate.value


def test_the_distances_of_section_3_1():
    a, b = X.records.select(SA).rows(), B.records.select(SA).rows()
    assert round(math.dist(a[0], b[0]), 3) == 14.142
    assert round(math.dist(a[1], b[0]), 1) == 322.8


def test_the_sorted_order_of_x_is_1_3_2_4():
    sums = X.records.select(pl.sum_horizontal(SA)).to_series()
    assert [X.ids[i] for i in sums.arg_sort()] == ["1", "3", "2", "4"]


@pytest.mark.parametrize(
    "attack", [IdentifySa(s=("SA1",)), IdentifySort(), IdentifySa21(s=("SA1",)), Euc1(), Euc2()]
)
@pytest.mark.parametrize("reading", ["nearest", "assignment"])
def test_noise_hides_nobody_in_b(attack, reading):
    assert rate(attack.model_copy(update={"reading": reading}), B) == 1.0


def test_a_random_candidate_is_right_half_the_time():
    assert rate(IdentifyRand(), B) == 0.5


def test_the_index_f_of_tables_6_and_7():
    for released, groups in ((B, [[1, 2], [3, 4]]), (D, [[1, 2], [3, 4]])):
        (codes,) = group_codes([released.records], QI)
        assert [[i + 1 for i in range(4) if codes[i] == code] for code in dict.fromkeys(codes)] == groups


def test_euc1_gives_up_on_rows_3_and_4_of_d_and_euc2_finds_them():
    guess = Euc1().guess(X, D, seed=1).to_dict()
    assert guess == {"1": "1", "2": "2", "3": None, "4": None}
    assert rate(Euc1(), D) == 0.5
    assert rate(Euc1(give_up="same-row"), D) == 1.0  # the paper's way: a hit for free
    assert rate(Euc2(), D) == 1.0
    assert Euc2().guess(X, D, seed=1).abstained == 0


def test_unifying_qi3_gives_d():
    release = Unify(q=("QI3",), value="1").release(X, seed=1)
    assert sorted(release.data.records.rows()) == sorted(D.records.rows())
    assert (CrossCount(by=("QI3",)).of(X, D).value, CrossCount(by=("QI1",)).of(X, D).value) == (2, 0)


def test_averaging_gives_f():
    release = Average().release(X, seed=1)
    assert sorted(release.data.records.rows()) == sorted(F.records.rows())
    assert MeanError().of(X, F).value == 0
    assert CrossMean().of(X, F).value == 0
    assert CorrelationError().of(X, F).value > 0
    assert InformationLoss().of(X, F, ROW_BY_ROW).value > 0


def test_swapping_gives_g_up_to_the_choice_of_rows():
    made = {tuple(sorted(Swap().release(X, seed=seed).data.records.rows())) for seed in range(40)}
    assert tuple(sorted(G.records.rows())) in made
    assert len(made) == 4  # two ways in each group, up to the order of rows
    for rows in made:
        for name in SA:
            values = Counter((row[:3], row[3 + SA.index(name)]) for row in rows)
            assert values == Counter((row[:3], row[3 + SA.index(name)]) for row in G.records.rows())
    assert MeanError().of(X, G).value == 0
    assert CrossMean().of(X, G).value == 0


def test_groups_of_two():
    assert KAnonymity().of(X, B).value == 2
    assert MeanGroupMicrodata().of(X, B).value == 2
