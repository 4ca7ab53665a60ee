"""The notebook of the docs runs from its first cell to its last, shows tables and pictures, and nobody."""

import os
from copy import deepcopy

import pytest

import kakurenbo as kb

GIVEN = "from given import give; give()"


@pytest.fixture(scope="module")
def notebook(root):
    nbformat = pytest.importorskip("nbformat", reason="the notebook is read with nbformat, of the dev extra")
    return nbformat.read(root / "docs" / "notebook.ipynb", as_version=4)


def test_the_notebook_is_kept_without_outputs(notebook):
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert len(code) > 5
    assert all(not cell.outputs and cell.execution_count is None for cell in code)


@pytest.mark.campaign
@pytest.mark.parametrize(
    "before", [pytest.param(GIVEN, id="given"), pytest.param("", id="made", marks=pytest.mark.campaign)]
)
def test_the_notebook_runs_and_shows_nobody(notebook, before, root, tmp_path, monkeypatch):
    """With an audit and a search made by hand, and in the campaign with its own."""
    nbformat = pytest.importorskip("nbformat", reason="the notebook is read with nbformat, of the dev extra")
    nbclient = pytest.importorskip("nbclient", reason="the notebook is run with nbclient, of the dev extra")
    pytest.importorskip("ipykernel", reason="the notebook needs a kernel to run in, of the dev extra")
    monkeypatch.setenv("PYTHONPATH", str(root / "tests"), prepend=os.pathsep)
    run = deepcopy(notebook)
    run.cells.insert(0, nbformat.v4.new_code_cell(before))
    nbclient.NotebookClient(run, timeout=600, resources={"metadata": {"path": str(tmp_path)}}).execute()
    shown = [out.get("data", {}) for cell in run.cells for out in cell.get("outputs", ())]
    pages = [data["text/html"] for data in shown if "text/html" in data]
    assert len(pages) == 8
    assert sum("vegaEmbed" in page for page in pages) == 3
    assert not [name for name in kb.demo.shop(12, seed=1).customers if f">{name}<" in " ".join(pages)]
