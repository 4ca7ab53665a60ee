"""Declared parameters: one table yields messages, command-line options, web forms and docs.

Every method, attack and measure is a frozen `Parameters` object: constraints are written once as pydantic
fields, checked when the object is built, and every refusal has the same form and the code `parameter`.
"""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from kakurenbo.errors import ParameterError


class Parameters(BaseModel):
    """Base of every object with parameters: immutable, strict about names, one form of message."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def __init__(self, /, **values: Any) -> None:  # noqa: ANN401 - pydantic checks each value by its field
        try:
            super().__init__(**values)
        except ValidationError as error:
            raise ParameterError(_message(type(self), error), code="parameter") from None


_LONGEST_NAME = 60


def _shown(name: str) -> str:
    """Return a name somebody wrote as it can stand in a line: not long, without control characters."""
    plain = "".join(letter if letter.isprintable() else "?" for letter in name)
    return plain if len(plain) <= _LONGEST_NAME else f"{plain[:_LONGEST_NAME]}..."


def _message(owner: type[Parameters], error: ValidationError) -> str:
    problems = []
    for problem in error.errors(include_url=False, include_input=False):
        name = _shown(".".join(str(part) for part in problem["loc"]))
        if problem["type"] == "extra_forbidden":
            known = ", ".join(owner.model_fields) or "none"
            problems.append(f"{name} is not a parameter (known: {known})")
        else:
            text = problem["msg"].removeprefix("Value error, ")
            problems.append(f"{name}: {text[:1].lower()}{text[1:]}" if name else text)
    return f"{owner.__name__}: {'; '.join(problems)}."
