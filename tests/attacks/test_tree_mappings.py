"""Columns in the words of a hierarchy: Norway in one row, Europe in another, and who lies inside."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

import kakurenbo as kb
from kakurenbo.attacks.microdata.coarser import coarser, written_alike
from kakurenbo.auditing.vocabulary import vocabulary
from kakurenbo.data.generalised.cells import Cells
from kakurenbo.data.generalised.forms import Known, read
from kakurenbo.data.hierarchy import Hierarchy, known_trees
from kakurenbo.mappings import common_vocabulary
from kakurenbo.mappings.columns import written_by_tree
from shops import light_shop

NAMES = {
    "Norway": ("Scandinavia", "Europe"), "Sweden": ("Scandinavia", "Europe"),
    "France": ("West", "Europe"), "Spain": ("West", "Europe"),
    "Japan": ("East", "Asia"), "Korea": ("East", "Asia"), "India": ("South", "Asia"),
}  # fmt: skip
TREE = Hierarchy.of(NAMES)
SORTED = tuple(sorted(NAMES))
COUNTRY = pl.col("country")
EVEN = pl.int_range(pl.len()) % 2 == 0


def up(level):
    return COUNTRY.replace_strict({country: words[level] for country, words in NAMES.items()})


WAYS = {
    "regions": up(0),
    "continents": up(1),
    "mixed": pl.when(EVEN).then(COUNTRY).otherwise(up(1)),
    "three levels": pl.when(EVEN).then(COUNTRY).when(COUNTRY.is_in(["Japan", "France"])).then(up(0))
    .otherwise(up(1)),
}  # fmt: skip


@pytest.fixture(scope="module")
def people():
    rng = np.random.default_rng(2)
    frame = pl.DataFrame({
        "country": rng.choice([*NAMES], 300), "age": rng.integers(20, 60, 300),
        "income": rng.permutation(300).astype(float),
    })  # fmt: skip
    return kb.Microdata.from_frame(frame, qi=["country", "age"], sa=["income"])


def generalised(people, way, *, of="release"):
    """Return the original and the release, one of them with the hierarchy."""
    released = replace(people, records=people.records.with_columns(country=WAYS[way]))
    if of == "release":
        return people, replace(released, hierarchies={"country": TREE})
    return replace(people, hierarchies={"country": TREE}), released


def held(word, known=SORTED):
    return {
        value for value, inside in zip(known, read(word).holds(Known(known, TREE)), strict=True) if inside
    }


def test_a_word_holds_what_stands_under_it():
    assert held("Norway") == {"Norway"}
    assert held("Scandinavia") == {"Norway", "Sweden"}
    assert held("Asia") == {"Japan", "Korea", "India"}
    assert held("{Norway,East}") == {"Norway", "Japan", "Korea"}
    assert held("*") == set(NAMES)
    assert held("Africa") == set()
    assert held("Europe", ("Norway", "Scandinavia", "West")) == {"Norway", "Scandinavia", "West"}
    assert not read("Europe").holds(Known(sorted(NAMES))).any(), "nobody knows without a hierarchy"


def test_a_word_of_several_says_nothing_and_one_of_numbers_says_between_which():
    known, released = (pl.DataFrame({"c": words}) for words in (["India", "Japan"], ["South", "Asia"]))
    cells = Cells.of(known, released, ["c"], {"c": TREE})
    assert cells.low[:, 0].tolist() == [0.0, -np.inf]
    ages = Hierarchy.of({str(age): ("young" if age < 40 else "old",) for age in range(20, 60)})
    known, released = pl.DataFrame({"a": [25, 41]}), pl.DataFrame({"a": ["young", "*"]})
    cells = Cells.of(known, released, ["a"], {"a": ages})
    assert (cells.low[:, 0].tolist(), cells.high[:, 0].tolist()) == ([20.0, -np.inf], [39.0, np.inf])


@pytest.mark.parametrize("of", ["release", "original"])
@pytest.mark.parametrize("way", ["regions", "continents"])
def test_the_original_is_written_in_the_words_of_the_release(people, way, of):
    original, released = generalised(people, way, of=of)
    (column,) = coarser(original, released)
    assert str(column) == f"country generalised to {4 if way == 'regions' else 2} words"
    assert written_alike(original, (column,)).records.equals(released.records)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("knows", ["qi", "all"])
def test_within_finds_what_a_plain_search_finds(people, way, knows):
    """For every released row the originals inside, by plain Python; with amounts everybody is told apart."""
    original, released = generalised(people, way)
    guess = kb.attacks.Within(knows=knows).guess(original, released, seed=1)
    rate = kb.reidentification(kb.Pairing(people.ids, people.ids), guess).rate.value
    if knows == "all":
        assert rate == 1
        return
    shares = []
    for word, age, _ in released.records.iter_rows():
        inside = [
            country == word or word in NAMES[country]
            for country, years, _ in people.records.iter_rows()
            if years == age
        ]
        shares.append(1 / sum(inside))
    assert rate == pytest.approx(np.mean(shares), abs=0.08)


def test_without_the_hierarchy_mixed_words_hold_up_who_compares(people):
    original, released = generalised(people, "mixed")
    bare = replace(released, hierarchies={})
    pairing, attack = kb.Pairing(people.ids, people.ids), kb.attacks.Within(otherwise="abstain")
    guesses = [attack.guess(original, data, seed=1) for data in (released, bare)]
    rates = [kb.reidentification(pairing, guess).rate.value for guess in guesses]
    assert rates[0] == 1
    assert rates[1] < 0.6


@pytest.mark.parametrize("way", ["regions", "continents"])
@pytest.mark.parametrize(
    "attack",
    [kb.attacks.Euc1(), kb.attacks.IdentifyRand(), kb.attacks.IdentifySa(), kb.attacks.Within(knows="qi")],
    ids=lambda attack: f"{attack.about.name}",
)
def test_an_attacker_finds_what_he_finds_where_the_original_is_generalised_alike(people, way, attack):
    original, released = generalised(people, way)
    pairing = kb.Pairing(people.ids, people.ids)
    alike = replace(people, records=released.records)
    rates = [
        kb.reidentification(pairing, attack.guess(known, released, seed=1)).rate.value
        for known in (vocabulary(original, released).original, alike)
    ]
    assert rates[0] == rates[1]


@pytest.fixture(scope="module")
def shop():
    data = light_shop(80, 5)
    rng = np.random.default_rng(3)
    frame = pl.DataFrame({"country": rng.choice([*NAMES], 80), "house": [f"h{i}" for i in range(80)]})
    master = data.master.select("customer").hstack(frame)
    return replace(data, master=master, keep_master=("country", "house"))


@pytest.mark.parametrize("way", WAYS)
def test_master_attackers_map_up(shop, way):
    """A house of one's own tells everybody apart, if the country beside it is understood."""
    master = shop.master.with_columns(country=WAYS[way])
    released = replace(shop, master=master, hierarchies={"country": TREE})
    made = common_vocabulary(shop, released)
    if way in {"regions", "continents"}:
        assert made.inferred == (f"master: country generalised to {4 if way == 'regions' else 2} words",)
        assert made.original.master.equals(master)
    guess = kb.attacks.RowsAttack(columns=("master",)).guess(shop, released, seed=1)
    pairing = kb.Pairing(shop.customers, shop.customers)
    assert kb.reidentification(pairing, guess).rate.value == 1


def test_words_that_explain_nothing_are_not_believed(people):
    wrong = Hierarchy.of(dict.fromkeys(NAMES, "Mars"))
    assert coarser(people, replace(people, hierarchies={"country": wrong})) == ()
    country, mars = people.records["country"], pl.Series("country", ["Mars"] * len(people))
    assert written_by_tree(country, mars, Hierarchy.of({"Norway": "Mars"})) is None, "others are not Mars"
    assert written_by_tree(country, mars, wrong) is not None


def test_a_release_cannot_call_one_value_by_anothers_name(people):
    """Else everybody of both would be a candidate, while the release is a plain copy."""
    lie = Hierarchy.of({country: "Norway" for country in NAMES if country != "Norway"})
    released = replace(people, hierarchies={"country": lie})
    pairing = kb.Pairing(people.ids, people.ids)
    rates = [
        kb.reidentification(pairing, kb.attacks.Within(knows="qi").guess(people, data, seed=1)).rate.value
        for data in (people, released)
    ]
    assert rates[0] == rates[1]
    assert known_trees(people, released) == {}
    assert known_trees(replace(people, hierarchies={"country": TREE}), released) == {"country": TREE}
