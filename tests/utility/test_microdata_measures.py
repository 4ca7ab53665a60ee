"""U1 to U6 against their definitions in plain Python."""

import statistics

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kakurenbo as kb
from kakurenbo.catalogue import entries
from kakurenbo.measures import CorrelationError, CrossCount, CrossMean, InformationLoss, MeanError, RowsLost
from kakurenbo.methods import DeleteMicrodata, NoiseMicrodata
from people import microdata_of, people_rows

many = settings(max_examples=20)


@given(table=people_rows, other=people_rows)
@many
def test_means_and_cells_are_those_of_plain_python(table, other):
    before, after = microdata_of(table), microdata_of(other)
    columns = [([row[k] for row in table], [row[k] for row in other]) for k in (2, 3)]
    u1 = statistics.mean(abs(statistics.mean(x) - statistics.mean(y)) for x, y in columns)
    assert MeanError().of(before, after).value == pytest.approx(u1, abs=1e-12)
    cells = {row[:2] for row in (*table, *other)}

    def mean(rows, cell, k):
        values = [row[k] for row in rows if row[:2] == cell]
        return statistics.mean(values) if values else 0

    u2 = statistics.mean(abs(mean(table, c, k) - mean(other, c, k)) for c in cells for k in (2, 3))
    assert CrossMean().of(before, after).value == pytest.approx(u2, abs=1e-12)
    u3 = statistics.mean(
        abs(sum(row[:2] == c for row in table) - sum(row[:2] == c for row in other)) for c in cells
    )
    assert CrossCount().of(before, after).value == pytest.approx(u3)
    assert RowsLost().of(before, after).value == abs(len(table) - len(other))


@given(table=people_rows, other=people_rows)
@many
def test_correlations_are_those_of_plain_python(table, other):
    def correlation(rows):
        x, y = [row[2] for row in rows], [row[3] for row in rows]
        return 0 if len(set(x)) == 1 or len(set(y)) == 1 else statistics.correlation(x, y)

    found = CorrelationError().of(microdata_of(table), microdata_of(other)).value
    assert found == pytest.approx(abs(correlation(table) - correlation(other)), abs=1e-9)


@given(table=people_rows, seed=st.integers(0, 9), normaliser=st.sampled_from(["range", "spread", "value"]))
@many
def test_the_loss_follows_people_through_the_pairing(table, seed, normaliser):
    people = microdata_of(table)
    release = NoiseMicrodata(scale=0.5).release(people, seed=seed)
    rows = dict(zip(people.ids, people.records.rows(), strict=True))
    back = release.pairing.to_dict()
    terms = []
    for who, after in zip(release.data.ids, release.data.records.rows(), strict=True):
        for k in (2, 3):
            x, y = rows[back[who]][k], after[k]
            column = [row[k] for row in rows.values()]
            unit = {
                "range": max(column) - min(column),
                "spread": statistics.pstdev(column),
                "value": max(abs(x), abs(y)),
            }[normaliser]
            terms.append(abs(x - y) / unit if unit else float(x != y))
    found = InformationLoss(normaliser=normaliser).of(people, release.data, release.pairing).value
    assert found == pytest.approx(statistics.mean(terms), abs=1e-12)


def test_deleted_people_are_left_out_of_the_loss():
    people = kb.demo.households(100, seed=1)
    release = DeleteMicrodata(share=0.3).release(people, seed=1)
    assert InformationLoss().of(people, release.data, release.pairing).value == 0
    assert RowsLost().of(people, release.data).value == 30


def test_what_is_needed_and_missing_is_one_clear_error():
    people = microdata_of([(20, "a", 1, 2), (21, "b", 3, 4)])
    with pytest.raises(kb.ParameterError):
        InformationLoss().of(people, people)
    with pytest.raises(kb.InputError):
        InformationLoss().of(people, people, kb.Pairing.of({"1": "7", "2": "8"}))
    bare = kb.Microdata.from_frame(people.records, qi=people.qi)
    with pytest.raises(kb.InputError) as error:
        MeanError().of(bare, bare)
    assert error.value.code == "roles"
    one = kb.Microdata.from_frame(people.records, qi=people.qi, sa=["rent"])
    assert CorrelationError().of(one, one).value == 0


@pytest.mark.parametrize("scale", [2.0**-1000, 2.0**990])
@pytest.mark.parametrize("entry", entries("measure", "microdata"), ids=lambda entry: entry.name)
@pytest.mark.filterwarnings("error")
def test_the_unit_of_the_attributes_changes_no_share(entry, scale):
    moved = [0.1, 0, -0.2, 0.05, 0, 0.3]
    people = [(20 + i % 2, "ab"[i % 3 == 0], 1.5 * i, 7.0 - i) for i in range(6)]
    choices = ("range", "spread", "value") if entry.name == "u5-loss" else ("",)
    secret = kb.Pairing.of({str(i): str(i) for i in range(1, 7)})

    def measured(measure, scale):
        before = microdata_of([(*qi, income * scale, rent * scale) for *qi, income, rent in people])
        after = microdata_of(
            [
                (*qi, (income + by) * scale, rent * scale)
                for (*qi, income, rent), by in zip(people, moved, strict=True)
            ]
        )
        found = measure.of(before, after, secret)
        return found.value / (scale if found.unit == "units" else 1)

    for choice in choices:
        measure = entry.what(**({"normaliser": choice} if choice else {}))
        assert measured(measure, scale) == pytest.approx(measured(measure, 1.0), rel=1e-9)
