"""Where an output may go: told before any work, so that nothing is destroyed and nothing done in vain.

An output replaces only what this program wrote, recognised by its content. It is never an input of the same
command, under whatever name, lies in none, and holds none; two outputs are never the same or one in the
other; and none lies in a release. What names people (secrets, guesses, lists of people) does not go where it
might be published, into a release or a git work tree, unless the user says so.
"""

from __future__ import annotations

import os
import unicodedata
from contextlib import suppress
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from kakurenbo.errors import ParameterError, WriteError
from kakurenbo.files import manifest, places
from kakurenbo.files.aside import located
from kakurenbo.files.atomic import refusals
from kakurenbo.files.options import SETTINGS
from kakurenbo.files.pending import Journal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from kakurenbo.files.aside import Recognise


@dataclass(frozen=True)
class Output:
    """A file or folder that a command is asked to write.

    Attributes:
        parameter: the option that names it.
        path: where it shall be.
        private: it names people.
        replaces: tells whether what stands there may be replaced; None: it must be new.
        overwritable: it could be replaced if the user said so, who did not.
        paired: whether it may be there is told by who writes the pair of release and secret.
    """

    parameter: str
    path: Path
    private: bool = False
    replaces: Recognise | None = None
    paired: bool = False
    overwritable: bool = False


def check(outputs: Sequence[Output], inputs: Iterable[Path] = (), *, allow_exposed: bool = False) -> None:
    """Refuse outputs that may not be written, before anything is read."""
    check_places(outputs, inputs, allow_exposed=allow_exposed)
    for output in outputs:
        if not output.paired:
            with refusals(output.path):
                _check_free(output)


def check_places(
    outputs: Sequence[Output], inputs: Iterable[Path] = (), *, allow_exposed: bool = False
) -> None:
    """Refuse outputs that lie in a wrong place, whether or not anything stands there."""
    given = [*inputs]
    for first, second in combinations(outputs, 2):
        _check_apart(first, second)
    for output in outputs:
        with refusals(output.path):
            _check_inputs(output, given)
            _check_exposure(output, allowed=allow_exposed)
            _check_folder(output)


def _check_folder(output: Output) -> None:
    target = located(output.path)
    if not target.parent.is_dir():
        raise WriteError(f"The folder for {output.path.name} does not exist; make it first.", code="write")
    if not os.access(target.parent, os.W_OK | os.X_OK):
        raise WriteError(f"Nothing may be written into the folder for {output.path.name}.", code="write")
    with suppress(FileNotFoundError):  # a name that is too long is refused by the system
        target.lstat()


def inputs_of(*paths: Path | None) -> list[Path]:
    """Return the paths given, with the files of folders and the settings beside the data."""
    given = [path for path in paths if path is not None]
    inside = [entry for path in given if path.is_dir() for entry in path.iterdir()]
    return [*given, *inside, *(places.folder_of(path) / SETTINGS for path in given)]


def _check_inputs(output: Output, inputs: Iterable[Path]) -> None:
    for path in inputs:
        if not path.exists():
            continue
        if output.path.exists() and output.path.samefile(path):
            raise _misplaced(output, "is an input of this command, and is not overwritten")
        if path.is_dir() and any(_same(folder, path) for folder in _folders(output.path)):
            raise _misplaced(output, "lies inside an input of this command", private=output.private)
        if output.path.is_dir() and any(_same(output.path, folder) for folder in _folders(path)):
            raise _misplaced(output, "holds an input of this command")


def _check_apart(first: Output, second: Output) -> None:
    private = first.private or second.private
    names = _folded(first.path), _folded(second.path)
    if names[0] == names[1] or _same(first.path, second.path):
        raise _misplaced(second, "is named for two outputs", private=private)
    for inner, outer, name in ((first, second, names[1]), (second, first, names[0])):
        if any(_folded(folder) == name or _same(folder, outer.path) for folder in _folders(inner.path)):
            raise _misplaced(inner, f"lies inside {outer.path.name}, another output", private=private)


def _check_exposure(output: Output, *, allowed: bool) -> None:
    for folder in _folders(output.path):
        if manifest.read_manifest(folder) is not None and not (output.private and allowed):
            raise _misplaced(output, f"lies inside the release {folder.name}", private=output.private)
        if output.private and not allowed and os.path.lexists(folder / ".git"):
            raise ParameterError(
                f"{output.path.name} names people and lies in a git work tree, where it may be published; "
                "choose a place outside, or allow it.",
                code="secret-place",
                parameter="allow_exposed",
            )


def _check_free(output: Output) -> None:
    target = located(output.path)
    with Journal(target) as journal:
        journal.claim()
        if not os.path.lexists(target) or journal.unfinished:
            return
    if target.is_symlink() or not (target.is_file() or target.is_dir()):
        raise _exists(output, "is no plain file")
    if output.replaces is None:
        raise _exists(output, "is not overwritten")
    if not output.replaces(target):
        raise _exists(output, "is not what this program wrote there, or was changed since")


def _exists(output: Output, why: str) -> ParameterError:
    other = "say that it may be overwritten" if output.overwritable else "move it away"
    return ParameterError(
        f"{output.path.name} exists already and {why}; choose another name, or {other}.",
        code="exists",
        parameter="overwrite" if output.overwritable else output.parameter,
    )


def _misplaced(output: Output, why: str, *, private: bool = False) -> ParameterError:
    code = "secret-place" if private else "output-place"
    return ParameterError(
        f"{output.path.name} {why}; choose another place.", code=code, parameter=output.parameter
    )


def _folders(path: Path) -> Iterator[Path]:
    """Yield every folder that a path lies in, as it is written and as links lead."""
    for way in dict.fromkeys((located(path), path.resolve())):
        yield from way.parents


def _same(first: Path, second: Path) -> bool:
    try:
        return first.samefile(second)
    except OSError:
        return False


def _folded(path: Path) -> str:
    """Return a path so that names which some systems take for one are equal."""
    return unicodedata.normalize("NFC", str(path.resolve())).casefold()
