"""Who says what a column means: whoever reads it, its settings, a known layout, or a sure proposal.

What somebody named wins, and the rest of a known layout stays: three named columns of Online Retail do not
make its receipts disappear. A release is read by the roles of its original where it has such columns, in
whatever letters; where it has others, by what was said of the release, else by a proposal of its own, which
also looks whether it holds the original's goods.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from kakurenbo.data.checks.ids import trimmed
from kakurenbo.errors import InputError
from kakurenbo.files import known, words
from kakurenbo.files.headers import looks_headerless
from kakurenbo.files.propose import propose

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from kakurenbo.data.layout import Role
    from kakurenbo.files.options import ReadOptions
    from kakurenbo.files.proposal import Proposal
    from kakurenbo.files.tables import Table

    Opener = Callable[[ReadOptions], Table]
    Roles = dict[Role, tuple[str, ...]]

REQUIRED: tuple[Role, ...] = ("customer", "goods")
_PAIRING = {"released", "original"}


@dataclass(frozen=True)
class Settled:
    """A table opened as it is written, with the roles of its columns and who said so.

    Attributes:
        table: the table, opened.
        given: the options it was opened with.
        roles: the columns of each role.
        layout: the known layout it has, or its original has.
        proposal: what was proposed, where that was taken.
    """

    table: Table
    given: ReadOptions
    roles: Roles
    layout: known.Known | None = None
    proposal: Proposal | None = None


def proposed(opener: Opener, given: ReadOptions) -> Proposal | None:
    """Return what a table seems to be, unless it is known or named what its columns are."""
    table, given, layout = _opened(opener, given)
    if layout or set(REQUIRED) <= given.roles.keys() or given.qi:
        return None
    return _proposal(opener, table, given)[1]


def of_original(opener: Opener, given: ReadOptions) -> Settled:
    """Settle the roles of a table that stands by itself."""
    table, given, layout = _opened(opener, given)
    named = given.roles
    if layout:
        return Settled(table, given, _joined(layout.roles, named, given.omitted), layout)
    if set(REQUIRED) <= named.keys():
        return Settled(table, given, named)
    table, proposal = _proposal(opener, table, given)
    _refuse_doubt(proposal)
    given = given.model_copy(update={"header": proposal.header})
    return Settled(table, given, _joined(proposal.roles, named, given.omitted), proposal=proposal)


def of_release(opener: Opener, given: ReadOptions, original: Settled) -> Settled:
    """Settle the roles of a release: what was said of it, its original's columns, or its own proposal."""
    table, given, layout = _opened(opener, given)
    if not layout and not original.table.header and _headerless(table):
        given = given.model_copy(update={"header": False})
        table = opener(given)
    _refuse_pairing(table)
    named = given.of_release
    same = _there(original.roles, table.names)
    roles = _joined(same, named, ())
    if layout and not set(REQUIRED) <= roles.keys():
        roles = _joined(layout.roles, named, ())
    if set(REQUIRED) <= roles.keys():
        return Settled(table, given, roles, original.layout or layout)
    held = _held(original)
    proposal = propose(table, given=roles, original=held)
    if not proposal.certain:
        raise _foreign(proposal)
    roles = {role: names for role, names in proposal.roles.items() if role in {*REQUIRED, *original.roles}}
    return Settled(table, given, roles, original.layout, proposal)


def called(wanted: Sequence[str], given: ReadOptions, names: Sequence[str]) -> dict[str, str]:
    """Return what columns of microdata are called in a release: as was said, else alike in any letters."""
    said: dict[str, str] = {}
    for lists in ("qi", "sa"):
        told = given.release.get(lists, ())
        said |= dict(zip(getattr(given, lists), (told,) if isinstance(told, str) else told, strict=False))
    if given.id and given.release.get("id"):
        said[given.id] = given.release["id"]
    alike = {words.compact(name): name for name in reversed(names)} | {name: name for name in names}
    return {
        name: said.get(name) or alike.get(name) or alike.get(words.compact(name), name) for name in wanted
    }


def customers_of(names: Sequence[str], customer: str) -> str | None:
    """Return the column of a master that holds the customers under another name; None where it has theirs."""
    if customer in names:
        return None
    alike = [name for name in names if words.compact(name) == words.compact(customer)]
    speaking = alike or [name for name in names if words.spoken_of(name) == ("customer", True)]
    return speaking[0] if len(speaking) == 1 else None


def _opened(opener: Opener, given: ReadOptions) -> tuple[Table, ReadOptions, known.Known | None]:
    """Open a table; of a known layout without a header, the first row is no header."""
    table = opener(given)
    layout = known.recognise(table.names, table.head)
    if layout and not layout.header and given.header:
        given = given.model_copy(update={"header": False})
        table = opener(given)
    return table, given, layout


def _headerless(table: Table) -> bool:
    return table.header and table.head is not None and looks_headerless(table.head[0], table.head[1:])


def _proposal(opener: Opener, table: Table, given: ReadOptions) -> tuple[Table, Proposal]:
    if _headerless(table):
        table = opener(given.model_copy(update={"header": False}))
    return table, propose(table, given=given.roles)


def _joined(base: Mapping[Role, tuple[str, ...]], named: Roles, omitted: Sequence[str]) -> Roles:
    """Return the roles named, and those of the base that they do not touch."""
    taken = {name for names in named.values() for name in names}
    kept = {role: names for role, names in base.items() if taken.isdisjoint(names) and role not in omitted}
    return {**kept, **named}


def _there(roles: Roles, names: Sequence[str]) -> Roles:
    """Return the roles whose columns are there, under the same name in whatever letters."""
    alike = {words.compact(name): name for name in reversed(names)} | {name: name for name in names}
    found = {
        role: tuple(alike.get(column, alike.get(words.compact(column), "")) for column in columns)
        for role, columns in roles.items()
    }
    return {role: columns for role, columns in found.items() if all(columns)}


def _held(original: Settled) -> dict[str, pl.Series]:
    """Return the customers and goods of the original as text, to be found again in a release."""
    wanted = {role: original.roles[role][0] for role in REQUIRED}
    frame = original.table.load(list(wanted.values()))
    return {
        role: trimmed(frame[name].cast(pl.String)).drop_nulls().unique().str.replace(r"^(\d+)\.0+$", "$1")
        for role, name in wanted.items()
    }


def _refuse_doubt(proposal: Proposal) -> None:
    """Refuse to guess: one question, what would answer it, and what columns there are."""
    if proposal.certain:
        return
    doubt = proposal.doubts[0]
    said = f"This layout is not a known one. {doubt.question}"
    if not doubt.open and (proposal.trusted or not proposal.header):
        settings = ", ".join(f"{name}={value!r}" for name, value in proposal.options.items())
        said += f" If so, say {settings}."
    else:
        said += f" Say so with {doubt.parameter}; {there(proposal)}."
    raise InputError(said, code="roles", parameter=doubt.parameter)


def there(proposal: Proposal) -> str:
    """Say which columns there are, without repeating what may be somebody's row."""
    if len(proposal.forms) == 1:
        return "it is one character, such as a semicolon or a tab"
    if not proposal.header:
        return f"the columns are 1 to {len(proposal.forms)}, without a header"
    if not proposal.trusted:
        return f"there are {len(proposal.forms)}; the first row may be no header"
    return f"the columns are {shown(list(proposal.forms))}"


def _foreign(proposal: Proposal) -> InputError:
    doubt = proposal.doubts[0]
    return InputError(
        f"The release does not have its original's columns. {doubt.question} Say which in release_columns "
        "(such as customer=..., goods=...), or under [release] in the original's settings; "
        f"{there(proposal)}.",
        code="roles",
        parameter="release_columns",
    )


def _refuse_pairing(table: Table) -> None:
    if set(table.names) == _PAIRING:
        raise InputError(
            "This is a pairing (released, original), not a release; give the table of released records, and "
            "the pairing as the secret.",
            code="roles",
        )


def shown(names: Sequence[str], most: int = 12) -> str:
    """Return the names of columns for a message."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(map(repr, names[:most])) + more
