"""A report can be filed: it says when, by whom, with what command, and on which files."""

import dataclasses
import hashlib
import json
import re

import pytest

import sample_audit
import sample_tuned
from kakurenbo import report
from kakurenbo.cli import filing as typed
from kakurenbo.provenance import Filed, Filing, filed, now
from kakurenbo.report import render
from kakurenbo.report.audit import page

DAY = "2026-11-16 21:30:00+09:00"
FILING = Filing(
    DAY, "A. Sato, privacy officer", "kakurenbo audit retail.csv out --secret who.csv",
    (
        Filed("original", "retail.csv", "a" * 64), Filed("release", "out/master.csv", "b" * 64),
        Filed("release", "out/transactions.csv", "c" * 64), Filed("secret", "who.csv", "d" * 64),
    ),
)  # fmt: skip


@pytest.mark.parametrize("result", [sample_audit.microdata(), sample_tuned.purchases()])
def test_every_format_says_how_it_came_about(result):
    filed_result = dataclasses.replace(result, filing=FILING)
    text = report.markdown(filed_result)
    assert f"{DAY} · A. Sato, privacy officer · original: retail.csv · release: out · secret: who.csv" in text
    for said in (FILING.command, "out/transactions.csv", "c" * 64, "sha256sum prints it", "| run by |"):
        assert said in text
    assert json.loads(filed_result.to_json())["filing"] == {
        "at": DAY, "by": "A. Sato, privacy officer", "command": FILING.command,
        "files": [{"role": one.role, "name": one.name, "sha256": one.sha256} for one in FILING.files],
    }  # fmt: skip
    assert type(result).from_json(filed_result.to_json()).filing == FILING


def test_what_is_not_known_is_not_said():
    text = report.markdown(dataclasses.replace(sample_audit.microdata(), filing=Filing()))
    assert "run by" not in text
    assert "Files as they were read" not in text
    assert "Fingerprints of the content" in text


def test_the_sum_of_a_file_is_that_of_its_bytes(tmp_path):
    folder = tmp_path / "out"
    (folder / "inner").mkdir(parents=True)
    (folder / "b.csv").write_bytes(b"1,2\r\n")
    (folder / "inner" / "a.csv").write_bytes(b"")
    assert list(filed("release", folder)) == [
        Filed("release", "out/b.csv", hashlib.sha256(b"1,2\r\n").hexdigest()),
        Filed(
            "release",
            "out/inner/a.csv",
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        ),
    ]
    assert [one.name for one in filed("original", folder / "b.csv")] == ["b.csv"]


def test_the_time_has_its_zone():
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[+-]\d\d:\d\d", now())


def test_the_command_is_as_typed_without_folders(tmp_path):
    (tmp_path / "of me").mkdir()
    words = [
        "audit",
        f"{tmp_path}/of me/a b.csv",
        f"--secret={tmp_path}/who.csv",
        "--time-format",
        "%Y/%m/%d",
    ]
    assert typed.command(words) == "kakurenbo audit 'a b.csv' --secret=who.csv --time-format %Y/%m/%d"
    assert typed.command([]) == ""


def test_pages_are_numbered_and_titled_in_print():
    hostile = dataclasses.replace(page(sample_audit.without_pairing()), title='a"; } </style>', filed=DAY)
    style = render.html(hostile).split("<style>")[1].split("</style>")[0]
    assert 'counter(page) " / " counter(pages)' in style
    assert '"kakurenbo · a\\22 \\3b  \\7d  \\3c \\2f style\\3e  · 2026-11-16 21:30:00+09:00"' in style
