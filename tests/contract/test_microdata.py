"""What everything on microdata obeys, over the catalogue: registering it tests it."""

import math
from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from hypothesis import strategies as st

import kakurenbo as kb
from drawn import drawn
from kakurenbo.catalogue import entries
from kakurenbo.data.hierarchy import Hierarchy
from people import QI, SA, TABLE, microdata_of, people_rows, shuffled, told_apart

METHODS = entries("method", "microdata")
ATTACKS = entries("attack", "microdata")
BLIND = [entry for entry in ATTACKS if "reads-order" in entry.obeys]
SEEING = [entry for entry in ATTACKS if "reads-order" not in entry.obeys]
MEASURES = entries("measure", "microdata")
OTHER = [(44 - age, town, rent, income) for age, town, income, rent in TABLE[3:]]


def each(selected):
    return pytest.mark.parametrize("entry", selected, ids=lambda entry: entry.name)


def made(entry, people):
    """The example of the catalogue; a k that a tiny table cannot keep is lowered to its size."""
    example = dict(entry.example)
    if "k" in example:
        example["k"] = min(example["k"], len(people))
    return entry.what(**example)


def rate(release, guess):
    return kb.reidentification(release.pairing, guess).rate.value


def by_person(data, pairing=None):
    names = data.ids if pairing is None else [pairing.to_dict()[i] for i in data.ids]
    return dict(zip(names, data.records.iter_rows(), strict=True))


@each(METHODS)
@drawn({"table": TABLE, "seed": 1}, table=people_rows, seed=st.integers(0, 99))
def test_a_release_pairs_everybody_once_and_keeps_no_order(entry, table, seed):
    people = microdata_of(table)
    release = made(entry, people).release(people, seed=seed)
    assert release.pairing.is_bijection
    assert set(release.pairing.original) <= set(people.ids)
    assert release.data.records.equals(release.data.records.sort(release.data.records.columns))
    again = made(entry, people).release(people, seed=seed)
    assert again.data.records.equals(release.data.records)
    assert again.pairing == release.pairing


@each(METHODS)
def test_nothing_of_the_original_row_order_remains(entry):
    people = kb.demo.households(300, seed=1)
    release = made(entry, people).release(people, seed=4)
    stayed = sum(released == original for released, original in release.pairing.to_dict().items())
    assert stayed < 12, "row numbers tell nothing: about one of 300 stays by chance"


@each(METHODS)
@drawn(
    {"table": TABLE, "seed": 1, "order": Random(1)},
    table=people_rows, seed=st.integers(0, 9), order=st.randoms(use_true_random=False),
)  # fmt: skip
def test_the_order_of_the_input_changes_no_released_row(entry, table, seed, order):
    people = microdata_of(table)
    one = made(entry, people).release(people, seed=seed)
    two = made(entry, people).release(shuffled(people, order), seed=seed)
    assert one.data.records.equals(two.data.records)


@each(METHODS)
@drawn({"table": TABLE}, table=people_rows)
def test_the_input_is_left_alone_and_promises_are_kept(entry, table):
    people = microdata_of(table)
    before = people.records.clone()
    method = made(entry, people)
    release = method.release(people, seed=1)
    assert people.records.equals(before)
    rows, after = by_person(people), by_person(release.data, release.pairing)
    if "keeps-records" in entry.obeys:
        assert after == rows
    if "deletes-only" in entry.obeys:
        assert after.items() <= rows.items()
        assert len(after) == len(rows) - release.facts.deleted
    if "keeps-qi" in entry.obeys:
        assert all(rows[who][:2] == row[:2] for who, row in after.items())
    if "keeps-means" in entry.obeys:
        assert kb.measures.MeanError().of(people, release.data).value == 0
    if "k-anonymous" in entry.obeys:
        assert min(Counter(row[:2] for row in after.values()).values()) >= method.k


TOWNS = {"a": ("ab", "all"), "b": ("ab", "all"), "c": ("c", "all")}
AGES = {str(age): (f"{age // 2 * 2}-{age // 2 * 2 + 1}", "20s") for age in range(20, 25)}
NAMED = {"town": TOWNS, "age": AGES}


@each([entry for entry in METHODS if "maps-up" in entry.obeys])
@drawn(
    {"table": TABLE, "level": 1, "columns": ["town"], "carried": ["town", "age"]},
    table=people_rows,
    level=st.integers(1, 3),
    columns=st.lists(st.sampled_from(["town", "age"]), unique=True),
    carried=st.sampled_from([["town"], ["town", "age"]]),
)
def test_every_value_is_itself_or_what_its_hierarchy_calls_it(entry, table, level, columns, carried):
    trees = {name: Hierarchy.of(NAMED[name]) for name in carried}
    people = replace(microdata_of(table), hierarchies=trees)
    method = entry.what(columns=columns, level=level)
    if not set(columns) <= set(carried):
        with pytest.raises(kb.InputError):
            method.release(people)
        return
    release = method.release(people, seed=1)
    rows, after = by_person(people), by_person(release.data, release.pairing)
    names = people.records.columns
    assert set(after) == set(rows)
    for who, row in rows.items():
        for name, before, made in zip(names, row, after[who], strict=True):
            up = name in (columns or carried)
            assert made == (NAMED[name][str(before)][min(level, 2) - 1] if up else before)
    assert set(release.data.hierarchies) <= set(columns or carried)


@each(ATTACKS)
@drawn({"table": TABLE, "seed": 1}, table=people_rows, seed=st.integers(0, 9))
def test_a_copy_with_unique_rows_gives_everybody_away(entry, table, seed):
    people = microdata_of(told_apart(table))
    release = kb.methods.PseudonymizeMicrodata().release(people, seed=seed)
    if "finds-copies" in entry.obeys:
        for reading in ("nearest", "assignment"):
            guess = entry.what(reading=reading).guess(people, release.data, seed=seed)
            assert rate(release, guess) == 1
            assert (guess.abstained, guess.tied) == (0, 0)


@each(SEEING)
@drawn({"table": TABLE}, table=people_rows)
def test_twins_cannot_be_told_apart(entry, table):
    people = microdata_of([*told_apart(table), *told_apart(table)])
    release = kb.methods.PseudonymizeMicrodata().release(people, seed=1)
    assert rate(release, entry.what().guess(people, release.data, seed=2)) <= 0.5 + 1e-12


@each(SEEING)
@drawn({"table": TABLE, "order": Random(1)}, table=people_rows, order=st.randoms(use_true_random=False))
def test_the_order_of_rows_on_either_side_changes_no_rate(entry, table, order):
    people = microdata_of(table)
    release = kb.methods.Chain(
        methods=(kb.methods.NoiseMicrodata(scale=0.5), kb.methods.DeleteMicrodata(share=0.2))
    ).release(people, seed=1)
    before = rate(release, entry.what().guess(people, release.data, seed=1))
    after = entry.what().guess(shuffled(people, order), shuffled(release.data, order), seed=5)
    assert rate(release, after) == pytest.approx(before)


@each(BLIND)
@drawn({"table": TABLE, "other": OTHER}, table=people_rows, other=people_rows)
def test_nothing_but_names_and_order_is_read(entry, table, other):
    alike = microdata_of([(20, "a", 0, 0)] * len(table))
    for by in ("names", "rows"):
        guess = entry.what(by=by).guess(microdata_of(table), microdata_of(other), seed=1)
        assert guess == entry.what(by=by).guess(alike, microdata_of(other), seed=2)
        assert (guess.abstained, guess.tied) == (0, 0)


@each(ATTACKS)
@drawn(
    {"table": TABLE, "other": OTHER, "seed": 1},
    table=people_rows, other=people_rows, seed=st.integers(0, 9),
)  # fmt: skip
def test_an_assignment_names_nobody_twice(entry, table, other, seed):
    guess = entry.what(reading="assignment").guess(microdata_of(table), microdata_of(other), seed=seed)
    named = guess.original.drop_nulls()
    assert named.n_unique() == len(named)
    assert set(named) <= set(microdata_of(table).ids)


@each(ATTACKS)
@drawn(
    {"table": TABLE, "other": OTHER, "seed": 1},
    table=people_rows, other=people_rows, seed=st.integers(0, 9),
)  # fmt: skip
def test_the_drawn_answer_is_one_of_the_ties_and_a_seed_repeats_it(entry, table, other, seed):
    known, released = microdata_of(table), microdata_of(other)
    guess = entry.what().guess(known, released, seed=seed)
    assert guess == entry.what().guess(known, released, seed=seed)
    told = [(who, whom) for who, whom in guess.to_dict().items() if whom is not None]
    for who, whom in told:  # the answer given has a chance above zero
        rest = [name for name in known.ids if name != whom] + [f"x{i}" for i in range(len(released))]
        secret = kb.Pairing.of({name: whom if name == who else rest.pop() for name in released.ids})
        chance = dict(guess.expected(secret).iter_rows())[who]
        assert 0 < chance <= 1 + 1e-12


@each([entry for entry in MEASURES if "best-on-copy" in entry.obeys])
@drawn({"table": TABLE, "seed": 1}, table=people_rows, seed=st.integers(0, 9))
def test_a_copy_has_the_best_value(entry, table, seed):
    people = microdata_of(table)
    release = kb.methods.PseudonymizeMicrodata().release(people, seed=seed)
    assert entry.what().of(people, release.data, release.pairing).value == 0


@each(MEASURES)
@drawn({"table": TABLE, "order": Random(1)}, table=people_rows, order=st.randoms(use_true_random=False))
def test_order_changes_no_measure(entry, table, order):
    people = microdata_of(table)
    release = kb.methods.NoiseMicrodata(scale=0.5).release(people, seed=1)
    before = entry.what().of(people, release.data, release.pairing).value
    after = entry.what().of(shuffled(people, order), shuffled(release.data, order), release.pairing).value
    assert after == pytest.approx(before, abs=1e-12)


@pytest.fixture(scope="module", params=METHODS, ids=lambda method: method.name)
def released(request):
    """Households and their release by every method in turn: made once, for all measures."""
    people = kb.demo.households(60, seed=1)
    return people, request.param.what(**request.param.example).release(people, seed=1)


@each(MEASURES)
def test_every_measure_works_on_every_method(entry, released):
    people, release = released
    found = entry.what().of(people, release.data, release.pairing)
    assert math.isfinite(found.value)
    assert found.value >= 0
    assert found.unit != "share" or found.value <= 1 or entry.name == "u5-loss"


@drawn({"table": TABLE}, table=people_rows)
def test_the_cheat_changes_nothing_that_can_be_seen(table):
    people = microdata_of(told_apart([*table, *table]))
    release = kb.cheats.CheatMicrodata().release(people, seed=1)
    assert release.data.records.equals(people.records.sort(people.records.columns))
    for name in ("MeanError", "CrossMean", "CrossCount", "CorrelationError"):
        assert getattr(kb.measures, name)().of(people, release.data).value == 0
    moved = sum(rows != back for rows, back in zip(*sorted_rows(people, release), strict=True))
    lost = kb.measures.InformationLoss().of(people, release.data, release.pairing).value
    assert (lost > 0) == (moved > 0)


def sorted_rows(people, release):
    rows, after = by_person(people), by_person(release.data, release.pairing)
    return [rows[who] for who in rows], [after[who] for who in rows]


def assert_defined(entry, people):
    """Whatever it is, it answers: a release of somebody, a rate, a finite number."""
    release = kb.methods.PseudonymizeMicrodata().release(people, seed=1)
    if entry.family == "method":
        assert len(made(entry, people).release(people, seed=1).data) >= 1
    elif entry.family == "attack":
        found = rate(release, entry.what().guess(people, release.data, seed=1))
        assert found <= 1
        assert found > 0 or entry in BLIND
    else:
        assert math.isfinite(entry.what().of(people, release.data, release.pairing).value)


@pytest.mark.parametrize("entry", [*ATTACKS, *METHODS, *MEASURES], ids=lambda e: f"{e.family}-{e.name}")
def test_one_row_equal_rows_and_constant_columns_have_a_defined_answer(entry):
    for table in ([(20, "a", 1, 2)], [(20, "a", 1, 2)] * 5, [(20, "a", 0, i) for i in range(5)]):
        assert_defined(entry, microdata_of(table))


@pytest.mark.parametrize("entry", [*ATTACKS, *METHODS, *MEASURES], ids=lambda e: f"{e.family}-{e.name}")
def test_huge_numbers_have_a_defined_answer(entry):
    assert_defined(entry, microdata_of([(20 + i % 2, "a", 1e299 * i, 1e-300) for i in range(6)]))


@pytest.mark.parametrize("entry", [*ATTACKS, *METHODS, *MEASURES], ids=lambda e: f"{e.family}-{e.name}")
def test_unknown_columns_are_one_clear_error(entry):
    people = microdata_of([(20, "a", 1, 2), (21, "b", 3, 4)])
    fields = entry.what.model_fields
    for name in {"q", "s", "by", "within"} & {n for n in fields if fields[n].annotation == tuple[str, ...]}:
        asked = entry.what(**{**entry.example, name: ("height",)})
        with pytest.raises(kb.InputError) as error:
            run(entry.family, asked, people)
        assert error.value.code == "column-missing"
    with pytest.raises(kb.ParameterError):
        entry.what(**{**entry.example, "colour": "red"})


def run(family, asked, people):
    if family == "method":
        return asked.release(people, seed=1)
    if family == "attack":
        return asked.guess(people, people, seed=1)
    return asked.of(people, people, kb.Pairing(people.ids, people.ids))


@pytest.mark.parametrize("entry", [*ATTACKS, *MEASURES], ids=lambda e: f"{e.family}-{e.name}")
def test_a_release_without_the_columns_is_refused(entry):
    people = microdata_of([(20, "a", 1, 2), (21, "b", 3, 4)])
    for qi, sa in ((QI[:1], SA), (QI, SA[1:])):
        less = kb.Microdata.from_frame(people.records, qi=qi, sa=sa)
        asked = entry.what()
        if entry.family == "attack" and not uses(entry, qi, sa):
            continue
        with pytest.raises(kb.InputError):
            asked.guess(people, less) if entry.family == "attack" else asked.of(
                people, less, kb.Pairing(people.ids, people.ids)
            )


def uses(entry, qi, sa):
    """Whether the attack compares a column that this release lacks."""
    return (len(qi) < 2 and "q" in entry.what.model_fields) or (
        len(sa) < 2 and "s" in entry.what.model_fields
    )


@pytest.mark.parametrize("value", [float("nan"), float("inf"), None])
def test_missing_and_infinite_values_never_get_past_the_door(value):
    with pytest.raises(kb.InputError):
        microdata_of([(20, "a", 1.0, 2.0), (21, "b", value, 4.0)])


@pytest.mark.parametrize("name", ["k-anonymize", "microaggregate"])
def test_a_k_over_the_rows_is_refused(name):
    (entry,) = [entry for entry in METHODS if entry.name == name]
    people = microdata_of([(20, "a", 1, 2), (21, "b", 3, 4)])
    assert len(entry.what(k=2).release(people, seed=1).data) == 2
    with pytest.raises(kb.ParameterError):
        entry.what(k=3).release(people)
    with pytest.raises(kb.ParameterError):
        entry.what(k=0)


INSIDE = ["group", "size", "len", "value", "person", "id", "count", "released", "original"]


def answers(data):
    """Return what everything says of a table, by whom, without the names of its columns."""
    shown, copy = kb.profile(data), kb.methods.PseudonymizeMicrodata().release(data, seed=1)
    typical = kb.methods.KAnonymize(k=2, write="typical")
    return {
        "profile": replace(shown, diversity=()),
        "diversity": [replace(row, attribute="") for row in shown.diversity],
        **{e.name: rate(copy, e.what().guess(data, copy.data, seed=1)) for e in ATTACKS},
        **{e.name: e.what().of(data, copy.data, copy.pairing).value for e in MEASURES},
        **{e.name: e.what(**e.example).release(data, seed=1).data.records.rows() for e in METHODS},
        "typical": typical.release(data, seed=1).data.records.rows(),
    }


@pytest.fixture(scope="module")
def plain():
    data = microdata_of([(20, "a", 1, 2), (20, "a", 2, 2), (21, "b", 3, 4), (21, "b", 5, 4)])
    return data, answers(data)


@pytest.mark.parametrize("name", INSIDE)
@pytest.mark.parametrize("role", ["age", "income"])
def test_a_column_may_have_any_name(name, role, plain):
    """Names that the program uses inside must not clash with a user's columns."""
    data, wanted = plain
    as_role = {"qi": [name if q == role else q for q in QI], "sa": [name if s == role else s for s in SA]}
    found = answers(kb.Microdata.from_frame(data.records.rename({role: name}), **as_role))
    assert len(found) == len(ATTACKS) + len(MEASURES) + len(METHODS) + 3
    for by, said in found.items():
        assert said == wanted[by], by
