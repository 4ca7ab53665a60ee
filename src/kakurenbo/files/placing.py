"""Placing roles one after the other: who has a column, whose names speak, and what has to be asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kakurenbo.files import words
from kakurenbo.files.looks import spread
from kakurenbo.files.proposal import Doubt, Part

if TYPE_CHECKING:
    from collections.abc import Mapping

    import polars as pl

    from kakurenbo.data.layout import Role
    from kakurenbo.files.looks import Look
    from kakurenbo.files.proposal import Surety

IDS = ("whole", "text")
SAME = 1.02  # on the average one: a slip of the pen apart


class Placing:
    """The columns of a table as they look, and the roles that were placed; one that has a role is taken."""

    def __init__(
        self,
        seen: list[Look],
        *,
        header: bool,
        trusted: bool,
        given: dict[Role, tuple[str, ...]],
        original: Mapping[str, pl.Series],
    ) -> None:
        self.seen, self.given, self.original = seen, given, original
        self.header, self.trusted = header, trusted
        self.by_name = {one.name: one for one in seen}
        self.speaks = {one.name: words.spoken_of(one.name) if header else ("", False) for one in seen}
        told = {"customer", "goods", "receipt", "named", "quantity", "price"}
        self.silent = not any(role in told for role, _ in self.speaks.values())
        self.parts: dict[str, Part] = {}
        self.doubts: list[Doubt] = []

    @property
    def _by_content(self) -> Surety:
        """How sure content alone makes: in a release it stands beside what the original holds."""
        return "sure" if self.original else "likely"

    def _called(self, name: str) -> str:
        """Return what to call a column in a question."""
        place = 1 + [one.name for one in self.seen].index(name)
        return repr(name) if self.trusted else f"column {place}"

    def _taken(self) -> set[str]:
        return {name for part in self.parts.values() for name in part.columns}

    def _free(self, *told: str, only: bool | None = None) -> list[Look]:
        """Return the columns without a role whose names speak so, in their order."""
        return [
            one
            for one in self.seen
            if one.name not in self._taken()
            and self.speaks[one.name][0] in told
            and only in {None, self.speaks[one.name][1]}
        ]

    def _of(self, role: str) -> Look | None:
        part = self.parts.get(role)
        return self.by_name.get(part.columns[0]) if part and part.columns else None

    def _place(self, role: str, names: tuple[str, ...], reason: str, sure: Surety) -> None:
        self.parts[role] = Part(role, names, reason, sure)

    def _one_of(self, role: str, fitting: list[Look], reason: str, sure: Surety = "sure") -> None:
        """Place the only column that fits, or ask which; columns that say the same in other words are one."""
        if not fitting:
            return
        first, *others = fitting
        rivals = [other for other in others if spread(first, other) > SAME or spread(other, first) > SAME]
        if not rivals:
            self._place(role, (first.name,), reason, sure)
            return
        self._place(role, (first.name,), f"{reason}, as does another", "open")
        names = " or ".join(self._called(one.name) for one in (first, *rivals))
        self.doubts.append(Doubt(f"Which column is the {role}: {names}?", role, open=True))
