"""The one list of all methods, attacks and measures, made from what each says of itself.

It feeds the command line, the docs, the contract tests, the audit's panel with its proof and the tuner's
space: what is registered is offered, documented, tested, run and tried. Registering is a line in `methods`,
`attacks` or `measures`; what is not declared fails here.
"""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Literal, get_args

from kakurenbo import attacks, cheats, measures, methods
from kakurenbo.about import PROMISES, About, AttackAbout, Kind, MeasureAbout, MethodAbout, Promise
from kakurenbo.attacks.base import Attack
from kakurenbo.attacks.ladder import LADDERS
from kakurenbo.deidentify.base import Chain, Method
from kakurenbo.errors import ParameterError
from kakurenbo.parameters import Parameters

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from types import ModuleType

    from kakurenbo.plan import Plan

Family = Literal["method", "attack", "measure"]
_OLD_VERBS = {
    "answer": "return how two people match from `score`, or rename it `rerank(self, tables, chance)`",
    "look": "make what `rerank` needs in it, or return it from `fit`",
    "scan": "return how two people match from `score`",
    "takes": "return the tables without what is dropped from `prepare`",
    "supposes": "`score` says where people may be; `locate` is for who believes something else",
}
_FAMILIES: dict[type[About], Family] = {MethodAbout: "method", AttackAbout: "attack", MeasureAbout: "measure"}


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
        example: parameters that work on any data, for docs and contract tests.
    """

    name: str
    family: Family
    kind: Kind
    what: Any
    source: str
    obeys: frozenset[Promise]
    example: Mapping[str, object]

    @property
    def summary(self) -> str:
        """The first line of the story."""
        return (self.what.__doc__ or "").strip().partition("\n")[0]


def register(what: type[Parameters]) -> Entry:
    """Return the entry of a class, or say what it does not declare."""
    about: About | None = getattr(what, "about", None)
    if about is None or type(about) not in _FAMILIES:
        raise TypeError(f"{what.__name__} does not say about itself: a name, a kind, a source")
    missing = [*_undeclared(what), *_impossible(about)]
    if missing:
        raise TypeError(f"{what.__name__}: {'; '.join(missing)}")
    return Entry(
        about.name, _FAMILIES[type(about)], about.kind, what, about.source, frozenset(about.promises),
        about.example,
    )  # fmt: skip


def _undeclared(what: type[Parameters]) -> Iterator[str]:
    if not inspect.cleandoc(vars(what).get("__doc__") or ""):
        yield "it has no story"
    if inspect.isabstract(what):
        yield f"it does not define {', '.join(sorted(what.__abstractmethods__))}"
    for name, field in what.model_fields.items():
        if not field.description:
            yield f"its parameter {name} has no description"
    if issubclass(what, Attack):
        yield from _unverbed(what)
    if issubclass(what, Method) and what.about.reach in {"table", "group"} and what.fitted is Method.fitted:
        yield "it does not say how it is fitted to blocks"


def _unverbed(what: type[Attack[Any]]) -> Iterator[str]:
    """Yield what keeps an attack from being run, with what to do about it."""
    if what.score is Attack.score and what.rerank is Attack.rerank:
        yield "it neither scores two people (`score`) nor names people with everybody at hand (`rerank`)"
    for old, new in _OLD_VERBS.items():
        if hasattr(what, old):
            yield f"`{old}` is no verb of attacks any more: {new} (CONTRIBUTING.md has an example)"


def _impossible(about: About) -> Iterator[str]:
    unknown = set(about.promises) - set(PROMISES)
    if unknown:
        yield f"nobody knows its promises {sorted(unknown)}"
    if about.kind not in get_args(Kind):
        yield f"there is no kind of data {about.kind}"
        return
    rungs = {rung.name for rung in LADDERS[about.kind]}
    for stand in getattr(about, "stands", ()):
        if not {stand.rung, stand.beyond} <= rungs | {""}:
            yield f"there is no rung {stand.rung} or {stand.beyond}"


def _listed(module: ModuleType) -> Iterator[type[Parameters]]:
    for thing in vars(module).values():
        if inspect.isclass(thing) and issubclass(thing, Parameters) and thing is not Chain:
            yield thing


CATALOGUE: tuple[Entry, ...] = tuple(
    sorted(
        (register(what) for module in (methods, cheats, attacks, measures) for what in _listed(module)),
        key=lambda entry: (get_args(Family).index(entry.family), get_args(Kind).index(entry.kind)),
    )
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
    names = [entry.name for entry in offered]
    near = get_close_matches(name, names, n=1)
    hint = f"did you mean {near[0]}? There are" if near else "there are"
    raise ParameterError(
        f"There is no {family} of this name for {kind}; {hint}: {', '.join(names) or 'none yet'}.",
        code="unknown-name",
    )


def build(plan: Plan) -> Method[Any]:
    """Return the method that carries out a plan; parameters that cannot work raise a ParameterError."""
    built = [find(step.method, "method", plan.kind).what(**step.parameters) for step in plan.named]
    return built[0] if len(built) == 1 else Chain(methods=tuple(built))
