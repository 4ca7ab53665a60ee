"""Options that several commands share, declared once, and commands made from declared parameters."""

from __future__ import annotations

import inspect
import typing
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from kakurenbo.catalogue import entries
from kakurenbo.cli import output
from kakurenbo.data.checks.spelling import refuse_apart
from kakurenbo.data.microdata import Microdata
from kakurenbo.data.purchases import Purchases
from kakurenbo.errors import ParameterError
from kakurenbo.files import outputs
from kakurenbo.files.limits import MAX_CELLS, MAX_COLUMNS, MAX_MEGABYTES, MAX_ROWS
from kakurenbo.files.options import options_for
from kakurenbo.files.pairings import read_owners, read_secret
from kakurenbo.files.read import read_microdata, read_purchases
from kakurenbo.files.register import Register

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from contextlib import AbstractContextManager

    from kakurenbo.about import Kind
    from kakurenbo.catalogue import Family
    from kakurenbo.data.checks.spelling import Spelling
    from kakurenbo.data.owners import Owners
    from kakurenbo.data.pairing import Pairing
    from kakurenbo.parameters import Parameters
    from kakurenbo.progress import Progress

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
AllowExposed = Annotated[
    bool,
    typer.Option(
        "--allow-exposed",
        help="Write what names people even into a release or a git work tree, where it may be published.",
    ),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress, no remarks.")]
Ledger = Annotated[
    Path | None,
    typer.Option(
        help="The ledger of releases to write this down in (default: the one that kakurenbo.toml names).",
        metavar="FILE",
    ),
]
Overlook = Annotated[
    str | None,
    typer.Option(
        help="Why other releases of the same people that the ledger knows do not count; written into it.",
        metavar="REASON",
    ),
]
_EXAMPLES = {
    "policy": "--policy drop",
    "spelling": "--spelling merge",
    "customer": "--customer, --goods, --no-header",
    "qi": "--qi a,b",
    "earlier": "--earlier RELEASE, or --overlook REASON",
    "overlook": "--overlook REASON",
    "hierarchy": "--hierarchy COLUMN=FILE",
    "sa": "--sa x,y",
    "shop": "--data tc400.csv",
}


def flag(parameter: str) -> str:
    """Return how a parameter that a message of the library names is typed, with an example where it helps."""
    return _EXAMPLES.get(parameter, f"--{parameter.replace('_', '-')}")


def _typed(panel: str, text: str, metavar: str = "TEXT") -> tuple[Any, None]:
    """Return an option that is read as text, and its default."""
    return Annotated[str | None, typer.Option(help=text, rich_help_panel=panel, metavar=metavar)], None


COMMON: dict[str, tuple[Any, Any]] = {"json": (Json, False), "seed": (Seed, None), "quiet": (Quiet, False)}
READING: dict[str, tuple[Any, Any]] = {
    "customer": _typed("Columns", "Column of customer ids."),
    "goods": _typed("Columns", "Column of goods ids."),
    "receipt": _typed("Columns", "Column of receipt ids."),
    "time": _typed("Columns", "Column of times, or two: date,clock."),
    "price": _typed("Columns", "Column of prices."),
    "quantity": _typed("Columns", "Column of quantities."),
    "qi": _typed("Columns", "Microdata: quasi-identifiers, a,b,c."),
    "sa": _typed("Columns", "Microdata: sensitive attributes, x,y."),
    "id": _typed("Columns", "Microdata: column of person ids."),
    "policy": _typed(
        "Reading",
        "Rows without id, cancellations, zero or less: refuse them (default), or drop them with a count "
        "(default for known layouts).",
        "refuse|drop",
    ),
    "cancelled": _typed("Reading", "Prefix of cancelled receipts, before digits (default C); '' for none."),
    "encoding": _typed(
        "Reading",
        "Encoding of text, under any usual name: utf-8, utf-16, cp932 (Shift_JIS), euc_jp, cp1252, latin-1 "
        "(default: worked out).",
    ),
    "no_header": (
        Annotated[
            bool,
            typer.Option(
                "--no-header", help="The first row is data; columns are 1, 2, 3.", rich_help_panel="Reading"
            ),
        ],
        False,
    ),
    "spelling": _typed(
        "Reading",
        "Ids that differ only in Unicode form or unseen characters: refuse them (default), merge them, or "
        "keep them apart; keep also takes NA, null and 17850.0 for ids.",
        "refuse|merge|keep",
    ),
    "separator": _typed(
        "Reading", "What stands between fields: one character, or \\t for a tab (default: worked out)."
    ),
    "decimal": _typed("Reading", "The mark before decimals (default: worked out).", ".|,"),
    "thousands": _typed("Reading", "The mark between thousands; '' for none (default: worked out)."),
    "time_format": _typed("Reading", "How times are written, such as %d/%m/%Y."),
    "hierarchy": (
        Annotated[
            list[str] | None,
            typer.Option(
                "--hierarchy",
                help="Coarser words of goods or a column: a table of a value and its names, the finest "
                "first. Can be given several times.",
                rich_help_panel="Reading",
                metavar="COLUMN=FILE",
            ),
        ],
        None,
    ),
    "max_rows": _typed("Limits", f"The most rows of a table (default {MAX_ROWS}).", "INT"),
    "max_columns": _typed("Limits", f"The most columns of a table (default {MAX_COLUMNS}).", "INT"),
    "max_cells": _typed(
        "Limits",
        f"The most rows times columns to load (default {MAX_CELLS}; a cell of a sheet counts 16 times).",
        "INT",
    ),
    "max_megabytes": _typed(
        "Limits", f"What Parquet and XLSX may unpack to, in MiB (default {MAX_MEGABYTES}).", "INT"
    ),
}
RELEASING: dict[str, tuple[Any, Any]] = {
    **READING,
    "keep_master": _typed("Master", "Columns of the master to release, a,b; all others stay behind."),
    "keep_direct": _typed("Master", "Consent to those of them that look like names, e-mails and the like."),
}


@dataclass(frozen=True)
class Run:
    """What every command takes, and so how it works and answers."""

    json: bool = False
    seed: int | None = None
    quiet: bool = False

    def working(self) -> AbstractContextManager[Progress]:
        """Show progress, unless it would disturb."""
        return output.working(quiet=self.quiet or self.json)

    def answer(self, document: Any, shown: Iterable[Any]) -> None:  # noqa: ANN401 - anything JSON holds
        """Print the JSON document, or for people sentences and tables."""
        if self.json:
            output.print_json(document)
        else:
            console = output.console()
            for part in shown:
                console.print(part)


def command(
    function: Callable[..., None], extra: Mapping[str, tuple[Any, Any]] | None = None, **fixed: str
) -> Callable[..., None]:
    """Return the function as a command.

    Args:
        function: its `run` is made of the options that every command takes, unless it has its own.
        extra: options (annotation, default) that it gets as `**`.
        fixed: arguments that are not the user's.
    """
    hints = typing.get_type_hints(function, include_extras=True)
    own = [
        parameter.replace(annotation=hints[parameter.name])
        for parameter in inspect.signature(function).parameters.values()
        if parameter.kind is not inspect.Parameter.VAR_KEYWORD and parameter.name not in {"run", *fixed}
    ]
    common = {name: option for name, option in COMMON.items() if name not in hints}
    added = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
        for name, (annotation, default) in {**common, **(extra or {})}.items()
    ]

    @wraps(function)
    def made(*arguments: Any, **named: Any) -> None:  # noqa: ANN401 - typer checks them
        run = Run(**{name: named.pop(name) for name in common if name in named})
        function(*arguments, run=run, **fixed, **named)

    made.__signature__ = inspect.Signature([*own, *added])  # type: ignore[attr-defined] # read by typer
    made.__annotations__ = {parameter.name: parameter.annotation for parameter in (*own, *added)}
    return made


def reading(function: Callable[..., None]) -> Callable[..., None]:
    """Make a command that gets the options that tell how to read a table, as `**reading`."""
    return command(function, READING)


def releasing(function: Callable[..., None]) -> Callable[..., None]:
    """Make a command that also gets the options that tell what a release may hold, as `**reading`."""
    return command(function, RELEASING)


def commands(family: Family, function: Callable[..., None], **settings: Any) -> typer.Typer:  # noqa: ANN401 - typer's own
    """Return a command for every name of a family: it gets `name`, and parameters and reading as `**`."""
    app = typer.Typer(no_args_is_help=True, **settings)
    asked = RELEASING if family == "method" else READING
    for name in dict.fromkeys(entry.name for entry in entries(family)):
        same = [entry for entry in entries(family) if entry.name == name]
        made = command(function, {**fields_of(*(entry.what for entry in same)), **asked}, name=name)
        stories = [f"On {entry.kind}: {inspect.getdoc(entry.what)}" for entry in same]
        made.__doc__ = "\n\n".join(stories) if len(same) > 1 else inspect.getdoc(same[0].what)
        app.command(name)(made)
    return app


def fields_of(*classes: type[Parameters]) -> dict[str, tuple[Any, Any]]:
    """Return an option for every parameter of these classes; pydantic reads and checks what is given."""
    made: dict[str, tuple[Any, Any]] = {}
    texts: dict[str, str] = {}
    for owner in classes:
        for name, schema in owner.model_json_schema().get("properties", {}).items():
            if name in RELEASING:
                raise AssertionError(f"{owner.__name__}.{name} clashes with a reading option")
            default = schema.get("default")
            shown = f" (default {_as_text(default)})" if default not in (None, []) else ""
            text = f"{schema.get('description', '')}{shown}"
            texts[name] = f"{texts[name]}; or {text}" if texts.get(name, text) != text else text
            made[name] = _typed("Parameters", texts[name], _metavar(schema))
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
    lists = {name for name, schema in properties.items() if schema.get("type") == "array"}
    texts = {name: text for name, text in given.items() if text is not None}
    return owner(**{name: listed(text) if name in lists else text for name, text in texts.items()})


def listed(text: str | None) -> tuple[str, ...]:
    """Return the parts of a comma-separated option."""
    return tuple(part.strip() for part in text.split(",")) if text else ()


def split(named: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return (reading options, other options) of what a command got."""
    inside = {name: value for name, value in named.items() if name in RELEASING}
    return inside, {name: value for name, value in named.items() if name not in RELEASING}


def kind_of(path: Path, given: Mapping[str, Any]) -> Kind:
    """Return the kind of data that reading with these options would give, without reading."""
    folder = path if path.is_dir() else path.parent
    return "microdata" if options_for(folder, {"qi": listed(given.get("qi"))}).qi else "purchases"


def read(path: Path, given: Mapping[str, Any], *, like: Path | None = None) -> Purchases | Microdata:
    """Read purchases, or microdata where quasi-identifiers are named.

    A release has the layout of its original, so settings beside the original hold for it (`like`), and those
    beside the release do not.
    """
    named = dict(given)
    named["header"] = False if named.pop("no_header", False) else None
    named["hierarchies"] = _files(named.pop("hierarchy", None))
    for lists in ("qi", "sa", "keep_master", "keep_direct"):
        named[lists] = listed(named.get(lists))
    reader = read_microdata if kind_of(like or path, given) == "microdata" else read_purchases
    return reader(path, like=like, **named)


def _files(named: list[str] | None) -> dict[str, str]:
    """Return the file of every column that was given one."""
    pairs = [text.partition("=") for text in named or ()]
    if not all(column.strip() and file.strip() for column, _, file in pairs):
        raise ParameterError("A hierarchy is given as COLUMN=FILE.", code="parameter", parameter="hierarchy")
    return {column.strip(): file.strip() for column, _, file in pairs}


def read_both(original: Path, release: Path, given: Mapping[str, Any]) -> tuple[Any, Any]:
    """Read an original and its release, both of the kind that `kind_of` tells for the original."""
    before, after = read(original, given), read(release, given, like=original)
    if (
        isinstance(before, Purchases)
        and isinstance(after, Purchases)
        and _spelling(original, given) == "refuse"
    ):
        refuse_apart(before.goods, after.goods, column=after.layout.name_of("goods"))
    return before, after


def secret_of(path: Path | None, original: Path, given: Mapping[str, Any]) -> Pairing | None:
    """Read a secret, where there is one, with its ids spelled as those of the original are."""
    return None if path is None else read_secret(path, spelling=_spelling(original, given))


def owners_of(path: Path | None, original: Path, given: Mapping[str, Any]) -> Owners | None:
    """Read whose every released name is, where that is known: a secret that need not pair one to one."""
    return None if path is None else read_owners(path, spelling=_spelling(original, given))


def register_of(ledger: Path | None, data: Path, *, allow_exposed: bool) -> Register | None:
    """Open the ledger that was named, here or in the settings beside the data; None where there is none."""
    folder = data if data.is_dir() else data.parent
    settled = options_for(folder, {}).ledger
    path = ledger or (None if settled is None else folder / settled)
    if path is None:
        return None
    place = outputs.Output("ledger", path, private=True)
    outputs.check_places([place], [data] if data.is_file() else [], allow_exposed=allow_exposed)
    return Register.opened(path)


def _spelling(original: Path, given: Mapping[str, Any]) -> Spelling:
    """Return how ids are read that differ only in how they are written; the same for secret and release."""
    folder = original if original.is_dir() else original.parent
    return options_for(folder, {"spelling": given.get("spelling")}).spelling
