"""Names that people choose for themselves and their teams: shown as written, compared as they look."""

from __future__ import annotations

import unicodedata

from kakurenbo.errors import ParameterError

LONGEST = 60


def cleaned(name: str) -> str:
    """Return a name in the form it is shown: no control characters, no invisible ones, single spaces."""
    text = " ".join(unicodedata.normalize("NFC", name).split())
    if not 1 <= len(text) <= LONGEST:
        raise ParameterError(f"A name has 1 to {LONGEST} letters.", code="parameter")
    if any(unicodedata.category(letter)[0] == "C" for letter in text):
        raise ParameterError("A name may not hold invisible letters.", code="parameter")
    return text


def folded(name: str) -> str:
    """Return a name as it is compared: wide and narrow letters, capitals and others are the same."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())[:240]
