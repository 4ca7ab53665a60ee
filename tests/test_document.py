"""Records as JSON and back: whatever a record of these shapes holds comes back, and nothing else is taken."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kakurenbo.document import (
    LATER,
    PAIRS,
    SECRET,
    flat,
    keys,
    named,
    parse,
    plain,
    record,
    rows,
    text,
    written,
)
from kakurenbo.errors import InputError


@dataclass(frozen=True)
class Span:
    low: float
    high: float


@dataclass(frozen=True)
class Round:
    radius: float


@dataclass(frozen=True)
class Later:
    count: int
    flag: bool = field(default=False, metadata=LATER)


@dataclass(frozen=True)
class Everything:
    kind: Literal["a", "b"]
    count: int | None
    share: float = field(metadata=named("of_all"))
    span: Span = field(metadata=flat("from", "to"))
    bins: tuple[tuple[float, float, int], ...] = field(metadata=rows("from", "to", "people"))
    cells: Mapping[str, tuple[float, float]] = field(metadata=rows("value", "loss"))
    ends: tuple[str, str] = field(metadata=keys("first", "last"))
    versions: tuple[tuple[str, int], ...] = field(metadata=PAIRS)
    either: tuple[Span | Round, ...]
    anything: Mapping[str, Any]
    flag: bool = False
    who: str | None = field(default=None, metadata=SECRET)


numbers = st.floats(allow_nan=False, allow_infinity=False)
words = st.text(max_size=5)
spans = st.builds(Span, numbers, numbers)
records = st.builds(
    Everything,
    kind=st.sampled_from(["a", "b"]),
    count=st.none() | st.integers(),
    share=numbers,
    span=spans,
    bins=st.lists(st.tuples(numbers, numbers, st.integers()), max_size=3).map(tuple),
    cells=st.dictionaries(words, st.tuples(numbers, numbers), max_size=3),
    ends=st.tuples(words, words),
    versions=st.dictionaries(words, st.integers(), max_size=3).map(lambda found: tuple(found.items())),
    either=st.lists(spans | st.builds(Round, numbers), max_size=3).map(tuple),
    anything=st.dictionaries(words, st.none() | st.booleans() | words | st.lists(numbers), max_size=3),
    flag=st.booleans(),
    who=words,
)


@given(records)
def test_a_record_comes_back_but_for_its_secret(one):
    document = text(plain(one))
    again = parse(document, lambda stored: record(Everything, stored), "everything")
    assert again.who is None
    assert written(again) == written(one)
    assert [getattr(again, name) for name in ("kind", "span", "bins", "cells", "ends", "either")] == [
        getattr(one, name) for name in ("kind", "span", "bins", "cells", "ends", "either")
    ]


EXAMPLE = Everything(
    "a", 3, 0.5, Span(0.0, 1.0), ((0.0, 1.0, 2),), {"x": (1.0, 2.0)}, ("p", "q"), (("v", 1),),
    (Round(2.0), Span(1.0, 2.0)), {"y": [1]}, who="ann",
)  # fmt: skip


def test_every_shape_looks_as_declared():
    assert plain(EXAMPLE) == {
        "kind": "a", "count": 3, "of_all": 0.5, "from": 0.0, "to": 1.0,
        "bins": [{"from": 0.0, "to": 1.0, "people": 2}], "cells": {"x": {"value": 1.0, "loss": 2.0}},
        "ends": {"first": "p", "last": "q"}, "versions": {"v": 1},
        "either": [{"radius": 2.0}, {"low": 1.0, "high": 2.0}], "anything": {"y": [1]}, "flag": False,
    }  # fmt: skip


def test_numbers_that_json_cannot_hold_are_null_and_come_back_as_no_number():
    document = plain(Span(math.inf, math.nan))
    assert document == {"low": None, "high": None}
    assert all(map(math.isnan, (record(Span, document).low, record(Span, document).high)))


def test_what_an_earlier_version_did_not_write_has_its_default():
    assert record(Later, {"count": 3}) == Later(3)
    assert record(Later, plain(Later(3, flag=True))) == Later(3, flag=True)
    for document in ({"flag": True}, []):
        with pytest.raises((KeyError, TypeError)):
            record(Later, document)


@dataclass(frozen=True)
class Own:
    value: int

    def to_dict(self):
        return {"doubled": 2 * self.value}

    @classmethod
    def from_dict(cls, stored):
        return cls(stored["doubled"] // 2)


@dataclass(frozen=True)
class Holder:
    own: tuple[Own, ...]


def test_a_record_with_methods_of_its_own_uses_them():
    assert plain(Holder((Own(3),))) == {"own": [{"doubled": 6}]}
    assert record(Holder, {"own": [{"doubled": 6}]}) == Holder((Own(3),))


@pytest.mark.parametrize(
    "change",
    [
        {"kind": "c"}, {"count": 1.5}, {"count": True}, {"of_all": "much"}, {"from": []}, {"bins": {}},
        {"bins": [{"from": 0.0, "to": 1.0}]}, {"bins": [{"from": 0.0, "to": 1.0, "people": "two"}]},
        {"cells": []}, {"ends": {"first": "p"}}, {"versions": [1]}, {"either": [{"side": 1.0}]},
        {"either": "text"}, {"anything": None}, {"flag": 1},
    ],
    ids=str,
)  # fmt: skip
def test_a_value_of_another_type_is_refused(change):
    document = json.dumps({**plain(EXAMPLE), **change})
    with pytest.raises(InputError, match="not the JSON of everything") as refused:
        parse(document, lambda stored: record(Everything, stored), "everything")
    assert refused.value.code == "file-broken"
    assert refused.value.__cause__ is None
