"""A release written in blocks has the files that it has when it is written at once, byte for byte."""

from dataclasses import replace

import pytest

import kakurenbo as kb
from kakurenbo import chance as chances
from kakurenbo.data.blocks import InMemory
from kakurenbo.deidentify.in_blocks import release_in_blocks
from kakurenbo.files.release_folder import write_release
from kakurenbo.files.release_in_blocks import write_in_blocks
from shops import light_shop

M = kb.methods
CHAIN = M.Chain(methods=(M.Coarsen(times="month", price_bands=3), M.Generalize(by="characters", level=1)))


def files(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("form", ["csv", "parquet"])
@pytest.mark.parametrize("records", [7, 10**6])
def test_the_files_are_those_of_a_release_written_at_once(tmp_path, form, records):
    shop = light_shop(40, 1)
    shop = replace(shop, layout=replace(shop.layout, format=form))
    write_release(CHAIN.release(shop, seed=2), tmp_path / "whole", secret=tmp_path / "whole.csv")
    blocks = InMemory.of(shop, records)
    made = release_in_blocks(CHAIN, blocks, seed=2)
    told = write_in_blocks(made, len(blocks), tmp_path / "parts", secret=tmp_path / "parts.csv")
    assert files(tmp_path / "parts") == files(tmp_path / "whole")
    assert (tmp_path / "parts.csv").read_bytes() == (tmp_path / "whole.csv").read_bytes()
    assert (tmp_path / "parts.csv").stat().st_mode & 0o777 == 0o600
    assert told.records == len(shop)
    assert told.facts == CHAIN.release(shop, seed=2).facts


def test_names_that_clash_are_written_once(tmp_path, monkeypatch):
    monkeypatch.setattr(chances, "WIDTH", 2)
    shop = light_shop(40, 1)
    write_release(M.Pseudonymize().release(shop, seed=2), tmp_path / "whole", secret=tmp_path / "whole.csv")
    blocks = InMemory.of(shop, 20)
    made = release_in_blocks(M.Pseudonymize(), blocks, seed=2)
    write_in_blocks(made, len(blocks), tmp_path / "parts", secret=tmp_path / "parts.csv")
    assert files(tmp_path / "parts") == files(tmp_path / "whole")


def test_a_run_that_fails_leaves_nothing(tmp_path):
    shop = light_shop(10, 1)
    blocks = InMemory.of(shop, 20)

    class Broken(InMemory):
        def map(self, work, **named):
            yield from list(super().map(work, **named))[:2]
            raise OSError("the disk is gone")

    made = release_in_blocks(M.Pseudonymize(), Broken(shop, len(blocks)), seed=2)
    with pytest.raises(Exception):  # noqa: B017, PT011 - whatever the system says
        write_in_blocks(made, len(blocks), tmp_path / "parts", secret=tmp_path / "parts.csv")
    assert list(tmp_path.iterdir()) == []
