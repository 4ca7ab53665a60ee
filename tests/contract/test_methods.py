"""What every method obeys, over the catalogue: registering a method tests it, with each of its choices."""

from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import combinations
from math import sqrt
from random import Random
from typing import Literal, get_args, get_origin

import polars as pl
import pytest
from hypothesis import assume
from hypothesis import strategies as st

import kakurenbo as kb
from campaign import one_in
from drawn import drawn
from kakurenbo.catalogue import PROMISES, entries
from kakurenbo.chance import Chance
from kakurenbo.data.hierarchy import Hierarchy
from shops import light_shop
from strategies import TABLE, purchases_of, rows

VALUES = ["goods", "time", "price", "quantity"]


def with_choices(listed):
    """The entries, and one more for every other choice of a parameter, with the last method to share it."""
    choices = {}
    for entry in listed:
        for name, field in entry.what.model_fields.items():
            chosen = entry.example.get(name, field.default)
            home = next(one for one in entry.what.__mro__ if name in one.__annotations__)
            for other in get_args(field.annotation) if get_origin(field.annotation) is Literal else ():
                if other != chosen:
                    example = {**entry.example, name: other}
                    choices[home, other] = replace(entry, name=f"{entry.name}-{other}", example=example)
    return [*listed, *choices.values()]


METHODS = with_choices(entries("method", "purchases"))


def made(entry):
    return entry.what(**entry.example)


def each(selected):
    return pytest.mark.parametrize("entry", selected, ids=lambda entry: entry.name)


def promising(*promises):
    return each([entry for entry in METHODS if entry.obeys & set(promises)])


def histories(data):
    """What everybody has: his goods, with the time where there is one."""
    held = {}
    shown = [name for name in ("goods", "time") if name in data.roles]
    for who, *trace in data.under(None).select("customer", *shown).iter_rows():
        held.setdefault(who, set()).add(tuple(trace))
    return list(held.values())


def original_rows(release):
    """The released records under the original ids, as plain tuples."""
    back = release.pairing.to_dict()
    data = release.data.records.with_columns(pl.col("customer", "goods").cast(pl.String))
    return [(back[row["customer"]], *(row[name] for name in VALUES)) for row in data.iter_rows(named=True)]


def test_promises_are_declared_and_kept_by_someone():
    made = {promise for entry in kb.CATALOGUE for promise in entry.obeys}
    assert made == set(PROMISES)


@each(METHODS)
@drawn({"table": TABLE, "seed": 1}, table=rows, seed=st.integers(0, 99))
def test_a_release_names_people_anew_shows_no_receipt_or_order_and_leaves_the_input_alone(entry, table, seed):
    shop = purchases_of(table)
    before = shop.records.clone()
    release = made(entry).release(shop, seed=seed)
    data, pairing = release.data, release.pairing
    assert shop.records.equals(before)
    assert pairing.is_bijection or ("rotates" in entry.obeys and not pairing.abstained)
    assert set(pairing.original) <= set(shop.customers)
    assert pairing.released.equals(data.customers.sort())
    assert not set(data.customers) & set(shop.customers)
    assert not set(data.records["receipt"]) & set(shop.records["receipt"])
    plain = data.records.with_columns(pl.col(pl.Enum).cast(pl.String))
    assert plain.equals(plain.sort(plain.columns)), "rows are sorted by their own content"


@each(METHODS)
@drawn(
    {"table": TABLE, "seed": 1, "order": Random(1)},
    table=rows,
    seed=st.integers(0, 99),
    order=st.randoms(use_true_random=False),
)
def test_the_order_of_the_input_changes_nothing(entry, table, seed, order):
    shuffled = list(table)
    order.shuffle(shuffled)
    one = made(entry).release(purchases_of(table), seed=seed)
    two = made(entry).release(purchases_of(shuffled), seed=seed)
    assert one.data.records.equals(two.data.records)
    assert one.pairing == two.pairing


@each(METHODS)
def test_a_seed_repeats_byte_for_byte_and_without_one_nothing_repeats(entry, small, tmp_path):
    written = []
    for i, seed in enumerate((5, 5, 6, None, None)):
        kb.write_release(
            made(entry).release(small, seed=seed), tmp_path / str(i), secret=tmp_path / f"{i}.csv"
        )
        written.append(
            (tmp_path / str(i) / "transactions.csv").read_bytes() + (tmp_path / f"{i}.csv").read_bytes()
        )
    assert written[0] == written[1]
    assert len(set(written[1:])) == 4


@promising("keeps-records")
@drawn({"table": TABLE}, table=rows)
def test_no_record_is_added_deleted_or_altered(entry, table):
    shop = purchases_of(table)
    plain = shop.records.with_columns(pl.col("customer", "goods").cast(pl.String))
    expected = Counter(plain.select("customer", *VALUES).iter_rows())
    assert Counter(original_rows(made(entry).release(shop, seed=1))) == expected


@each([entry for entry in METHODS if entry.what.keeps])
@drawn({"table": TABLE}, table=rows)
def test_who_says_that_records_stay_leaves_each_its_owner_and_good(entry, table):
    """Beyond memory this is taken on trust, and a pass over the table is saved."""
    data = purchases_of(table)
    changed = made(entry).change(data, Chance(1)).data
    pairs = [one.under(None).select("customer", "goods").rows() for one in (data, changed)]
    assert Counter(pairs[0]) == Counter(pairs[1])


def period(by, time, receipt):
    """What a name stands for, told plainly."""
    year, week, _ = time.isocalendar()
    return {
        "receipt": receipt, "week": (year, week), "month": (time.year, time.month),
        "quarter": (time.year, (time.month - 1) // 3), "year": time.year,
    }[by]  # fmt: skip


@promising("rotates")
@drawn({"table": TABLE}, table=rows)
def test_a_name_stands_for_a_person_and_period_and_there_is_none_beside_it(entry, table):
    shop = purchases_of(table)
    release = made(entry).release(shop, seed=1)
    by, back = entry.example["by"], release.pairing.to_dict()

    def histories(data, whose):
        held = {}
        for row in data.under(None).iter_rows(named=True):
            stands_for = period(by, row["time"], row["receipt"])
            held.setdefault(whose(row["customer"], stands_for), []).append([row[name] for name in VALUES])
        return {who: sorted(history) for who, history in held.items()}

    under_names = histories(release.data, lambda name, _: name)
    parts = histories(shop, lambda who, stands_for: (who, stands_for))
    assert sorted((back[name], history) for name, history in under_names.items()) == sorted(
        (who, history) for (who, _), history in parts.items()
    )


@promising("cheats")
@drawn({"table": TABLE, "seed": 1}, table=rows, seed=st.integers(0, 99))
def test_cheats_release_every_history_whole_and_lie_only_in_the_pairing(entry, table, seed):
    """A pairing that lies cannot be followed back, so histories are compared without their owners."""
    shop = purchases_of(table)
    release = made(entry).release(shop, seed=seed)

    def histories(named_rows):
        held = {}
        for who, *what in named_rows:
            held.setdefault(who, []).append(tuple(what))
        return Counter(tuple(sorted(history)) for history in held.values())

    assert histories(original_rows(release)) == histories(
        shop.under(None).select("customer", *VALUES).iter_rows()
    )
    assert set(release.pairing.original) == set(shop.customers)


@promising("adds-only")
@drawn({"table": TABLE}, table=rows)
def test_additions_only_add(entry, table):
    shop = purchases_of(table)
    before = Counter(shop.under(None).select("customer", *VALUES).iter_rows())
    after = Counter(original_rows(made(entry).release(shop, seed=1)))
    assert before <= after


@promising("deletes-only")
@drawn({"table": TABLE, "share": 0.3}, table=rows, share=st.floats(0, 0.9))
def test_deletions_only_delete(entry, table, share):
    shop = purchases_of(table)
    before = Counter(shop.under(None).select("customer", *VALUES).iter_rows())
    assume(round(share * len(shop)) < len(shop))
    release = entry.what(share=share).release(shop, seed=1)
    assert Counter(original_rows(release)) <= before
    assert len(release.data) == len(shop) - round(share * len(shop))


LANDS = {"no": ("north", "europe"), "se": ("north", "europe"), "dk": ("islands", "europe")}


@each([entry for entry in METHODS if "maps-up" in entry.obeys and "crowd" not in entry.what.model_fields])
@drawn(
    {"table": TABLE, "level": 1, "columns": ()},
    table=rows,
    level=st.integers(1, 3),
    columns=st.sampled_from([(), ("country",)]),
)
def test_masters_are_mapped_up_and_records_stay(entry, table, level, columns):
    shop = replace(purchases_of(table), hierarchies={"country": Hierarchy.of(LANDS)})
    release = entry.what(columns=columns, level=level).release(shop, seed=1)
    back = release.pairing.to_dict()
    told = {back[who]: rest for who, *rest in release.data.master.iter_rows()}
    for who, sex, country in shop.master.iter_rows():
        assert told[who] == [sex, LANDS[country][min(level, 2) - 1]]
    before = Counter(shop.under(None).select("customer", *VALUES).iter_rows())
    assert Counter(original_rows(release)) == before
    assert set(release.data.hierarchies) == {"country"}


@pytest.mark.campaign
@promising("km-anonymous")
@drawn(
    {"table": TABLE, "k": 2, "m": 2, "timed": False},
    table=rows,
    k=st.integers(1, 4),
    m=st.integers(1, 3),
    timed=st.booleans(),
)
def test_every_few_traces_are_those_of_many(entry, table, k, m, timed):
    """Counted by hand: what anybody has k people have, and who shares a trace with k people has something."""
    shop = purchases_of([(who, what, at, day // 30 * 30, *rest) for who, what, at, day, *rest in table])
    shop = shop if timed else kb.methods.Omit(columns=("time",)).change(shop, Chance(1)).data
    before = histories(shop)
    assume(any(sum(trace in held for held in before) >= k for trace in set().union(*before)))
    release = entry.what(**{**entry.example, "k": k, "m": m}).release(shop, seed=1)
    after = histories(release.data)
    for size in range(1, m + 1):
        people = Counter(each for held in after for each in combinations(sorted(held), size))
        assert min(people.values(), default=k) >= k
    assert release.facts.deleted == len(shop) - len(release.data)
    assert release.facts.extras["left_out"] == len(before) - len(after)
    if release.facts.altered == 0:
        same = [name for name in shop.roles if name != "receipt"]
        kept = Counter(release.data.under(release.pairing).select(same).rows())
        assert kept <= Counter(shop.under(None).select(same).rows())


OMITTED = st.sampled_from(["time", "price", "quantity", "receipt", "sex", "country"])


@promising("omits")
@drawn(
    {"table": TABLE, "left": ["price", "sex"]}, table=rows, left=st.lists(OMITTED, min_size=1, unique=True)
)
def test_what_is_not_left_out_stays_as_it_is(entry, table, left):
    shop = purchases_of(table)
    release = entry.what(columns=left).release(shop, seed=1)
    kept = ["customer", "goods", *(role for role in ("time", "price", "quantity") if role not in left)]
    assert set(release.data.records.columns) == {*kept, "receipt"} - set(left)
    there = {column.role for column in release.data.layout.columns}
    assert there == set(release.data.records.columns)
    before = Counter(shop.under(None).select(kept).iter_rows())
    assert Counter(release.data.under(release.pairing).select(kept).iter_rows()) == before
    said = [name for name in ("sex", "country") if name not in left]
    assert (release.data.master is None) == (not said)
    if said:
        back = release.pairing.to_dict()
        rows_of = release.data.master.select("customer", *said).iter_rows()
        told = {back[name]: values for name, *values in rows_of}
        assert told == {who: values for who, *values in shop.master.select("customer", *said).iter_rows()}


@each([entry for entry in METHODS if "maps-up" in entry.obeys and "crowd" in entry.what.model_fields])
@drawn({"table": TABLE, "crowd": 3}, table=rows, crowd=st.integers(1, 8))
def test_every_good_becomes_itself_or_a_kind_of_it_wherever_it_stands(entry, table, crowd):
    shop = purchases_of(table)
    release = entry.what(**{**entry.example, "crowd": crowd}).release(shop, seed=3)
    shown = set(release.data.goods)
    tree = release.data.hierarchies.get("goods")
    names = {row[0]: row for row in tree.frame.iter_rows()} if tree else {good: (good,) for good in shown}
    word = {good: next(name for name in names[good] if name in shown) for good in shop.goods}
    before = shop.under(None).select("customer", *VALUES).iter_rows()
    mapped = Counter((who, word[good], *rest) for who, good, *rest in before)
    assert Counter(original_rows(release)) == mapped


@promising("samples")
@drawn({"table": TABLE, "share": 0.4}, table=rows, share=st.floats(0.01, 1))
def test_whole_people_are_left_out_and_the_others_keep_all_they_have(entry, table, share):
    shop = purchases_of(table)
    release = entry.what(share=share).release(shop, seed=1)
    there = set(release.pairing.original)
    before = Counter(
        row for row in shop.under(None).select("customer", *VALUES).iter_rows() if row[0] in there
    )
    assert Counter(original_rows(release)) == before
    assert len(there) == max(round(share * len(shop.customers)), 1)
    assert release.facts.extras["people_left_out"] == len(shop.customers) - len(there)
    assert release.facts.deleted == len(shop) - before.total()


@promising("equal-sets")
@drawn({"table": TABLE, "sizes": (2, 1)}, table=rows, sizes=st.tuples(st.integers(0, 20), st.integers(0, 20)))
def test_crowds_share_one_set_and_no_dummy_is_foreign_to_its_cluster(entry, table, sizes):
    shop = purchases_of(table)
    people = len(shop.customers)
    parameters = dict(entry.example)
    if "clusters" in entry.what.model_fields:
        parameters["clusters"] = 1 + sizes[0] % people
    if "min_size" in entry.what.model_fields:
        parameters["min_size"] = 1 + sizes[1] % (people // parameters.get("clusters", 1))
    release = entry.what(**parameters).release(shop, seed=3)
    held, before = {}, {}
    for who, what, *_ in original_rows(release):
        held.setdefault(who, set()).add(what)
    for who, what in shop.under(None).select("customer", "goods").iter_rows():
        before.setdefault(who, []).append(what)
    assert set(held) == set(before)
    crowds = {}
    for who, goods in held.items():
        crowds.setdefault(frozenset(goods), []).append(who)
    for goods, members in crowds.items():
        bought = frozenset().union(*(before[who] for who in members))
        assert goods == bought if "adds-only" in entry.obeys else goods <= bought
    facts = release.facts
    assert facts.added == sum(len(held[who] - set(before[who])) for who in before)
    assert facts.deleted == sum(what not in held[who] for who in before for what in before[who])
    assert len(release.data) == len(shop) + facts.added - facts.deleted
    assert facts.smallest_group >= parameters.get("min_size", 1)
    if "min-size" in entry.obeys:
        assert min(map(len, crowds.values())) >= parameters["min_size"]


@promising("deals")
@drawn({"table": TABLE, "number": 2}, table=rows, number=st.integers(0, 20))
def test_dealing_keeps_every_record_but_of_who_has_one_and_divides_everybody(entry, table, number):
    """Every record has a price of its own, so whose it was can be told of each."""
    shop = purchases_of([(*row[:4], place, row[5]) for place, row in enumerate(table, start=1)])
    owners = {price: who for who, price in shop.under(None).select("customer", "price").iter_rows()}
    several = {who for who, count in Counter(owners.values()).items() if count > 1}
    size = 1 + number % max(len(several), 1)
    there = several if size > 1 else set(shop.customers)
    release = entry.what(**{**entry.example, "min_size": size}).release(shop, seed=3)
    before = shop.under(None).filter(pl.col("customer").is_in(there)).select(VALUES)
    assert Counter(row[1:] for row in original_rows(release)) == Counter(before.rows())
    assert set(release.pairing.original) == there
    assert release.facts.smallest_group >= size
    said = [sorted(rows_of(data.master, who)) for data, who in ((release.data, None), (shop, there))]
    assert said[0] == said[1]
    hands = {}
    for name, price in release.data.under(None).select("customer", "price").iter_rows():
        hands.setdefault(owners[price], set()).add(name)
    assert size == 1 or min(map(len, hands.values())) > 1
    counted = release.facts.extras["left_out"], release.facts.extras["undivided"], release.facts.deleted
    assert counted == (len(set(shop.customers) - there), 0, len(shop) - len(before))


def rows_of(master, people):
    mine = master if people is None else master.filter(pl.col("customer").is_in(people))
    return mine.select("sex", "country").rows()


@cache
def dealt(method, people, seed):
    """Return a release of a shop, dealt once for all who attack it."""
    return method.release(light_shop(people, seed=1), seed=seed)


ALL_KNOWING = [
    kb.attacks.RowsAttack(votes="contained"),
    kb.JaccardAttack(reading="assignment"),
    kb.attacks.MultisetAttack(),
]


@promising("deals")
@pytest.mark.usefixtures("words_once")
@pytest.mark.parametrize("attack", one_in(3, ALL_KNOWING), ids=lambda attack: type(attack).__name__)
def test_who_knows_everything_finds_one_in_a_group_of_those_dealt(entry, attack):
    """Hits in a group of s are matches with a random permutation: mean 1 and variance 1 at most.

    So the mean of the rate over N seeds is at most 1/s, and its standard deviation sqrt(clusters / N) / n.
    """
    people, size, seeds = 48, 6, 30
    shop = light_shop(people, seed=1)
    control = kb.methods.Pseudonymize().release(shop, seed=1)
    assert kb.reidentification(control.pairing, attack.guess(shop, control.data, seed=1)).rate.value > 0.95
    method = entry.what(**{**entry.example, "min_size": size, "effort": 50})
    found = []
    for seed in range(seeds):
        release = dealt(method, people, seed)
        guess = attack.guess(shop, release.data, seed=seed)
        found.append(kb.reidentification(release.pairing, guess).rate.value)
    spread = sqrt(people // size / seeds) / people
    assert sum(found) / seeds == pytest.approx(1 / size, abs=4 * spread)


CROWDED = [
    {"clusters": 8},
    {"clusters": 3, "min_size": 3},
    {"clusters": 8, "min_size": 1},
    {"min_size": 8},
    {"clusters": 0},
    {"min_size": 0},
    {"clusters": 2, "min_size": -1},
]


@promising("equal-sets", "deals")
def test_impossible_parameters_are_refused_before_any_work(entry, monkeypatch):
    shop = purchases_of([(who, who, 0, 0, 100, 1) for who in range(7)])
    monkeypatch.setattr(kb.Purchases, "baskets", None)  # any work would start here
    tried = 0
    for wrong in CROWDED:
        if set(wrong) <= set(entry.what.model_fields):
            with pytest.raises(kb.ParameterError):
                entry.what(**{**entry.example, **wrong}).release(shop)
            tried += 1
    assert tried
