"""A plan: methods of the catalogue with their parameters, in order, that would make a release.

It is what the search proposes, what is stored and what is recommended. So it turns into a method that runs,
into words, and into plain JSON and back.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from kakurenbo.catalogue import find
from kakurenbo.deidentify.chain import Chain, ChainMicrodata

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kakurenbo.catalogue import Kind
    from kakurenbo.deidentify.base import MicrodataMethod, PurchasesMethod

NOTHING = "pseudonymize"


@dataclass(frozen=True)
class Step:
    """One method by its name in the catalogue, with the parameters that differ from what it does anyway."""

    method: str
    parameters: Mapping[str, Any] = field(default_factory=dict)

    def words(self) -> str:
        """Return the step as people say it: `compact (min size 8)`."""
        told = ", ".join(
            f"{name.replace('_', ' ')} {_short(value)}" for name, value in self.parameters.items()
        )
        return f"{self.method} ({told})" if told else self.method

    def pairs(self, form: str) -> list[str]:
        """Return the parameters written in a form such as `{name}={value}`."""
        return [form.format(name=name, value=_short(value)) for name, value in self.parameters.items()]


@dataclass(frozen=True)
class Plan:
    """Steps in order; a plan without steps gives new names and nothing else.

    Attributes:
        kind: the data it works on.
        steps: the methods, in order.
    """

    kind: Kind
    steps: tuple[Step, ...] = ()

    def method(self) -> PurchasesMethod | MicrodataMethod:
        """Build the method; parameters that cannot work raise a ParameterError."""
        built = [find(step.method, "method", self.kind).what(**step.parameters) for step in self.named]
        if len(built) == 1:
            return cast("PurchasesMethod | MicrodataMethod", built[0])
        if self.kind == "purchases":
            return Chain(methods=cast("tuple[PurchasesMethod, ...]", tuple(built)))
        return ChainMicrodata(methods=cast("tuple[MicrodataMethod, ...]", tuple(built)))

    def words(self) -> str:
        """Return the plan in plain words."""
        return ", then ".join(step.words() for step in self.named)

    @property
    def named(self) -> tuple[Step, ...]:
        """The steps, also where there is nothing to do but to give new names."""
        return self.steps or (Step(NOTHING),)

    @property
    def name(self) -> str:
        """The methods alone: what a legend shows."""
        return " + ".join(step.method for step in self.named)

    def to_json(self) -> list[dict[str, Any]]:
        """Return the steps as plain values."""
        return [{"method": step.method, **step.parameters} for step in self.named]

    @classmethod
    def from_json(cls, kind: Kind, steps: Sequence[Mapping[str, Any]]) -> Plan:
        """Return the plan that `to_json` wrote."""
        made = (
            Step(step["method"], {name: value for name, value in step.items() if name != "method"})
            for step in steps
        )
        return cls(kind, tuple(step for step in made if step.method != NOTHING))


def _short(value: object) -> str:
    """Return a value as it is typed."""
    return repr(value) if isinstance(value, float) else str(value)
