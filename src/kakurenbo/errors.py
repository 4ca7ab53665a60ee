"""One error tree: every error says what was expected, what came, and what to do.

```
KakurenboError            anything this program refuses on purpose       exit code 2
├── InputError            the data cannot be accepted
├── ParameterError        an option, parameter or combination of them cannot work
├── WriteError            the answer is known but could not be written   exit code 74
└── Stopped               a job was asked to stop, and did               exit code 130
```

Each error carries a stable `code` for machines (listed in `CODES` and in docs/reference/errors.md), and where
it can be told, the `file`, the `row` (from 1, header not counted) and the `column`. No message ever holds a
value from the data: a person's value in a log is a leak, so the place is named instead. Where a parameter
would mend the call, the message names it, and `parameter` does so for whoever has another word for it, as the
command line has.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CODES: Final = {
    "path-missing": "the path does not exist",
    "path-unreadable": "the path exists but cannot be read",
    "no-table": "the folder holds no table",
    "many-tables": "the folder holds more than one candidate for the same table",
    "format-unknown": "the file's ending or content is of no known format",
    "file-broken": "the file's content is not what its format demands",
    "file-empty": "the file has no rows",
    "parts": "the parts of a table differ in their columns",
    "encoding": "the bytes are not text in the declared encoding",
    "nul-byte": "the text holds a NUL byte",
    "quote": "a quote mark stands inside a field, or a quoted field never ends",
    "ragged": "a row has another number of fields than the first",
    "limit": "a stated limit was passed",
    "roles": "the columns' roles are missing, unknown or given twice",
    "column-missing": "a named column is not in the table",
    "missing-id": "a customer, goods or receipt id is missing",
    "spelling": "ids differ only in how they are written",
    "cancellation": "a receipt is a cancellation",
    "not-positive": "a quantity or price is zero or less",
    "not-number": "a value is not a finite number written in ASCII digits",
    "not-whole": "a quantity is not a whole number",
    "not-date": "a value is not a date or time that exists",
    "duplicate-id": "an id that must be unique stands twice",
    "unknown-id": "an id is not among those it must belong to",
    "frame": "the object is not a dataframe, or not of the expected kind",
    "direct": "a column to be released looks like a direct identifier",
    "counts": "a known dataset does not have its published counts",
    "parameter": "a parameter is outside its range",
    "hierarchy": "the table is no hierarchy: a value, then its coarser names",
    "unmeasurable": "the tables hold too little of what a measure looks at",
    "unknown-name": "no such name in the catalogue",
    "plan": "the text is not a plan",
    "extra": "a part of the program that is not installed is needed",
    "no-threshold": "no threshold for the distance both stops cheats and leaves room to anonymize",
    "secret-place": "the secret, guess or list of people would lie where it may be published",
    "output-place": "the output would replace an input or another output, or lie in one",
    "ledger": "the ledger was changed or cut, or is none",
    "earlier-release": "the ledger knows another release of the same people, which would be overlooked",
    "exists": "the output exists already",
    "cluster": "the cluster could not finish the work",
    "busy": "another run is writing the same output",
    "write": "the output could not be written",
    "stopped": "the job was asked to stop",
    "rules": "the text is not the rules of a contest",
    "submission": "the submission cannot be taken: its files, names or sizes",
    "contest": "the contest's folder, key or database is not as it must be",
    "closed": "the contest is in another phase",
    "quota": "all tries are used up, for now or for good",
    "denied": "only others may do this",
    "server": "the server of a contest does not answer, or not as one",
}


class KakurenboError(Exception):
    """Base of all errors raised on purpose; `code` is one of `CODES`."""

    exit_code: int = 2

    def __init__(
        self,
        message: str,
        *,
        code: str,
        row: int | None = None,
        column: str | None = None,
        parameter: str | None = None,
    ) -> None:
        if code not in CODES:
            raise AssertionError(f"undeclared error code {code!r}")
        super().__init__(message)
        self.message = message
        self.code = code
        self.row = row
        self.column = column
        self.parameter = parameter
        self.file: str | None = None

    def __str__(self) -> str:
        places = {"in": self.file, "row": self.row, "column": self.column}
        told = ", ".join(f"{what} {place}" for what, place in places.items() if place is not None)
        return f"{self.message} ({told})" if told else self.message


class InputError(KakurenboError):
    """The data cannot be accepted as it is."""


@contextmanager
def in_file(path: Path) -> Iterator[None]:
    """Name the file in what is wrong with it, unless a file within it is named already."""
    try:
        yield
    except InputError as error:
        error.file = error.file or path.name
        raise


class ParameterError(KakurenboError):
    """A parameter, or a combination of them, cannot work."""


class WriteError(KakurenboError):
    """The answer could not be written; nothing half-written is left behind."""

    exit_code = 74


class Stopped(KakurenboError):  # noqa: N818 - what happened, and no fault of anybody
    """The job was asked to stop and did so between two steps; nothing half-written is left behind."""

    exit_code = 130
