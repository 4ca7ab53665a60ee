"""Docs that fail when they lie: reference pages are current, examples run, printed output is printed."""

import importlib.util
import re
import shlex

import pytest

from given import give
from kakurenbo.catalogue import CATALOGUE
from kakurenbo.cli.main import run


@pytest.fixture(scope="module")
def maker(root):
    spec = importlib.util.spec_from_file_location("make_docs", root / "tools" / "make_docs.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_reference_pages_are_what_the_program_says(maker):
    for name, make in maker.PAGES.items():
        assert (maker.FOLDER / name).read_text(encoding="utf-8") == make(), (
            f"{name} is out of date: make docs"
        )


def pages(root):
    return [root / "README.md", root / "CONTRIBUTING.md", *sorted((root / "docs").rglob("*.md"))]


def blocks(page, language):
    text = page.read_text(encoding="utf-8")
    found = re.findall(rf"^( *)```{language}\n(.*?)^ *```$", text, flags=re.MULTILINE | re.DOTALL)
    return [re.sub(rf"^{indent}", "", body, flags=re.MULTILINE) for indent, body in found]


def run_examples(root):
    examples = [(page.name, body) for page in pages(root) for body in blocks(page, "python")]
    assert len(examples) >= 4
    for name, body in examples:
        exec(compile(body, name, "exec"), {"__name__": "example"})  # noqa: S102 - our own docs


def test_python_examples_run(root, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    give(monkeypatch.setattr)
    run_examples(root)


@pytest.mark.campaign
def test_python_examples_run_with_the_audits_and_searches_they_ask_for(root, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run_examples(root)


@pytest.mark.campaign
def test_printed_output_is_what_the_command_prints(root, tmp_path, capsys, monkeypatch, one_process):
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.chdir(tmp_path)
    examples = [body for page in pages(root) for body in blocks(page, "console")]
    assert examples
    for body in examples:
        command, _, expected = body.partition("\n")
        assert printed(capsys, command) == lines(expected), command


def test_the_printed_story_begins_as_the_command_does(root, capsys, monkeypatch):
    """The rest of it, an audit and a search of two hundred people, is for the campaign."""
    monkeypatch.setenv("COLUMNS", "120")
    (body,) = blocks(root / "README.md", "console")
    command, _, expected = body.partition("\n")
    beginning = printed(capsys, f"{command} --shop-only")
    assert len(beginning) == 4
    assert beginning == lines(expected)[:4]


def printed(capsys, command):
    assert run(shlex.split(command.removeprefix("$ kakurenbo "))) == 0
    return lines(capsys.readouterr().out)


def lines(text):
    return [line.rstrip() for line in text.strip().splitlines()]


def test_links_lead_somewhere(root):
    for page in pages(root):
        for target in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
            assert target.startswith("http") or (page.parent / target).exists(), f"{page.name}: {target}"


def test_pages_named_in_the_source_exist(root):
    named = {
        page
        for path in (root / "src").rglob("*.py")
        for page in re.findall(r"docs/[\w/-]+\.md", path.read_text(encoding="utf-8"))
    }
    assert "docs/reference/errors.md" in named
    assert [page for page in named if not (root / page).exists()] == []


def test_nothing_promised_is_not_told_as_a_promise(maker):
    told = [line for line in maker.catalogue_page().splitlines() if line.startswith("Promises:")]
    assert len(told) == sum(1 for entry in CATALOGUE if entry.obeys)
    assert "Promises: ." not in told


def test_everything_in_the_catalogue_has_its_story():
    for entry in CATALOGUE:
        assert len(entry.summary) > 20
        for name, field in entry.what.model_fields.items():
            assert field.description, f"{entry.name}: parameter {name} has no description"
