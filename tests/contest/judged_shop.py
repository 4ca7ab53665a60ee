"""A shop of six for the judge: small enough to say by hand which line and cell is wrong."""

import polars as pl

from kakurenbo.contest.judging import judge
from kakurenbo.contest.rules import Rules

RULES = """
title = "Six customers"
format = "purchases"

[hide]
keep_share = 0.5
known_goods = true

[[hide.measures]]
name = "u1-cmae"

[[hide.measures]]
name = "popularity"

[[hide.attacks]]
name = "jaccard"

[limits]
rows = 100
"""
GOODS = ("ax", "bow", "cup", "dart", "egg", "fan")
CUSTOMERS = ("11", "12", "13", "14", "15", "16")
NAMES = dict(zip(("p", "q", "r", "s", "t", "u"), CUSTOMERS, strict=True))


def rows_of(customers):
    """Return three purchases of each: his own good, the next one, and one that all have."""
    return [
        [who, f"{place}{turn}", f"2011/{turn + 1}/{place + 1}", f"{9 + turn}:05", good, f"{turn + 1}.5", "2"]
        for place, who in enumerate(customers)
        for turn, good in enumerate((GOODS[place], GOODS[(place + 1) % 6], "ax"))
    ]


def people_of(customers):
    """Return the master: sex, decade of birth and country of each."""
    return [
        [who, "fm"[place % 2], "1970", ("UK", "France")[place // 3]] for place, who in enumerate(customers)
    ]


def text(rows):
    """Return rows as a file holds them."""
    return "".join(",".join(row) + "\n" for row in rows).encode()


def pairs(names=None):
    """Return a pairing as a file holds it."""
    return b"released,original\n" + text([list(pair) for pair in (names or NAMES).items()])


def write_original(folder):
    """Write the tables of the contest into a folder."""
    (folder / "T.csv").write_bytes(text(rows_of(CUSTOMERS)))
    (folder / "M.csv").write_bytes(text(people_of(CUSTOMERS)))
    return folder


def submission(**changed):
    """Return the files of a release without faults, with others in place of some."""
    files = {"T.csv": text(rows_of(NAMES)), "M.csv": text(people_of(NAMES)), "P.csv": pairs()}
    named = {f"{letter}.csv": content for letter, content in changed.items()}
    return {name: content for name, content in {**files, **named}.items() if content is not None}


def with_cells(rows, *changes):
    """Return rows as a file, with cells exchanged: (line, column, text), both from 1."""
    made = [list(row) for row in rows]
    for line, column, cell in changes:
        made[line - 1][column - 1] = cell
    return text(made)


def places(faults):
    """Return faults as (file, line, column, code)."""
    return [(fault.file, fault.line, fault.column, fault.code) for fault in faults]


def rules(more="", **limits):
    """Return the rules of the six, with more lines."""
    found = Rules.parse(RULES + more)
    return found.model_copy(update={"limits": found.limits.model_copy(update=limits)})


def faults_of(original, files, **limits):
    """Return the faults of a submission as places."""
    return places(judge.check(rules(**limits), original, files))


def frame(rows, names):
    """Return rows as a table."""
    return pl.DataFrame(rows, schema=list(names), orient="row")
