"""Asking a table for anything, twice, and writing it out leave it as it is: both kinds, every accessor."""

import inspect

import polars as pl
import pytest

import kakurenbo as kb
from kakurenbo.data.microdata import Microdata
from kakurenbo.data.purchases import Purchases
from people import microdata_of
from strategies import purchases_of

PEOPLE = pl.Series(["c1", "1"])
ARGUMENTS = {
    "at": lambda _: ([0],),
    "of": lambda _: (PEOPLE,),
    "under": lambda _: (kb.Pairing.of({"c1": "x", "c2": "y"}),),
    "with_columns": lambda _: (pl.lit(7).alias("age"),),
    "with_records": lambda data: (data.records,),
    "without": lambda _: (["price", "sex"],),
    "common_with": lambda data: (data,),
    "require_columns_of": lambda data: (data,),
    "summarised": lambda _: ([pl.len().alias("n")],),
}
MADE = {
    "purchases": lambda: purchases_of([(1, 2, 0, 3, 150, 2), (2, 2, 1, 4, 99, 1), (1, 3, 0, 3, 20, 5)]),
    "microdata": lambda: microdata_of([(20, "a", 1, 2), (21, "b", 3, 4)]),
    "named": lambda: kb.Microdata.from_frame(
        pl.DataFrame({"n": ["1", "2"], "q": ["x", "y"], "s": [1.0, 2.0]}), qi=["q"], sa=["s"], id="n"
    ),
}


def accessors(kind):
    return [name for name, _ in inspect.getmembers(kind) if not name.startswith("_") and name != "from_frame"]


def asked(data, name):
    thing = getattr(data, name)
    found = thing(*ARGUMENTS.get(name, lambda _: ())(data)) if inspect.ismethod(thing) else thing
    return str(vars(found)) if isinstance(found, Purchases | Microdata) else str(found)


def state(data):
    return {name: str(value) for name, value in vars(data).items() if name in data.__dataclass_fields__}


@pytest.mark.parametrize("kind", MADE)
def test_every_accessor_can_be_asked_twice_and_changes_nothing(kind):
    data = MADE[kind]()
    before = state(data)
    names = accessors(type(data))
    assert len(names) > 12
    first = {name: asked(data, name) for name in names}
    assert state(data) == before
    assert {name: asked(data, name) for name in names} == first


@pytest.mark.parametrize("kind", MADE)
def test_a_release_can_be_written_twice_and_stays_as_it_is(kind, tmp_path):
    release = kb.methods.Pseudonymize().release(MADE[kind](), seed=1) if kind == "purchases" else None
    release = release or kb.methods.PseudonymizeMicrodata().release(MADE[kind](), seed=1)
    before = state(release.data)
    for turn in "12":
        kb.write_release(release, tmp_path / turn, secret=tmp_path / f"{turn}.csv")
    assert state(release.data) == before
    written = [sorted(path.read_bytes() for path in (tmp_path / turn).iterdir()) for turn in "12"]
    assert written[0] == written[1]
