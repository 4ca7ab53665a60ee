"""A proposal of how to read a table: the role of every column, why, how sure, and what has to be asked."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from kakurenbo.data.layout import ROLES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kakurenbo.data.layout import Role

Kind = Literal["purchases", "microdata"]
Surety = Literal["sure", "likely", "open"]


@dataclass(frozen=True)
class Part:
    """The column or columns proposed for one role, why, and how sure that is."""

    role: str
    columns: tuple[str, ...]
    reason: str
    sure: Surety


@dataclass(frozen=True)
class Doubt:
    """One question, and the parameter that answers it; an open one nobody else can answer."""

    question: str
    parameter: str
    open: bool


@dataclass(frozen=True)
class Proposal:
    """What a table seems to be: its kind, the role of its columns, what is doubtful, and what is left over.

    Attributes:
        kind: purchases, or microdata (one row a person).
        parts: the roles, each with its columns, reason and surety.
        doubts: what should be asked, the most pressing first.
        spoken: columns that speak of the good, such as a description.
        left: columns without a role.
        forms: how the values of each column are written, in words.
        policy: `drop` where rows lack an id, or a quantity or price is not positive; else None.
        header: whether the first row names the columns.
        trusted: whether that can be told from the rows below it; else its names are not repeated.
    """

    kind: Kind
    parts: tuple[Part, ...]
    doubts: tuple[Doubt, ...]
    spoken: tuple[str, ...]
    left: tuple[str, ...]
    forms: Mapping[str, str] = field(default_factory=dict)
    policy: Literal["drop"] | None = None
    header: bool = True
    trusted: bool = True

    def label(self, name: str) -> str:
        """Return what to call a column: its name, unless that may be somebody's value."""
        return repr(name) if self.trusted else f"column {list(self.forms).index(name) + 1}"

    @property
    def certain(self) -> bool:
        """Whether there is nothing to ask."""
        return not self.doubts

    @property
    def possible(self) -> bool:
        """Whether a yes is all that is needed."""
        return not any(doubt.open for doubt in self.doubts)

    @property
    def roles(self) -> dict[Role, tuple[str, ...]]:
        """The roles of purchases that have a column."""
        return {part.role: part.columns for part in self.parts if part.columns}  # type: ignore[misc] # by kind

    @property
    def options(self) -> dict[str, Any]:
        """What to read the table with: the fields of `ReadOptions`."""
        if self.kind == "microdata":
            named: dict[str, Any] = {part.role: part.columns for part in self.parts}
            named["id"] = named["id"][0] if named.get("id") else None
        else:
            named = {role: ",".join(columns) for role, columns in self.roles.items()}
            named["goods_columns"] = self.spoken
        ordered = {
            name: named[name] for name in (*ROLES, "goods_columns", "qi", "sa", "id") if named.get(name)
        }
        return ordered if self.header else {**ordered, "header": False}
