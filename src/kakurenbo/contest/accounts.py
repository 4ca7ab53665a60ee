"""Accounts: signing up and in, organisers, and tokens for programs.

A name that nobody has takes as long to be refused as a wrong password: the time says nothing about who is
there. Of a token only its hash is kept; it has 256 random bits, so the hash needs no salt.
"""

from __future__ import annotations

import hashlib
import secrets
from functools import cache
from typing import TYPE_CHECKING

from sqlalchemy import delete, select
from sqlalchemy.exc import IntegrityError

from kakurenbo.contest import log, schedule
from kakurenbo.contest.database import models
from kakurenbo.contest.names import cleaned, folded
from kakurenbo.contest.records import TokenView, User, id_of
from kakurenbo.errors import ParameterError

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from kakurenbo.contest.contest import Contest
    from kakurenbo.contest.rules import PhaseName

LANGUAGES = ("en", "ja")
MOST_TOKENS = 20
_PREFIX = "kkb_"
_OPEN: tuple[PhaseName, ...] = ("sign-up", "practice", "hide", "seek")


def sign_up(contest: Contest, name: str, password: str, language: str = "en") -> User:
    """Make an account; possible until the final."""
    row = _new(contest, name, password, language)
    with contest.database.writing() as session:
        schedule.require(schedule.locked(session), contest.clock(), _OPEN, "Signing up")
        return _added(session, row, "sign-up")


def make_organiser(contest: Contest, name: str, password: str, language: str = "en") -> User:
    """Make an account that may organise, or make an existing one so, with this password from now on."""
    row = _new(contest, name, password, language)
    with contest.database.writing() as session:
        known = _named(session, row.name, lock=True)
        if known is None:
            row.organiser = True
            return _added(session, row, "organiser")
        if session.get(models.Member, known.id) is not None:
            raise ParameterError("Somebody who is in a team cannot organise.", code="denied")
        known.organiser, known.password = True, row.password
        _sign_out_everywhere(session, known)
        log.write(session, row.created, known.name, "organiser")
        return user_view(known)


def sign_in(contest: Contest, name: str, password: str) -> User | None:
    """Return whose name and password these are; the answer takes as long for a name nobody has."""
    from kakurenbo.web.passwords import verify_password  # noqa: PLC0415 - needs an extra

    with contest.database.reading() as session:
        row = _named(session, name)
        user, known = (None, _nobody()) if row is None else (user_view(row), row.password)
    right = verify_password(known, password)
    return user if right else None


def change_password(contest: Contest, user: User | str, old: str, new: str) -> None:
    """Set another password; all sessions of this person end, tokens stay."""
    from kakurenbo.web.passwords import check_password, hash_password, verify_password  # noqa: PLC0415

    with contest.database.reading() as session:
        row = _row(session, user)
        known, name = row.password, row.name
    check_password(new, name)
    if not verify_password(known, old):
        raise ParameterError("The old password is not right.", code="denied")
    hashed = hash_password(new)
    with contest.database.writing() as session:
        row = _row(session, user)
        row.password = hashed
        _sign_out_everywhere(session, row)
        log.write(session, contest.clock(), row.name, "password")


def change_language(contest: Contest, user: User | str, language: str) -> None:
    """Set the language of somebody's pages."""
    _speaks(language)
    with contest.database.writing() as session:
        _row(session, user).language = language


def user_of(contest: Contest, user: str) -> User | None:
    """Return who has this id."""
    with contest.database.reading() as session:
        row = session.scalar(select(models.User).where(models.User.token == user))
        return None if row is None else user_view(row)


def users(contest: Contest) -> list[User]:
    """Return everybody, in the order they came."""
    with contest.database.reading() as session:
        return [user_view(row) for row in session.scalars(select(models.User).order_by(models.User.id))]


def make_token(contest: Contest, user: User | str, label: str = "") -> str:
    """Return a new token, which is shown this once."""
    token = _PREFIX + secrets.token_urlsafe(32)
    with contest.database.writing() as session:
        row = _row(session, user)
        if (
            len(session.scalars(select(models.Token.id).where(models.Token.user_id == row.id)).all())
            >= MOST_TOKENS
        ):
            raise ParameterError(f"One may have {MOST_TOKENS} tokens: remove one first.", code="quota")
        made = models.Token(
            user_id=row.id, digest=digest(token), label=cleaned(label or "token"), created=contest.clock()
        )
        session.add(made)
        session.flush()
        log.write(session, made.created, row.name, "token", made.token)
    return token


def by_token(contest: Contest, token: str) -> User | None:
    """Return whose token this is."""
    query = select(models.User).join(models.Token).where(models.Token.digest == digest(token))
    with contest.database.reading() as session:
        row = session.scalar(query)
        return None if row is None else user_view(row)


def tokens(contest: Contest, user: User | str) -> list[TokenView]:
    """Return somebody's tokens, newest first, without their words."""
    with contest.database.reading() as session:
        query = select(models.Token).where(models.Token.user_id == _row(session, user).id)
        rows = session.scalars(query.order_by(models.Token.id.desc()))
        return [TokenView(row.token, row.label, row.created) for row in rows]


def remove_token(contest: Contest, user: User | str, token: str) -> None:
    """Remove one of somebody's own tokens, by its id."""
    with contest.database.writing() as session:
        row = _row(session, user)
        session.execute(
            delete(models.Token).where(models.Token.user_id == row.id, models.Token.token == token)
        )
        log.write(session, contest.clock(), row.name, "token-removed", token)


def digest(secret: str) -> str:
    """Return the hash under which a random secret is kept."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()


def user_view(row: models.User) -> User:
    """Return what may be seen of an account."""
    return User(row.token, row.name, row.organiser, row.language, row.created)


def _new(contest: Contest, name: str, password: str, language: str) -> models.User:
    from kakurenbo.web.passwords import check_password, hash_password  # noqa: PLC0415 - needs an extra

    shown = cleaned(name)
    check_password(password, shown)
    _speaks(language)
    return models.User(
        name=shown,
        folded=folded(shown),
        password=hash_password(password),
        language=language,
        organiser=False,
        created=contest.clock(),
    )


def _speaks(language: str) -> None:
    if language not in LANGUAGES:
        raise ParameterError(f"There are pages in: {', '.join(LANGUAGES)}.", code="parameter")


def _added(session: Session, row: models.User, what: str) -> User:
    session.add(row)
    try:
        session.flush()
    except IntegrityError:  # whoever came first, and if it was at the same moment
        raise ParameterError("This name is taken.", code="exists") from None
    log.write(session, row.created, row.name, what)
    return user_view(row)


def _named(session: Session, name: str, *, lock: bool = False) -> models.User | None:
    query = select(models.User).where(models.User.folded == folded(" ".join(name.split())))
    return session.scalar(query.with_for_update(key_share=True) if lock else query)


def _row(session: Session, user: User | str) -> models.User:
    row = session.scalar(select(models.User).where(models.User.token == id_of(user)))
    if row is None:
        raise ParameterError("There is no such account.", code="denied")
    return row


def _sign_out_everywhere(session: Session, row: models.User) -> None:
    session.execute(delete(models.WebSession).where(models.WebSession.user_id == row.id))


@cache
def _nobody() -> str:
    """Return the hash of a password that nobody has, made as all others are."""
    from kakurenbo.web.passwords import hash_password  # noqa: PLC0415 - needs an extra

    return hash_password(secrets.token_urlsafe(32))
