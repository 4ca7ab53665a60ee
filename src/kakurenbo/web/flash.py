"""Messages for the next page: left by an answer that leads elsewhere, shown once, in a signed cookie."""

from __future__ import annotations

import base64
import json
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Final, Literal

from kakurenbo.web.visit import Visit, visit_of

if TYPE_CHECKING:
    from starlette.requests import HTTPConnection

Kind = Literal["done", "note", "fault"]
_COOKIE: Final = "flash"
_SECONDS: Final = 300
_MOST: Final = 10
_LONGEST: Final = 3_000  # letters; browsers take about 4,000


@dataclass(frozen=True)
class Flash:
    """A message: an English sentence with its fields."""

    message: str
    kind: Kind = "done"
    fields: dict[str, str | int | float] = field(default_factory=dict)


def flash(request: HTTPConnection, message: str, /, kind: Kind = "done", **fields: str | float) -> None:
    """Show a message on this page, or, where this answer shows none, on the next."""
    visit_of(request).flashes.append(Flash(message, kind, fields))


def waiting(visit: Visit) -> list[Flash]:
    """Return all messages that were left, and count them as shown."""
    visit.shown = True
    found = [*_left(visit), *visit.flashes]
    visit.private = visit.private or bool(found)
    return found


def keep(visit: Visit) -> None:
    """Put what was not shown into the cookie, and take back what was."""
    if visit.shown:
        visit.drop_cookie(_COOKIE)
    elif visit.flashes:
        visit.set_cookie(_COOKIE, _packed(visit, [*_left(visit), *visit.flashes]), _SECONDS)


def _packed(visit: Visit, flashes: list[Flash]) -> str:
    """Return messages as a cookie; of too many the last."""
    flashes = flashes[-_MOST:]
    while True:
        text = json.dumps([asdict(one) for one in flashes], ensure_ascii=False)
        packed = base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")
        if len(packed) <= _LONGEST or not flashes:
            return visit.signed("flash", packed)
        flashes = flashes[1:]


def _left(visit: Visit) -> list[Flash]:
    packed = visit.unsigned("flash", visit.cookie(_COOKIE))
    if packed is None:
        return []
    text = base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4))
    return [Flash(**one) for one in json.loads(text)]
