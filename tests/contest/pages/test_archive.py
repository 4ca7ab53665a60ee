"""What is kept after the end: complete for programs, harmless in spreadsheets, and pages as files."""

import csv
import io
import json
import posixpath
import re
import zipfile

import pytest
from sqlalchemy import update

from contest.pages import structure
from kakurenbo.contest.database import models


@pytest.fixture
def ended(stage):
    with stage.contest.database.writing() as session:
        session.execute(update(models.Team).where(models.Team.token == stage.ids.team).values(name="=1+1"))
    stage.end()
    return stage


def test_nothing_is_exported_before_the_end(stage):
    for ending in ("json", "csv", "zip"):
        assert stage.enter("organiser").get(f"/archive/export.{ending}").status_code == 409
    assert "export.json" not in stage.enter().page("/archive")


def test_the_document_holds_all_that_is_public_and_no_more(ended):
    answer = ended.enter().get("/archive/export.json")
    document = json.loads(answer.content)
    assert answer.headers["content-disposition"].startswith("attachment")
    assert {"title", "rules", "schedule", "teams", "announcements", "board", "matrix", "submissions"} <= set(
        document
    )
    kinds = [(one["kind"], one["valid"], one["counts"]) for one in document["submissions"]]
    assert ("release", True, True) in kinds
    assert ("guess", False, False) in kinds
    guess = next(one for one in document["submissions"] if one["kind"] == "guess" and one["valid"])
    assert set(guess["attacks"]) == {"guess"}
    text = answer.text
    for secret in ("Uta", "Olga", "s own", "salt", "hits", "password", ended.ids.tried):
        assert secret not in text, secret


def test_no_cell_of_the_table_is_a_formula(ended):
    answer = ended.enter().get("/archive/export.csv")
    rows = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))
    assert {row["team"] for row in rows} == {"'=1+1", "Owls"}
    assert not any(cell.startswith(("=", "+", "-", "@")) for row in rows for cell in row.values())
    release = next(row for row in rows if row["kind"] == "release" and row["counts"] == "True")
    assert float(release["total"]) == pytest.approx(
        (float(release["utility"]) + float(release["security"])) / 2
    )


def test_the_pages_as_files_lead_only_to_one_another(ended):
    answer = ended.enter().get("/archive/export.zip")
    with zipfile.ZipFile(io.BytesIO(answer.content)) as packed:
        files = {name: packed.read(name) for name in packed.namelist()}
    pages = {name: content.decode() for name, content in files.items() if name.endswith(".html")}
    reports = {
        f"{folder}reports/{team}.html"
        for folder in ("", "ja/")
        for team in (ended.ids.team, ended.ids.others)
    }
    assert reports <= set(pages)
    assert {"index.html", "ja/index.html", "board.html", "ja/matrix.html", "rules.html"} <= set(pages)
    assert {"static/site.css", "static/contest.css", "contest.toml", "export.json", "export.csv"} <= set(
        files
    )
    lost = {
        (name, link)
        for name, text in pages.items()
        for link in re.findall(r'(?:href|src|action)="([^"#]+)', text)
        if posixpath.normpath(posixpath.join(posixpath.dirname(name), link)) not in files
    }
    assert lost == set()
    for name, text in pages.items():
        assert f'<html lang="{"ja" if name.startswith("ja/") else "en"}"' in text
        assert "<form" not in text
        assert "<script" not in text
        assert structure.faults_of(text) == [], name


def test_the_same_contest_gives_the_same_files(ended):
    first, second = (ended.enter().get("/archive/export.zip").content for _ in range(2))
    assert first == second
