"""Python that feels at home: one line, a small table, a picture, and errors that say what to do."""

import re

import altair as alt
import pandas as pd
import polars as pl
import pytest

import kakurenbo as kb
import sample_audit
import sample_tuned
from kakurenbo.catalogue import build
from kakurenbo.plan import Plan, Step


@pytest.fixture(scope="module")
def shop():
    return kb.demo.shop(12, seed=1)


@pytest.fixture(scope="module")
def households():
    return kb.demo.households(20, seed=1)


@pytest.fixture(scope="module")
def things(shop, households):
    release = kb.methods.Pseudonymize().release(shop, seed=1)
    return {
        "Purchases": shop, "Microdata": households, "Release": release, "Pairing": release.pairing,
        "Guess": kb.JaccardAttack().guess(shop, release.data, seed=1), "Audit": sample_audit.purchases(),
        "Tuned": sample_tuned.purchases(), "PurchasesProfile": kb.profile(shop, seed=1),
        "MicrodataProfile": kb.profile(households),
    }  # fmt: skip


NAMES = (
    "Purchases", "Microdata", "Release", "Pairing", "Guess", "Audit", "Tuned", "PurchasesProfile",
    "MicrodataProfile",
)  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_everything_says_in_one_line_what_it_is(things, name):
    said = repr(things[name])
    assert said.startswith(f"{name}(")
    assert "\n" not in said
    assert len(said) < 160


@pytest.mark.parametrize("name", [name for name in NAMES if name not in {"Pairing", "Guess"}])
def test_a_notebook_shows_counts_and_nobody(things, name, shop, households):
    page = things[name]._repr_html_()
    assert page.count("<tr>") >= 2
    words = set(re.findall(r"[\w.-]+", re.sub(r"<[^>]*>", " ", page)))
    release = things["Release"]
    people = [*shop.customers, *release.data.customers, *shop.goods]
    assert words.isdisjoint(people)
    assert words.isdisjoint(households.records[households.sa[0]].cast(pl.String).to_list())


def test_a_notebook_takes_names_for_text():
    frame = pl.DataFrame({"<b>who</b>": ["a"], "what": ["x"]})
    page = kb.Purchases.from_frame(frame, customer="<b>who</b>", goods="what")._repr_html_()
    assert "<b>" not in page


@pytest.mark.parametrize("name", ["Audit", "Tuned", "PurchasesProfile", "MicrodataProfile"])
def test_a_result_has_a_picture(things, name):
    chart = things[name].plot()
    assert isinstance(chart, alt.TopLevelMixin)
    assert chart.to_dict(validate=False)["$schema"]


VERBS = {
    "audit": lambda frame, _: kb.audit(frame, frame),
    "audit's release": lambda frame, shop: kb.audit(shop, frame),
    "tune": lambda frame, _: kb.tune(frame),
    "profile": lambda frame, _: kb.profile(frame),
    "release": lambda frame, _: kb.Balanced(clusters=2, min_size=2).release(frame),
    "guess": lambda frame, shop: kb.JaccardAttack().guess(shop, frame),
    "measure": lambda frame, _: kb.measures.DeltaM().of(frame, frame),
}


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("library", [pl, pd], ids=["polars", "pandas"])
def test_a_dataframe_is_refused_with_what_to_do(verb, library, shop):
    frame = library.DataFrame({"who": ["a"], "what": ["x"]})
    with pytest.raises(kb.InputError, match=r"kb\.Purchases\.from_frame\(") as told:
        VERBS[verb](frame, shop)
    assert told.value.code == "frame"
    assert "DataFrame" in str(told.value)


def test_a_release_in_place_of_its_data_is_told(things, shop):
    with pytest.raises(kb.InputError, match=r"give its \.data"):
        kb.JaccardAttack().guess(shop, things["Release"])


@pytest.mark.parametrize("verb", [lambda shop: kb.tune(shop, 0.1, "2 record"),
                                  lambda shop: kb.audit(shop, shop, knowledge="2 record")])  # fmt: skip
def test_a_wrong_rung_is_told_with_the_nearest_and_the_list(verb, shop):
    with pytest.raises(kb.ParameterError, match="did you mean '2 records'") as told:
        verb(shop)
    assert "a receipt" in str(told.value)
    assert told.value.parameter == "knowledge"


def test_a_wrong_method_is_told_with_the_nearest():
    plan = Plan("purchases", (Step("balancd", {}),))
    with pytest.raises(kb.ParameterError, match="did you mean balanced"):
        build(plan)


def forms(values):
    yield pl.Series(values, dtype=pl.Categorical).to_frame("c")
    yield pl.Series(values, dtype=pl.Enum(sorted(set(values)))).to_frame("c")
    yield pd.DataFrame({"c": pd.Categorical(values)})
    yield pl.DataFrame({"c": values}).with_columns(pl.col("c").cast(pl.Categorical)).to_arrow()


def test_categories_are_ids_goods_and_quasi_identifiers():
    plain = ["b", "a", "b", "c"]
    for frame in forms(plain):
        both = frame.assign(g=frame["c"]) if isinstance(frame, pd.DataFrame) else (
            frame.append_column("g", frame["c"]) if not isinstance(frame, pl.DataFrame)
            else frame.with_columns(g=pl.col("c"))
        )  # fmt: skip
        made = kb.Purchases.from_frame(both, customer="c", goods="g")
        assert made.customers.to_list() == made.goods.to_list() == ["a", "b", "c"]
        rows = kb.Microdata.from_frame(both, qi=["c"])
        assert rows.records["c"].cast(pl.String).to_list() == plain
        assert kb.profile(rows).groups == 3
