"""Where things stand on the risk ladder: lanes downwards, a share of people across.

Every rung that was tried has a lane for what is found and one for what is laid open, as far as there is
something to show. Where there is no room beside the picture its name has a lane of its own above them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import altair as alt

from kakurenbo.report.charts.look import INK

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kakurenbo.auditing.results import Audit, Lesson

HEAD, FOOT = " ", "  "  # lanes above and below all others, for the names of the lines
WHOLE = 1.12  # the axis to 100 %, with room to its right for a number
_ZOOM = 0.4

What = Literal["name", "found", "learnt"]


class Lane(NamedTuple):
    """A lane: its own name on the axis, blank but for the first of a rung; the rung, and what it shows."""

    key: str
    rung: str
    what: What


@dataclass(frozen=True)
class Axes:
    """The lanes of an audit downwards, and shares across up to `end`."""

    lanes: tuple[Lane, ...]
    end: float
    wide: bool
    foot: bool

    @classmethod
    def of(cls, audit: Audit, *, wide: bool) -> Axes:
        """Return the axes of an audit's ladder."""
        return cls(tuple(_lanes(audit, wide=wide)), reach(audit), wide, bool(audit.shown))

    @property
    def depth(self) -> int:
        """How high a lane is."""
        return 25 if self.wide else 22

    @property
    def height(self) -> int:
        """How high the whole picture is, with its axis and legend."""
        return self.depth * (len(self.lanes) + 1 + self.foot) + (90 if self.wide else 120)

    @property
    def last(self) -> float:
        """The share at the right edge; numbers need more room where the picture is narrow."""
        return self.end if self.wide else 1.07 * self.end

    def x(self, name: str) -> Any:  # noqa: ANN401 - altair ships no types
        """Return the encoding of a share."""
        steps = {"values": [0, 0.2, 0.4, 0.6, 0.8, 1]} if self.end == WHOLE else {"tickCount": 5}
        axis = alt.Axis(format="~%", domain=False, ticks=False, **steps)
        scale = alt.Scale(domain=[0, self.last], nice=False)
        return alt.X(f"{name}:Q", title="share of people", axis=axis, scale=scale)

    def y(self, **more: Any) -> Any:  # noqa: ANN401 - altair ships no types
        """Return the encoding of a lane."""
        names = alt.Axis(
            title=None, labelLimit=300, ticks=False, domain=False, labelColor=INK, labelPadding=10
        )
        keys = [HEAD, *(lane.key for lane in self.lanes), *([FOOT] if self.foot else [])]
        scale = alt.Scale(type="band", domain=keys, paddingInner=0, paddingOuter=0)
        return alt.Y("lane:N", sort=None, scale=scale, axis=names if self.wide else None, **more)


def reach(audit: Audit) -> float:
    """Return where the axis ends: past 100 %, or past all there is where that is little."""
    found = (finding.exposed.high for finding in audit.shown)
    learnt = (max(lesson.laid_open.high, laid_open_limit(audit, lesson)) for lesson in audit.taught)
    most = max((0.01, audit.limits.max_risk, *found, *learnt))
    return WHOLE if most > _ZOOM else 1.2 * most


def laid_open_limit(audit: Audit, lesson: Lesson) -> float:
    """Return how many may be laid open where the control is that of this lesson; never more than all."""
    return min(lesson.control_laid_open + audit.limits.max_learnt, 1.0)


def tried(audit: Audit) -> tuple[str, ...]:
    """Return the rungs on which somebody tried to find or to learn, least knowledge first."""
    rungs = {finding.knowledge for finding in audit.attacks} | {one.knowledge for one in audit.learnt}
    return tuple(rung for rung, _ in audit.ladder if rung in rungs)


def labelled(audit: Audit, rung: str) -> str:
    """Return the name of a rung, with a mark where it does not decide."""
    return rung if audit.decides(rung) else f"{rung} (shown only)"


def _lanes(audit: Audit, *, wide: bool) -> Iterator[Lane]:
    found, learnt = ({one.knowledge for one in who} for who in (audit.attacks, audit.learnt))
    blank = FOOT
    for rung in tried(audit):
        name: tuple[What, ...] = () if wide else ("name",)
        parts: tuple[tuple[What, set[str]], ...] = (("found", found), ("learnt", learnt))
        there = (*name, *(what for what, rungs in parts if rung in rungs))
        for place, what in enumerate(there):
            blank += " "
            yield Lane(blank if place else labelled(audit, rung), rung, what)
