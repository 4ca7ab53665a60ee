"""Hierarchies: coarser names of values, in memory, in files, and in a release that carries one."""

from dataclasses import replace

import polars as pl
import pytest

import kakurenbo as kb
from kakurenbo.data.hierarchy import Hierarchy
from kakurenbo.data.pairing import Pairing
from kakurenbo.data.release import Release
from kakurenbo.files.hierarchy import read_hierarchy, write_hierarchy
from kakurenbo.files.release_folder import write_release
from kakurenbo.files.unseen import unseen
from kakurenbo.mappings import common_vocabulary

COUNTRIES = Hierarchy.of({
    "Norway": ("North", "Europe"), "Sweden": ("North", "Europe"), "Spain": ("South", "Europe"),
    "Chile": ("America", "America"),
})  # fmt: skip
KINDS = {"a": "tools", "b": "toys"}


def test_the_finest_name_that_is_shown_stands_for_a_value():
    shown = COUNTRIES.up_to(["Spain", "North", "Europe"])
    assert dict(shown.iter_rows()) == {"Norway": "North", "Sweden": "North", "Spain": "Spain", "Chile": None}


def test_every_word_stands_for_the_values_below_it():
    below = COUNTRIES.below.group_by("word").agg("value").sort("word")
    assert dict(zip(below["word"], below["value"].list.sort().to_list(), strict=True)) == {
        "America": ["Chile"], "Chile": ["Chile"], "Europe": ["Norway", "Spain", "Sweden"],
        "North": ["Norway", "Sweden"], "Norway": ["Norway"], "South": ["Spain"], "Spain": ["Spain"],
        "Sweden": ["Sweden"],
    }  # fmt: skip


def test_an_empty_cell_is_as_the_level_before():
    tree = Hierarchy(pl.DataFrame({"value": ["a", "b"], "level 1": ["x", None], "level 2": [None, "y"]}))
    assert tree.frame.rows() == [("a", "x", "x"), ("b", "b", "y")]


@pytest.mark.parametrize(
    "table",
    [
        {"value": ["a"]},
        {"value": ["a", "a"], "level 1": ["x", "y"]},
        {"value": ["a", None], "level 1": ["x", "y"]},
        {"value": ["a", "b"], "level 1": ["x", "x"], "level 2": ["y", "z"]},
    ],
)
def test_what_is_no_tree_is_refused(table):
    with pytest.raises(kb.InputError) as refused:
        Hierarchy(pl.DataFrame(table))
    assert refused.value.code == "hierarchy"


def test_a_hierarchy_is_read_as_it_was_written_and_as_people_edit_it(tmp_path):
    write_hierarchy(COUNTRIES, tmp_path / "tree.csv", column="country")
    assert read_hierarchy(tmp_path / "tree.csv").frame.equals(COUNTRIES.frame)
    (tmp_path / "edited.csv").write_text("country,region,continent\nNorway,North,Europe\nChile,,America\n")
    assert read_hierarchy(tmp_path / "edited.csv").frame.rows() == [
        ("Chile", "Chile", "America"),
        ("Norway", "North", "Europe"),
    ]


@pytest.fixture
def shop():
    rows = [(f"c{who}", f"{kind}{good}") for who in range(6) for kind in "ab" for good in range(1 + who % 3)]
    return kb.Purchases.from_frame(
        pl.DataFrame(rows, schema=["customer", "goods"], orient="row"), customer="customer", goods="goods"
    )


def generalised(shop, word):
    """Release the shop with its goods in other words, by hand."""
    tree = Hierarchy.of({good: word(good) for good in shop.goods})
    records = shop.under(None).with_columns(
        pl.col("goods").replace_strict(tree.frame["value"], tree.frame["level 1"])
    )
    names = {person: f"p{person[1:]}" for person in shop.customers}
    records = records.with_columns(pl.col("customer").replace_strict(names))
    data = replace(shop.with_records(records), hierarchies={"goods": tree})
    return Release(data, Pairing.of({new: old for old, new in names.items()}))


def test_what_is_known_is_mapped_up_by_the_tree_of_a_release(shop):
    release = generalised(shop, lambda good: KINDS[good[0]])
    spoken = common_vocabulary(shop, release.data)
    assert spoken.original.goods.to_list() == ["tools", "toys"]
    assert spoken.inferred == ("goods generalised to 2 words",)


def test_a_tree_that_explains_nothing_is_not_believed(shop):
    lie = Hierarchy.of(dict.fromkeys(shop.goods, "a0"))
    assert common_vocabulary(shop, replace(shop, hierarchies={"goods": lie})).original is shop


def test_a_release_carries_its_tree_through_its_folder(shop, tmp_path):
    release = generalised(shop, lambda good: KINDS[good[0]])
    write_release(release, tmp_path / "out", secret=tmp_path / "secret.csv")
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "goods.csv", "release.json", "transactions.csv",
    ]  # fmt: skip
    read = kb.read_purchases(tmp_path / "out", customer="customer", goods="goods")
    assert read.hierarchies["goods"].frame.equals(release.data.hierarchies["goods"].frame)
    assert not unseen(read, shop).files
    assert common_vocabulary(shop, read).original.goods.to_list() == ["tools", "toys"]


def test_people_among_the_words_of_a_tree_are_told(shop):
    release = generalised(shop, lambda good: f"c{good[1]}")
    assert [file.what for file in unseen(release.data, shop).files] == ["holds 3 of the ids of people"]


def test_what_is_said_of_goods_is_read_and_never_released(tmp_path):
    (tmp_path / "t.csv").write_text(
        "who,what,name\na,1,red cup\na,1,red cup\nb,1,cup?\nb,2,blue cup\nc,3,\n", encoding="utf-8"
    )
    shop = kb.read_purchases(tmp_path / "t.csv", customer="who", goods="what", goods_columns=("name",))
    assert shop.goods_table.rows() == [("1", "red cup"), ("2", "blue cup"), ("3", None)]
    assert shop.source.unread == ()
    assert kb.methods.Pseudonymize().release(shop, seed=1).data.goods_table is None


def test_a_table_of_goods_beside_the_transactions_is_read(tmp_path):
    (tmp_path / "transactions.csv").write_text("who,what\na,1\nb,2\n", encoding="utf-8")
    (tmp_path / "goods.csv").write_text("what,kind\n2,cups\n1,plates\n", encoding="utf-8")
    shop = kb.read_purchases(tmp_path, customer="who", goods="what")
    assert shop.goods_table.rows() == [("1", "plates"), ("2", "cups")]


def test_every_method_hands_on_the_tree_of_words_that_are_shown(shop):
    words = generalised(shop, lambda good: KINDS[good[0]]).data
    assert list(kb.methods.Pseudonymize().release(words, seed=1).data.hierarchies) == ["goods"]
    idle = replace(shop, hierarchies=words.hierarchies)
    assert not kb.methods.Pseudonymize().release(idle, seed=1).data.hierarchies
