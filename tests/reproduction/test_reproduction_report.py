"""A reproduction on paper: Markdown, JSON, figures, and the command that writes them."""

import json
import re
from xml.etree import ElementTree as ET

import pytest
import typer

import kakurenbo as kb
from kakurenbo.cli import reproduce as command
from kakurenbo.errors import ParameterError
from kakurenbo.report import markdown
from kakurenbo.report.charts.papers import chart
from kakurenbo.reproduction.paper import PAPERS, reproduce

PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture(scope="module")
def found(made_up):
    return reproduce(made_up, PAPERS, [0], clusters=(5, 10))


@pytest.fixture(scope="module")
def folder(found, tmp_path_factory):
    path = tmp_path_factory.mktemp("written") / "report"
    kb.report.write(found, path)
    return path


def test_markdown_holds_every_table_row_and_note(found):
    text = markdown(found)
    for table in found.tables:
        assert f"### {table.name}: {table.title}" in text
        for row in table.rows:
            assert f"| {row.label} |" in text
            assert row.reason in text
    widths = {line.count("|") for line in text.splitlines() if line.startswith("|")}
    assert widths == {10}, "every line of a table has all its columns"
    assert all(what in text for what in found.omitted)


def test_the_folder_holds_report_data_and_figures(found, folder):
    assert (folder / "report.md").read_text(encoding="utf-8") == markdown(found, "figures")
    assert json.loads((folder / "report.json").read_text(encoding="utf-8")) == found.to_dict()
    linked = set(re.findall(r"\]\((figures/[^)]+)\)", markdown(found, "figures")))
    written = {f"figures/{path.name}" for path in (folder / "figures").glob("*.svg")}
    assert linked == written
    assert len(written) == len([f for f in found.figures if f.drawable])


def test_figures_are_images_that_need_nothing_else(folder):
    images = sorted((folder / "figures").iterdir())
    assert images
    for path in images:
        if path.suffix == ".png":
            assert path.read_bytes().startswith(PNG)
            continue
        root = ET.fromstring(path.read_text(encoding="utf-8"))  # noqa: S314 - our own file
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        for element in root.iter():
            assert not element.tag.endswith(("script", "image", "foreignObject"))
            for name, value in element.attrib.items():
                assert "href" not in name
                assert "http" not in value


def test_figures_say_what_their_axes_and_series_are(found):
    for figure in found.figures:
        assert figure.x
        assert figure.y
        if not figure.drawable:
            assert figure.note
            continue
        drawn = chart(figure)
        names = {row["series"] for rows in drawn["datasets"].values() for row in rows}
        assert names == {series.name for series in figure.series if series.points}
        assert {layer["encoding"]["x"]["title"] for layer in drawn["layer"]} == {figure.x}


def test_a_folder_that_exists_is_not_touched(found, folder):
    with pytest.raises(ParameterError):
        kb.report.write(found, folder)


@pytest.fixture
def shop_folder(tmp_path, made_up):
    path = tmp_path / "shop"
    path.mkdir()
    records = made_up.to_frame()
    records.write_csv(path / "transactions.csv")
    roles = "\n".join(f'{name} = "{name}"' for name in records.columns)
    (path / "kakurenbo.toml").write_text(roles + "\n", encoding="utf-8")
    return path


def test_the_command_prints_one_json_document(shop_folder, tmp_path, capsys):
    out = tmp_path / "out"
    command.reproduce("002", data=shop_folder, seeds=1, out=out, json=True)
    said = capsys.readouterr()
    document = json.loads(said.out)
    assert said.err == ""
    assert document["papers"] == ["002"]
    assert document["contest"] is document["nations"] is False
    assert json.loads((out / "report.json").read_text(encoding="utf-8")) == document


def test_the_command_prints_tables_for_people(shop_folder, capsys):
    command.reproduce("002", data=shop_folder, seeds=1)
    said = capsys.readouterr().out
    assert "002 table 2" in said
    assert "[1]" in said
    assert "is not TC400" in said


def test_the_command_refuses_before_any_work(tmp_path):
    with pytest.raises(ParameterError, match="000, 001, 002, 003, 004, all"):
        command.reproduce("005", data=tmp_path / "nothing.csv")
    with pytest.raises(ParameterError, match="exists already"):
        command.reproduce("all", data=tmp_path / "nothing.csv", out=tmp_path)


def test_the_command_can_be_registered():
    app = typer.Typer()
    app.command("reproduce")(command.reproduce)
    names = {option for p in typer.main.get_command(app).params for option in p.opts}
    assert {"--data", "--seeds", "--seed", "--out", "--json", "--quiet"} <= names
