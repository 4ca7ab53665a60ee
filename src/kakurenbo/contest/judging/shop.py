"""The purchases of a contest: what they are, and how their tables are written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from kakurenbo.contest.judging.cells import Form
from kakurenbo.contest.judging.originals import Original
from kakurenbo.data.checks import times
from kakurenbo.data.checks.numbers import Marks
from kakurenbo.data.purchases import Purchases
from kakurenbo.files.read import open_table, prepare, read_purchases

if TYPE_CHECKING:
    from pathlib import Path

    from kakurenbo.data.checks.spelling import Spelling
    from kakurenbo.data.layout import Column, Role

NUMBERS: Final = ("price", "quantity")


@dataclass(frozen=True, eq=False)
class Shop(Original[Purchases]):
    """The purchases of a contest, and how its tables are written.

    Attributes:
        form: of the transactions.
        roles: the columns of every role.
        master_form: of the master.
        master: the columns of the master, as they are called in its file, each with the name it is read
            under; empty where there is none.
        spelling: how ids are read.
    """

    form: Form
    roles: dict[Role, tuple[str, ...]]
    master_form: Form
    master: dict[str, str]
    spelling: Spelling

    @classmethod
    def read(cls, place: Path, options: dict[str, Any]) -> Shop:
        """Read transactions and master from a folder, or transactions alone from a file."""
        data = read_purchases(place, **options)
        door = prepare(place, None, options)
        table, people = door.table, door.people()
        form = Form(table.header, table.separator, len(table.names))
        shown = {role: names for role, names in door.roles.items() if role in data.roles}
        if people is None or door.master is None:
            return cls(data, form, shown, form, {}, door.given.spelling)
        own = open_table(door.master, door.given)
        named = dict(zip(own.names, people.columns, strict=True))
        return cls(
            data, form, shown, Form(own.header, own.separator, len(own.names)), named, door.given.spelling
        )

    @property
    def customer(self) -> str:
        """The column of customers."""
        return self.roles["customer"][0]

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of a release: those with a role, and where no header names them, all places."""
        if not self.form.header:
            return tuple(str(place + 1) for place in range(self.form.width))
        return tuple(name for names in self.roles.values() for name in names)

    @property
    def written(self) -> dict[str, Column]:
        """How every column is written."""
        return {column.name: column for column in self.data.layout.columns}

    @property
    def time_format(self) -> str | None:
        """How times are written, where it is text without a zone; else it is told from the values."""
        patterns = [self.written[name].pattern for name in self.roles.get("time", ())]
        whole = " ".join(filter(None, patterns))
        usual = all(patterns) and whole == times.unzoned(whole) and times.SERIAL not in patterns
        return whole.replace("%-", "%") if usual and whole else None

    @property
    def marks(self) -> Marks:
        """How numbers are written, as far as some have decimals."""
        forms = [self.written[name].number for role in NUMBERS for name in self.roles.get(role, ())]
        return Marks(next((form.decimal for form in forms if form is not None and form.decimals), None))
