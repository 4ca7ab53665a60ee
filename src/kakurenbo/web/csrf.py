"""Tokens of forms: a request that changes something proves by one that it comes from a page of ours.

A token is made from the session's secret, or, for those who are not signed in, from a random cookie that we
signed. It looks different on every page, so that compressed answers do not give it away piece by piece.
"""

from __future__ import annotations

import hmac
import secrets
from typing import TYPE_CHECKING, Final

from kakurenbo.web.visit import Visit, visit_of

if TYPE_CHECKING:
    from starlette.requests import HTTPConnection

GUEST: Final = "guest"  # the cookie of forms that are filled in before signing in
_BYTES: Final = 32


def csrf_token(request: HTTPConnection) -> str:
    """Return a token for a form of this visit: the same secret, hidden behind new chance each time."""
    visit = visit_of(request)
    visit.private = True
    secret = _form_secret(visit, visit.token or _guest(visit))
    pad = secrets.token_bytes(len(secret))
    return (pad + _mixed(pad, secret)).hex()


def is_genuine(visit: Visit, token: str | None) -> bool:
    """Return whether a form's token was made for this visit."""
    origin = visit.token or visit.unsigned("guest", visit.cookie(GUEST))
    try:
        given = bytes.fromhex(token or "")
    except ValueError:
        return False
    secret = _form_secret(visit, origin or "")
    half = len(secret)
    fits = bool(origin) and len(given) == 2 * half
    return fits and hmac.compare_digest(_mixed(given[:half], given[half:]), secret)


def _guest(visit: Visit) -> str:
    """Return the secret of a visit without a session, and send it with the answer if it is new."""
    sent = visit.jar.get(GUEST)
    known = visit.unsigned("guest", sent[0] if sent else visit.cookie(GUEST))
    if known is None:
        known = secrets.token_urlsafe(_BYTES)
        visit.set_cookie(GUEST, visit.signed("guest", known))
    return known


def _form_secret(visit: Visit, origin: str) -> bytes:
    return bytes.fromhex(visit.sign("form", origin))


def _mixed(one: bytes, other: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(one, other, strict=True))
