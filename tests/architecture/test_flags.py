"""The library speaks of parameters; how they are typed is the command line's business.

The rule: outside `cli` no text holds a flag (`--` and a letter), docstrings of modules and classes apart,
which may show a command. An error names the parameter that would mend the call, and the command line adds
its flag.
"""

import ast
import re

import pytest
import typer

from kakurenbo.cli.main import app
from kakurenbo.cli.options import flag


@pytest.fixture(scope="module")
def library(modules):
    return [module for module in modules if module.part != "cli"]


def stories(module):
    """Return the nodes that are docstrings of modules and classes."""
    owners = [node for node in module.nodes if isinstance(node, ast.Module | ast.ClassDef)]
    return {id(owner.body[0].value) for owner in owners if ast.get_docstring(owner)}


def test_no_text_of_the_library_holds_a_flag(library):
    texts = [
        (module.path, node.lineno, node.value)
        for module in library
        for told in [stories(module)]
        for node in module.nodes
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told
    ]
    assert len(texts) > 1000, "the rule was applied to real texts"
    assert [place for *place, text in texts if re.search(r"--[a-z]", text)] == []


def named_parameters(library):
    for module in library:
        for node in module.nodes:
            if isinstance(node, ast.Call):
                for keyword in node.keywords:
                    if keyword.arg == "parameter" and isinstance(keyword.value, ast.Constant):
                        yield keyword.value.value


def options(command):
    yield from (name for parameter in command.params for name in parameter.opts)
    for inner in getattr(command, "commands", {}).values():
        yield from options(inner)


def test_every_parameter_an_error_names_can_be_typed(library):
    known, named = set(options(typer.main.get_command(app))), set(named_parameters(library))
    assert named >= {"policy", "time_format", "encoding", "qi", "sa", "t"}
    for parameter in named:
        typed = re.findall(r"--[a-z-]+", flag(parameter))
        assert typed
        assert set(typed) <= known, parameter


@pytest.mark.parametrize(
    ("parameter", "typed"), [("policy", "--policy drop"), ("time_format", "--time-format")]
)
def test_a_flag_comes_with_its_example_or_from_its_name(parameter, typed):
    assert flag(parameter) == typed
