"""The one list of all methods, attacks and measures.

It feeds the command line, the docs and the contract tests: what is registered here is offered, documented
and tested, and nothing can be registered without saying what it obeys. Adding a method is one source file,
one test file, one line here and one in the changelog.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from kakurenbo.deidentify.pseudonymize import Pseudonymize, PseudonymizeMicrodata
from kakurenbo.errors import ParameterError

if TYPE_CHECKING:
    from kakurenbo.parameters import Parameters

Family = Literal["method", "attack", "measure"]
Kind = Literal["purchases", "microdata"]
Obeys = Literal["keeps-records"]

PROMISES: dict[Obeys, str] = {
    "keeps-records": "no record is added, deleted or altered: only ids change",
}


@dataclass(frozen=True)
class Entry:
    """One thing a user can ask for by name.

    Attributes:
        name: the name in the command line and the docs.
        family: method, attack or measure.
        kind: the data it works on; the same name may be registered once for each kind.
        what: the class that does it; its docstring tells the story, its fields are the parameters.
        source: where it comes from.
        obeys: promises beyond those of the whole family, each tested by `tests/contract`.
    """

    name: str
    family: Family
    kind: Kind
    what: type[Parameters]
    source: str
    obeys: frozenset[Obeys]

    @property
    def summary(self) -> str:
        """The first line of the story."""
        return (self.what.__doc__ or "").strip().partition("\n")[0]


CATALOGUE: tuple[Entry, ...] = (
    Entry(
        "pseudonymize", "method", "purchases", Pseudonymize, "common practice", frozenset({"keeps-records"})
    ),
    Entry(
        "pseudonymize",
        "method",
        "microdata",
        PseudonymizeMicrodata,
        "common practice",
        frozenset({"keeps-records"}),
    ),
)


def entries(family: Family | None = None, kind: Kind | None = None) -> tuple[Entry, ...]:
    """Return the entries of a family and kind of data, in the order of the catalogue."""
    return tuple(e for e in CATALOGUE if family in {None, e.family} and kind in {None, e.kind})


def find(name: str, family: Family, kind: Kind) -> Entry:
    """Return the entry of this name, or say which there are."""
    offered = entries(family, kind)
    for entry in offered:
        if entry.name == name:
            return entry
    if any(entry.name == name for entry in entries(family)):
        raise ParameterError(f"The {family} {name} does not work on {kind}.", code="unknown-name")
    names = ", ".join(entry.name for entry in offered) or "none yet"
    raise ParameterError(
        f"There is no {family} of this name for {kind}; there are: {names}.", code="unknown-name"
    )
