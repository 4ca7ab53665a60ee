"""Mutants of the source: small slips, drawn by seed, that the suite must notice.

    python tools/mutants.py [--number 60] [--seed 1] [--marked "not campaign"] [--only N ...] [TESTS ...]

A copy of the committed tree gets a probe at every mutant's line, and the tests are run once to learn which
files of tests reach which mutant. Then each mutant is made in the copy, alone, and the files that reach it
are run until the first test fails. What survives `make test` is then tried on `--marked campaign`. A
mutant of compiled code or of a module's own lines has its probes at all functions of its file, or of its
folder where the file has none that are not compiled.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent
ENDLESS = 1800  # seconds of a run, after which its mutant never ends
SIGNS = {
    ast.Lt: ("<", "<="), ast.LtE: ("<=", "<"), ast.Gt: (">", ">="), ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="), ast.NotEq: ("!=", "=="), ast.In: ("in", "not in"), ast.NotIn: ("not in", "in"),
    ast.Is: ("is", "is not"), ast.IsNot: ("is not", "is"), ast.And: ("and", "or"), ast.Or: ("or", "and"),
    ast.Add: ("+", "-"), ast.Sub: ("-", "+"), ast.Mult: ("*", "/"), ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "/"), ast.Mod: ("%", "*"), ast.BitAnd: ("&", "|"), ast.BitOr: ("|", "&"),
}  # fmt: skip
PROBES = """
import builtins, os
_seen = set()
def _reached(number):
    test = os.environ.get("PYTEST_CURRENT_TEST", "").partition("::")[0]
    if test and (number, test) not in _seen:
        _seen.add((number, test))
        with open({log!r}, "a") as log:
            log.write(f"{{number}}\\t{{test}}\\n")
builtins._reached = _reached
"""
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Mutant:
    """One slip: the text from `start` to `end` of a file becomes another."""

    path: str
    line: int
    start: int
    end: int
    new: str
    what: str
    statement: int  # the line of its statement in a function that is not compiled, otherwise 0

    def __str__(self) -> str:
        return f"{self.path}:{self.line} {' '.join(self.what.split())}"

    def applied(self, text: str) -> str:
        """Return the text of its file with the slip."""
        return text[: self.start] + self.new + text[self.end :]


class Source:
    """The text of a file with its syntax tree, and where in the text a part of the tree stands."""

    def __init__(self, path: Path) -> None:
        self.path, self.text = path, path.read_text()
        self.lines = self.text.splitlines(keepends=True)
        self.offsets = [0]
        for line in self.lines:
            self.offsets.append(self.offsets[-1] + len(line))
        self.tree = ast.parse(self.text)
        self.parents = {child: node for node in ast.walk(self.tree) for child in ast.iter_child_nodes(node)}

    def start(self, node: ast.expr | ast.stmt) -> int:
        """Return where a part begins."""
        return self._at(node.lineno, node.col_offset)

    def end(self, node: ast.expr | ast.stmt) -> int:
        """Return where a part ends."""
        return self._at(node.end_lineno or 0, node.end_col_offset or 0)

    def _at(self, line: int, column: int) -> int:
        return self.offsets[line - 1] + len(self.lines[line - 1].encode()[:column].decode())

    def statement(self, node: ast.AST) -> int:
        """Return the line before which a probe may stand that is passed whenever the node is reached."""
        line, inside = 0, False
        while (parent := self.parents.get(node)) is not None:
            if not line and isinstance(node, ast.stmt) and not self._continues(node):
                line = node.lineno
            elif isinstance(node, Function):
                inside = True
                if compiled(node):
                    return 0
            node = parent
        return line if inside else 0

    def _continues(self, node: ast.stmt) -> bool:
        """Tell whether a statement is an `elif`, or stands behind something else on its line."""
        return self.text.startswith("elif", self.start(node)) or bool(
            self.lines[node.lineno - 1][: node.col_offset].strip()
        )


def compiled(function: Function) -> bool:
    """Tell whether a function is machine code when it runs: no probe can stand in it."""
    return any("compiled" in ast.unparse(one) for one in function.decorator_list)


def mutants(path: Path, root: Path) -> Iterator[Mutant]:
    """Yield all mutants of a file."""
    source = Source(path)
    silent = set(unseen(source.tree))
    for node in ast.walk(source.tree):
        if node in silent:
            continue
        for start, end, new, what in slips(source, node):
            said = f"{what}: {source.text[start:end].strip()} -> {new.strip() or 'nothing'}"
            where = str(path.relative_to(root))
            yield Mutant(where, node.lineno, start, end, new, said, source.statement(node))


def unseen(tree: ast.Module) -> Iterator[ast.AST]:
    """Yield what does nothing when the program runs: annotations, and imports for them."""
    for node in ast.walk(tree):
        for part in (getattr(node, "annotation", None), getattr(node, "returns", None)):
            if part is not None:
                yield from ast.walk(part)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            yield from ast.walk(node)


def slips(source: Source, node: ast.AST) -> Iterator[tuple[int, int, str, str]]:
    """Yield (start, end, new text, kind) of what could have been written instead."""
    match node:
        case ast.Compare(left=left, ops=[sign], comparators=[right]):
            yield from other_sign(source, left, right, sign, "comparison")
        case ast.BinOp(left=left, op=sign, right=right) if type(sign) in SIGNS:
            yield from other_sign(source, left, right, sign, "arithmetic")
        case ast.BoolOp(op=sign, values=[left, right, *_]):
            yield from other_sign(source, left, right, sign, "logic")
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield source.start(node), source.start(operand), "", "negation"
        case ast.Constant(value=bool() | int() | float() as value):
            new = str(not value) if isinstance(value, bool) else repr(value + 1)
            yield source.start(node), source.end(node), new, "constant"
        case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test):
            start, end = source.start(test), source.end(test)
            yield start, end, f"not ({source.text[start:end]})", "condition"
        case ast.Expr(value=ast.Call()):
            yield source.start(node), source.end(node), "None", "call"


def other_sign(
    source: Source, left: ast.expr, right: ast.expr, sign: ast.AST, what: str
) -> Iterator[tuple[int, int, str, str]]:
    """Yield the other sign between two operands, where the text between them is the sign alone."""
    start, end = source.end(left), source.start(right)
    old, new = SIGNS[type(sign)]
    if source.text[start:end].strip("() \n") == old:
        yield start, end, source.text[start:end].replace(old, new), what


def draw(root: Path, number: int, seed: int) -> list[Mutant]:
    """Draw mutants, each place of the source as likely as any other."""
    every = [one for path in sorted((root / "src").rglob("*.py")) for one in mutants(path, root)]
    random.Random(seed).shuffle(every)  # noqa: S311 - chance need not be cryptographic
    print(f"{number} of {len(every):,} mutants are drawn by the seed {seed}", flush=True)
    return list(
        islice((one for one in every if is_python(one.applied((root / one.path).read_text()))), number)
    )


def is_python(text: str) -> bool:
    """Tell whether a text can be compiled."""
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


class Copy:
    """A copy of the committed tree, in which mutants are made and tests are run."""

    def __init__(self, place: Path) -> None:
        self.place, self.log = place / "copy", place / "reached"
        subprocess.run(["git", "clone", "--quiet", str(ROOT), str(self.place)], check=True)
        self.environment = os.environ | {
            "PYTHONPATH": str(self.place / "src"), "HYPOTHESIS_PROFILE": "ci", "PYTHONDONTWRITEBYTECODE": "",
            "KAKURENBO_DATA": os.environ.get("KAKURENBO_DATA", str(ROOT.parent / "shared" / "data")),
        }  # fmt: skip

    def run(self, *words: str, seconds: float | None = None) -> tuple[int, str]:
        """Run pytest on the copy; return its exit code and what it printed."""
        done = subprocess.run(
            [sys.executable, "-m", "pytest", *words],
            cwd=self.place, env=self.environment, timeout=seconds, capture_output=True, text=True,
            check=False,
        )  # fmt: skip
        return done.returncode, done.stdout

    def reach(self, drawn: list[Mutant], words: list[str]) -> dict[int, set[str]]:
        """Return by mutant the files of tests that come by it."""
        probes = defaultdict[Path, set[tuple[int, int]]](set)
        for number, one in enumerate(drawn):
            for path, line in self._places(one):
                probes[path].add((line, number))
        before = {path: path.read_text() for path in probes}
        for path, lines in probes.items():
            text = before[path].splitlines(keepends=True)
            for line, number in sorted(lines, reverse=True):
                indent = re.match(r"\s*", text[line - 1])
                text.insert(line - 1, f"{indent[0] if indent else ''}_reached({number})\n")
            path.write_text("".join(text))
        hooks = self.place / "src" / "sitecustomize.py"  # loaded by every Python that is started there
        hooks.write_text(PROBES.format(log=str(self.log)))
        _, said = self.run("--numprocesses", "2", "--dist", "loadfile", *words)
        print(f"the tests with probes: {said.splitlines()[-1:]}", flush=True)
        hooks.unlink()
        for path, whole in before.items():
            path.write_text(whole)
        reached = defaultdict[int, set[str]](set)
        for row in self.log.read_text().splitlines() if self.log.exists() else ():
            number, test = row.split("\t")
            reached[int(number)].add(test)
        return reached

    def _places(self, one: Mutant) -> list[tuple[Path, int]]:
        path = self.place / one.path
        if one.statement:
            return [(path, one.statement)]
        own = [(path, line) for line in beginnings(path)]
        if own and "kernels" not in path.parts:
            return own
        return [(other, line) for other in sorted(path.parent.glob("*.py")) for line in beginnings(other)]

    def killed(self, one: Mutant, words: list[str]) -> str:
        """Return the first test that notices a mutant, and nothing where all pass."""
        path = self.place / one.path
        text, stat = path.read_text(), path.stat()
        path.write_text(one.applied(text))
        try:
            code, said = self.run("-x", *words, seconds=ENDLESS)
        except subprocess.TimeoutExpired:
            return f"having no end within {ENDLESS // 60} minutes"
        finally:
            path.write_text(text)
            os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
        failed = re.search(r"^(?:FAILED|ERROR) (\S+)", said, re.MULTILINE)
        return (failed[1] if failed else f"exit code {code}") if code not in {0, 5} else ""


def beginnings(path: Path) -> list[int]:
    """Return the first line of every function of a file that is not compiled."""
    made = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, Function) and not compiled(node):
            body = node.body[1:] if ast.get_docstring(node) is not None else node.body
            if body and body[0].lineno > node.lineno:
                made.append(body[0].lineno)
    return made


def main() -> int:
    """Draw, reach and try; print a line a mutant, and how many were noticed."""
    options = _options()
    with tempfile.TemporaryDirectory(prefix="mutants-") as place:
        copy = Copy(Path(place))
        drawn = draw(copy.place, options.number, options.seed)
        marked = ["-m", options.marked]
        if options.reached and options.reached.exists():
            reached = {int(one): set(files) for one, files in json.loads(options.reached.read_text()).items()}
        else:
            reached = copy.reach(drawn, [*marked, *options.tests])
            if options.reached:
                kept = {number: sorted(files) for number, files in reached.items()}
                options.reached.write_text(json.dumps(kept, indent=1))
        killed = 0
        for number in options.only or range(len(drawn)):
            files = sorted(reached.get(number, ()))
            by = copy.killed(drawn[number], [*marked, *files]) if files else ""
            killed += bool(by)
            said = f"killed by {by}" if by else "survived" if files else "not reached"
            print(f"{number:>3} {drawn[number]}\n    {said} ({len(files)} files)", flush=True)
        print(f"{killed} of {len(options.only or drawn)} killed")
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("tests", nargs="*", help="files or folders of tests; all where none are given")
    parser.add_argument("--number", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--marked", default="not campaign", help="which tests, as pytest's -m")
    parser.add_argument("--only", type=int, nargs="+", help="try these of the drawn ones alone")
    parser.add_argument(
        "--reached", type=Path, help="a file that remembers which files of tests reach which mutant"
    )
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
