"""What a search is for: which measures count, how its limit is narrowed down, and no plan comes twice."""

from types import SimpleNamespace

import pytest

import kakurenbo as kb
from kakurenbo.about import Knob
from kakurenbo.auditing.results import Kept
from kakurenbo.files.weights import read_weights
from kakurenbo.plan import Plan, Step
from kakurenbo.tuning.aim import Aim
from kakurenbo.tuning.refining import refined
from kakurenbo.tuning.results import Outcome, Trial
from kakurenbo.tuning.sampling import BATCH, propose
from shops import light_shop


def kept(name, loss):
    return Kept(name, loss, "share", "lower", loss, "", "")


def test_what_cannot_be_measured_any_more_is_lost_whole():
    aim = Aim("own weights", {"likeness": 3.0, "u3-rfm": 1.0})
    assert aim.loss([kept("likeness", 0.2), kept("u3-rfm", 0.4), kept("other", 1.0)]) == pytest.approx(0.25)
    assert aim.loss([kept("likeness", 0.2)]) == pytest.approx((3 * 0.2 + 1) / 4)


def test_without_a_purpose_all_measures_that_the_data_allow_count_alike():
    shop = light_shop(10, seed=1)
    bare = kb.Purchases.from_frame(shop.to_frame(), customer="customer", goods="goods")
    assert set(Aim.of(shop).weights.values()) == {1.0}
    assert "u3-rfm" in Aim.of(shop).measures
    assert "u3-rfm" not in Aim.of(bare).measures


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ({"purpose": "fun"}, "unknown-name"),
        ({"purpose": "papers", "weights": {"likeness": 1}}, "parameter"),
        ({"weights": {"no such": 1}}, "unknown-name"),
        ({"weights": {"likeness": 0}}, "parameter"),
        ({"weights": {"likeness": -1.0}}, "parameter"),
    ],
)
def test_an_aim_that_cannot_be_is_refused(asked, code):
    with pytest.raises(kb.KakurenboError) as refused:
        Aim.of(light_shop(10, seed=1), **asked)
    assert refused.value.code == code


def test_weights_are_read_from_a_file(tmp_path):
    (tmp_path / "w.toml").write_text("[weights]\nlikeness = 2\nu3-rfm = 0.5\n", encoding="utf-8")
    assert read_weights(tmp_path / "w.toml") == {"likeness": 2.0, "u3-rfm": 0.5}
    for text in ("likeness = 'much'", "", "[weights"):
        (tmp_path / "w.toml").write_text(text, encoding="utf-8")
        with pytest.raises(kb.InputError):
            read_weights(tmp_path / "w.toml")


DIAL = Knob("crowd", low=2, high=1000, whole=True, log=True)
SPACE = SimpleNamespace(knobs=lambda values: (Knob("by", ("a", "b")), DIAL) if "crowd" in values else ())


def line(by, *tried, loss=0.5):
    """Trials of one line: (setting of the dial, risk)."""
    return [
        Trial(k, "search", {"by": by, "crowd": setting}, Plan("purchases"), Outcome(risk, "a", loss), 0.0)
        for k, (setting, risk) in enumerate(tried)
    ]


@pytest.mark.parametrize(
    ("tried", "wanted"),
    [
        ([(10, 0.5), (90, 0.05)], 30),  # halved, on a log scale
        ([(90, 0.05)], 30),  # all hold: looser
        ([(10, 0.5)], 30),  # none holds: tighter
        ([(10, 0.5), (90, 0.097)], 270),  # so near to the limit is not held
        ([(500, 0.5)], 1000),  # no further than the dial goes
        ([(50, 0.5), (55, 0.05)], None),  # nothing lies between
        ([(50, 0.5), (98, 0.05)], 70),  # less than twice as much is a gap too
        ([(1000, 0.5)], None),
        ([(10, 0.51)], None),  # too far away to come near
        ([(10, 0.5), (30, 0.2), (90, 0.05), (270, 0.01)], 52),
    ],
)
def test_the_gap_between_what_fails_and_what_holds_is_halved(tried, wanted):
    found = list(refined(SPACE, line("a", *tried), 0.1))
    assert found == ([] if wanted is None else [{"by": "a", "crowd": wanted}])


def test_lines_that_lose_least_come_first_and_those_that_never_hold_last():
    done = [
        *line("a", (10, 0.5), (90, 0.05), loss=0.6),
        *line("b", (10, 0.5), (90, 0.05), loss=0.3),
        *line("c", (10, 0.5), loss=0.1),
    ]
    assert [values["by"] for values in refined(SPACE, done, 0.1)] == ["b", "a", "c"]


def test_no_plan_of_a_batch_is_tried_twice():
    knob = Knob("k", tuple(range(2 * BATCH)))
    space = SimpleNamespace(plan=lambda choose: Plan("purchases", (Step("a", {"k": choose(knob)}),)))
    proposed = propose(space, (), 1, (), 0, limit=0.1)
    assert len({repr(one.plan) for one in proposed}) == len(proposed) == BATCH
