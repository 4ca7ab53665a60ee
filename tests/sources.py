"""Sources as the rules of the architecture read them."""

import ast
from typing import NamedTuple


class Module(NamedTuple):
    path: str  # below the package, with /
    lines: int
    nodes: list[ast.AST]  # its whole tree, the module itself first

    @classmethod
    def parsed(cls, path, text):
        return cls(path, text.count("\n"), list(ast.walk(ast.parse(text))))

    @property
    def part(self):
        """The package it belongs to, or its own name."""
        return self.path.split("/")[0].removesuffix(".py")

    @property
    def place(self):
        """The part of the package it belongs to, or its own path where the package is flat."""
        return "/".join(self.path.split("/")[:2])

    def imported(self):
        """Yield every name it imports, with its module before it."""
        for node in self.nodes:
            if isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0, "imports are absolute"
                yield from (f"{node.module}.{alias.name}" for alias in node.names)
