"""Find what the pages say: every sentence that templates and modules hand to be translated."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

import jinja2
from jinja2 import nodes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

_PLACES: Final = {
    "t": 0,
    "say": 0,
    "Link": 1,
    "flash": 1,
    "Refusal": 1,
}  # where in a call the sentence stands
_NAMES: Final = {"Link": "text"}  # by which name it may be given instead


def untranslated(folders: Iterable[Path], words: Mapping[str, str]) -> list[str]:
    """Return the sentences of the templates and modules in folders that have no entry, with their places."""
    found = [pair for folder in folders for pair in sentences(folder)]
    return [f"{place}: {sentence}" for place, sentence in found if sentence not in words]


def sentences(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield every sentence of a folder's templates and modules, with its place."""
    for path in sorted(folder.rglob("*.html")):
        yield from _of_template(path)
    for path in sorted(folder.rglob("*.py")):
        yield from _of_module(path)


def _of_template(path: Path) -> Iterator[tuple[str, str]]:
    tree = jinja2.Environment(autoescape=True).parse(path.read_text(encoding="utf-8"))
    for call in tree.find_all(nodes.Call):
        if isinstance(call.node, nodes.Name) and call.node.name in {"t", "say"} and call.args:
            first = call.args[0]
            if isinstance(first, nodes.Const):
                yield f"{path.name}:{call.lineno}", str(first.value)
            elif isinstance(first, nodes.Concat | nodes.Add):
                yield f"{path.name}:{call.lineno}", "(a sentence glued of parts)"


def _of_module(path: Path) -> Iterator[tuple[str, str]]:
    for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(call, ast.Call):
            name = getattr(call.func, "id", None) or getattr(call.func, "attr", "")
            sentence = _argument(call, name) if name in _PLACES else None
            if isinstance(sentence, ast.Constant) and sentence.value:
                yield f"{path.name}:{call.lineno}", str(sentence.value)
            elif isinstance(sentence, ast.JoinedStr | ast.BinOp):
                yield f"{path.name}:{call.lineno}", "(a sentence glued of parts)"


def _argument(call: ast.Call, name: str) -> ast.expr | None:
    place = _PLACES[name]
    if len(call.args) > place:
        return call.args[place]
    return next((word.value for word in call.keywords if word.arg == _NAMES.get(name)), None)
