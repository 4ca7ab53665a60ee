"""Read purchases or microdata from a file or folder, originals and releases.

A release is read by the settings of its original (`like`), never by its own. Whatever is read remembers where
it comes from and which columns were left, so that an audit can look at what no attacker saw.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from kakurenbo.data.checks import columns, ids, times
from kakurenbo.data.checks.kinds import Kinds
from kakurenbo.data.checks.numbers import Marks, Numerals, likely_decimal
from kakurenbo.data.checks.policy import CANCELLED
from kakurenbo.data.layout import Column, Layout
from kakurenbo.data.microdata import Microdata
from kakurenbo.data.purchases import Purchases
from kakurenbo.data.source import Source
from kakurenbo.errors import InputError, ParameterError, in_file
from kakurenbo.files import hierarchy, known, manifest, places, tables
from kakurenbo.files import roles as roles_of
from kakurenbo.files.headers import names_columns
from kakurenbo.files.options import ReadOptions, options_for, options_given, options_like

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kakurenbo.data.checks.numbers import Decimal
    from kakurenbo.data.checks.policy import Policy
    from kakurenbo.data.hierarchy import Hierarchy
    from kakurenbo.data.layout import Role
    from kakurenbo.files.proposal import Proposal

HEAD = 100_000  # rows by which the roles and forms of a large table are settled
MANY_ROWS = 10_000_000  # of a Parquet file: more take 2 GiB and above in memory
MANY_BYTES = 500 << 20  # of a text
_UNLIMITED = 1 << 62

Opening = Callable[[Path, ReadOptions], tables.Table]


def read_purchases(path: str | Path, *, like: str | Path | None = None, **options: Any) -> Purchases:  # noqa: ANN401 - checked by ReadOptions
    """Read purchases from a CSV, Parquet or XLSX file, or a folder with `transactions.*` and `master.*`.

    Args:
        path: the file or folder.
        like: the original of a release: settings are taken from beside it, and none from the release.
        **options: the fields of `ReadOptions`: roles (`customer="CustomerID"`, ...), `policy`, `encoding`,
            `header`, `separator`, `time_format`, `decimal`, `thousands`, `cancelled`,
            `keep_master`, `keep_direct`, `goods_columns`. What is not given is taken from a `kakurenbo.toml`
            beside the data, the roles of known layouts from the columns, and forms from the values; other
            roles from a proposal, where there is no doubt (`source.taken` tells), and where there is, one
            question is asked.
    """
    with in_file(Path(path)):
        return _purchases(Path(path), None if like is None else Path(like), options)


@dataclass(frozen=True)
class Prepared:
    """A table of purchases before its rows are read: opened, and all settled that can be.

    Attributes:
        place: the file or folder that was asked for.
        file: the table of records.
        master: the table of customers, where there is one.
        settled: the table, opened, with its options and whoever said what its columns mean.
        roles: the roles that are read, each with its columns.
        spoken: columns that speak of the good.
        is_release: whether it is a release, of which nothing but its rows is asked.
        trees: the files of a release that say what its words stand for.
        like: the original of a release.
    """

    place: Path
    file: Path
    master: Path | None
    settled: roles_of.Settled
    roles: dict[Role, tuple[str, ...]]
    spoken: tuple[str, ...]
    is_release: bool
    trees: tuple[Path, ...]
    like: Path | None

    @property
    def table(self) -> tables.Table:
        """The table of records, opened."""
        return self.settled.table

    @property
    def given(self) -> ReadOptions:
        """The options it is read with."""
        return self.settled.given

    @property
    def policy(self) -> Policy:
        """What is done with rows that are no purchase."""
        return self.given.policy or ("drop" if self.settled.layout else "refuse")

    @property
    def cancelled(self) -> str:
        """The prefix of receipts that are cancellations."""
        return CANCELLED if self.given.cancelled is None else self.given.cancelled

    @property
    def wanted(self) -> list[str]:
        """The columns to load: those with a role, in their order, and those that speak of the good."""
        by_role = {name for names in self.roles.values() for name in names}
        wanted = [name for name in self.table.names if name in by_role]
        return [*wanted, *(name for name in self.spoken if name not in wanted)]

    def without_deleted(self, frame: pl.DataFrame) -> pl.DataFrame:
        """Return rows of a contest without those that it marks as deleted."""
        if self.settled.layout is not known.PWS_CUP:
            return frame
        return _without_deleted(frame, self.roles["customer"][0], refused=self.given.policy == "refuse")

    def kept(self, frame: pl.DataFrame) -> tuple[tuple[Column, ...], dict[Role, tuple[str, ...]]]:
        """Return the columns of the layout, and the roles without a receipt that is always 0."""
        return _kept(self.table, frame, self.roles)

    def layout(self, kept: tuple[Column, ...]) -> Layout:
        """Return the form of the file, with these columns."""
        return _layout(kept, self.table)

    def people(self) -> pl.DataFrame | None:
        """Return the master, with the customer column named as in the records; None where there is none."""
        return None if self.master is None else _master(self.master, self.given, self.roles["customer"][0])

    def goods_table(self) -> pl.DataFrame | None:
        """Return the table of goods that stands beside the records, where there is one."""
        return None if self.is_release else _goods_table(self.place, self.given, self.roles["goods"][0])

    def hierarchies(self, people: Sequence[str]) -> dict[str, Hierarchy]:
        """Return what the words stand for; `people` are the columns of the master."""
        return _hierarchies(self.trees, self.given, ["goods", *people])

    def source(self, kept: tuple[Column, ...]) -> Source:
        """Return where it was read from, and which columns were not."""
        files = (self.file, *([self.master] if self.master else []))
        read = [*(column.name for column in kept), *self.spoken]
        source = _source(files, self.place, self.table, read, self.given)
        taken = None if self.settled.proposal is None else self.settled.proposal.options
        return replace(source, trees=self.trees, taken=taken)


def prepare(
    place: Path, like: Path | None, options: dict[str, Any], opening: Opening | None = None
) -> Prepared:
    """Open a table of purchases and settle what its columns mean; its rows are not read yet.

    Args:
        place: the file or folder.
        like: the original of a release.
        options: the fields of `ReadOptions`.
        opening: how a table is opened, if not whole.
    """
    opener = opening or open_table
    file = places.table_of(place, places.TRANSACTIONS)
    master = places.table_in(place, places.MASTER)
    folder = places.is_folder(place)
    is_release = like is not None or (folder and manifest.read_manifest(place) is not None)
    trees = hierarchy.found_in(place) if is_release and folder else ()
    settled = _roles(file, like, options, opener)
    roles = settled.roles if like is None else _shown(settled.table, settled.roles)
    wanted = [name for names in roles.values() for name in names]
    columns.require(wanted, settled.table.names, listed=partial(names_columns, settled.table))
    spoken = _spoken_of(settled) if not is_release else ()
    return Prepared(place, file, master, settled, roles, spoken, is_release, trees, like)


def marks_of(
    door: Prepared, frame: pl.DataFrame, roles: dict[Role, tuple[str, ...]], opening: Opening | None = None
) -> Marks:
    """Return what is known of the marks of numbers: of a release, what its original says."""
    if door.like is None:
        return _marks(door.table, door.given)
    return _marks_like(door.like, door.given, frame, _numbers(roles), opening or open_table)


def time_format_of(door: Prepared, options: dict[str, Any], opening: Opening | None = None) -> str | None:
    """Return how the original of a release writes times."""
    return None if door.like is None else _time_format(door.like, options, opening or open_table)


def _purchases(place: Path, like: Path | None, options: dict[str, Any]) -> Purchases:
    door = prepare(place, like, options)
    given = door.given
    frame = door.table.load(door.wanted)
    kept, roles = door.kept(frame)
    read = frame.height
    frame = door.without_deleted(frame)
    people = door.people()
    checked = partial(
        Purchases.from_frame,
        frame,
        **{role: names[0] if len(names) == 1 else names for role, names in roles.items()},  # type: ignore[arg-type]
        master=people,
        policy=door.policy,
        cancelled=door.cancelled,
        spelling=given.spelling,
        marks=marks_of(door, frame, roles),
        layout=door.layout(kept),
        keep_master=given.keep_master,
        keep_direct=given.keep_direct,
        goods_columns=door.spoken,
        goods_table=door.goods_table(),
        hierarchies=door.hierarchies([] if people is None else people.columns),
    )
    try:
        purchases = checked(time_format=given.time_format)
    except InputError as error:
        if like is None or given.time_format or error.parameter != "time_format":
            raise
        purchases = checked(time_format=time_format_of(door, options))
    dropped = replace(purchases.dropped, deleted=read - frame.height)
    return replace(purchases, dropped=dropped, source=door.source(kept))


def read_microdata(path: str | Path, *, like: str | Path | None = None, **options: Any) -> Microdata:  # noqa: ANN401 - checked by ReadOptions
    """Read microdata (one row a person) from a CSV, Parquet or XLSX file, or a folder with `microdata.*`.

    Args:
        path: the file or folder.
        like: the original of a release: settings are taken from beside it, and none from the release.
        **options: the fields of `ReadOptions`, at least `qi`; also `sa`, `id`, `policy`, `encoding`,
            and of columns that are read wrongly `as_categories`, `as_numbers` and `missing`.
    """
    with in_file(Path(path)):
        return _microdata(Path(path), like, options)


def _microdata(place: Path, like: str | Path | None, options: dict[str, Any]) -> Microdata:
    file = places.table_of(place, places.MICRODATA)
    trees = hierarchy.found_in(place) if places.is_folder(place) else ()
    given = _settled(file, like, options)
    table = _open_like(file, given, like)
    wanted = [*given.qi, *given.sa, *([given.id] if given.id else [])]
    _refuse_unnamed(file, given)
    called = {name: name for name in wanted} if like is None else roles_of.called(wanted, given, table.names)
    columns.require(list(called.values()), table.names, listed=partial(names_columns, table))
    columns.require([*given.as_categories, *given.as_numbers], [*given.qi, *given.sa])
    frame = table.load(list(called.values())).rename({there: name for name, there in called.items()})
    microdata = Microdata.from_frame(
        frame,
        qi=given.qi, sa=given.sa, id=given.id, policy=given.policy or "refuse",
        spelling=given.spelling, hierarchies=_hierarchies(trees, given, wanted),
        marks=_marks(table, given) if like is None else _marks_like(like, given, frame, given.sa, open_table),
        layout=_layout((), table), kinds=Kinds(given.as_categories, given.as_numbers, given.missing),
    )  # fmt: skip
    source = _source((file,), place, table, list(called.values()), given)
    return replace(microdata, source=replace(source, trees=trees))


def _refuse_unnamed(file: Path, given: ReadOptions) -> None:
    """Ask for quasi-identifiers where nobody named any, with those that the names speak of."""
    if given.qi:
        return
    proposal = roles_of.proposed(partial(open_table, file), given)
    doubt = proposal.doubts[0] if proposal and proposal.kind == "microdata" else None
    question = doubt.question if doubt else "Which columns may others know of a person?"
    raise ParameterError(
        f"Microdata needs its quasi-identifiers named with qi. {question}", code="parameter", parameter="qi"
    )


def propose(path: str | Path, *, anew: bool = False, **options: Any) -> Proposal | None:  # noqa: ANN401 - checked by ReadOptions
    """Return what a table seems to be, where nobody said and its layout is not a known one; else None.

    Args:
        path: the file or folder.
        anew: leave aside what settings beside the data say.
        **options: the fields of `ReadOptions`; roles among them stand.
    """
    place = Path(path)
    file = places.table_in(place, places.MICRODATA) or places.table_of(place, places.TRANSACTIONS)
    given = options_given(options) if anew else options_for(places.folder_of(file), options)
    return roles_of.proposed(partial(open_beginning if is_long(file) else open_table, file), given)


def _layout(kept: tuple[Column, ...], table: tables.Table) -> Layout:
    how = table.dialect
    return Layout(
        kept, table.format, table.header, table.separator,
        encoding=how.encoding, mark=how.mark, line_end=how.line_end,
    )  # fmt: skip


def _marks(table: tables.Table, given: ReadOptions) -> Marks:
    """Return what is known of the marks of numbers: semicolons go with decimal commas, commas with points."""
    likely: Decimal | None = None
    if table.head is not None:
        likely = "," if table.separator == ";" else "." if table.separator == "," else None
    return Marks(given.decimal, given.thousands, likely)


def _numbers(roles: dict[Role, tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(names[0] for role, names in roles.items() if role in {"price", "quantity"})


def _marks_like(
    like: str | Path, given: ReadOptions, frame: pl.DataFrame, names: tuple[str, ...], opening: Opening
) -> Marks:
    """Return the marks of a release's numbers: where it decides nothing itself, those of its original."""
    texts = [frame[name] for name in names if frame[name].dtype == pl.String]
    if given.decimal or not any(Numerals(ids.trimmed(text)).undecided for text in texts):
        return Marks(given.decimal, given.thousands)
    original = _original(like, given, opening)
    known = _marks(original, given)
    shared = [name for name in names if name in original.names]
    if not shared:
        return known
    there = original.load(shared)
    found = likely_decimal(there)
    for column in () if found else (column for column in there if column.dtype == pl.String):
        reading = Numerals(ids.trimmed(column)).decided(known)
        found = reading[0] if reading else found
    return Marks(found, given.thousands) if found else known


def _open_like(
    file: Path, given: ReadOptions, like: str | Path | None, opening: Opening | None = None
) -> tables.Table:
    """Open a table; where a release leaves its encoding or separator in doubt, they are its original's."""
    opener = opening or open_table
    try:
        return opener(file, given)
    except InputError as error:
        if (
            like is None
            or error.parameter not in {"encoding", "separator"}
            or getattr(given, error.parameter)
        ):
            raise
        how = _original(like, given, opener).dialect
        return opener(file, given.model_copy(update={error.parameter: getattr(how, error.parameter)}))


def _hierarchies(trees: tuple[Path, ...], given: ReadOptions, there: list[str]) -> dict[str, Hierarchy]:
    """Read the hierarchies of a release folder, and those that were named, for columns that are there."""
    columns.require(list(given.hierarchies), there)
    named = {
        name: hierarchy.read_hierarchy(file, encoding=given.encoding, spelling=given.spelling)
        for name, file in given.hierarchies.items()
    }
    return {**hierarchy.read_all(trees, encoding=given.encoding, spelling=given.spelling), **named}


def _roles(
    file: Path, like: str | Path | None, options: dict[str, Any], opening: Opening
) -> roles_of.Settled:
    """Open the records and settle the role of every column."""
    given = _settled(file, like, options)
    if like is None:
        return roles_of.of_original(partial(opening, file), given)
    opener = partial(_open_like, file, like=like, opening=opening)
    return roles_of.of_release(opener, given, _original_roles(like, options, opening))


def _original(like: str | Path, given: ReadOptions, opening: Opening) -> tables.Table:
    place = Path(like)
    stems = places.MICRODATA if given.qi else places.TRANSACTIONS
    return opening(places.table_of(place, stems), given)


def _original_roles(like: str | Path, options: dict[str, Any], opening: Opening) -> roles_of.Settled:
    return _roles(places.table_of(Path(like), places.TRANSACTIONS), None, options, opening)


def _time_format(like: str | Path, options: dict[str, Any], opening: Opening) -> str | None:
    """Return how the original writes times: of the first days of months alone nobody tells the month."""
    original = _original_roles(like, options, opening)
    names = original.roles["time"]
    frame = original.table.load(names)
    written = frame.select(pl.concat_str(pl.all().cast(pl.String), separator=" ")).to_series()
    _, pattern = times.as_times(written, column=" and ".join(names))
    return None if pattern is None else pattern.replace("%-", "%")


def _shown(table: tables.Table, roles: dict[Role, tuple[str, ...]]) -> dict[Role, tuple[str, ...]]:
    """Return the roles that a release shows: it may leave out all but customers and goods.

    A column that is left out is not there; where no header names columns, it keeps its place and is empty.
    """
    there = {role: names for role, names in roles.items() if set(names) <= set(table.names)}
    if not table.header:
        frame = table.load([name for names in there.values() for name in names])
        empty = {column.name for column in frame if _is_empty(column)}
        there = {role: names for role, names in there.items() if empty.isdisjoint(names)}
    return {role: names for role, names in roles.items() if role in there or role in roles_of.REQUIRED}


def _is_empty(column: pl.Series) -> bool:
    return column.null_count() == len(column) or bool((column.cast(pl.String).fill_null("") == "").all())


def _settled(file: Path, like: str | Path | None, options: dict[str, Any]) -> ReadOptions:
    if like is not None:
        return options_like(Path(like), options)
    return options_for(places.folder_of(file), options)


def _source(
    files: tuple[Path, ...],
    place: Path,
    table: tables.Table,
    read: list[str],
    given: ReadOptions,
) -> Source:
    opened = {
        "header": table.header,
        "separator": table.separator,
        "encoding": table.dialect.encoding if table.head is not None else given.encoding,
        "limits": given.limits,
    }
    unread = tuple(name for name in table.names if name not in read)
    return Source(place, files, unread, opened)


def is_long(file: Path) -> bool:
    """Tell whether a table is so large that its first rows alone should say what its columns are."""
    try:
        if tables.ending_of(file) == tables.PARQUET:
            return tables.open_parquet(file).content.rows > MANY_ROWS
        return tables.ending_of(file) in tables.TEXT_ENDINGS and file.stat().st_size > MANY_BYTES
    except (OSError, InputError):  # told when it is read
        return False


def open_beginning(path: Path, options: ReadOptions) -> tables.Table:
    """Open a table of any size, of which the first rows are loaded; limits hold where they are given."""
    said = options.model_fields_set
    free = {name: _UNLIMITED for name in ("max_rows", "max_cells") if name not in said}
    return tables.Head(open_table(path, options.model_copy(update=free)), HEAD)


def open_table(path: Path, options: ReadOptions) -> tables.Table:
    """Open a table as the options say."""
    return tables.open_any(
        path,
        encoding=options.encoding,
        header=options.header,
        separator=options.separator,
        limits=options.limits,
    )


def _spoken_of(settled: roles_of.Settled) -> tuple[str, ...]:
    """Return the columns that speak of the good: those named, else those of the layout that are there."""
    given, names = settled.given, settled.table.names
    if given.goods_columns:
        columns.require(given.goods_columns, names)
        return given.goods_columns
    if settled.proposal is not None:
        return settled.proposal.spoken
    known_ones = () if settled.layout is None else settled.layout.goods_columns
    taken = {name for columns_of in settled.roles.values() for name in columns_of}
    return tuple(name for name in known_ones if name in names and name not in taken)


def _goods_table(place: Path, given: ReadOptions, goods: str) -> pl.DataFrame | None:
    """Read the table of goods that stands beside the transactions, where there is one."""
    path = places.table_in(place, places.GOODS)
    if path is None:
        return None
    table = open_table(path, given)
    frame = table.load(table.names)
    return frame if given.header and goods in table.names else frame.rename({table.names[0]: goods})


def _kept(
    table: tables.Table, frame: pl.DataFrame, roles: dict[Role, tuple[str, ...]]
) -> tuple[tuple[Column, ...], dict[Role, tuple[str, ...]]]:
    """Return the columns with a role, and the roles.

    A receipt that is always 0 (PWS Cup 2017) only keeps its place.
    """
    by_name = {name: role for role, names in roles.items() for name in names}
    wanted = [name for name in table.names if name in by_name]
    receipt = roles.get("receipt", ("",))[0]
    if receipt and always_zero(frame[receipt].drop_nulls()):
        roles = {role: names for role, names in roles.items() if role != "receipt"}
        del by_name[receipt]
    kept = tuple(
        Column(name, by_name[name]) if name in by_name else Column(name, None, constant="0")
        for name in wanted
    )
    return kept, roles


def always_zero(values: pl.Series) -> bool:
    """Whether every receipt is 0, as in the contest of 2017; deleted rows aside."""
    if not (values.dtype.is_integer() or values.dtype == pl.String):
        return False
    marks = values.cast(pl.String)
    kept = marks.filter(marks != known.DELETED)
    return len(kept) > 0 and bool(kept.eq("0").all())


def _without_deleted(frame: pl.DataFrame, customer: str, *, refused: bool) -> pl.DataFrame:
    """Return the frame without the rows that the contest marks as deleted, which show nothing else.

    A row so marked that still shows something is no deletion: it loses its id, and the policy counts it. So
    do all of them where such rows are refused.
    """
    marked = pl.col(customer) == known.DELETED
    empty = pl.all_horizontal(
        pl.col(name).is_null() | pl.col(name).is_in(["", known.DELETED]) for name in frame.columns
    )
    kept = frame if refused else frame.filter(~(marked & empty).fill_null(value=False))
    return kept.with_columns(pl.when(~marked).then(pl.col(customer)))


def _master(path: Path, options: ReadOptions, customer: str) -> pl.DataFrame:
    """Read the master; without a header its first column holds the customers, else the one called so."""
    table = open_table(path, options)
    frame = table.load(table.names)
    if not options.header:
        return frame.rename({table.names[0]: customer})
    own = roles_of.customers_of(table.names, customer)
    return frame if own is None else frame.rename({own: customer})
