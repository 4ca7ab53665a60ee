"""The engine of a command: memory for what fits, blocks for what does not, and what is asked for."""

import pytest

import kakurenbo as kb
from kakurenbo.cli import engines
from kakurenbo.data.blocks import Blocks
from kakurenbo.files import read as reading

NAMED = {"customer": "who", "goods": "what"}


@pytest.fixture
def shop(tmp_path):
    path = tmp_path / "shop.csv"
    path.write_text("who,what\nann,tea\nbob,milk\nann,milk\n")
    return path


def test_what_fits_goes_into_memory_and_what_does_not_into_blocks(shop, monkeypatch, capsys):
    assert isinstance(engines.read(shop, NAMED), kb.Purchases)
    monkeypatch.setattr(reading, "MANY_BYTES", 10)
    assert isinstance(engines.read(shop, NAMED, engine="memory"), kb.Purchases)
    assert capsys.readouterr().err == ""
    blocks = engines.read(shop, NAMED)
    assert isinstance(blocks, Blocks)
    assert blocks.whole.counts == {"customers": 2, "records": 3, "goods": 2}
    assert "shop.csv.blocks" in capsys.readouterr().err
    engines.read(shop, NAMED)
    assert capsys.readouterr().err == ""


def test_an_original_and_its_release_come_from_one_engine(shop, tmp_path, monkeypatch):
    release = tmp_path / "release.csv"
    release.write_text("who,what\nx,tea\ny,milk\n")
    both = engines.read_both(shop, release, NAMED)
    assert all(isinstance(table, kb.Purchases) for table in both)
    monkeypatch.setattr(reading, "MANY_BYTES", 30)  # the original is longer, the release is not
    both = engines.read_both(shop, release, NAMED, quiet=True)
    assert all(isinstance(table, Blocks) for table in both)


def test_engines_that_cannot_work_are_refused(shop):
    for engine, master in (("abacus", None), ("memory", "local[2]"), ("blocks", "local[2]")):
        with pytest.raises(kb.ParameterError) as refused:
            engines.read(shop, NAMED, engine=engine, master=master)
        assert refused.value.parameter in {"engine", "master"}
    with pytest.raises(kb.ParameterError, match="Microdata"):
        engines.read(shop, {"qi": "who"}, engine="blocks")
    assert engines.chosen_engine("auto", "local[2]", NAMED, shop) == "spark"
