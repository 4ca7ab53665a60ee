"""What the organiser tells everybody, in one language or both."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import delete, select

from kakurenbo.contest import log
from kakurenbo.contest.database.models import Announcement
from kakurenbo.contest.records import AnnouncementView
from kakurenbo.errors import ParameterError

if TYPE_CHECKING:
    from kakurenbo.contest.contest import Contest
    from kakurenbo.contest.records import User

LONGEST = 5_000  # letters


def announce(contest: Contest, by: User, text: str, text_ja: str = "") -> AnnouncementView:
    """Tell everybody something."""
    if not 0 < len(text.strip()) <= LONGEST or len(text_ja) > LONGEST:
        raise ParameterError(f"An announcement has 1 to {LONGEST:,} letters.", code="parameter")
    with contest.database.writing() as session:
        row = Announcement(text=text.strip(), text_ja=text_ja.strip(), created=contest.clock())
        session.add(row)
        session.flush()
        log.write(session, row.created, by.name, "announce", row.token)
        return _view(row)


def withdraw(contest: Contest, announcement: str, by: User) -> None:
    """Take an announcement off the pages."""
    with contest.database.writing() as session:
        session.execute(delete(Announcement).where(Announcement.token == announcement))
        log.write(session, contest.clock(), by.name, "withdraw", announcement)


def announcements(contest: Contest) -> list[AnnouncementView]:
    """Return all announcements, newest first."""
    with contest.database.reading() as session:
        rows = session.scalars(select(Announcement).order_by(Announcement.id.desc()))
        return [_view(row) for row in rows]


def _view(row: Announcement) -> AnnouncementView:
    return AnnouncementView(row.token, row.text, row.text_ja, row.created)
