"""Generalize: goods become kinds of goods, along a tree that can be looked at and used again."""

import datetime as dt
from dataclasses import replace

import polars as pl
import pytest

import kakurenbo as kb
from kakurenbo.chance import Chance
from kakurenbo.data.blocks import InMemory
from kakurenbo.deidentify.purchases.kinds import Kinds
from kakurenbo.deidentify.purchases.taxonomy import Shopping, learnt
from kakurenbo.files.hierarchy import read_hierarchy, write_hierarchy
from shops import light_shop

WHO = {"customer": "who", "goods": "what"}
TABLE = pl.DataFrame(
    {
        "what": ["apple", "pear", "nail", "screw"],
        "kind": ["fruit", "fruit", "iron", "iron"],
        "hall": ["north", "north", "south", "south"],
    }
)


def fruit_and_iron(**more):
    bought = [("a", "apple"), ("b", "pear"), ("c", "nail"), ("d", "screw"), ("a", "nail")]
    frame = pl.DataFrame(bought, schema=["who", "what"], orient="row")
    return kb.Purchases.from_frame(frame, **WHO, goods_table=TABLE, **more)


def shopping(data):
    return Shopping.of(InMemory(data, 1), Chance(1))


def words(method, data):
    changed = method.change(data, Chance(1)).data
    return sorted(changed.under(None).select("customer", "goods").rows()), changed


def test_columns_of_the_goods_table_are_levels():
    shop = fruit_and_iron()
    by = {"columns": ("kind", "hall")}
    fine, changed = words(kb.methods.Generalize(level=1, **by), shop)
    assert fine == [("a", "fruit"), ("a", "iron"), ("b", "fruit"), ("c", "iron"), ("d", "iron")]
    mapped = changed.hierarchies["goods"].up_to(changed.goods)
    assert mapped["word"].to_list() == ["fruit", "iron", "fruit", "iron"]
    coarse, _ = words(kb.methods.Generalize(level=2, **by), shop)
    assert {word for _, word in coarse} == {"north", "south"}


def test_first_characters_are_counted_from_the_first():
    fine, _ = words(kb.methods.Generalize(level=2, by="characters"), fruit_and_iron())
    assert fine == [("a", "ap*"), ("a", "na*"), ("b", "pe*"), ("c", "na*"), ("d", "sc*")]


def told(shop, path):
    return replace(shop, hierarchies={"goods": read_hierarchy(path)})


def test_a_tree_is_written_edited_and_used_again(tmp_path):
    shop = light_shop(60, 1)
    method = kb.methods.Generalize(crowd=20)
    tree = method.tree(shop, Chance(1))
    write_hierarchy(tree, tmp_path / "tree.csv", column="goods")
    again = kb.methods.Generalize(crowd=20)
    assert words(again, told(shop, tmp_path / "tree.csv"))[0] == words(method, shop)[0]
    text = (tmp_path / "tree.csv").read_text().replace("all goods", "whatever")
    (tmp_path / "edited.csv").write_text(text)
    coarsest = kb.methods.Generalize(level=len(tree.levels))
    edited = told(shop, tmp_path / "edited.csv")
    assert {word for _, word in words(coarsest, edited)[0]} == {"whatever"}


def test_the_best_seeker_with_one_record_finds_one_in_a_crowd():
    """V in plain Python: for each word and month the greatest share of anybody's records."""
    shop = light_shop(200, 2)
    months = kb.methods.Coarsen(times="month").change(shop, Chance(1)).data
    for crowd in (5, 15):
        changed = kb.methods.Generalize(crowd=crowd).change(months, Chance(1))
        table = changed.data.under(None)
        each = dict(table.group_by("customer").len().iter_rows())
        greatest = {}
        for who, word, when, count in table.group_by("customer", "goods", "time").len().iter_rows():
            greatest[word, when] = max(greatest.get((word, when), 0), count / each[who])
        assert 0.6 / crowd < sum(greatest.values()) / 200 <= 1 / crowd + 1e-12
        assert changed.facts.extras["categories"] == len(changed.data.goods)
        assert changed.facts.altered == len(shop) - changed.facts.extras["own_goods"]


def test_nodes_are_named_by_their_words_else_by_their_best_seller():
    kinds = [("red cup", 0), ("blue cup", 0), ("iron nail", 1), ("iron screw", 1)]
    bought = [
        (f"p{who}", f"g{good}")
        for who in range(12)
        for good, (_, side) in enumerate(kinds)
        if who % 2 == side
    ]
    frame = pl.DataFrame([*bought, ("p0", "g0"), ("p1", "g2")], schema=["who", "what"], orient="row")
    said = pl.DataFrame({"what": [f"g{good}" for good in range(4)], "text": [text for text, _ in kinds]})
    told = kb.Purchases.from_frame(frame, **WHO, goods_table=said)
    plain = kb.Purchases.from_frame(frame, **WHO)
    stream = Chance(1).stream("tree")
    assert set(learnt(shopping(told), stream).frame["level 1"]) == {
        "cup blue red (2 goods)",
        "iron nail screw (2 goods)",
    }
    assert set(learnt(shopping(plain), stream).frame["level 1"]) == {"g0 and 1 like it", "g2 and 1 like it"}


def test_every_name_of_a_learnt_tree_stands_for_one_set_of_goods():
    shop = light_shop(60, 1)
    tree = learnt(shopping(shop), Chance(1).stream("tree"))
    sets = {}
    for level in tree.levels:
        for word, goods in tree.frame.group_by(level).agg(pl.col("value").sort()).iter_rows():
            assert sets.setdefault(word, goods) == goods
    assert Kinds.of(tree).forest.goods == len(shop.goods)


def test_what_was_generalised_twice_is_still_understood():
    shop = fruit_and_iron()
    once = kb.methods.Generalize(level=1, columns=("kind",))
    twice = kb.methods.Chain(methods=(once, kb.methods.Generalize(level=1, by="characters")))
    changed = twice.change(shop, Chance(1)).data
    mapped = changed.hierarchies["goods"].up_to(changed.goods)
    assert mapped.rows() == [("apple", "f*"), ("nail", "i*"), ("pear", "f*"), ("screw", "i*")]


def test_what_stands_in_words_of_its_hierarchy_already_can_be_generalised_again():
    once = kb.methods.Generalize(level=1, columns=("kind",))
    twice = kb.methods.Chain(methods=(once, kb.methods.Generalize(level=1)))
    changed = twice.change(fruit_and_iron(), Chance(1)).data
    assert (
        set(changed.hierarchies["goods"].up_to(changed.goods)["word"]) == set(changed.goods) == {"all goods"}
    )


def test_a_time_for_every_record_leaves_one_word():
    shop = light_shop(60, 1)
    moments = [dt.datetime(2024, 1, 1) + dt.timedelta(minutes=place) for place in range(len(shop))]
    alone = shop.with_records(shop.under(None).with_columns(time=pl.Series(moments)), master=shop.master)
    assert kb.methods.Generalize(crowd=30).change(alone, Chance(1)).facts.extras["categories"] == 1


@pytest.mark.parametrize(
    "wrong", [{}, {"crowd": 2, "level": 1}, {"crowd": 2, "columns": ("a",), "file": "b"}]
)
def test_two_cuts_or_none_or_two_trees_are_refused(wrong):
    with pytest.raises(kb.ParameterError):
        kb.methods.Generalize(**wrong)


def tree_of(rows):
    return pl.DataFrame(rows, schema=["value", "level 1", "level 2"], orient="row")


@pytest.mark.parametrize(
    ("rows", "code"),
    [
        ([("apple", "fruit", "all")], "unknown-id"),
        (
            [("apple", "fruit", "x"), ("pear", "x", "fruit"), ("nail", "n", "n"), ("screw", "n", "n")],
            "hierarchy",
        ),
        ([("apple", "nail", "x"), ("pear", "x", "x"), ("nail", "n", "n"), ("screw", "n", "n")], "hierarchy"),
    ],
)
def test_trees_that_do_not_serve_are_refused(rows, code, tmp_path):
    tree_of(rows).write_csv(tmp_path / "tree.csv")
    with pytest.raises(kb.KakurenboError) as refused:
        kb.methods.Generalize(crowd=2).release(told(fruit_and_iron(), tmp_path / "tree.csv"))
    assert refused.value.code == code


@pytest.mark.parametrize(
    "wrong", [{"level": 3, "columns": ("kind", "hall")}, {"level": 1, "columns": ("shelf",)}]
)
def test_levels_and_columns_that_are_not_there_are_refused(wrong):
    with pytest.raises(kb.KakurenboError):
        kb.methods.Generalize(**wrong).release(fruit_and_iron())
