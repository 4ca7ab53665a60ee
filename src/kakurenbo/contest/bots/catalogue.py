"""Bots that hide by methods of the catalogue and seek by its attacks, on purchases and on microdata."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import polars as pl

from kakurenbo.catalogue import build, find
from kakurenbo.contest.bots.uploads import Upload
from kakurenbo.contest.rules import Rules
from kakurenbo.contest.zips import zipped
from kakurenbo.files.pairings import as_bytes
from kakurenbo.files.read import read_microdata, read_purchases
from kakurenbo.files.release_folder import fill
from kakurenbo.plan import Plan, Step

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kakurenbo.data.release import Release

_NAMES: Final = {"transactions.csv": "T.csv", "master.csv": "M.csv", "microdata.csv": "X.csv"}
Steps = tuple[Step, ...]


@dataclass(frozen=True)
class Player:
    """A player of a contest about purchases or microdata.

    Attributes:
        name: what its team is called.
        plans: how it hides: what it submits first, and what in the end.
        otherwise: how it hides where the rules let none of that pass.
        attack: how it seeks, a name of the catalogue.
        rules: of the contest.
    """

    name: str
    plans: tuple[Steps, ...]
    otherwise: Steps | None
    attack: str
    rules: Rules

    def hide(self, data: Path, seed: int | None) -> Sequence[Upload]:
        """Return its releases, each with its secret."""
        return [self._release(data, steps, seed) for steps in self.plans]

    def hide_again(self, data: Path, seed: int | None) -> Upload | None:
        """Return the release that passes where cheats and changes that are too large do not."""
        return None if self.otherwise is None else self._release(data, self.otherwise, seed)

    def seek(self, data: Path, published: Mapping[str, bytes], seed: int | None) -> Upload:
        """Return whom its attack names."""
        with tempfile.TemporaryDirectory() as folder:
            for name, content in published.items():
                (Path(folder) / name).write_bytes(content)
            released = _read(self.rules, Path(folder), like=data)
        attack = find(self.attack, "attack", self.rules.kind).what()
        guess = attack.guess(_original(self.rules.model_dump_json(), data), released, seed=seed)
        return Upload("Q.csv", as_bytes(guess, falling=True))

    def _release(self, data: Path, steps: Steps, seed: int | None) -> Upload:
        original = _original(self.rules.model_dump_json(), data)
        scaled = tuple(_scaled(step, len(original.people)) for step in steps)
        return _upload(build(Plan(self.rules.kind, scaled)).release(original, seed=seed))


@lru_cache(maxsize=2)
def _original(rules: str, data: Path) -> Any:  # noqa: ANN401 - either kind
    """Return the contest's data, read once for all bots."""
    return _read(Rules.model_validate_json(rules), data)


def _read(rules: Rules, folder: Path, like: Path | None = None) -> Any:  # noqa: ANN401 - either kind
    data = rules.data
    if rules.kind == "microdata":
        named = {} if data.id is None else {"id": data.id}
        return read_microdata(folder, like=like, qi=data.qi, sa=data.sa, **named)
    kept = _columns(folder / "M.csv")[1:]
    return read_purchases(folder, like=like, keep_master=kept, **data.columns)


def _columns(master: Path) -> tuple[str, ...]:
    return tuple(pl.read_csv(master, n_rows=0).columns) if master.exists() else ()


def _scaled(step: Step, people: int) -> Step:
    """Return a step with as many clusters as its smallest size allows, where there must be a number."""
    if step.method != "balanced":
        return step
    size = step.parameters["min_size"]
    return Step(step.method, {**step.parameters, "clusters": max(1, people // size)})


def _upload(release: Release[Any]) -> Upload:
    """Return a release with its secret as one file."""
    with tempfile.TemporaryDirectory() as folder:
        fill(release.data, Path(folder))
        files = {_NAMES.get(path.name, path.name): path.read_bytes() for path in Path(folder).iterdir()}
    return Upload("release.zip", zipped({**files, "P.csv": as_bytes(release.pairing)}))


def _steps(**methods: Mapping[str, Any]) -> Steps:
    return tuple(Step(name.replace("_", "-"), parameters) for name, parameters in methods.items())


_NOTHING: Final = _steps()
_MONTHS: Final = {"times": "month"}
_USUAL: Final = _steps(balanced={"min_size": 3})
_PURCHASES: Final = (
    ("new names", (_NOTHING,), None, "rows"),
    ("compact 8", (_steps(compact={"min_size": 4}), _steps(compact={"min_size": 8})), None, "jaccard"),
    ("balanced 6", (_steps(balanced={"min_size": 6}),), None, "evidence"),
    ("deal 8", (_steps(deal={"min_size": 8}),), _steps(deal={"min_size": 2, "of": "receipts"}),
     "likelihood"),
    ("compact 4 + months", (_steps(compact={"min_size": 4, "dummies": "donor"}, coarsen=_MONTHS),), _USUAL,
     "weighted"),
    ("noise", (_steps(noise={"quantity_spread": 0.5, "price_spread": 0.1}),), None, "multiset"),
    ("shift", (_steps(shift={}),), _steps(alter={"share": 0.3}), "chance"),
    ("months + delete 30", (_steps(coarsen=_MONTHS), _steps(coarsen=_MONTHS, delete={"share": 0.3})),
     _NOTHING, "containment"),
)  # fmt: skip
_MICRODATA: Final = (
    ("new ids", (_NOTHING,), None, "euc1"),
    ("mondrian 4", (_steps(k_anonymize={"k": 4, "write": "typical"}),), _NOTHING, "euc2"),
    ("microaggregate 5", (_steps(microaggregate={"k": 3}), _steps(microaggregate={"k": 5})), _NOTHING,
     "identify-rand"),
    ("noise 20", (_steps(noise={"scale": 0.2}),), _NOTHING, "identify-sa"),
    ("swap", (_steps(swap={}),), _NOTHING, "identify-sort"),
    ("average", (_steps(average={}),), _NOTHING, "identify-sa21"),
    ("delete 20", (_steps(delete={"share": 0.2}),), _NOTHING, "within"),
    ("cheat", (_steps(cheat={}),), _steps(noise={"scale": 0.1}, swap={}), "order"),
)  # fmt: skip


def bots_of(rules: Rules) -> list[Player]:
    """Return the players for a kind of data."""
    listed = _MICRODATA if rules.kind == "microdata" else _PURCHASES
    return [Player(name, plans, otherwise, attack, rules) for name, plans, otherwise, attack in listed]
