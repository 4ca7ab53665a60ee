"""Words of the pages for what the program knows by short names; each is an English text to be translated."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

    from kakurenbo.contest.pages.sentences import Sentence

PHASES: Final = {
    "sign-up": "Sign-up",
    "practice": "Practice",
    "hide": "Hide",
    "seek": "Seek",
    "final": "Final",
}
HAPPENS: Final = {
    "sign-up": "Teams sign up and get the data. Nothing can be submitted yet.",
    "practice": (
        "Teams try the judge with releases, and with guesses about their own. Results are shown at once; "
        "nothing counts."
    ),
    "hide": "Every team submits releases. Its last valid one counts.",
    "seek": (
        "The releases are published without their secrets, and every team guesses who is who in those of "
        "the others."
    ),
    "final": "The contest is over: scores, matrix and reports are opened for everybody at once.",
}
COMBINED: Final = {"max": "the worst", "mean": "the mean"}
REASONS: Final = {
    "no-release": "no release",
    "no-valid-release": "no valid release",
    "failed": "not judged, by a fault of the server",
}
DEEDS: Final = {
    "sign-up": "signed up",
    "organiser": "became organiser",
    "password": "changed the password",
    "new-password": "gave somebody a new password",
    "token": "made a token",
    "token-removed": "removed a token",
    "team": "founded a team",
    "join": "joined a team",
    "leave": "left a team",
    "join-code": "made a new code to join",
    "disable": "shut out a team",
    "enable": "let a team in again",
    "move": "moved a phase",
    "rejudge": "had something judged again",
    "judging-failed": "could not judge",
    "publish": "published a release",
    "announce": "announced something",
    "withdraw": "withdrew an announcement",
}


def rung(name: str, lang: str) -> str:
    """Return what a kind of knowledge is called in a language."""
    from kakurenbo.report.languages import language  # noqa: PLC0415 - reads a table of a thousand sentences

    return language(lang).say(name)


def summary(said: Sentence, t: Callable[..., str], lang: str) -> str:
    """Return what the catalogue says of something; reports know its measures and rungs in other languages."""
    from kakurenbo.report.languages import language  # noqa: PLC0415 - reads a table of a thousand sentences

    told = said.said(t)
    return told if said.fields else language(lang).exact.get(told, told)
