"""A plan: methods of the catalogue with their parameters, in order, that would make a release.

It is what a search proposes and a study stores, what is advised, and what a user can keep in a file and type.
So it is a plain value: it prints, compares, and turns into TOML and JSON and back. `catalogue.build` makes
the method that carries it out.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, cast, get_args

from kakurenbo import toml
from kakurenbo.about import Kind
from kakurenbo.errors import InputError

NOTHING = "pseudonymize"


@dataclass(frozen=True)
class Step:
    """One method by its name in the catalogue, with the parameters that differ from what it does anyway."""

    method: str
    parameters: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        parameters = {name: _plain(value) for name, value in self.parameters.items()}
        object.__setattr__(self, "parameters", parameters)

    def __str__(self) -> str:
        """Return the step as people say it: `compact (min size 8)`."""
        spoken = ", ".join(
            f"{name.replace('_', ' ')} {_typed(value)}" for name, value in self.parameters.items()
        )
        return f"{self.method} ({spoken})" if spoken else self.method

    def scaled(self, share: float | Fraction) -> Step:
        """Return the step for so many times the people: of a given number of clusters, as keep their size."""
        clusters = self.parameters.get("clusters")
        if not clusters:
            return self
        return replace(self, parameters={**self.parameters, "clusters": max(int(clusters * share), 1)})

    def pairs(self, form: str) -> list[str]:
        """Return the parameters written in a form such as `{name}={value}`."""
        return [form.format(name=name, value=_typed(value)) for name, value in self.parameters.items()]


@dataclass(frozen=True)
class Plan:
    """Steps in order; a plan without steps gives new names and nothing else.

    Attributes:
        kind: the data it works on.
        steps: the methods, in order.
        people: on how many it was tuned, where that is known.
    """

    kind: Kind
    steps: tuple[Step, ...] = ()
    people: int | None = None

    def __post_init__(self) -> None:
        steps = tuple(step for step in self.steps if step != Step(NOTHING))  # every release has new names
        object.__setattr__(self, "steps", steps)

    def __str__(self) -> str:
        return ", then ".join(map(str, self.named))

    @property
    def named(self) -> tuple[Step, ...]:
        """The steps, also where there is nothing to do but to give new names."""
        return self.steps or (Step(NOTHING),)

    @property
    def name(self) -> str:
        """The methods alone: what a legend shows."""
        return " + ".join(step.method for step in self.named)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        return {
            "kind": self.kind,
            **({} if self.people is None else {"people": self.people}),
            "steps": [{"method": step.method, **step.parameters} for step in self.named],
        }

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> Plan:
        """Return the plan that `to_dict` wrote."""
        kind, steps, people = stored.get("kind"), stored.get("steps"), stored.get("people")
        if kind not in get_args(Kind) or not isinstance(steps, list) or not all(map(_is_step, steps)):
            raise InputError(
                "This is not a plan: it has a kind (purchases or microdata) and steps, each with a method.",
                code="plan",
            )
        if people is not None and (type(people) is not int or people < 1):
            raise InputError("The people of a plan are how many it was tuned on, 1 or more.", code="plan")
        each = tuple(Step(step.pop("method"), step) for step in map(dict, steps))
        return cls(cast("Kind", kind), each, people)

    def scaled(self, share: float | Fraction) -> Plan:
        """Return the plan for so many times the people: as many clusters as keep their size."""
        return replace(self, steps=tuple(step.scaled(share) for step in self.steps))

    def for_people(self, people: int) -> Plan:
        """Return the plan for so many people; it is the same where nobody said on how many it was tuned."""
        if self.people is None or self.people == people:
            return self
        return replace(self.scaled(Fraction(people, self.people)), people=people)

    def to_json(self) -> str:
        """Return the plan as JSON."""
        return json.dumps(self.to_dict(), ensure_ascii=False)

    def to_toml(self) -> str:
        """Return the plan as TOML, a table for each step."""
        lines = [f"kind = {_toml(self.kind)}"]
        lines += [] if self.people is None else [f"people = {self.people}"]
        for step in self.named:
            lines += ["", "[[steps]]", f"method = {_toml(step.method)}"]
            lines += [f"{name} = {_toml(value)}" for name, value in step.parameters.items()]
        return "\n".join(lines) + "\n"

    @classmethod
    def parse(cls, text: str) -> Plan:
        """Return the plan of a TOML or JSON text."""
        try:
            return cls.from_dict(json.loads(text) if text.lstrip().startswith("{") else toml.loads(text))
        except (ValueError, RecursionError):
            raise InputError("The plan is neither TOML nor JSON.", code="plan") from None

    @classmethod
    def read(cls, path: str | Path) -> Plan:
        """Read a plan from a TOML or JSON file."""
        file = Path(path)
        try:
            if file.exists() and not file.is_file():
                raise InputError("The plan's path is not a file.", code="path-unreadable")
            with file.open(encoding="utf-8-sig", newline="") as opened:
                text = opened.read(toml.LARGEST + 1)
            if len(text) > toml.LARGEST:
                raise InputError(f"The plan has more than {toml.LARGEST:,} letters.", code="limit")
            return cls.parse(text)
        except FileNotFoundError:
            raise InputError("The plan's file does not exist.", code="path-missing") from None
        except (OSError, UnicodeDecodeError):
            raise InputError("The plan's file cannot be read as text.", code="path-unreadable") from None


def _is_step(stored: object) -> bool:
    return isinstance(stored, dict) and isinstance(stored.get("method"), str)


def _plain(value: Any) -> Any:  # noqa: ANN401 - any parameter
    """Return a value as JSON and TOML hold it, so that a plan read back is equal."""
    return [_plain(part) for part in value] if isinstance(value, list | tuple) else value


def _toml(value: object) -> str:
    """Return a value as TOML writes it: as JSON does, but for surrogates and the one character it forbids."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _typed(value: object) -> str:
    """Return a value as it is typed on a command line."""
    if isinstance(value, list | tuple):
        return ",".join(map(str, value))
    return repr(value) if isinstance(value, float) else str(value)
