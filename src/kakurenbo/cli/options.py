"""Options that several commands share, declared once, and commands made from declared parameters."""

from __future__ import annotations

import inspect
import typing
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from kakurenbo.catalogue import entries
from kakurenbo.data.microdata import Microdata
from kakurenbo.data.purchases import Purchases
from kakurenbo.files.options import options_for
from kakurenbo.files.read import read_microdata, read_purchases

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from kakurenbo.about import Kind
    from kakurenbo.catalogue import Family
    from kakurenbo.parameters import Parameters

Built = TypeVar("Built", bound="Parameters")

_TABLE = "A CSV, Parquet or XLSX file, or a folder with transactions.* and master.*"

Data = Annotated[Path, typer.Argument(metavar="DATA", help=_TABLE)]
Original = Annotated[Path, typer.Argument(metavar="ORIGINAL", help=_TABLE)]
Released = Annotated[
    Path, typer.Argument(metavar="RELEASE", help="The release: a folder or file like the original's.")
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]
Seed = Annotated[
    int | None, typer.Option(min=0, help="Repeat the same random choices; without it they are fresh.")
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress, no remarks.")]
_TYPED = {
    "policy": "--policy drop",
    "customer": "--customer, --goods, --no-header",
    "qi": "--qi a,b",
    "sa": "--sa x,y",
    "shop": "--data tc400.csv",
}


def flag(parameter: str) -> str:
    """Return how a parameter that a message of the library names is typed, with an example where it helps."""
    return _TYPED.get(parameter, f"--{parameter.replace('_', '-')}")


def _reading(text: str, panel: str, *names: str, metavar: str = "TEXT") -> Any:  # noqa: ANN401 - an annotation
    return Annotated[str | None, typer.Option(*names, help=text, rich_help_panel=panel, metavar=metavar)]


READING: dict[str, tuple[Any, Any]] = {
    "customer": (_reading("Column of customer ids.", "Columns"), None),
    "goods": (_reading("Column of goods ids.", "Columns"), None),
    "receipt": (_reading("Column of receipt ids.", "Columns"), None),
    "time": (_reading("Column of times, or two: date,clock.", "Columns"), None),
    "price": (_reading("Column of prices.", "Columns"), None),
    "quantity": (_reading("Column of quantities.", "Columns"), None),
    "qi": (_reading("Microdata: quasi-identifiers, a,b,c.", "Columns"), None),
    "sa": (_reading("Microdata: sensitive attributes, x,y.", "Columns"), None),
    "id": (_reading("Microdata: column of person ids.", "Columns"), None),
    "policy": (
        _reading(
            "Rows without id, cancellations, zero or less: refuse them (default), or drop them with a count "
            "(default for known layouts).",
            "Reading",
            metavar="refuse|drop",
        ),
        None,
    ),
    "cancelled": (
        _reading("Prefix of cancelled receipts, before digits (default C); '' for none.", "Reading"),
        None,
    ),
    "encoding": (_reading("Encoding of text.", "Reading", metavar="utf-8|cp932|latin-1"), None),
    "no_header": (
        Annotated[
            bool,
            typer.Option(
                "--no-header", help="The first row is data; columns are 1, 2, 3.", rich_help_panel="Reading"
            ),
        ],
        False,
    ),
    "separator": (_reading("What stands between fields.", "Reading"), None),
    "time_format": (_reading("How times are written, such as %d/%m/%Y.", "Reading"), None),
}


def with_options(function: Callable[..., None], extra: Mapping[str, tuple[Any, Any]]) -> Callable[..., None]:
    """Return the function with its `**` parameter spelled out as these options (annotation, default)."""
    hints = typing.get_type_hints(function, include_extras=True)
    hints.pop("return", None)
    own = [
        parameter.replace(annotation=hints[parameter.name])
        for parameter in inspect.signature(function).parameters.values()
        if parameter.kind is not inspect.Parameter.VAR_KEYWORD
    ]
    added = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
        for name, (annotation, default) in extra.items()
    ]

    @wraps(function)
    def command(*arguments: Any, **named: Any) -> None:  # noqa: ANN401 - typer checks them
        function(*arguments, **named)

    command.__signature__ = inspect.Signature([*own, *added])  # type: ignore[attr-defined] # read by typer
    command.__annotations__ = {parameter.name: parameter.annotation for parameter in (*own, *added)}
    return command


def reading(function: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options that tell how to read a table, as `**reading`."""
    return with_options(function, READING)


def named(name: str, family: Family) -> tuple[str | None, dict[str, tuple[Any, Any]]]:
    """Return the story and the options of everything of this name, for one kind of data or for both."""
    same = [entry for entry in entries(family) if entry.name == name]
    story = inspect.getdoc(same[0].what)
    if len(same) > 1:
        story = "\n\n".join(f"On {entry.kind}: {inspect.getdoc(entry.what)}" for entry in same)
    return story, {**fields_of(*(entry.what for entry in same)), **READING}


def names(family: Family) -> list[str]:
    """Return the names of a family, each once, in the order of the catalogue."""
    return list(dict.fromkeys(entry.name for entry in entries(family)))


def fields_of(*classes: type[Parameters]) -> dict[str, tuple[Any, Any]]:
    """Return an option for every parameter of these classes; pydantic reads and checks what is given."""
    made: dict[str, tuple[Any, Any]] = {}
    texts: dict[str, str] = {}
    for owner in classes:
        for name, schema in owner.model_json_schema().get("properties", {}).items():
            if name in READING:
                raise AssertionError(f"{owner.__name__}.{name} clashes with a reading option")
            default = schema.get("default")
            shown = f" (default {_as_text(default)})" if default not in (None, []) else ""
            text = f"{schema.get('description', '')}{shown}"
            texts[name] = f"{texts[name]}; or {text}" if texts.get(name, text) != text else text
            made[name] = (
                Annotated[
                    str | None,
                    typer.Option(help=texts[name], metavar=_metavar(schema), rich_help_panel="Parameters"),
                ],
                None,
            )
    return made


def _as_text(default: Any) -> str:  # noqa: ANN401 - any JSON value
    return ",".join(map(str, default)) if isinstance(default, list) else str(default)


def _metavar(schema: Mapping[str, Any]) -> str:
    kinds = [part for part in schema.get("anyOf", [schema]) if part.get("type") != "null"]
    kind = kinds[0]
    if "enum" in kind:
        return "|".join(map(str, kind["enum"]))
    if "enum" in kind.get("items", {}):
        return ",".join(map(str, kind["items"]["enum"]))
    return {"integer": "INT", "number": "FLOAT", "array": "A,B"}.get(kind.get("type", ""), "TEXT")


def build(owner: type[Built], given: Mapping[str, str | None]) -> Built:
    """Build an object from the options given as text; a list is written with commas."""
    properties = owner.model_json_schema().get("properties", {})
    values: dict[str, Any] = {}
    for name, text in given.items():
        if text is None:
            continue
        is_list = name in properties and properties[name].get("type") == "array"
        values[name] = listed(text) if is_list else text
    return owner(**values)


def listed(text: str | None) -> tuple[str, ...]:
    """Return the parts of a comma-separated option."""
    return tuple(part.strip() for part in text.split(",")) if text else ()


def split(named: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return (reading options, other options) of what a command got."""
    inside = {name: value for name, value in named.items() if name in READING}
    return inside, {name: value for name, value in named.items() if name not in READING}


def kind_of(path: Path, given: Mapping[str, Any]) -> Kind:
    """Return the kind of data that reading with these options would give, without reading."""
    folder = path if path.is_dir() else path.parent
    return "microdata" if options_for(folder, {"qi": listed(given.get("qi"))}).qi else "purchases"


def read(path: Path, given: Mapping[str, Any], *, like: Path | None = None) -> Purchases | Microdata:
    """Read purchases, or microdata where quasi-identifiers are named.

    A release has the layout of its original, so settings beside the original hold for it too (`like`).
    """
    named = dict(given)
    named["header"] = False if named.pop("no_header", False) else None
    named["qi"], named["sa"] = listed(named.get("qi")), listed(named.get("sa"))
    model = like or path
    options = options_for(model if model.is_dir() else model.parent, named)
    settings = options.model_dump(exclude_unset=True)
    return read_microdata(path, **settings) if options.qi else read_purchases(path, **settings)


def read_both(original: Path, release: Path, given: Mapping[str, Any]) -> tuple[Any, Any]:
    """Read an original and its release, both of the kind that `kind_of` tells for the original."""
    return tuple(read(path, given, like=original) for path in (original, release))  # type: ignore[return-value] # two
