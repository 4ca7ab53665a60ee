"""The tables of a contest.

Rows know one another by numbers that nobody outside sees; what people see is the `token`, drawn at random.
Of passwords, tokens, join codes and sessions only a hash is kept, of submissions only what is not secret:
their content lies sealed in the vault.
"""

from __future__ import annotations

import datetime as dt
import secrets

from sqlalchemy import BigInteger, ForeignKey, Index, MetaData, UniqueConstraint
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship

from kakurenbo.contest.database.types import Moment, Word

TOKEN = 16  # letters of a token
DIGEST = 64  # letters of a SHA-256


def new_token() -> str:
    """Return a name for people to see: opaque, and not to be guessed."""
    return secrets.token_urlsafe(12)


class Table(DeclarativeBase):
    """Base of all tables: constraints have names, so that migrations can speak of them."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map = {dt.datetime: Moment}  # noqa: RUF012 - SQLAlchemy reads it once


class Setting(Table):
    """One thing that is true of the whole contest, such as which key it was begun with."""

    __tablename__ = "settings"
    name: Mapped[str] = mapped_column(Word(40), primary_key=True)
    value: Mapped[str] = mapped_column(Word())


class User(Table):
    """A person with a password."""

    __tablename__ = "users"
    id: Mapped[int] = mapped_column(primary_key=True)
    token: Mapped[str] = mapped_column(Word(TOKEN), unique=True, default=new_token)
    name: Mapped[str] = mapped_column(Word(60))
    folded: Mapped[str] = mapped_column(Word(240), unique=True)  # the name as it is compared
    password: Mapped[str] = mapped_column(Word(255))
    organiser: Mapped[bool] = mapped_column(default=False)
    language: Mapped[str] = mapped_column(Word(2), default="en")
    created: Mapped[dt.datetime]


class Team(Table):
    """Those who play together."""

    __tablename__ = "teams"
    id: Mapped[int] = mapped_column(primary_key=True)
    token: Mapped[str] = mapped_column(Word(TOKEN), unique=True, default=new_token)
    name: Mapped[str] = mapped_column(Word(60))
    folded: Mapped[str] = mapped_column(Word(240), unique=True)
    join_digest: Mapped[str] = mapped_column(Word(DIGEST), unique=True)
    created: Mapped[dt.datetime]


class Member(Table):
    """Who is in which team; nobody is in two."""

    __tablename__ = "members"
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), primary_key=True)
    team_id: Mapped[int] = mapped_column(ForeignKey("teams.id"), index=True)
    joined: Mapped[dt.datetime]
    user: Mapped[User] = relationship()
    team: Mapped[Team] = relationship()


class Token(Table):
    """What a program signs in with; the words themselves were shown once."""

    __tablename__ = "tokens"
    id: Mapped[int] = mapped_column(primary_key=True)
    token: Mapped[str] = mapped_column(Word(TOKEN), unique=True, default=new_token)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), index=True)
    digest: Mapped[str] = mapped_column(Word(DIGEST), unique=True)
    label: Mapped[str] = mapped_column(Word(60))
    created: Mapped[dt.datetime]
    user: Mapped[User] = relationship()


class WebSession(Table):
    """Somebody's browser, known by the hash of its cookie."""

    __tablename__ = "sessions"
    digest: Mapped[str] = mapped_column(Word(DIGEST), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), index=True)
    created: Mapped[dt.datetime]
    seen: Mapped[dt.datetime]
    expires: Mapped[dt.datetime] = mapped_column(index=True)
    user: Mapped[User] = relationship()


class Phase(Table):
    """When a phase begins; whoever decides by it locks these rows."""

    __tablename__ = "phases"
    name: Mapped[str] = mapped_column(Word(20), primary_key=True)
    place: Mapped[int] = mapped_column(unique=True)
    starts: Mapped[dt.datetime | None]


class Submission(Table):
    """A file that was taken in: who sent it, when it was stored, and where it lies sealed."""

    __tablename__ = "submissions"
    id: Mapped[int] = mapped_column(primary_key=True)
    token: Mapped[str] = mapped_column(Word(TOKEN), unique=True, default=new_token)
    team_id: Mapped[int] = mapped_column(ForeignKey("teams.id"))
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"))
    kind: Mapped[str] = mapped_column(Word(10))
    phase: Mapped[str] = mapped_column(Word(20))  # the one it was received in
    target_id: Mapped[int | None] = mapped_column(ForeignKey("teams.id"))
    release_id: Mapped[int | None] = mapped_column(ForeignKey("submissions.id"))  # what a guess is about
    filename: Mapped[str] = mapped_column(Word(120))
    stored: Mapped[str] = mapped_column(Word(DIGEST), unique=True)  # its name in the vault
    digest: Mapped[str] = mapped_column(Word(DIGEST))
    size: Mapped[int]
    commitment: Mapped[str] = mapped_column(Word(DIGEST))
    salt: Mapped[str] = mapped_column(Word(DIGEST))
    received: Mapped[dt.datetime]
    round: Mapped[int] = mapped_column(default=1)
    team: Mapped[Team] = relationship(foreign_keys=[team_id])
    user: Mapped[User] = relationship()
    target: Mapped[Team | None] = relationship(foreign_keys=[target_id])
    release: Mapped[Submission | None] = relationship(remote_side="Submission.id")

    __table_args__ = (Index(None, "team_id", "kind", "phase", "target_id"),)


class Job(Table):
    """One round of judging a submission.

    `state` is `open`, `done` or `failed`. An open job may be taken when it is `due`: at once when it is new,
    when its lease has run out otherwise. Who holds the `lease` may write, nobody else.
    """

    __tablename__ = "jobs"
    id: Mapped[int] = mapped_column(primary_key=True)
    submission_id: Mapped[int] = mapped_column(ForeignKey("submissions.id"))
    round: Mapped[int]
    state: Mapped[str] = mapped_column(Word(10), default="open")
    due: Mapped[dt.datetime]
    attempts: Mapped[int] = mapped_column(default=0)
    lease: Mapped[str | None] = mapped_column(Word(TOKEN))
    worker: Mapped[str | None] = mapped_column(Word(80))
    trouble: Mapped[str | None] = mapped_column(Word(120))  # the kind of the last fault of the server
    created: Mapped[dt.datetime]
    ended: Mapped[dt.datetime | None]
    submission: Mapped[Submission] = relationship()

    __table_args__ = (UniqueConstraint("submission_id", "round"), Index(None, "state", "due"))


class Result(Table):
    """What the judge said in one round: exactly one for each."""

    __tablename__ = "results"
    id: Mapped[int] = mapped_column(primary_key=True)
    submission_id: Mapped[int] = mapped_column(ForeignKey("submissions.id"))
    round: Mapped[int]
    valid: Mapped[bool]
    document: Mapped[str] = mapped_column(
        Word(), deferred=True
    )  # the JSON of Judged.to_dict(), at times long
    hits: Mapped[str | None] = mapped_column(Word(DIGEST), unique=True)  # sealed, by its name in the vault
    judged: Mapped[dt.datetime]

    __table_args__ = (UniqueConstraint("submission_id", "round"),)


class Release(Table):
    """What other teams may download of the release of a team that counts."""

    __tablename__ = "releases"
    team_id: Mapped[int] = mapped_column(ForeignKey("teams.id"), primary_key=True)
    submission_id: Mapped[int] = mapped_column(ForeignKey("submissions.id"), unique=True)
    filename: Mapped[str] = mapped_column(Word(120))
    stored: Mapped[str] = mapped_column(Word(DIGEST), unique=True)
    digest: Mapped[str] = mapped_column(Word(DIGEST))
    size: Mapped[int]
    published: Mapped[dt.datetime]
    team: Mapped[Team] = relationship()
    submission: Mapped[Submission] = relationship()


class Announcement(Table):
    """What the organiser tells everybody."""

    __tablename__ = "announcements"
    id: Mapped[int] = mapped_column(primary_key=True)
    token: Mapped[str] = mapped_column(Word(TOKEN), unique=True, default=new_token)
    text: Mapped[str] = mapped_column(Word())
    text_ja: Mapped[str] = mapped_column(Word(), default="")
    created: Mapped[dt.datetime]


class Event(Table):
    """One line of the audit log; lines are only added."""

    __tablename__ = "events"
    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[dt.datetime] = mapped_column(index=True)
    who: Mapped[str] = mapped_column(Word(80))
    what: Mapped[str] = mapped_column(Word(40), index=True)
    about: Mapped[str] = mapped_column(Word(240), default="")


class Attempt(Table):
    """How often something was tried that may only be tried so often; `key` is a hash of what and by whom."""

    __tablename__ = "attempts"
    key: Mapped[str] = mapped_column(Word(DIGEST), primary_key=True)
    window: Mapped[int] = mapped_column(BigInteger)
    count: Mapped[int]
    expires: Mapped[dt.datetime] = mapped_column(index=True)
