"""Options that several commands share, declared once, and commands made from declared parameters."""

from __future__ import annotations

import inspect
import typing
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from kakurenbo.attacks.ladder import EVERYTHING, LADDERS
from kakurenbo.catalogue import entries
from kakurenbo.cli import ask, output
from kakurenbo.cli.flags import flag as flag  # noqa: PLC0414 - its place is beside the options
from kakurenbo.data.checks.spelling import refuse_apart
from kakurenbo.data.microdata import Microdata
from kakurenbo.data.purchases import Purchases
from kakurenbo.data.sampling import TARGETS
from kakurenbo.errors import InputError, ParameterError, Stopped, WriteError
from kakurenbo.files import outputs
from kakurenbo.files.limits import MAX_CELLS, MAX_COLUMNS, MAX_MEGABYTES, MAX_ROWS
from kakurenbo.files.options import options_for
from kakurenbo.files.pairings import read_owners, read_secret
from kakurenbo.files.places import folder_of, is_folder
from kakurenbo.files.read import propose, read_microdata, read_purchases
from kakurenbo.files.register import Register

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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
    int | None,
    typer.Option(min=0, metavar="INT", help="Repeat the same random choices; without it they are fresh."),
]
Overwrite = Annotated[
    bool,
    typer.Option(
        "--overwrite", help="Replace reports of ours that nobody changed, and pictures, of the same name."
    ),
]
AllowExposed = Annotated[
    bool,
    typer.Option(
        "--allow-exposed",
        help="Write what names people even into a release or a git work tree, where it may be published.",
    ),
]
Yes = Annotated[
    bool,
    typer.Option(
        "--yes", "-y", help="Take what is proposed for an unknown layout, and write it to kakurenbo.toml."
    ),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress, no remarks.")]
Verbose = Annotated[
    bool,
    typer.Option("--verbose", "-v", help="Tell every step with its time, on standard error."),
]
NoCache = Annotated[
    bool,
    typer.Option(
        "--no-cache",
        help="Validate the attackers on made-up people now, whatever is remembered, and remember nothing.",
    ),
]
Ledger = Annotated[
    Path | None,
    typer.Option(
        help="The ledger of releases to write this down in (default: the one that kakurenbo.toml names).",
        metavar="FILE",
    ),
]
Datasheet = Annotated[
    bool,
    typer.Option(
        "--datasheet/--no-datasheet",
        help="Put a data sheet into DIR (README.md, datasheet.json): what it is and what it is good for.",
    ),
]
Contact = Annotated[
    str | None,
    typer.Option(
        help="Whom the data sheet says to ask (default: contact in kakurenbo.toml).", metavar="TEXT"
    ),
]
Overlook = Annotated[
    str | None,
    typer.Option(
        help="Why other releases of the same people that the ledger knows do not count; written into it.",
        metavar="REASON",
    ),
]
Engine = Annotated[
    str,
    typer.Option(
        help="What holds the data: memory, blocks on disk beside it, or a Spark cluster; auto takes memory "
        "for what fits with ease, else blocks.",
        metavar="auto|memory|blocks|spark",
    ),
]
Master = Annotated[
    str | None,
    typer.Option(help="The Spark cluster, such as spark://host:7077 or local[2].", metavar="URL"),
]
Targets = Annotated[
    str | None,
    typer.Option(
        help="On how many people to measure, drawn by chance, or all; of blocks 10000 unless given.",
        metavar="N|all",
    ),
]
Population = Annotated[
    float | None,
    typer.Option(
        help="Microdata: how many people the table was drawn from, or up to 1 the share drawn; what a "
        "journalist finds is then estimated by models.",
        metavar="NUMBER",
    ),
]
_LISTS = (
    "qi", "sa", "goods_columns", "keep_master", "keep_direct", "as_categories", "as_numbers", "missing",
)  # fmt: skip


def rungs(incomplete: str) -> list[str]:
    """Return the rungs of knowledge that begin like this, for the shell to offer."""
    named = [rung.name for ladder in LADDERS.values() for rung in ladder]
    return [name for name in dict.fromkeys([*named, EVERYTHING]) if name.startswith(incomplete)]


def _typed(panel: str, text: str, metavar: str = "TEXT") -> tuple[Any, None]:
    """Return an option that is read as text, and its default."""
    return Annotated[str | None, typer.Option(help=text, rich_help_panel=panel, metavar=metavar)], None


COMMON: dict[str, tuple[Any, Any]] = {
    "json": (Json, False), "seed": (Seed, None), "quiet": (Quiet, False), "verbose": (Verbose, False),
}  # fmt: skip
READING: dict[str, tuple[Any, Any]] = {
    "customer": _typed("Columns", "Column of customer ids."),
    "goods": _typed("Columns", "Column of goods ids."),
    "receipt": _typed("Columns", "Column of receipt ids."),
    "time": _typed("Columns", "Column of times, or two: date,clock."),
    "price": _typed("Columns", "Column of prices."),
    "quantity": _typed("Columns", "Column of quantities."),
    "goods_columns": _typed("Columns", "Columns that speak of goods: a description, a category.", "A,B"),
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
    "as_categories": _typed(
        "Reading", "Columns of microdata that are names although they look like numbers, a,b."
    ),
    "as_numbers": _typed(
        "Reading", "Columns of microdata that are numbers although they are called codes, a,b."
    ),
    "missing": _typed("Reading", "Texts that mean a missing value in microdata, such as ?."),
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
    "yes": (Yes, False),
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
JUDGING: dict[str, tuple[Any, Any]] = {
    **READING,
    "release_columns": _typed(
        "Columns",
        "What is different in the release: its columns by role, and its encoding, separator and so on.",
        "ROLE=COLUMN,...",
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
    verbose: bool = False
    unwritten: list[Exception] = field(default_factory=list)

    @contextmanager
    def keeping(self) -> Iterator[None]:
        """Let what could not be written wait until the answer is out: nobody's work is lost with a file."""
        try:
            yield
        except Stopped:
            raise
        except Exception as error:  # noqa: BLE001 - whatever it is, it is told after the answer
            self.unwritten.append(error)

    def settle(self) -> None:
        """Tell, after the answer, what could not be written."""
        if len(self.unwritten) == 1:
            raise self.unwritten[0]
        if self.unwritten:
            raise WriteError(" ".join(map(str, self.unwritten)), code="write")

    def working(self) -> AbstractContextManager[Progress]:
        """Show progress, unless it would disturb; who asks for it gets every step on a line of its own."""
        return output.telling() if self.verbose else output.working(quiet=self.quiet or self.json)

    def answer(self, document: Any, shown: Iterable[Any]) -> None:  # noqa: ANN401 - anything JSON holds
        """Print the JSON document, or for people sentences and tables; then what could not be written."""
        if self.json:
            output.print_json(document)
        else:
            console = output.console()
            for part in shown:
                console.print(part)
        self.settle()


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
        table = named.get("data", named.get("original"))
        if extra and "customer" in extra and table is not None:
            named = _settled(table, named, quiet=run.quiet)
        function(*arguments, run=run, **fixed, **named)

    made.__doc__ = flowing(inspect.getdoc(function))
    made.__signature__ = inspect.Signature([*own, *added])  # type: ignore[attr-defined] # read by typer
    made.__annotations__ = {parameter.name: parameter.annotation for parameter in (*own, *added)}
    return made


def flowing(told: str | None) -> str:
    """Return a text with every paragraph on one line, for a screen of any width; lists stay as they are."""
    paragraphs = inspect.cleandoc(told or "").split("\n\n")
    listed = ("-", " ", "|")
    return "\n\n".join(
        text if any(line.startswith(listed) for line in text.split("\n")) else " ".join(text.split("\n"))
        for text in paragraphs
    )


def taking(extra: Mapping[str, tuple[Any, Any]]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Make a command that gets these options (annotation, default) as `**`."""
    return lambda function: command(function, extra)


def reading(function: Callable[..., None]) -> Callable[..., None]:
    """Make a command that gets the options that tell how to read a table, as `**reading`."""
    return command(function, READING)


def judging(function: Callable[..., None]) -> Callable[..., None]:
    """Make a command that also gets what is different in a release, as `**reading`."""
    return command(function, JUDGING)


def releasing(function: Callable[..., None]) -> Callable[..., None]:
    """Make a command that also gets the options that tell what a release may hold, as `**reading`."""
    return command(function, RELEASING)


def commands(family: Family, function: Callable[..., None], **settings: Any) -> typer.Typer:  # noqa: ANN401 - typer's own
    """Return a command for every name of a family: it gets `name`, and parameters and reading as `**`."""
    app = typer.Typer(no_args_is_help=True, add_completion=False, **settings)
    asked = RELEASING if family == "method" else JUDGING
    for name in dict.fromkeys(entry.name for entry in entries(family)):
        same = [entry for entry in entries(family) if entry.name == name]
        made = command(function, {**fields_of(*(entry.what for entry in same)), **asked}, name=name)
        stories = [f"On {entry.kind}: {inspect.getdoc(entry.what)}" for entry in same]
        made.__doc__ = flowing("\n\n".join(stories) if len(same) > 1 else inspect.getdoc(same[0].what))
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


def listed(text: str | tuple[str, ...] | None) -> tuple[str, ...]:
    """Return the parts of a comma-separated option; what was proposed comes in parts."""
    if isinstance(text, tuple):
        return text
    return tuple(part.strip() for part in text.split(",")) if text else ()


def split(named: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return (reading options, other options) of what a command got."""
    inside = {name: value for name, value in named.items() if name in RELEASING or name in JUDGING}
    return inside, {name: value for name, value in named.items() if name not in inside}


def targets_of(given: str | None, usual: int = TARGETS) -> int | None:
    """Return on how many people to measure, None for all."""
    if given == "all":
        return None
    if given is None:
        return usual
    if not (given.isascii() and given.isdigit() and int(given) > 1):
        raise ParameterError(
            "The number of targets must be a whole number above 1, or all.", code="parameter",
            parameter="targets",
        )  # fmt: skip
    return int(given)


def kind_of(path: Path, given: Mapping[str, Any]) -> Kind:
    """Return the kind of data that reading with these options would give, without reading."""
    return "microdata" if options_for(folder_of(path), {"qi": listed(given.get("qi"))}).qi else "purchases"


def read(path: Path, given: Mapping[str, Any], *, like: Path | None = None) -> Purchases | Microdata:
    """Read purchases, or microdata where quasi-identifiers are named.

    A release has the layout of its original, so settings beside the original hold for it (`like`), and those
    beside the release do not.
    """
    reader = read_microdata if kind_of(like or path, given) == "microdata" else read_purchases
    return reader(path, like=like, **reading_options(given))


def reading_options(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of a command as those of the readers."""
    named = {name: value for name, value in given.items() if name != "yes"}
    named["header"] = False if named.pop("no_header", False) else None
    named["hierarchies"] = _files(named.pop("hierarchy", None))
    different = named.pop("release_columns", None)
    named["release"] = _lists(ask.columns(different, "release_columns")) if different else {}
    return {**named, **_lists({name: named.get(name) for name in _LISTS})}


def _lists(named: dict[str, Any]) -> dict[str, Any]:
    return {name: listed(value) if name in _LISTS else value for name, value in named.items()}


def _settled(table: Path, named: dict[str, Any], *, quiet: bool) -> dict[str, Any]:
    """Return the options with the roles of an unknown layout, proposed and taken, or ask for them."""
    given = {name: value for name, value in named.items() if name in READING}
    try:
        proposal = propose(table, **reading_options(given))
    except InputError:  # told when the table is read, after what comes before
        return named
    return (
        named
        if proposal is None
        else ask.settled(table, named, proposal, yes=bool(given.get("yes")), quiet=quiet)
    )


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
        and spelling_of(original, given) == "refuse"
    ):
        refuse_apart(before.goods, after.goods, column=after.layout.name_of("goods"))
    return before, after


def secret_of(
    path: Path | None, original: Path, given: Mapping[str, Any], tables: tuple[Any, Any] | None = None
) -> Pairing | None:
    """Read a secret, where there is one, with its ids spelled as those of the original are."""
    ids = _people(tables)
    return None if path is None else read_secret(path, spelling=spelling_of(original, given), **ids)


def owners_of(
    path: Path | None, original: Path, given: Mapping[str, Any], tables: tuple[Any, Any] | None = None
) -> Owners | None:
    """Read whose every released name is, where that is known: a secret that need not pair one to one.

    `tables`, the original and the release, tell which column of the secret is which.
    """
    ids = _people(tables)
    return None if path is None else read_owners(path, spelling=spelling_of(original, given), **ids)


def _people(tables: tuple[Any, Any] | None) -> dict[str, Any]:
    return {} if tables is None else {"original": tables[0].people, "released": tables[1].people}


def register_of(
    ledger: Path | None, data: Path, *, allow_exposed: bool, others: Sequence[outputs.Output] = ()
) -> Register | None:
    """Open the ledger that was named, here or in the settings beside the data; None where there is none.

    It may be none of the other outputs of the command, nor lie in one.
    """
    folder = folder_of(data)
    settled = options_for(folder, {}).ledger
    path = ledger or (None if settled is None else folder / settled)
    if path is None:
        return None
    place = outputs.Output("ledger", path, private=True)
    outputs.check_places([place, *others], [] if is_folder(data) else [data], allow_exposed=allow_exposed)
    return Register.opened(path)


def spelling_of(original: Path, given: Mapping[str, Any]) -> Spelling:
    """Return how ids are read that differ only in how they are written; the same for secret and release."""
    return options_for(folder_of(original), {"spelling": given.get("spelling")}).spelling
