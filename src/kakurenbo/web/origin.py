"""Where a request comes from, as browsers tell: what changes something must come from a page of this site."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from kakurenbo.web.refusals import Refusal

if TYPE_CHECKING:
    from starlette.datastructures import Headers

_OURS: Final = {"same-origin", "none"}
_PORTS: Final = {"http": ":80", "https": ":443"}
_ELSEWHERE: Final = "This was not sent from a page of this site."


def check_origin(headers: Headers, scheme: str) -> None:
    """Refuse what another site's page sent.

    Every browser of today tells the origin of what changes something. Where nothing is told, as by programs,
    the token of the form decides alone.
    """
    if headers.get("sec-fetch-site", "none") not in _OURS:
        raise Refusal(403, _ELSEWHERE, code="origin")
    told = headers.get("origin") or headers.get("referer")
    if told is not None and _origin(told) != _plain(scheme, headers.get("host", "")):
        raise Refusal(403, _ELSEWHERE, code="origin")


def _origin(address: str) -> str | None:
    try:
        parts = urlsplit(address)
    except ValueError:
        return None
    return _plain(parts.scheme, parts.netloc) if parts.netloc else None


def _plain(scheme: str, host: str) -> str:
    return f"{scheme}://{host.lower().removesuffix(_PORTS.get(scheme, ':'))}"
