"""A data sheet as the page to read: `README.md`, made from the record and from nothing else.

Names of columns and the contact are other people's words. They are written so that nothing in them is taken
for markup.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, get_args

from kakurenbo.sheet.record import CAREFUL, NEARLY, Advice
from kakurenbo.sheet.words import WORDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kakurenbo.sheet.record import Column, DataSheet, Rung, Use

_MARKS = re.compile(r"([\\`*_{}\[\]<>#|~])")
_RECURRING = {"weekday-hour", "weekday", "hour"}


def markdown(sheet: DataSheet) -> str:
    """Return the page."""
    return "\n\n".join(_Page(sheet).parts()) + "\n"


class _Page:
    """One sheet in its language."""

    def __init__(self, sheet: DataSheet) -> None:
        self._sheet, self._words = sheet, WORDS[sheet.language]

    def _say(self, key: str, **values: Any) -> str:  # noqa: ANN401 - whatever is told
        return self._words[key].format(**values)

    def _word(self, key: str) -> str:
        return self._words.get(key, key)

    def _head(self, key: str) -> str:
        return f"## {self._say(key)}"

    def parts(self) -> Iterator[str]:
        """Yield the paragraphs."""
        yield f"# {self._say('title')}"
        yield self._say("made", version=_plain(self._sheet.version))
        if self._sheet.reproducible:
            yield self._say("seeded")
        yield from self._what()
        yield from self._changed()
        yield from self._uses()
        yield from self._sought()
        yield self._head("contact")
        yield _plain(self._sheet.contact) or self._say("nobody_named")

    def _what(self) -> Iterator[str]:
        sheet = self._sheet
        counts = ", ".join(
            self._say("counts", count=count, name=self._word(_plain(name)))
            for name, count in sheet.counts.items()
        )
        yield self._head("what")
        told = [self._say(sheet.kind, counts=counts), self._say(f"names {sheet.kind}")]
        told += [self._say("several")] if sheet.several_names else []
        told += [self._say("no_purchases", count=sheet.no_purchases)] if sheet.no_purchases else []
        yield " ".join(told)
        yield self._head("columns")
        yield "\n".join([self._say("heads"), *map(self._column, sheet.columns)])
        names = ", ".join(map(_plain, sheet.left_out))
        if names or sheet.unread:
            key = "unread" if not names else "left_out_unread" if sheet.unread else "left_out"
            yield self._say(key, names=names, count=sheet.unread)

    def _column(self, column: Column) -> str:
        cells = (
            column.table, _plain(column.name), self._word(f"role {column.role}"),
            self._grain(column), f"{column.values:,}",
        )  # fmt: skip
        return f"| {' | '.join(cells)} |"

    def _grain(self, column: Column) -> str:
        if column.since:
            kind = "grain recurring" if column.grain in _RECURRING else "grain time"
            return self._say(kind, grain=self._word(column.grain), since=column.since, until=column.until)
        shares = [
            self._say("grain level" if level else "grain itself", count=count, level=level)
            for level, count in enumerate(column.levels)
            if count
        ]
        return self._say(
            f"grain {column.grain}", decimals=column.decimals, values=column.values,
            stands_for=column.stands_for, levels=", ".join(shares),
        )  # fmt: skip

    def _changed(self) -> Iterator[str]:
        yield self._head("changed")
        steps = [
            f"{place}. `{_plain(step.method)}`: {step.does}"
            for place, step in enumerate(self._sheet.changes, 1)
        ]
        yield "\n".join(steps) or self._say("unknown_plan")
        edits = [self._say(kind, count=count) for kind, count in self._sheet.edits.items()]
        yield " ".join([*edits, self._say("secrets")])

    def _uses(self) -> Iterator[str]:
        yield self._head("uses")
        if not self._sheet.compared:
            yield self._say("not_compared")
            return
        if self._sheet.sampled:
            yield self._say("sampled", count=self._sheet.sampled)
        if self._sheet.uses:
            yield self._say("thresholds", nearly=NEARLY, careful=CAREFUL)
            for advice in get_args(Advice):
                yield f"### {self._say(advice)}"
                uses = [use for use in self._sheet.uses if use.advice == advice]
                yield self._listed(uses) or self._say("none")
        if self._sheet.grain:
            yield f"### {self._say('grain')}"
            yield self._listed(self._sheet.grain)
        if self._sheet.unmeasured:
            yield f"### {self._say('unmeasured')}"
            yield "\n".join(
                f"- {', '.join(f'`{name}`' for name in names)}: {_plain(why)}"
                for why, names in self._sheet.unmeasured.items()
            )

    def _listed(self, uses: tuple[Use, ...] | list[Use]) -> str:
        return "\n".join(
            f"- **{use.measure}**: "
            + self._say("lost" if use.lost else "kept", says=_plain(use.says), lost=_share(use.lost))
            for use in uses
        )

    def _sought(self) -> Iterator[str]:
        sought = self._sheet.sought
        yield self._head("sought")
        if not sought.by:
            yield self._say("nobody")
            return
        knows = self._say("up_to", knowledge=sought.knowledge) if sought.knowledge else self._say("all")
        yield self._say(
            sought.by, attackers=self._say("some") if sought.attackers is None else sought.attackers,
            verdict=sought.verdict, max_risk=_share(sought.max_risk), max_learnt=_share(sought.max_learnt),
            knowledge=knows,
        )  # fmt: skip
        if sought.targets is not None:
            yield self._say("targets", targets=f"{sought.targets:,}")
        yield "\n".join([self._say("rungs"), *map(self._rung, sought.rungs)])
        yield self._say("who_learns")

    def _rung(self, rung: Rung) -> str:
        known = _plain(rung.knowledge) or self._say("worst")
        return f"| {known} | {_share(rung.found)} | {_share(rung.chance)} | {_share(rung.laid_open)} |"


def _share(share: float | None) -> str:
    if share is None:
        return "-"
    return f"{share:.0%}" if share in {0, 1} else f"{100 * share:.3g}%"


def _plain(text: str) -> str:
    """Return text of which nothing is taken for markup."""
    return _MARKS.sub(r"\\\1", "".join(sign if sign.isprintable() else " " for sign in text)).strip()
