"""A release is told by its content."""

from __future__ import annotations

import json

import pytest

from kakurenbo.files.manifest import NAME, Manifest, is_release, read_manifest


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "release"
    made.mkdir()
    (made / "transactions.csv").write_text("customer,goods\na,b\n")
    (made / NAME).write_text(Manifest.of(made, reproducible=True).to_json())
    return made


def test_a_folder_with_its_manifest_is_a_release(folder):
    assert is_release(folder)
    manifest = read_manifest(folder)
    assert manifest is not None
    assert manifest.reproducible
    assert list(manifest.files) == ["transactions.csv"]


def test_whatever_is_added_changed_or_lost_makes_it_none(folder):
    table = folder / "transactions.csv"
    before = table.read_text()
    (folder / "notes.txt").write_text("mine")
    assert not is_release(folder)
    (folder / "notes.txt").unlink()
    (folder / "sub").mkdir()
    assert not is_release(folder)
    (folder / "sub").rmdir()
    table.write_text(before + "c,d\n")
    assert not is_release(folder)
    table.unlink()
    assert not is_release(folder)
    table.symlink_to(folder / NAME)
    assert not is_release(folder)
    table.unlink()
    table.write_text(before)
    assert is_release(folder)


@pytest.mark.parametrize("text", ["", "[]", "{", "[" * 100_000, '{"files": {}}', "\xff", "null"])
def test_anything_else_called_so_is_no_manifest(folder, text):
    (folder / NAME).write_bytes(text.encode("latin-1"))
    assert read_manifest(folder) is None
    assert not is_release(folder)


def test_a_manifest_of_another_form_is_none(folder):
    document = json.loads((folder / NAME).read_text())
    for wrong in ({**document, "made_by": "x"}, {**document, "more": 1}, {**document, "files": {"a": 1}}):
        (folder / NAME).write_text(json.dumps(wrong))
        assert read_manifest(folder) is None
