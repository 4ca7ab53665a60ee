"""One customer must not become two by the way an id is written, nor two become one."""

import json

import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kakurenbo as kb
from kakurenbo.cli.main import run
from kakurenbo.data.checks.ids import as_text
from kakurenbo.data.checks.spelling import plainest

COMPOSED, APART = "Jos\u00e9", "Jose\u0301"
TWINS = [
    (COMPOSED, APART),
    ("ann", "ann\u200b"),
    ("ann", "\ufeffann"),
    ("ann", "a\u00adnn"),
    ("ann", "an\u0007n"),
    ("a b", "a\u00a0b"),
    ("a b", "a\nb"),
    ("17850", "\uff11\uff17\uff18\uff15\uff10"),
    ("\u30cf\u30f3", "\uff8a\uff9d"),
    (COMPOSED, "Jose\u200b\u0301"),
]


def read(ids, spelling="refuse"):
    return as_text(pl.Series(ids, dtype=pl.String), column="who", spelling=spelling).to_list()


@pytest.mark.parametrize(("first", "second"), TWINS)
def test_ids_that_differ_only_in_writing_are_refused_merged_or_kept(first, second):
    with pytest.raises(kb.InputError, match=r"^2 ids differ") as error:
        read(["bob", first, second, first])
    assert (error.value.code, error.value.row, error.value.column) == ("spelling", 2, "who")
    assert error.value.parameter == "spelling"
    assert read([first, second], "merge") == [plainest(first)] * 2
    assert read([first, second], "keep") == [first, second]
    assert read([second]) == [second], "alone it is what it is"


def test_whole_numbers_are_the_same_with_and_without_their_point():
    assert read(["17850", "17850.0", "-3.00", "0.0"]) == ["17850", "17850", "-3", "0"]
    assert read(["17850.0", "12583.0"]) == ["17850", "12583"]
    assert read(["007", "7", "007.0", "A1.0", "1.0.0"]) == ["007", "7", "007.0", "A1.0", "1.0.0"]
    assert read(["1.50", "1.5"]) == ["1.50", "1.5"]
    assert read(["17850", "17850.0"], "keep") == ["17850", "17850.0"]
    typed = as_text(pl.Series([17850.0, None]), column="who").to_list()
    assert typed == ["17850", None]


def test_versions_are_not_taken_for_whole_numbers():
    with pytest.raises(kb.InputError, match=r"^1 ids end in \.0 beside") as error:
        read(["1.0", "1.1", "1.0"])
    assert (error.value.code, error.value.row) == ("spelling", 1)
    assert read(["1.0", "1.1"], "keep") == ["1.0", "1.1"]
    assert read(["1.0", "1.1"], "merge") == ["1", "1.1"]


MISSING = ["nan", "NaN", "NULL", "None", "NA", "n/a", "#N/A", "<NA>", "\u200b", "\uff2e\uff21", "  ", ""]


@pytest.mark.parametrize("text", MISSING)
def test_a_missing_value_in_words_is_a_missing_id(text):
    assert read(["ann", text]) == ["ann", None]
    assert read(["ann", text], "merge") == ["ann", None]
    assert read(["ann", text], "keep") == ["ann", text.strip() or None]


def test_missing_values_in_words_are_refused_or_dropped_with_a_count(small_frame, roles):
    frame = small_frame.with_columns(who=pl.Series(["ann", "NA", "bob", "cem", "null", "cem"]))
    with pytest.raises(kb.InputError, match=r'2 of 6 rows.*spelling="keep"') as error:
        kb.Purchases.from_frame(frame, **roles)
    assert (error.value.code, error.value.row, error.value.column) == ("missing-id", 2, "who")
    assert kb.Purchases.from_frame(frame, **roles, policy="drop").dropped.missing_id == 2
    assert len(kb.Purchases.from_frame(frame, **roles, spelling="keep").customers) == 5
    with pytest.raises(kb.ParameterError):
        kb.Purchases.from_frame(frame, **roles, spelling="guess")


def test_master_and_transactions_agree_on_ids(small_frame, roles):
    frame = small_frame.with_columns(who=pl.Series(["1", "1.0", "2", "3", "3", "3"]))
    master = pl.DataFrame({"who": ["1.0", "2", "3.0"], "sex": ["f", "m", "f"]})
    shop = kb.Purchases.from_frame(frame, **roles, master=master)
    assert shop.customers.to_list() == shop.master["customer"].to_list() == ["1", "2", "3"]


def test_ids_of_microdata_are_held_to_the_same():
    def people(ids, **options):
        frame = pl.DataFrame({"n": ids, "q": ["x", "y"]})
        return kb.Microdata.from_frame(frame, qi=["q"], id="n", **options)

    assert people(["1.0", "2"]).ids.to_list() == ["1", "2"]
    with pytest.raises(kb.InputError) as error:
        people(["1.0", "1"])
    assert error.value.code == "duplicate-id"
    with pytest.raises(kb.InputError) as error:
        people([COMPOSED, APART])
    assert error.value.code == "spelling"
    assert len(people([COMPOSED, APART], spelling="keep")) == 2
    assert people(["NA", "2"], policy="drop").dropped == 1


@pytest.mark.parametrize("dtype", [pl.Categorical, pl.Enum(["ann", "bob", "NA"])])
def test_ids_may_be_categories(dtype):
    assert as_text(pl.Series(["ann", "NA", None], dtype=dtype), column="who").to_list() == ["ann", None, None]


def test_ids_that_are_floats_have_all_their_digits():
    for value, code in ((2.0**60, "limit"), (1e300, "limit"), (float("inf"), "not-whole")):
        with pytest.raises(kb.InputError) as error:
            as_text(pl.Series([1.0, value]), column="who")
        assert (error.value.code, error.value.row) == (code, 2)


def test_a_pairing_on_disk_is_spelled_as_the_tables(tmp_path):
    path = tmp_path / "p.csv"
    path.write_text("released,original\na,17850.0\nb,NA\nc,007\n")
    assert kb.read_pairing(path) == kb.Pairing.of({"a": "17850", "b": None, "c": "007"})
    assert kb.read_pairing(path, spelling="keep") == kb.Pairing.of({"a": "17850.0", "b": "NA", "c": "007"})


def test_an_original_and_its_release_are_spelled_alike(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text(f"c,g\na,{COMPOSED}\nb,x\n", encoding="utf-8")
    (tmp_path / "r.csv").write_text(f"c,g\np,{APART}\nq,x\n", encoding="utf-8")
    (tmp_path / "s.csv").write_text("released,original\np,a\nq,b\n")
    likeness = [
        "measure",
        "likeness",
        "t.csv",
        "r.csv",
        "--secret",
        "s.csv",
        "--customer",
        "c",
        "--goods",
        "g",
    ]
    assert run(likeness) == 2
    assert "(--spelling merge) [spelling]" in capsys.readouterr().err
    for spelling, expected in (("merge", 1.0), ("keep", 0.5)):
        assert run([*likeness, "--spelling", spelling, "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["value"] == expected
    (tmp_path / "kakurenbo.toml").write_text('spelling = "merge"\n')
    assert run(likeness) == 0


def test_a_guess_is_spelled_as_the_secret(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s.csv").write_text(f"released,original\np,17850\nq,{COMPOSED}\n", encoding="utf-8")
    (tmp_path / "g.csv").write_text(f"released,original\np,17850.0\nq,{APART}\n", encoding="utf-8")
    score = ["score", "--secret", "s.csv", "--guess", "g.csv", "--json"]
    assert run(score) == 2
    assert "[spelling]" in capsys.readouterr().err
    for spelling, rate in (("merge", 1.0), ("keep", 0.0)):
        assert run([*score, "--spelling", spelling]) == 0
        assert json.loads(capsys.readouterr().out)["rate"] == rate
    assert run([*score, "--spelling", "guess"]) == 2


def test_a_column_of_mixed_objects_is_refused_plainly():
    frame = pd.DataFrame({"who": pd.Series([1, "a", (2, 3)], dtype=object), "what": ["x", "y", "z"]})
    with pytest.raises(kb.InputError) as error:
        kb.Purchases.from_frame(frame, customer="who", goods="what")
    assert error.value.code == "frame"


odd = st.lists(
    st.text(st.sampled_from("ab1.0\u00e9e\u0301\u200b\u200d\uff11 \u3000\n\ufe0fNAn/"), max_size=6),
    min_size=1, max_size=8,
)  # fmt: skip


@given(odd)
def test_the_plainest_form_stays_as_it_is_in_every_way_of_reading(ids):
    merged = read(ids, "merge")
    assert read(merged, "merge") == merged
    assert read(merged, "keep") == merged
    kept = read(ids, "keep")
    try:
        read_by_default = read(ids)
    except kb.InputError:
        return
    assert read(read_by_default) == read_by_default
    pairs = {(a, b) for a, b in zip(read_by_default, merged, strict=True) if a is not None}
    assert len(pairs) == len({a for a, _ in pairs}) == len({b for _, b in pairs}), "no twins are left"
    both = zip(read_by_default, kept, strict=True)
    assert all(a is None or a == b or b.startswith(f"{a}.0") for a, b in both), "nothing else is changed"
