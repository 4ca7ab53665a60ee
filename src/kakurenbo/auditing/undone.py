"""Can a release be undone without any attack? Its names computed from the old ids, or its seed guessed.

Two slips undo the best of releases. New names, or any other value, that are made of the person's own id - the
id itself, hashed without a salt, backwards, in base64, within other text - are computed by whoever has a list
of ids. And names drawn with a seed are computed by whoever guesses the seed, which is a small number, a year
or a day more often than not.
"""

from __future__ import annotations

import datetime as dt
import functools
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from kakurenbo.auditing.results import Shown
from kakurenbo.chance import gives_tokens
from kakurenbo.data.checks.values import as_text
from kakurenbo.data.guess import values_of
from kakurenbo.data.owners import Owners
from kakurenbo.data.table import ByKind
from kakurenbo.files.recognise import DISGUISES, SHORTEST, disguised

if TYPE_CHECKING:
    from kakurenbo.chance import Chance
    from kakurenbo.data.microdata import Microdata
    from kakurenbo.data.pairing import Pairing
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.data.table import Data

_PEOPLE = 300  # looked at, as the proof does
_CLEARLY = 0.05
_SMALL = 20_000
_DAYS = 365 * 41
_FIRST_DAY = dt.date(1990, 1, 1)
_FAVOURITES = (31337, 65535, 65536, 99999, 100000, 123456, 654321, 999999, 1234567, 12345678, 123456789,
               987654321, 1234567890, 2**31 - 1, 2**31, 2**32 - 1)  # fmt: skip
_TRIED = 3  # people, of whom some may not be released


def own_ids(original: Data, released: Data, secret: Pairing | Owners, chance: Chance) -> tuple[Shown, ...]:
    """Return the columns in which people's own ids stand, and how; the new names are one of them.

    Ids may be there by accident, such as 12 among quantities: what counts is how much more often a person's
    own id stands in his rows than somebody else's.
    """
    named = Owners.of(secret).owned.frame.unique("released", keep="first", maintain_order=True)
    order = chance.order("own ids", named["released"])[:_PEOPLE]
    people, owners = named["released"].gather(order), named["original"].gather(order)
    if len(people) == 1:
        return ()
    forms = {disguise: disguised(owners, disguise) for disguise in DISGUISES}
    columns = _columns(released, original, people)
    return tuple(_stand_in(((name, _rows(people, who, values)) for name, who, values in columns), forms))


def _stand_in(columns: Iterator[tuple[str, pl.DataFrame]], forms: Mapping[str, pl.Series]) -> Iterator[Shown]:
    for name, rows in columns:
        for disguise, form in forms.items():
            own, others = _shares(rows, form)
            if own - others > _CLEARLY:
                yield Shown(name, disguise.strip(), own)
                break


def _rows(people: pl.Series, whose: pl.Series, values: pl.Series) -> pl.DataFrame:
    """Return (person, text): what stands in the rows of these people, who are numbered as they stand here."""
    numbers = values_of(whose.cast(pl.String), people, np.arange(len(people)))
    texts = as_text(values).str.to_lowercase()
    return (
        pl.DataFrame({"person": numbers, "text": texts}).filter(pl.col("person") >= 0).drop_nulls().unique()
    )


def _shares(rows: pl.DataFrame, forms: pl.Series) -> tuple[float, ...]:
    """Return the share of people in whose rows their own form stands, or the next one's, alone or within."""
    moved = pl.concat([forms.tail(1), forms.head(len(forms) - 1)])
    person, text = rows["person"], pl.col("text")
    stands = []
    for form in (pl.lit(each.gather(person)) for each in (forms, moved)):
        inside = (form.str.len_chars() >= SHORTEST) & text.str.contains(form, literal=True)
        stands.append((text == form) | inside)
    there = rows.select(own=stands[0], others=stands[1])
    return tuple(len(np.unique(person.to_numpy()[mask.to_numpy()])) / len(forms) for mask in there)


Columns = Iterator[tuple[str, pl.Series, pl.Series]]


def _of_purchases(released: Purchases, original: Purchases, people: pl.Series) -> Columns:
    """Yield (name, whose, values) of what both tables show."""
    records = released.under(None).filter(pl.col("customer").is_in(people.implode()))
    yield "the new names", people, people
    for role in released.roles:
        if role != "customer":
            yield f"the column {released.layout.name_of(role)}", records["customer"], records[role]
    there = original.attributes.columns
    for column in released.attributes:
        if column.name in there:
            yield f"the master's column {column.name}", released.customers, column


def _of_microdata(released: Microdata, original: Microdata, people: pl.Series) -> Columns:
    if released.id_column is not None:
        yield "the new names", people, people
    for column in released.records:
        if column.name in original.records.columns:
            yield f"the column {column.name}", released.ids, column


_columns: ByKind[Columns] = ByKind(purchases=_of_purchases, microdata=_of_microdata)


def seed_guessed(original: Data, released: Data, secret: Pairing | Owners | None, chance: Chance) -> bool:
    """Tell whether one of the seeds that people choose gives the new names.

    Every number below twenty thousand is tried, every day since 1990 written as 20240131, and a few others.
    """
    people = original.people.cast(pl.String) if secret is None else Owners.of(secret).persons
    tried = people.gather(chance.order("seeds", people)[:_TRIED]).to_list()
    return gives_tokens(_seeds(), "pseudonym", tried, released.people)


@functools.cache
def _seeds() -> tuple[int, ...]:
    days = [_FIRST_DAY + dt.timedelta(days=day) for day in range(_DAYS)]
    return *range(_SMALL), *(day.year * 10_000 + day.month * 100 + day.day for day in days), *_FAVOURITES
