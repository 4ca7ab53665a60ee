"""What is kept of a contest when it is over: a document for programs, and a table for spreadsheets.

Only what everybody may see by then is in it. Not in it are files of teams, secrets, who was found, and the
names of people: teams are named, their members are not.
"""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING, Any, Final

from kakurenbo.contest import results, schedule, submissions, teams
from kakurenbo.contest.announcements import announcements
from kakurenbo.contest.board import board
from kakurenbo.contest.judging.scoring import GUESS, mean
from kakurenbo.contest.matrix import matrix
from kakurenbo.errors import ParameterError

if TYPE_CHECKING:
    from kakurenbo.contest.contest import Contest
    from kakurenbo.contest.records import Judgement

COLUMNS: Final = (
    "submission", "kind", "team", "target", "received", "bytes", "sha256", "commitment", "valid", "counts",
    "faults", "utility", "security", "total", "found",
)  # fmt: skip
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")  # what spreadsheets take for the beginning of a formula


def require_end(contest: Contest) -> None:
    """Refuse before the contest has ended and everything is judged."""
    if not board(contest).final:
        raise ParameterError(
            "The archive opens when the contest has ended and everything is judged.", code="closed"
        )


def as_json(contest: Contest) -> bytes:
    """Return everything that is public about a contest that has ended."""
    require_end(contest)
    document = {
        "title": contest.rules.title,
        "title_ja": contest.rules.title_ja,
        "rules": contest.rules.model_dump(mode="json"),
        "schedule": [
            {"phase": one.phase, "starts": None if one.starts is None else one.starts.isoformat()}
            for one in schedule.schedule(contest)
        ],
        "teams": [{"id": team.id, "name": team.name} for team in teams.teams(contest)],
        "announcements": [
            {"text": one.text, "text_ja": one.text_ja, "created": one.created.isoformat()}
            for one in announcements(contest)
        ],
        "board": board(contest).to_dict(),
        "matrix": matrix(contest).to_dict(),
        "submissions": [{**row, **_numbers(one)} for one, row in _rows(contest)],
    }
    return json.dumps(document, ensure_ascii=False, indent=1).encode()


def as_csv(contest: Contest) -> bytes:
    """Return a row for every submission that was judged; no cell begins like a formula."""
    require_end(contest)
    text = io.StringIO(newline="")
    table = csv.DictWriter(text, COLUMNS, lineterminator="\r\n")
    table.writeheader()
    for _, row in _rows(contest):
        table.writerow({name: _plain(value) for name, value in row.items()})
    return text.getvalue().encode("utf-8-sig")


def _rows(contest: Contest) -> list[tuple[Judgement, dict[str, Any]]]:
    """Return every judged submission of the phases that count, oldest first, as a flat row."""
    judged = [one for one in results.judgements(contest) if one.submission.counts]
    guesses = [one.submission for one in judged if one.submission.kind == "guess" and one.submission.valid]
    last = {(view.team, view.target): view.id for view in guesses}
    counted = {*last.values(), *(view.id for view in submissions.counted(contest).values())}
    return [(one, _row(one, counted)) for one in judged]


def _row(one: Judgement, counted: set[str]) -> dict[str, Any]:
    view, document = one.submission, one.document
    score = (document["score"] or {}) if view.kind == "release" else {}
    found = document["attacks"].get(GUESS)
    return {
        "submission": view.id,
        "kind": view.kind,
        "team": view.team_name,
        "target": view.target_name,
        "received": view.received.isoformat(),
        "bytes": view.size,
        "sha256": view.digest,
        "commitment": view.commitment,
        "valid": view.valid,
        "counts": view.id in counted,
        "faults": len(document["faults"]),
        "utility": score.get("utility"),
        "security": score.get("security"),
        "total": score.get("total"),
        "found": None if found is None else mean(found),
    }


def _numbers(one: Judgement) -> dict[str, Any]:
    """Return the numbers of a release one by one; of a guess, what it found at every level of knowledge."""
    if one.submission.kind == "release":
        return {part: one.document[part] for part in ("utility", "attacks", "learnt")}
    return {"attacks": {name: rates for name, rates in one.document["attacks"].items() if name == GUESS}}


def _plain(value: object) -> object:
    """Return a cell as spreadsheets show it: a name that begins like a formula gets an apostrophe."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value
