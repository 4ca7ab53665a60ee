"""A plan is a value: it prints, compares, goes through files, and makes what its methods make when called."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import kakurenbo as kb
from kakurenbo.catalogue import build, entries
from kakurenbo.cli.main import run
from kakurenbo.deidentify.base import Chain
from kakurenbo.plan import Plan, Step
from kakurenbo.tuning.space import Space
from people import QI, SA, microdata_of
from shops import light_shop

METHODS = entries("method")
TABLES = {
    "purchases": light_shop(12, seed=1),
    "microdata": microdata_of([(20 + i % 3, "ab"[i % 2], i, 2 * i) for i in range(12)]),
}
TWO = Plan("purchases", (Step("delete", {"share": 0.1}), Step("coarsen", {"times": "month"})))
KEYS = {
    "method", "parameters", "records", "dummies", "deleted", "clusters", "largest_cluster",
    "smallest_cluster", "seconds",
}  # fmt: skip
values = st.one_of(
    st.booleans(), st.integers(-(2**60), 2**60), st.floats(allow_nan=False, allow_infinity=False), st.text()
)
named = st.dictionaries(st.sampled_from(["k", "min_size", "times"]), values | st.lists(values))
steps = st.builds(Step, st.text(min_size=1), named)


def each_method():
    return pytest.mark.parametrize("entry", METHODS, ids=lambda entry: f"{entry.name}-{entry.kind}")


def step_of(entry):
    return Step(entry.name, entry.example)


def same(first, second):
    """Tell whether two releases are equal, secret and facts included."""
    return (
        first.data.fingerprint() == second.data.fingerprint()
        and first.pairing == second.pairing
        and first.facts == second.facts
        and first.provenance == second.provenance
    )


def both_ways(plan):
    return Plan.parse(plan.to_toml()), Plan.parse(plan.to_json()), Plan.from_dict(plan.to_dict())


@given(clusters=st.integers(1, 10**6), tuned=st.integers(1, 10**6), times=st.integers(1, 1000))
def test_clusters_grow_with_the_people(clusters, tuned, times):
    plan = Plan("purchases", (Step("balanced", {"clusters": clusters}), Step("delete")), tuned)
    assert both_ways(plan) == (plan, plan, plan)
    grown = plan.for_people(tuned * times)
    assert grown == Plan(
        "purchases", (Step("balanced", {"clusters": clusters * times}), Step("delete")), tuned * times
    )
    assert grown.for_people(tuned) == plan
    assert plan.for_people(1).steps[0].parameters["clusters"] == max(clusters // tuned, 1)


def test_a_plan_of_nobody_knows_how_many_stays_as_it_is():
    plan = Plan("purchases", (Step("balanced", {"clusters": 3}),))
    assert plan.for_people(1000) is plan
    assert "people" not in plan.to_dict()


@pytest.mark.parametrize("people", ["0", "-1", "true", "2.5", '"many"'])
def test_the_people_of_a_plan_are_counted(people):
    with pytest.raises(kb.InputError) as refused:
        Plan.parse(f'{{"kind": "purchases", "steps": [], "people": {people}}}')
    assert refused.value.code == "plan"


def test_a_plan_prints_as_people_say_it():
    assert str(TWO) == "delete (share 0.1), then coarsen (times month)"
    assert TWO.name == "delete + coarsen"
    assert str(Plan("microdata")) == Plan("microdata").name == "pseudonymize"
    assert str(Step("average", {"q": ("age", "town")})) == "average (q age,town)"
    assert TWO.to_toml() == (
        'kind = "purchases"\n\n[[steps]]\nmethod = "delete"\nshare = 0.1\n\n'
        '[[steps]]\nmethod = "coarsen"\ntimes = "month"\n'
    )


def test_plans_compare_by_kind_steps_and_order():
    assert Plan("purchases", (Step("pseudonymize"),)) == Plan("purchases")
    assert Plan("purchases") != Plan("microdata")
    assert Plan("purchases", TWO.steps[::-1]) != TWO
    assert Step("average", {"q": ("age",)}) == Step("average", {"q": ["age"]})
    assert build(TWO).plan == TWO
    assert [type(method).__name__ for method in build(TWO).methods] == ["Delete", "Coarsen"]
    assert Plan("purchases").to_dict()["steps"] == [{"method": "pseudonymize"}]


@each_method()
def test_every_method_goes_through_a_file(entry):
    plan = Plan(entry.kind, (step_of(entry),))
    assert set(map(repr, both_ways(plan))) == {repr(plan)}
    assert build(Plan.parse(plan.to_toml())) == entry.what(**entry.example)


@given(st.data())
def test_chains_of_methods_go_through_a_file(data):
    kind = data.draw(st.sampled_from(["purchases", "microdata"]))
    chained = data.draw(st.lists(st.sampled_from(entries("method", kind)), max_size=4))
    plan = Plan(kind, tuple(map(step_of, chained)))
    assert both_ways(plan) == (plan, plan, plan)
    assert both_ways(build(plan).plan) == (build(plan).plan,) * 3


@given(st.sampled_from(sorted(TABLES)), st.data())
def test_every_plan_of_the_search_goes_through_a_file(kind, data):
    space = Space.of(TABLES[kind])

    def choose(knob):
        if knob.choices:
            return data.draw(st.sampled_from(knob.choices))
        return data.draw((st.integers if knob.whole else st.floats)(knob.low, knob.high))

    plan = space.plan(choose)
    assert both_ways(plan) == (plan, plan, plan)


@given(st.lists(steps, max_size=3))
def test_any_text_and_number_goes_through_a_file(steps):
    plan = Plan("microdata", tuple(steps))
    assert both_ways(plan) == (plan, plan, plan)


@each_method()
def test_a_plan_makes_what_its_method_makes(entry):
    data = TABLES[entry.kind]
    planned = build(Plan(entry.kind, (step_of(entry),))).release(data, seed=1)
    assert same(planned, entry.what(**entry.example).release(data, seed=1))


def test_a_plan_of_two_steps_makes_what_the_chain_makes():
    chain = Chain(methods=(kb.methods.Delete(share=0.1), kb.methods.Coarsen(times="month")))
    shop = TABLES["purchases"]
    assert same(build(TWO).release(shop, seed=1), chain.release(shop, seed=1))


def test_a_release_is_repeated_by_the_plan_it_tells():
    """Chains in chains and steps that do nothing draw as the plain plan does."""
    hidden = Chain(methods=(kb.methods.Pseudonymize(), kb.methods.Noise(quantity_spread=1)))
    release = hidden.release(TABLES["purchases"], seed=1)
    assert same(build(release.provenance.plan).release(TABLES["purchases"], seed=1), release)
    noise = next(e.what for e in entries("method", "microdata") if e.name == "noise")(scale=0.1)
    nested = Chain(methods=(Chain(methods=(noise, noise)), noise)).release(TABLES["microdata"], seed=1)
    assert same(build(nested.provenance.plan).release(TABLES["microdata"], seed=1), nested)


BROKEN = {
    "neither": "kind: purchases",
    "empty": "",
    "no kind": "steps = []",
    "another kind": 'kind = "pictures"\nsteps = []',
    "no steps": 'kind = "purchases"',
    "a step without method": 'kind = "purchases"\n[[steps]]\nshare = 0.1',
    "steps that are none": '{"kind": "purchases", "steps": ["delete"]}',
    "half of a plan": '{"kind": "purchases", "steps": [',
    "too deep": '{"kind":' + 100_000 * "[",
    "a step too deep": '{"kind": "purchases", "steps": [{"method": "delete", "share": '
    + 900 * "["
    + 900 * "]"
    + "}]}",
}
UNKNOWN = {
    "method": ('[[steps]]\nmethod = "vanish"', "unknown-name"),
    "parameter": ('[[steps]]\nmethod = "delete"\nshare = 0.1\ncolour = "red"', "parameter"),
    "parameter of Python's": ('[[steps]]\nmethod = "delete"\nshare = 0.1\nself = 1', "parameter"),
    "missing": ('[[steps]]\nmethod = "delete"', "parameter"),
    "range": ('[[steps]]\nmethod = "delete"\nshare = 2', "parameter"),
    "other kind": ('[[steps]]\nmethod = "k-anonymize"\nk = 2', "unknown-name"),
}


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN)
def test_what_is_no_plan_is_refused(text):
    with pytest.raises(kb.InputError) as refused:
        Plan.parse(text)
    assert refused.value.code == "plan"


@pytest.mark.parametrize(("step", "code"), UNKNOWN.values(), ids=UNKNOWN)
def test_unknown_methods_and_parameters_have_the_usual_codes(step, code):
    with pytest.raises(kb.ParameterError) as refused:
        build(Plan.parse(f'kind = "purchases"\n{step}'))
    assert refused.value.code == code


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    TABLES["purchases"].to_frame().write_csv("shop.csv")
    TABLES["microdata"].records.write_csv("people.csv")
    (tmp_path / "plan.toml").write_text(TWO.to_toml(), encoding="utf-8-sig")  # as some editors save it
    return tmp_path


SHOP = ["shop.csv", *(part for role in ("customer", "goods", "time") for part in (f"--{role}", role))]
PEOPLE = ["people.csv", "--qi", ",".join(QI), "--sa", ",".join(SA)]
TARGET = ["--out", "out", "--secret", "secret.csv"]


def carried_out(capsys, *arguments):
    assert run(["deidentify", *arguments, *TARGET, "--seed", "1", "--json"]) == 0, capsys.readouterr().err
    return json.loads(capsys.readouterr().out)


def test_a_file_of_a_plan_is_carried_out(place, capsys):
    answer = carried_out(capsys, *SHOP, "--plan", "plan.toml")
    assert set(answer) >= KEYS
    assert answer["method"] == "delete+coarsen"
    assert Plan.from_dict(answer["plan"]) == TWO
    assert answer["deleted"] > 0
    assert answer["records"] == len(kb.read_purchases("out", customer="customer", goods="goods"))


def test_the_command_of_a_method_does_the_same(place, capsys):
    planned = carried_out(capsys, *SHOP, "--plan=plan.toml")
    released = {path.name: path.read_bytes() for path in (place / "out").iterdir()}
    (place / "secret.csv").unlink()
    called = carried_out(
        capsys, "delete", *SHOP, "--share", "0.1", "--then", "coarsen times=month", "--overwrite"
    )
    assert {path.name: path.read_bytes() for path in (place / "out").iterdir()} == released
    assert {**called, "seconds": 0} == {**planned, "seconds": 0}


def test_k_anonymize_tells_its_smallest_group(place, capsys):
    (place / "plan.json").write_text(Plan("microdata", (Step("k-anonymize", {"k": 3}),)).to_json())
    answer = carried_out(capsys, *PEOPLE, "--plan", "plan.json")
    assert set(answer) >= KEYS
    assert answer["parameters"]["k"] == 3 <= answer["smallest_cluster"] <= answer["largest_cluster"]


@pytest.mark.parametrize(
    ("file", "data", "code"),
    [
        ("absent.toml", SHOP, "path-missing"),
        (".", SHOP, "path-unreadable"),
        ("bytes.toml", SHOP, "path-unreadable"),
        ("broken.toml", SHOP, "plan"),
        ("unknown.toml", SHOP, "unknown-name"),
        ("plan.toml", PEOPLE, "parameter"),
    ],
)
def test_a_file_that_cannot_be_carried_out_is_refused(place, capsys, file, data, code):
    (place / "bytes.toml").write_bytes(b"\xff\xfe\x00")
    (place / "broken.toml").write_text("no plan at all")
    (place / "unknown.toml").write_text('kind = "purchases"\n[[steps]]\nmethod = "vanish"')
    assert run(["deidentify", *data, "--plan", file, *TARGET]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.endswith(f"[{code}]\n")
    assert not (place / "out").exists()
    assert not (place / "secret.csv").exists()
