"""A contest: a folder with rules, data and secrets, its database, its vault and its clock.

```
cup/contest.toml        the rules
cup/data/               what teams download
cup/private/key         seals what teams hand in
cup/private/storage/    what they handed in, sealed
cup/private/uploads/    what is being sent, gone when the request ends
cup/private/contest.sqlite
```

The folder appears whole or not at all. The rules' times are copied into the database when the contest is
first opened; from then on the organiser moves them there.
"""

from __future__ import annotations

import datetime as dt
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from kakurenbo.contest.database.engine import Database
from kakurenbo.contest.database.migrate import upgrade
from kakurenbo.contest.intake import Intake
from kakurenbo.contest.keys import new_key, read_key
from kakurenbo.contest.rules import Rules
from kakurenbo.contest.setup import set_up
from kakurenbo.contest.vault import Vault
from kakurenbo.errors import ParameterError
from kakurenbo.files.atomic import write_folder


class Clock(Protocol):
    """Tells the time, in UTC."""

    def __call__(self) -> dt.datetime:
        """Return the time."""


def now() -> dt.datetime:
    """Return the time by the clock of this machine."""
    return dt.datetime.now(dt.UTC)


@dataclass(frozen=True, eq=False)
class Contest:
    """A contest that is open: everything else in this package takes one as its first argument."""

    folder: Path
    rules: Rules
    database: Database
    vault: Vault
    clock: Clock
    intake: Intake = field(default_factory=Intake, repr=False)

    @classmethod
    def create(cls, folder: str | Path, preset_text: str, data: str | Path) -> Contest:
        """Make the folder of a contest, which must not exist, and open it.

        Args:
            folder: where.
            preset_text: the rules, as TOML; whether the judge can keep them, `opening` looks.
            data: the table, or the folder of tables, that teams download.
        """
        Rules.parse(preset_text)
        tables = _tables(Path(data))
        write_folder(Path(folder), lambda place: _fill(place, preset_text, tables))
        return cls.open(folder)

    @classmethod
    def open(cls, folder: str | Path, *, database: str | None = None, clock: Clock = now) -> Contest:
        """Open a contest; its database is brought to this version, a key that seals nothing is refused.

        Args:
            folder: what `create` made.
            database: the address of another database than the folder's own.
            clock: tells the time.
        """
        place = Path(folder).resolve()
        rules = Rules.read(place)
        private = place / "private"
        vault = Vault(private / "storage", read_key(private / "key"))
        if not vault.folder.is_dir():
            raise ParameterError("The contest has no private/storage: is this its folder?", code="contest")
        store = Database(database or f"sqlite:///{private / 'contest.sqlite'}")
        try:
            upgrade(store)
            contest = cls(place, rules, store, vault, clock)
            set_up(contest)
        except BaseException:
            store.close()
            raise
        return contest

    @property
    def data(self) -> Path:
        """The folder that teams download."""
        return self.folder / "data"

    def close(self) -> None:
        """Let go of the database."""
        self.database.close()


def _tables(data: Path) -> list[Path]:
    """Return the files that teams will download: plain files whose names are not hidden."""
    found = sorted(data.iterdir()) if data.is_dir() else [data]
    plain = [
        file for file in found if file.is_file() and not file.is_symlink() and not file.name.startswith(".")
    ]
    if not plain:
        raise ParameterError("There is no data: give a table, or a folder of tables.", code="no-table")
    return plain


def _fill(place: Path, rules: str, tables: list[Path]) -> None:
    (place / "contest.toml").write_text(rules, encoding="utf-8")
    (place / "data").mkdir()
    for table in tables:
        shutil.copyfile(table, place / "data" / table.name)
    private = place / "private"
    for folder in (private, private / "storage"):
        folder.mkdir(mode=0o700)
    key = private / "key"
    key.touch(mode=0o600)
    key.write_text(new_key() + "\n", encoding="ascii")
