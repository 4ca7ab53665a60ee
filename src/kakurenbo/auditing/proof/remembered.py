"""The strong validation remembered: who asks again for the same program and the same columns has it at once.

Results are kept while the program runs, and in the user's cache folder. They are found again under a digest
of everything that the validation refers to, as it is in memory at that moment (`live_code.py`), of the
versions of what the program stands on, and of which columns there are; each attacker's under a digest of his
own code and parameters besides. So whoever is weakened, whether in a file or while the program runs, is
validated anew, and he alone.
"""

from __future__ import annotations

import platform
import sys
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from kakurenbo.about import About
from kakurenbo.auditing.proof import strong
from kakurenbo.auditing.proof.live_code import digests
from kakurenbo.auditing.proof.made_up import PEOPLE, made_up
from kakurenbo.auditing.results import OnMadeUp, Validation
from kakurenbo.document import plain, record
from kakurenbo.provenance import versions

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from kakurenbo.auditing.panel.members import Attacker
    from kakurenbo.auditing.proof.strong import Key, Through
    from kakurenbo.data.table import Table
    from kakurenbo.files.private_cache import PrivateCache
    from kakurenbo.progress import Progress

_memory: dict[str, dict[str, Any]] = {}


@dataclass(frozen=True)
class StrongValidation:
    """What became of attackers among made-up people.

    Attributes:
        made_up: what each finds on the controls; not of who could not be tried.
        through: what each finds through disguises.
        about: how many people there were, and whether that was remembered.
    """

    made_up: Mapping[Key, OnMadeUp]
    through: Mapping[Key, Through]
    about: Validation

    def holds(self, key: Key) -> bool:
        """Tell whether an attacker passed."""
        return key in self.made_up and strong.holds(self.made_up[key], self.through[key])


def validated(
    original: Table, members: Sequence[Attacker], cache: PrivateCache | None, progress: Progress
) -> StrongValidation:
    """Return the strong validation of some attackers, remembered or made now.

    Args:
        original: the user's data; only which columns there are matters.
        members: the attackers.
        cache: where to remember it; None to make all of it now, and remember nothing.
        progress: told about each step.
    """
    like, program = made_up(original), Program(members)
    controls, fresh = program.ask(
        ("controls", *like.shape), cache, lambda new: strong.on_made_up(new, like, progress.part(0.0, 0.8))
    )
    through, fresh_too = program.ask(("disguises",), cache, strong.through_disguises)
    return StrongValidation(
        {key: record(OnMadeUp, found) for key, found in controls.items() if found is not None},
        {key: tuple(tuple(one) for one in found) for key, found in through.items()},
        Validation(PEOPLE, len(strong.SEEDS), "made" if fresh or fresh_too else "remembered"),
    )


class Program:
    """The program as it is now: what it has validated is found again as long as it stays so.

    Args:
        members: the attackers.
    """

    def __init__(self, members: Sequence[Attacker]) -> None:
        classes = tuple(dict.fromkeys(type(who.attack) for who in members))
        code, codes = digests((strong.on_made_up, strong.through_disguises), classes, _has_own_digest)
        self._digest = _digest(code, sorted(versions().items()), sys.platform, platform.machine())
        self._members = members
        self.keys = {
            who.key: _digest(codes[type(who.attack)], who.key, who.reading, who.stand) for who in members
        }

    def place(self, *name: str) -> str:
        """Return under which key a part of the validation is remembered."""
        return f"validation-{_digest(self._digest, *name)}"

    def ask(
        self,
        name: tuple[str, ...],
        cache: PrivateCache | None,
        make: Callable[[Sequence[Attacker]], Mapping[Key, Any]],
    ) -> tuple[dict[Key, Any], bool]:
        """Return a part of the validation, None of who could not be tried, and whether any of it is new."""
        place = self.place(*name)
        known = {} if cache is None else _memory.setdefault(place, {})
        if cache is not None and not known.keys() >= set(self.keys.values()):
            known.update(cache.read(place) or {})
        missing = [who for who in self._members if self.keys[who.key] not in known]
        if missing:
            made = make(missing)
            known.update((self.keys[who.key], plain(made.get(who.key))) for who in missing)
            if cache is not None:
                cache.write(place, {**(cache.read(place) or {}), **known})
        return {key: known[digest] for key, digest in self.keys.items()}, bool(missing)


def _has_own_digest(made: type) -> bool:
    return isinstance(getattr(made, "about", None), About)


def _digest(*parts: object) -> str:
    return sha256(repr(parts).encode("utf-8", "surrogatepass")).hexdigest()
