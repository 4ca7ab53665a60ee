"""Rules that can be kept: names, parameters and rungs of the catalogue, and data that they fit."""

import pytest

import kakurenbo as kb
from contest.judged_shop import CUSTOMERS, RULES, rows_of, rules, submission, text, write_original
from kakurenbo.catalogue import entries
from kakurenbo.contest.judging import judge
from kakurenbo.contest.rules import PRESETS, Hide, Named, Rules
from kakurenbo.demo import QUASI_IDENTIFIERS, SENSITIVE
from kakurenbo.files.pairings import as_bytes
from kakurenbo.files.release_folder import fill
from shops import light_shop


@pytest.mark.parametrize("name", PRESETS)
def test_presets_can_be_kept(name):
    judge.check_rules(Rules.preset(name))


def test_the_preset_of_2015_names_the_columns_of_the_households():
    data = Rules.preset("pws2015").data
    assert (data.qi, data.sa) == (QUASI_IDENTIFIERS, SENSITIVE)


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ('[[hide.measures]]\nname = "popularty"', "did you mean popularity"),
        ('[[hide.measures]]\nname = "u1-mean"', "does not work on purchases"),
        ('[[hide.measures]]\nname = "mean-group"', "no measure of utility"),
        ('[[hide.measures]]\nname = "top-goods"\nparameters = { of = 3 }', "of is not a parameter"),
        ('[[hide.measures]]\nname = "popularity"', "same name"),
        ('[[hide.attacks]]\nname = "jaccrd"', "did you mean jaccard"),
        ('[[hide.attacks]]\nname = "sales"', "no attack"),
        ('[[hide.attacks]]\nname = "rows"\nparameters = { knows = 3 }', "knows is not a parameter"),
        ('[[hide.attacks]]\nname = "rows"\nlabel = "jaccard"', "same name"),
    ],
)
def test_what_there_is_not_is_refused(more, told):
    asked = Rules.parse(f"{RULES}\n{more}".replace("[limits]\nrows = 100\n", ""))
    with pytest.raises(kb.InputError, match=told) as error:
        judge.check_rules(asked)
    assert error.value.code == "rules"


def test_a_rung_that_there_is_not_is_refused():
    asked = rules().model_copy(update={"hide": rules().hide.model_copy(update={"learnt": ("a rumour",)})})
    with pytest.raises(kb.InputError, match="2 records") as error:
        judge.check_rules(asked)
    assert error.value.code == "rules"


def test_sizes_of_groups_may_stand_among_attacks(tmp_path):
    more = '[[hide.attacks]]\nname = "smallest-group"\nlabel = "k"\n'
    asked = Rules.parse(f"{RULES}\n{more}".replace("[limits]\nrows = 100\n", ""))
    judge.check_rules(asked)
    assert judge.judge(asked, write_original(tmp_path), submission()).attacks["k"] == (1.0,)


def test_data_that_the_rules_do_not_fit_is_the_organisers_to_mend(tmp_path):
    (tmp_path / "T.csv").write_bytes(text(rows_of(CUSTOMERS)))
    with pytest.raises(kb.InputError, match="u1-cmae does not fit the data") as error:
        judge.people(rules(), tmp_path)
    assert error.value.code == "rules"
    write_original(tmp_path)
    assert judge.people(rules(), tmp_path) == list(CUSTOMERS)


def test_columns_that_the_data_lacks_are_told_before_anybody_plays(tmp_path):
    asked = Rules.parse(RULES.replace('name = "u1-cmae"', 'name = "u1-cmae"\nparameters = { by = ["town"] }'))
    with pytest.raises(kb.InputError, match="town") as error:
        judge.check(asked, write_original(tmp_path), submission())
    assert error.value.code == "rules"


def test_a_rung_that_nobody_can_stand_on_is_told_before_anybody_plays(tmp_path):
    bare = kb.read_purchases(write_original(tmp_path)).records.select("customer", "goods")
    other = tmp_path / "bare"
    other.mkdir()
    bare.write_csv(other / "T.csv")
    hide = rules().hide.model_copy(update={"learnt": ("a month",), "measures": ()})
    with pytest.raises(kb.InputError, match="a month") as error:
        judge.people(rules().model_copy(update={"hide": hide}), other)
    assert error.value.code == "rules"


@pytest.mark.campaign
@pytest.mark.slow
def test_everything_of_the_catalogue_can_be_asked_for(tmp_path):
    fill(light_shop(40, 3), tmp_path)
    shop = kb.read_purchases(tmp_path, keep_master=("sex", "birth", "country"))
    release = kb.methods.Delete(share=0.2).release(shop, seed=1)
    (tmp_path / "out").mkdir()
    fill(release.data, tmp_path / "out")
    files = {file.name: file.read_bytes() for file in (tmp_path / "out").iterdir()}
    listed = entries("measure", "purchases")
    told = [
        Named(name=one.name, parameters=dict(one.example))
        for one in (*listed, *entries("attack", "purchases"))
    ]
    kept = {one.name for one in listed if one.what.about.kept != "risk"}
    taught = {one.name for one in listed if one.what.about.teaches}
    hide = Hide(
        measures=tuple(one for one in told if one.name in kept - taught),
        attacks=tuple(one for one in told if one.name not in kept),
    )
    asked = Rules(title="All", format="purchases", hide=hide)
    judged = judge.judge(asked, tmp_path, {**files, "P.csv": as_bytes(release.pairing)}, seed=1)
    assert judged.valid
    assert [*judged.utility] == [one.shown for one in hide.measures]
    assert [*judged.attacks] == [one.shown for one in hide.attacks]
    assert all(0 <= rate <= 1 for (rate,) in judged.attacks.values())
    assert 0 < judged.score.utility <= 1
    few = asked.model_copy(update={"hide": Hide(measures=tuple(one for one in told if one.name in taught))})
    with pytest.raises(kb.InputError, match="does not fit the data"):
        judge.people(few, tmp_path)


def test_an_original_that_is_not_there_is_told(tmp_path):
    with pytest.raises(kb.InputError) as error:
        judge.check(rules(), tmp_path / "nowhere", submission())
    assert error.value.code == "path-unreadable"
