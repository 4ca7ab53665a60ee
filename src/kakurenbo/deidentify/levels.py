"""Generalise columns by a hierarchy: Norway becomes Northern Europe, and at the next level Europe.

Whoever knows a column best wrote down what its values are called in coarser words; here everybody's value is
replaced by its name at one level. The release carries the hierarchy, since a reader must know what its words
stand for, and an attacker does anyway.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar

import polars as pl
from pydantic import Field

from kakurenbo.about import MethodAbout
from kakurenbo.data.groups import as_text
from kakurenbo.data.microdata import Microdata
from kakurenbo.data.purchases import Purchases
from kakurenbo.data.release import Changed, Facts
from kakurenbo.deidentify.base import Method
from kakurenbo.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kakurenbo.chance import Chance
    from kakurenbo.data.hierarchy import Hierarchy

_UNTUNED = "which words are coarse enough, whoever knows the column has to say"
Columns = Annotated[
    tuple[str, ...],
    Field(description="columns that are generalised; none given means all that have a hierarchy"),
]
Level = Annotated[
    int, Field(ge=1, description="how coarse: 1 is the finest level of names, beyond the last the last")
]


class GeneralizeMicrodata(Method[Microdata]):
    """Replace values by what their hierarchy calls them at a level: Norway by Europe.

    The data carries the hierarchies, one a column; columns without one stay as they are, and naming such a
    column is refused, as is a value that its hierarchy does not know. Every value becomes its one name, so
    whoever shared a value still does, and whoever knows the hierarchy maps up what he knows: people are
    hidden as far as their names at that level are shared, and no further.
    """

    about: ClassVar = MethodAbout(
        name="generalize", kind="microdata", source="Samarati and Sweeney 1998", promises=("maps-up",),
        untuned=_UNTUNED,
    )  # fmt: skip

    columns: Columns = ()
    level: Level = 1

    def change(self, data: Microdata, chance: Chance) -> Changed[Microdata]:  # noqa: ARG002 - nothing is drawn
        """Return the microdata with coarser words."""
        names = _chosen(self.columns, data.records.columns, data.hierarchies)
        made = _at_level(data.records, names, data.hierarchies, self.level)
        return Changed(data.with_columns(*made), altered(data.records, made))


class GeneralizeMaster(Method[Purchases]):
    """Replace values of the master by what their hierarchy calls them at a level: Norway by Europe.

    As `generalize` of microdata, for the columns of the master; records stay as they are. Columns that nobody
    releases may be among them, and stay behind as before.
    """

    about: ClassVar = MethodAbout(
        name="generalize-master", kind="purchases", reach="person", source="Samarati and Sweeney 1998",
        promises=("maps-up", "keeps-records"), needs=("master",), untuned=_UNTUNED,
    )  # fmt: skip

    columns: Columns = ()
    level: Level = 1

    def change(self, data: Purchases, chance: Chance) -> Changed[Purchases]:  # noqa: ARG002 - nothing is drawn
        """Return the purchases with coarser words in their master."""
        master = data.master
        names = _chosen(self.columns, [] if master is None else master.columns[1:], data.hierarchies)
        if master is None:
            return Changed(data)
        made = _at_level(master, names, data.hierarchies, self.level)
        return rewritten(data, master, made)


def _chosen(named: Sequence[str], there: Sequence[str], trees: Mapping[str, Hierarchy]) -> list[str]:
    """Return the columns to generalise: those named, or all that have a hierarchy."""
    missing = [name for name in named if name not in there or name not in trees]
    if missing:
        raise InputError(
            f"There is no hierarchy for a column {missing[0]}; give a table of its values and their coarser "
            "names.", code="hierarchy", parameter="hierarchy",
        )  # fmt: skip
    return [name for name in there if name in (named or trees)]


def _at_level(
    table: pl.DataFrame, names: Sequence[str], trees: Mapping[str, Hierarchy], level: int
) -> list[pl.Series]:
    """Return these columns as their names at a level; a missing value stays missing."""
    made = []
    for name in names:
        words = trees[name].at(min(level, len(trees[name].levels)))
        values = as_text(table[name])
        unknown = values.drop_nulls().unique().is_in(words["value"].implode()).not_().sum()
        if unknown:
            raise InputError(
                f"{unknown} values of the column are not in its hierarchy; add them there, or leave it out.",
                code="hierarchy", column=name,
            )  # fmt: skip
        made.append(values.replace(words["value"], words["word"]).alias(name))
    return made


def rewritten(data: Purchases, master: pl.DataFrame, made: Sequence[pl.Series]) -> Changed[Purchases]:
    """Return the purchases with some columns of their master changed; rows of buyers are counted."""
    buyers = master["customer"].is_in(data.customers.implode())
    facts = altered(master.filter(buyers), [column.filter(buyers) for column in made])
    return Changed(data.with_records(data.records, master=master.with_columns(made)), facts)


def altered(table: pl.DataFrame, made: Sequence[pl.Series]) -> Facts:
    """Return in how many rows a value changed."""
    if not made:
        return Facts()
    changed = [(as_text(table[column.name]) != column).alias(column.name) for column in made]
    return Facts(altered=int(pl.DataFrame(changed).select(pl.any_horizontal(pl.all()).sum()).item()))
