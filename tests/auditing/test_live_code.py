"""The digest of live code: equal for the same program, another wherever anything it runs was exchanged."""

import os
import subprocess
import sys
from dataclasses import replace
from functools import partial
from types import FunctionType

import polars as pl
import pytest

from kakurenbo.attacks.base import Attack
from kakurenbo.attacks.microdata.euclid import Euc1
from kakurenbo.attacks.purchases import view
from kakurenbo.attacks.purchases.likelihood import LikelihoodAttack
from kakurenbo.attacks.purchases.likeness import JaccardAttack, WeightedAttack
from kakurenbo.auditing.proof import live_code
from kakurenbo.auditing.proof.live_code import LiveCode
from kakurenbo.kernels.clusters import methods
from kakurenbo.kernels.scan import loops

WEIGHT = 3
NAMED = {"a": [1, 2], "b": {"x", "y", "z"}}


def weighed(one, scale=2):
    def inside(other):
        from kakurenbo.kernels.clusters.methods import balance  # noqa: PLC0415 - as is done where loading is slow

        return other * WEIGHT * len(NAMED) if balance else 0

    return inside(one) * scale


def bound(scale, of):
    return lambda *given: scale * of(*given)


def digest(*things):
    """Return the digest of a walk, to which one that may be remembered must come as well."""
    walked = LiveCode().digest(*things)
    assert live_code.digests(things, (), never)[0] == walked
    return walked


def never(_):
    return False


def is_an_attack(made):
    return issubclass(made, Attack) and made is not Attack


def test_nothing_is_walked_through_again_until_any_of_it_changed(monkeypatch):
    """Whichever function is exchanged, the digest is another, and the first again once that is undone."""

    def remembered():
        return live_code.digests([JaccardAttack], (), never)

    first = remembered()
    assert remembered() is first
    walked = live_code._walks[JaccardAttack, never][0]._parts.values()
    functions = [thing for thing, name, _ in walked if name == "__code__"]
    assert len(functions) > 100
    for function in functions[:: len(functions) // 10]:
        monkeypatch.setattr(function, "__code__", other_code(function))
        assert remembered() != first
        monkeypatch.undo()
        assert remembered() == first


def other_code(function):
    """Return the code of a function that refers to one more constant, and closes over as many cells."""
    code = function.__code__
    return code.replace(co_consts=(*code.co_consts, "another constant"))


def test_where_code_stands_in_its_file_does_not_matter():
    code = weighed.__code__.replace(co_firstlineno=900, co_filename="elsewhere.py")
    moved = FunctionType(code, weighed.__globals__, weighed.__name__, weighed.__defaults__)
    assert digest(moved) == digest(weighed)


@pytest.mark.parametrize(
    "change",
    [
        lambda patch: patch.setitem(globals(), "WEIGHT", 4),
        lambda patch: patch.setitem(NAMED, "a", [1, 3]),
        lambda patch: patch.setitem(NAMED, "b", {"x", "y"}),
        lambda patch: patch.setattr(weighed, "__defaults__", (3,)),
        lambda patch: patch.setattr(methods, "balance", bound(1, methods.balance)),
    ],
)
def test_what_a_function_refers_to_is_part_of_it(monkeypatch, change):
    before = digest(weighed)
    change(monkeypatch)
    assert digest(weighed) != before
    monkeypatch.undo()
    assert digest(weighed) == before


def test_what_a_closure_or_a_partial_holds_is_part_of_it():
    made = [
        bound(1, len),
        bound(2, len),
        bound(1, weighed),
        partial(weighed, scale=1),
        partial(weighed, scale=2),
    ]
    assert len({digest(one) for one in made}) == len(made)
    assert digest(bound(1, len)) == digest(made[0])


WEAKENED = {
    "a method": lambda patch: patch.setattr(JaccardAttack, "score", bound(1, JaccardAttack.score)),
    "a method of a base": lambda patch: patch.setattr(Attack, "prepare", bound(1, Attack.prepare)),
    "what it says of itself": lambda patch: patch.setattr(
        JaccardAttack, "about", replace(JaccardAttack.about, needs=("time",))
    ),
    "what a part of a record is": lambda patch: patch.setitem(view.PART_VALUES, "day", pl.lit("")),
    "a function it is built on": lambda patch: patch.setattr(view, "group_codes", bound(1, view.group_codes)),
}


@pytest.mark.parametrize("change", WEAKENED.values(), ids=WEAKENED)
def test_an_attack_is_another_once_it_is_weakened(monkeypatch, change):
    before = digest(JaccardAttack)
    change(monkeypatch)
    assert digest(JaccardAttack) != before


def test_the_source_behind_compiled_code_is_part_of_who_calls_it(monkeypatch):
    before = digest(LikelihoodAttack), digest(Euc1)
    monkeypatch.setattr(loops.search, "py_func", loops.in_rows.py_func)
    assert digest(LikelihoodAttack) != before[0]
    assert digest(Euc1) == before[1], "it does not call it"


def test_another_class_of_the_same_name_and_a_plug_in_are_told_apart():
    def planted(score):
        return type("JaccardAttack", (JaccardAttack,), {"score": score, "about": JaccardAttack.about})

    made = [JaccardAttack, planted(JaccardAttack.score), planted(weighed), planted(bound(1, weighed))]
    assert len({digest(one) for one in made}) == len(made)


def test_what_is_only_named_has_a_digest_of_its_own(monkeypatch):
    """So one weakened attack leaves the others and all that they share as they were."""

    def digests():
        common = LiveCode(is_an_attack)
        walked = common.digest(held), {attack: common.beyond().digest(attack) for attack in attacks}
        assert live_code.digests([held], attacks, is_an_attack) == walked
        return walked[0], *walked[1].values()

    held, attacks = bound(1, [JaccardAttack, WeightedAttack]), [JaccardAttack, WeightedAttack]

    before = digests()
    monkeypatch.setattr(JaccardAttack, "sights", weighed)
    after = digests()
    assert [one == other for one, other in zip(before, after, strict=True)] == [True, False, True]


ELSEWHERE = """
import kakurenbo.utility.purchases.counted, kakurenbo.report, kakurenbo.tuning.search  # whatever was loaded
from kakurenbo.attacks.purchases.learned import LearnedAttack
from kakurenbo.auditing.proof.live_code import LiveCode
from kakurenbo.auditing.proof.strong import on_made_up
print(LiveCode().digest(on_made_up, LearnedAttack))
"""


def test_another_process_comes_to_the_same_digest():
    from kakurenbo.attacks.purchases.learned import LearnedAttack  # noqa: PLC0415 - as late as it can be
    from kakurenbo.auditing.proof.strong import on_made_up  # noqa: PLC0415 - the same

    here = os.environ | {"PYTHONHASHSEED": "1"}
    told = subprocess.run(
        [sys.executable, "-c", ELSEWHERE], env=here, capture_output=True, text=True, check=True
    )
    assert told.stdout.strip() == digest(on_made_up, LearnedAttack)
