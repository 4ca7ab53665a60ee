"""How to read a table: options given, else `kakurenbo.toml` beside the data, else what is recognised."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from pydantic import AfterValidator, Field, PositiveInt

from kakurenbo import toml
from kakurenbo.data.checks.numbers import Decimal, Thousands
from kakurenbo.data.checks.policy import Policy
from kakurenbo.data.checks.spelling import Spelling
from kakurenbo.errors import ParameterError
from kakurenbo.files import encodings, places
from kakurenbo.files.limits import MAX_CELLS, MAX_COLUMNS, MAX_MEGABYTES, MAX_ROWS, Limits
from kakurenbo.parameters import Parameters

if TYPE_CHECKING:
    from pathlib import Path

    from kakurenbo.data.layout import Role

SETTINGS = "kakurenbo.toml"
_NOTHING: tuple[Any, ...] = (None, (), {})
_ROLES: tuple[Role, ...] = ("customer", "goods", "receipt", "time", "price", "quantity")


def _separator(text: str) -> str:
    r"""Return the one character that a separator is; the two letters `\t` stand for a tab."""
    text = "\t" if text == r"\t" else text
    if len(text) != 1 or not text.isascii() or text in '"\n\r\0':
        raise ValueError("it is one ASCII character (or \\t, a tab), no quote mark and no line's end")
    return text


class ReadOptions(Parameters):
    """All that can be said of how to read a table. The same names work as options, in Python and in TOML.

    The roles name columns (`time` may name two, date and clock, with a comma between); a file without a
    header has columns 1, 2, 3 and so on. `encoding`, `separator`, `time_format` and the marks of numbers,
    `decimal` and `thousands`, are worked out from the data; what is doubtful there is asked for. `qi`, `sa`
    and `id` make it microdata. `keep_master` names the columns of the master that may be released,
    `keep_direct` those of them that may although they look like direct identifiers. `goods_columns` name
    those that speak of the good (a description, a category): of an original they are read, and never
    released. `hierarchies` name the file of coarser words for `goods`, a column of the master or of
    microdata, `ledger` the file where releases are written down; both from the folder of the data. Columns
    of microdata in text are typed by all their values; `as_categories` and `as_numbers` name those for which
    that goes wrong, `missing` texts that mean a missing value. `release` holds what is different in releases
    of this table, under the same names. An empty role (`receipt=""`) leaves a column of a known layout
    without one. `contact` is whom the data sheet of a release names. The limits (`max_rows` and so on) are
    those of `Limits`: a table beyond them is refused before it is in memory.
    """

    customer: str | None = None
    goods: str | None = None
    receipt: str | None = None
    time: str | None = None
    price: str | None = None
    quantity: str | None = None
    qi: tuple[str, ...] = ()
    sa: tuple[str, ...] = ()
    id: str | None = None
    policy: Policy | None = None
    cancelled: str | None = None
    time_format: str | None = None
    decimal: Decimal | None = None
    thousands: Thousands | None = None
    spelling: Spelling = "refuse"
    encoding: Annotated[str, AfterValidator(encodings.named)] | None = None
    header: bool = True
    separator: Annotated[str, AfterValidator(_separator)] | None = None
    keep_master: tuple[str, ...] = ()
    keep_direct: tuple[str, ...] = ()
    goods_columns: tuple[str, ...] = ()
    hierarchies: dict[str, str] = Field(default_factory=dict)
    as_categories: tuple[str, ...] = ()
    as_numbers: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    release: dict[str, Any] = Field(default_factory=dict)
    ledger: str | None = None
    contact: str | None = Field(None, max_length=200)
    max_rows: PositiveInt = MAX_ROWS
    max_columns: PositiveInt = MAX_COLUMNS
    max_cells: PositiveInt = MAX_CELLS
    max_megabytes: PositiveInt = MAX_MEGABYTES

    @property
    def limits(self) -> Limits:
        """The most that is read."""
        return Limits(self.max_rows, self.max_columns, self.max_cells, self.max_megabytes)

    @property
    def roles(self) -> dict[Role, tuple[str, ...]]:
        """The roles named, each with its column or columns."""
        return _roles({role: getattr(self, role) for role in _ROLES})

    @property
    def omitted(self) -> tuple[Role, ...]:
        """The roles that nothing shall play."""
        return tuple(role for role in _ROLES if getattr(self, role) == "")

    @property
    def of_release(self) -> dict[Role, tuple[str, ...]]:
        """The roles named for releases alone."""
        return _roles({role: self.release.get(role) for role in _ROLES})


def _roles(texts: dict[Role, str | None]) -> dict[Role, tuple[str, ...]]:
    return {
        role: tuple(part.strip() for part in text.split(",")) if role == "time" else (text,)
        for role, text in texts.items()
        if text
    }


def options_given(given: dict[str, Any]) -> ReadOptions:
    """Return the options given (None counts as not given), whatever stands beside the data."""
    return ReadOptions(**{name: value for name, value in given.items() if value not in _NOTHING})


def options_for(folder: Path, given: dict[str, Any]) -> ReadOptions:
    """Return the options given (None counts as not given) over those of `kakurenbo.toml` in the folder."""
    settings = ReadOptions(**_settings(folder / SETTINGS))
    beside = {name: str(folder / file) for name, file in settings.hierarchies.items()}
    wanted = {name: value for name, value in given.items() if value not in _NOTHING}
    files = {**beside, **wanted.pop("hierarchies", {})}
    trees = {"hierarchies": files} if files else {}
    return ReadOptions(**{**settings.model_dump(exclude_unset=True), **wanted, **trees})


def options_like(original: Path, given: dict[str, Any]) -> ReadOptions:
    """Return the options that hold for an original, to read its release with.

    What stands in the release is not asked: who made it could otherwise say how it is to be judged. Of its
    master everything is read, whatever was to be kept.
    """
    settled = options_for(places.folder_of(original), given)
    other = ReadOptions(**settled.release).model_dump(exclude_unset=True)
    elsewhere = {name: value for name, value in other.items() if name not in {*_ROLES, "qi", "sa", "id"}}
    return settled.model_copy(
        update={"keep_master": (), "keep_direct": (), "goods_columns": (), "hierarchies": {}, **elsewhere}
    )


def _settings(path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {}
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            return toml.loads(file.read(toml.LARGEST + 1))
    except (OSError, UnicodeDecodeError):
        reason = "it cannot be read as UTF-8 text"
    except toml.TomlError as error:
        reason = str(error)
    raise ParameterError(f"{SETTINGS} beside the data is not valid: {reason}.", code="parameter")
