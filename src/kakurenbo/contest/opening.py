"""Making a contest from rules by their name, with data of the organiser's or made up."""

from __future__ import annotations

import tempfile
from pathlib import Path

from kakurenbo.contest.contest import Contest
from kakurenbo.contest.example import FEW_LINES, PEOPLE, write_example
from kakurenbo.contest.judging import judge
from kakurenbo.contest.rules import PRESETS, Rules, preset_text


def opened(
    folder: Path,
    rules: str,
    data: Path | None = None,
    *,
    people: int = PEOPLE,
    lines: float = FEW_LINES,
    seed: int | None = None,
) -> Contest:
    """Make the folder of a contest and open it; what the judge could not use is refused before.

    Args:
        folder: where; it must not exist.
        rules: the name of a preset, a TOML file, or the folder of another contest.
        data: the tables that teams download; without them they are made up.
        people: how many people are made up.
        lines: about how many purchases each of them has.
        seed: repeats what is made up.
    """
    asked = Rules.read(rules)
    judge.check_rules(asked)
    with tempfile.TemporaryDirectory() as made:
        place = Path(made) if data is None else data
        if data is None:
            write_example(asked, place, people, lines=lines, seed=seed)
        judge.people(asked, place)
        return Contest.create(folder, _text(rules), place)


def _text(rules: str) -> str:
    """Return the rules as they are written, with their remarks."""
    if rules in PRESETS:
        return preset_text(rules)
    place = Path(rules)
    return (place / "contest.toml" if place.is_dir() else place).read_text(encoding="utf-8-sig")
