"""The notebook of the docs runs from its first cell to its last, shows tables and pictures, and nobody."""

import pytest

import kakurenbo as kb


@pytest.fixture(scope="module")
def notebook(root):
    nbformat = pytest.importorskip("nbformat", reason="the notebook is read with nbformat, of the dev extra")
    return nbformat.read(root / "docs" / "notebook.ipynb", as_version=4)


def test_the_notebook_is_kept_without_outputs(notebook):
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert len(code) > 5
    assert all(not cell.outputs and cell.execution_count is None for cell in code)


def test_the_notebook_runs_and_shows_nobody(notebook, tmp_path):
    nbclient = pytest.importorskip("nbclient", reason="the notebook is run with nbclient, of the dev extra")
    pytest.importorskip("ipykernel", reason="the notebook needs a kernel to run in, of the dev extra")
    nbclient.NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()
    shown = [out.get("data", {}) for cell in notebook.cells for out in cell.get("outputs", ())]
    pages = [data["text/html"] for data in shown if "text/html" in data]
    assert len(pages) == 8
    assert sum("vegaEmbed" in page for page in pages) == 3
    assert not [name for name in kb.demo.shop(12, seed=1).customers if f">{name}<" in " ".join(pages)]
