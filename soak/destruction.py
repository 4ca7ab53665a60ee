"""Every output of every command, pointed at what is not its own."""

from __future__ import annotations

import os
import shutil
import stat
from itertools import product
from typing import TYPE_CHECKING, ClassVar

from soak import stage
from soak.forks import forked
from soak.part import Part

if TYPE_CHECKING:
    from pathlib import Path

_SHOP = ("--customer", "who", "--goods", "what", "--time", "day")
_PEOPLE = ("--qi", "age,town", "--sa", "pay")
_HIDE = ("deidentify", "pseudonymize", "@shop.csv", *_SHOP)
_AUDIT = ("audit", "@people.csv", "@pout", "--secret", "@pold.csv", *_PEOPLE)
_FOLDER = ("deidentify", "pseudonymize", "@data", *_SHOP)
_PLAN = ("deidentify", "@shop.csv", "--plan", "@plan.toml", *_SHOP)
_OVER = ("--secret", "@new.csv", "--overwrite", "--out", "!")
_TUNE = ("tune", "@shop.csv", "--trials", "1", "--jobs", "1", "--max-risk", "0.9", *_SHOP)

# a name -> what is typed, `@name` being a path on the stage and ! the place under trial
_COMMANDS: dict[str, tuple[str, ...]] = {
    "out": (*_HIDE, "--secret", "@new.csv", "--out", "!"),
    "out over": (*_HIDE, *_OVER),
    "folder out over": (*_FOLDER, *_OVER),
    "plan out over": (*_PLAN, *_OVER),
    "secret": (*_HIDE, "--out", "@fresh", "--secret", "!"),
    "secret over": (*_HIDE, "--out", "@out", "--overwrite", "--secret", "!"),
    "guess": ("attack", "chance", "@shop.csv", "@out", *_SHOP, "--out", "!"),
    "report": (*_AUDIT, "--report", "!"),
    "people": (*_AUDIT, "--people", "!"),
    "tune plan": (*_TUNE, "--plan", "!"),
    "tune plot": (*_TUNE, "--plot", "!"),
    "tune out": (*_TUNE, "--apply", "--secret", "@new.csv", "--out", "!"),
    "tune secret": (*_TUNE, "--apply", "--out", "@fresh", "--secret", "!"),
    "shop": ("demo", "--shop-only", "--customers", "9", "--out", "!"),
    "demo report": ("demo", "--report", "!"),
    "plot": ("excess", "@people.csv", "@pout", "--secret", "@pold.csv", *_PEOPLE, "--plot", "!"),
    "reproduce": ("reproduce", "002", "--data", "@shop.csv", "--seeds", "1", "--out", "!"),
}  # fmt: skip
_PRIVATE = {"secret", "secret over", "guess", "people", "tune secret"}
_PLACES = (
    "shop.csv", "people.csv", "data", "data/transactions.csv", "data/kakurenbo.toml", "data/new", "plan.toml",
    "old.csv", "pold.csv", "out", "out/new", "out/transactions.csv", "pout", "pout/microdata.csv",
    "guess.csv", "a.json", "edited.json", "precious.txt", "foreign", "foreign/notes.txt", "empty",
    "link to shop.csv", "link to data", "link to foreign", "link to nothing", "link to out", "hard shop.csv",
    "hard old.csv", "hard precious.txt", "foreign/../shop.csv", "link to data/transactions.csv",
    "link to data/new", "git/new", "git/deep/new", "tree/new", "precious.txt/new", "nowhere/new", "pipe",
    "n" * 256, ".", "new.csv", "fresh", "out/..", "[red]new[/red]",
)  # fmt: skip
# What a command may replace, because this program wrote it and nobody changed it.
_MAY_REPLACE = {
    ("guess", "guess.csv"), ("report", "a.json"), ("out over", "out"), ("folder out over", "out"),
    ("plan out over", "out"), ("out over", "pout"), ("folder out over", "pout"), ("plan out over", "pout"),
}  # fmt: skip
_ENDINGS = {
    "report": ".json",
    "tune plan": ".toml",
    "tune plot": ".svg",
    "demo report": ".json",
    "plot": ".svg",
}
# The whole demo takes half a minute, so its report is pointed only at what must be refused.
_LONG = {
    "a.json", "data/new", "link to data/new", "git/new", "git/deep/new", "tree/new", "new.csv", "fresh",
    "[red]new[/red]",
}  # fmt: skip
_CASES = [pair for pair in product(_COMMANDS, _PLACES) if pair[0] != "demo report" or pair[1] not in _LONG]
_CODES = {0, 1, 2, 74}


class Destruction(Part):
    """All there is gets a digest before and after: nothing but what may be replaced has changed or gone.

    Inputs, secrets, foreign files and folders, through links, hard links and dots, places inside releases,
    inputs and git work trees, and things that are no files at all. Nothing becomes readable to more people, a
    refusal leaves nothing new, and what names people never lies where it may be published.
    """

    name = "destruction"
    promise = "0 bytes of anything that is not this program's are changed or lost"
    share = 1.0
    enough = len(_CASES)
    total = len(_CASES)
    patience = 120.0
    cases: ClassVar = _CASES

    def __init__(self, place: Path, seed: int) -> None:
        super().__init__(place, seed)
        self._model = _model(place)

    def case(self, number: int) -> str | None:
        """Point an output of a command at a place, and look at everything."""
        command, target = self.cases[number]
        place = self.place / f"stage{number}"
        shutil.copytree(self._model, place, symlinks=True, ignore=lambda *_: ["pipe"])
        _link(place)
        try:
            return self._tried(command, target, place)
        finally:
            shutil.rmtree(place)

    def _tried(self, command: str, target: str, place: Path) -> str | None:
        path = place / (target + _ending(command, target, place))
        words = [str(path) if word == "!" else word for word in stage.typed(_COMMANDS[command], place)]
        before = _everything(place)
        ended = forked(words, place, log=self.place / "log")
        now = _everything(place)
        self.counts["accepted" if ended.code in {0, 1} else "refused"] += 1
        told = f"{command} to {target[:40]} ({ended.code})"
        if ended.code not in _CODES:
            return f"{told}: {ended.said[-300:]}"
        spared = {"out"} if command == "secret over" and ended.code == 0 else set()
        if (command, target) in _MAY_REPLACE:
            spared.add(target)
        changed = [
            name for name in before if now.get(name) != before[name] and name.split("/")[0] not in spared
        ]
        new = [name for name in now if name not in before and name.split("/")[0] not in spared]
        if changed:
            return f"{told}: changed or lost {changed}"
        if ended.code not in {0, 1} and new:
            return f"{told}: refused, and yet there is {new}"
        if command in _PRIVATE and any(name.startswith(("git/", "tree/", "out/", "pout/")) for name in new):
            return f"{told}: what names people lies where it may be published: {new}"
        if "[red]" in target and ended.code in {0, 1} and str(path) not in _names(new, place):
            return f"{told}: it is called {new}"
        return None


def _ending(command: str, target: str, place: Path) -> str:
    """Return what must be added to a new name so that the command takes it."""
    ending = _ENDINGS.get(command, "")
    return "" if os.path.lexists(place / target) or target.endswith(ending) else ending


def _names(new: list[str], place: Path) -> list[str]:
    return [str(place / name) for name in new]


def _everything(place: Path) -> dict[str, tuple[str, int]]:
    """Return everything on a stage: files with digest, links with where they lead, and all modes."""
    digests = stage.digests(place)
    found = {}
    for path in sorted(place.rglob("*")):
        name = str(path.relative_to(place))
        held = str(path.readlink()) if path.is_symlink() else digests.get(name, "")
        found[name] = (held, stat.S_IMODE(path.lstat().st_mode))
    return found


def _model(place: Path) -> Path:
    """Make the stage with everything that must survive."""
    model = place / "model"
    model.mkdir()
    stage.write_inputs(model)
    for words in (
        (*_HIDE, "--out", "@out", "--secret", "@old.csv"),
        ("deidentify", "pseudonymize", "@people.csv", "--out", "@pout", "--secret", "@pold.csv", *_PEOPLE),
        ("attack", "chance", "@shop.csv", "@out", *_SHOP, "--out", "@guess.csv"),
        (*_AUDIT, "--report", "@a.json"),
    ):
        ended = forked(stage.typed(words, model), model, log=place / "log")
        if ended.code not in {0, 1}:
            raise RuntimeError(f"the stage cannot be made: {ended.said}")
    (model / "data").mkdir()
    shutil.copy(model / "shop.csv", model / "data" / "transactions.csv")
    (model / "data" / "kakurenbo.toml").write_text('customer = "who"\ngoods = "what"\ntime = "day"\n')
    (model / "plan.toml").write_text('kind = "purchases"\n\n[[steps]]\nmethod = "pseudonymize"\n')
    (model / "edited.json").write_text((model / "a.json").read_text().replace("{", '{"note": "mine",', 1))
    (model / "foreign").mkdir()
    (model / "foreign" / "notes.txt").write_text("mine")
    (model / "empty").mkdir()
    (model / "git" / ".git").mkdir(parents=True)
    (model / "git" / "deep").mkdir()
    (model / "tree").mkdir()
    (model / "tree" / ".git").write_text("gitdir: elsewhere")
    for name in ("old.csv", "pold.csv", "guess.csv", "precious.txt"):
        (model / name).chmod(0o600)
    return model


def _link(place: Path) -> None:
    """Add what cannot be copied: links to the files of this very stage."""
    for name in ("shop.csv", "data", "foreign", "nothing", "out"):
        (place / f"link to {name}").symlink_to(place / name)
    for name in ("shop.csv", "old.csv", "precious.txt"):
        (place / f"hard {name}").hardlink_to(place / name)
    os.mkfifo(place / "pipe")
