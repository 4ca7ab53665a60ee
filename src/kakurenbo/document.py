"""Frozen records as JSON and back, by their own types, so that a result filed today can be reported tomorrow.

A record becomes an object under the names of its fields, a tuple a list, and a number that JSON cannot hold
null; read back, a null where a number belongs is NaN. Reading goes by the fields' types and passes over what
it does not know; what an earlier version did not write has its default. A field that should look otherwise
says so in its metadata, with one of the shapes below; a record that should, by methods of its own, `to_dict`
and `from_dict`.
"""

from __future__ import annotations

import json
import math
import typing
from collections.abc import Callable, Mapping
from dataclasses import Field, fields, is_dataclass
from types import NoneType, UnionType
from typing import Any, Final, Literal, TypeVar

from kakurenbo.errors import InputError

Made = TypeVar("Made")

SECRET: Final = {"secret": True}  # never written; read back it has its default
LATER: Final = {"later": True}  # older documents lack it, and have its default
PAIRS: Final = {"shape": (dict, lambda stored: [list(pair) for pair in stored.items()])}  # as an object
_OTHER: Final = (ValueError, TypeError, LookupError, AttributeError)  # what another document raises


def named(name: str) -> dict[str, Any]:
    """Write the field under another name."""
    return {"name": name}


def keys(*names: str) -> dict[str, Any]:
    """Write a tuple as an object under these keys."""
    return {
        "shape": (lambda row: dict(zip(names, row, strict=True)), lambda stored: [stored[n] for n in names])
    }


def rows(*names: str) -> dict[str, Any]:
    """Write a tuple of tuples as a list of objects under these keys, or a mapping of them as an object."""
    write, back = keys(*names)["shape"]
    return {"shape": (lambda table: _each(table, write), lambda stored: _each(stored, back))}


def flat(*names: str) -> dict[str, Any]:
    """Write the fields of a record under these names into the object of the one that holds it."""
    return {"flat": names}


def text(document: object) -> str:
    """Return a document of plain values as the text of a JSON file."""
    return json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def parse(document: str, make: Callable[[Any], Made], what: str) -> Made:
    """Return what is made of the text of a JSON file; the text of something else is refused."""
    try:
        return make(json.loads(document))
    except (*_OTHER, RecursionError):
        raise InputError(f"This is not the JSON of {what}.", code="file-broken") from None


def plain(value: Any) -> Any:  # noqa: ANN401 - any record, and what records hold
    """Return a value with JSON's own types."""
    if is_dataclass(value):
        return value.to_dict() if hasattr(value, "to_dict") else written(value)
    if isinstance(value, Mapping):
        return {str(name): plain(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [plain(inner) for inner in value]
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    return value if isinstance(value, str | int | None) else str(value)


def record(kind: type[Made], document: Any) -> Made:  # noqa: ANN401 - any JSON
    """Return the record that `plain` wrote; another document raises what Python raises."""
    values, hints = {}, typing.get_type_hints(kind)
    for field in _public(kind):
        if "later" in field.metadata and field.name not in document:
            continue
        if "flat" in field.metadata:
            inner = [part.name for part in fields(hints[field.name])]
            stored: Any = dict(zip(inner, (document[key] for key in field.metadata["flat"]), strict=True))
        else:
            stored = _shape(field)[1](document[field.metadata.get("name", field.name)])
        values[field.name] = _read(hints[field.name], stored)
    return kind(**values)


def written(value: Any) -> dict[str, Any]:  # noqa: ANN401 - any record
    """Return the object of a record: its fields under their names and in their shapes."""
    document: dict[str, Any] = {}
    for field in _public(type(value)):
        inner = plain(getattr(value, field.name))
        if "flat" in field.metadata:
            document |= zip(field.metadata["flat"], inner.values(), strict=True)
        else:
            document[field.metadata.get("name", field.name)] = _shape(field)[0](inner)
    return document


def _public(kind: Any) -> list[Field[Any]]:  # noqa: ANN401 - the type of any record
    return [field for field in fields(kind) if "secret" not in field.metadata]


def _each(table: Any, change: Callable[[Any], Any]) -> Any:  # noqa: ANN401 - a list or an object of rows
    return {n: change(row) for n, row in table.items()} if type(table) is dict else [*map(change, table)]


def _shape(field: Field[Any]) -> Any:  # noqa: ANN401 - how to write and how to read
    return field.metadata.get("shape", (lambda value: value,) * 2)


def _read(kind: Any, value: Any) -> Any:  # noqa: ANN401 - any type, and a value of it
    if hasattr(kind, "from_dict"):
        return kind.from_dict(value)
    if is_dataclass(kind):
        return record(typing.cast("type[Any]", kind), value)
    inner, origin = typing.get_args(kind), typing.get_origin(kind)
    if origin in {UnionType, typing.Union}:
        return None if value is None and NoneType in inner else _either(inner, value)
    if origin is tuple and type(value) is list:
        kinds = inner[:1] * len(value) if inner[-1] is Ellipsis else inner
        return tuple(_read(part, one) for part, one in zip(kinds, value, strict=True))
    if origin is Mapping:
        return {name: _read(inner[1], one) for name, one in value.items()}
    if kind is float and type(value) in {int, float, NoneType}:
        return math.nan if value is None else value
    if kind is Any or type(value) is kind or (origin is Literal and value in inner):
        return value
    raise TypeError("a value of another type")


def _either(kinds: tuple[Any, ...], value: Any) -> Any:  # noqa: ANN401 - any type, and a value of it
    for kind in kinds:
        try:
            return _read(kind, value)
        except _OTHER:
            continue
    raise TypeError("a value of none of the types")
