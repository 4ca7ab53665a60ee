"""Records at the door: columns with a role become typed columns named by it, and what is no purchase goes.

A table may come whole, or in batches of rows. What is read from the values of the first batch, the form of
times and the marks of numbers, is `Known` for the next: so all of them are read alike, and a value that does
not fit is refused with its row.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import polars as pl

from kakurenbo.data.checks import columns, ids, policy, times, values
from kakurenbo.data.checks.numbers import Marks, NumberForm, likely_decimal
from kakurenbo.errors import InputError, ParameterError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kakurenbo.data.checks.policy import Dropped, Policy
    from kakurenbo.data.checks.spelling import Spelling
    from kakurenbo.data.layout import Role

    Roles = Mapping[Role, tuple[str, ...]]
    Forms = dict[str, dict[str, Any]]

_NUMBERS = ("price", "quantity")


@dataclass(frozen=True)
class Known:
    """What is known of how times and numbers are written.

    Attributes:
        time_format: the strftime pattern of text times.
        marks: the marks of numbers, as declared or likely.
        of: the marks of a role that earlier rows have decided.
        zone: the zone that all times name, beside the pattern; empty where they name several, None where
            they name none.
    """

    time_format: str | None = None
    marks: Marks = field(default_factory=Marks)
    of: Mapping[str, Marks] = field(default_factory=dict)
    zone: str | None = None


def check_roles(table: pl.DataFrame, roles: Roles) -> None:
    """Refuse roles whose columns are not there, and a table without rows."""
    if not 1 <= len(roles.get("time", ("one",))) <= 2:
        raise ParameterError(
            "The time stands in one column, or in two: the date and the clock.",
            code="roles",
            parameter="time",
        )
    columns.require([name for names in roles.values() for name in names], table.columns)
    if not table.height:
        raise InputError("The table has no rows.", code="file-empty")


def converted(
    table: pl.DataFrame, roles: Roles, spelling: Spelling, known: Known
) -> tuple[pl.DataFrame, Forms, Known]:
    """Return a frame with columns named by role and typed, how it was written, and what is known since."""
    made: list[pl.Series] = []
    forms: Forms = {}
    numbers = [table[names[0]] for role, names in roles.items() if role in _NUMBERS]
    marks = replace(known.marks, likely=likely_decimal(numbers) or known.marks.likely)
    for role, names in roles.items():
        series, label = table[names[0]], names[0]
        form: NumberForm | None = None
        reading = known.of.get(role, marks)
        if role == "time":
            series, patterns, known = _time(table, names, known)
            forms |= {name: {"pattern": pattern} for name, pattern in patterns.items()}
        elif role == "price":
            most = values.LARGEST_PRICE
            series, form = values.numbers_in_form(series, column=label, largest=most, marks=reading)
        elif role == "quantity":
            series, form = values.whole_numbers_in_form(series, column=label, marks=reading)
        else:
            series = ids.as_text(series, column=label, spelling=spelling)
        if form is not None:
            forms[label] = {"number": form}
            known = _decided(known, role, form)
        made.append(series.alias(role))
    return pl.DataFrame(made), forms, known


def joined(first: Forms, other: Forms, zone: str | None) -> Forms:
    """Return how a table is written of which two parts are written so.

    Args:
        first: the forms of the earlier rows; theirs is the pattern of times.
        other: the forms of the later rows.
        zone: the zone of all times together, empty where there are several.
    """
    made: Forms = {}
    for name, form in first.items():
        if "pattern" in form:
            bare = (
                form["pattern"] if zone != "" or form["pattern"] is None else times.unzoned(form["pattern"])
            )
            made[name] = {"pattern": bare}
        elif name in other:
            made[name] = {"number": form["number"].joined(other[name]["number"])}
    return made


def _decided(known: Known, role: str, form: NumberForm) -> Known:
    """Fix the decimal mark of a role once there are marks; thousands may come later."""
    if role in known.of or (form.decimals == 0 and not form.thousands):
        return known
    return replace(known, of={**known.of, role: Marks(form.decimal, known.marks.thousands)})


def _time(
    table: pl.DataFrame, names: tuple[str, ...], known: Known
) -> tuple[pl.Series, dict[str, str | None], Known]:
    if len(names) == 1:
        series, written, known = _read_times(table[names[0]], names[0], known)
        return series, {names[0]: written}, known
    if len(names) != 2:
        raise InputError("The time stands in one column, or in two: date and clock.", code="roles")
    date, clock = names
    for name in names:
        if table[name].dtype.is_nested() or table[name].dtype in {pl.Duration, pl.Binary, pl.Object}:
            raise InputError("Date and clock must be text.", code="not-date", column=name)
    joint = table.select(
        t=pl.concat_str(pl.col(date).cast(pl.String), pl.col(clock).cast(pl.String), separator=" ")
    )
    series, pattern, known = _read_times(joint["t"], f"{date} and {clock}", known)
    written = pattern or ""
    cut = min((place for place in map(written.find, (" %H", " %-H", " %I", " %-I")) if place > 0), default=-1)
    return series, {date: written[:cut], clock: written[cut + 1 :]}, known


def _read_times(values: pl.Series, column: str, known: Known) -> tuple[pl.Series, str | None, Known]:
    read, written, zone = times.in_zone(
        values, column=column, pattern=known.time_format, zoned=known.zone is not None
    )
    if known.time_format is not None:
        several = zone is not None and zone != known.zone
        return read, written, replace(known, zone="") if several else known
    bare = None if written is None else written.removesuffix(zone or "").replace("%-", "%")
    return read, written, replace(known, time_format=bare, zone=zone)


def cleaned(
    records: pl.DataFrame, rule: Policy, cancelled: str, roles: Roles
) -> tuple[pl.DataFrame, Dropped]:
    """Return the records without those that are no purchase, and how many these were, by reason."""
    names_of = {str(role): names[0] for role, names in roles.items()}
    kept, dropped = policy.apply(records, rule, cancelled=cancelled, columns=names_of)
    for role, code in (("time", "not-date"), ("price", "not-number"), ("quantity", "not-number")):
        if role in names_of:
            values.refuse_missing(kept[role], column=names_of[role], code=code)
    if "quantity" in names_of:
        values.counted(kept["quantity"], column=names_of["quantity"])
    return kept, dropped


def nothing_left() -> InputError:
    """Return the refusal of a table that holds no purchase."""
    return InputError(
        "No purchase is left after the rows without id or of zero were dropped.", code="file-empty"
    )
