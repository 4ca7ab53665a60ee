"""A release written in blocks has the files that it has when it is written at once, byte for byte."""

from dataclasses import replace

import pytest

import kakurenbo as kb
from campaign import in_campaign
from kakurenbo import chance as chances
from kakurenbo.auditing.sheet.make import sheet_of
from kakurenbo.chance import Chance
from kakurenbo.data import sampling
from kakurenbo.data.blocks import InMemory
from kakurenbo.data.sampling import drawn
from kakurenbo.deidentify.in_blocks import release_in_blocks
from kakurenbo.files import datasheet, stretches
from kakurenbo.files.fingerprints import content, of_parts
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
    shop = light_shop(16, 1)
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


@pytest.mark.campaign
def test_names_that_clash_are_written_once(tmp_path, monkeypatch):
    monkeypatch.setattr(chances, "WIDTH", 2)
    shop = light_shop(40, 1)
    write_release(M.Pseudonymize().release(shop, seed=2), tmp_path / "whole", secret=tmp_path / "whole.csv")
    blocks = InMemory.of(shop, 20)
    made = release_in_blocks(M.Pseudonymize(), blocks, seed=2)
    write_in_blocks(made, len(blocks), tmp_path / "parts", secret=tmp_path / "parts.csv")
    assert files(tmp_path / "parts") == files(tmp_path / "whole")


@pytest.mark.parametrize(
    "method", [CHAIN, *in_campaign(M.Rotate(by="month"), M.Sample(share=0.5), M.Compact(min_size=3))]
)
def test_the_data_sheet_is_that_of_a_release_written_at_once(tmp_path, monkeypatch, method):
    monkeypatch.setattr(stretches, "SPILLED", 30)
    shop = light_shop(16, 1)
    whole = method.release(shop, seed=2)
    kb.write_release(whole, tmp_path / "whole", secret=tmp_path / "whole.csv", original=shop)
    blocks = InMemory.of(shop, 60)
    made = method.release_in_blocks(blocks, seed=2)
    kb.write_in_blocks(made, tmp_path / "parts", secret=tmp_path / "parts.csv", original=blocks)
    assert files(tmp_path / "parts") == files(tmp_path / "whole")
    parts = [content(part.data) for part in made]
    assert of_parts(parts, 4) == whole.data.fingerprint()
    assert of_parts(blocks.map(content), 7) == shop.fingerprint()


def test_of_many_people_some_are_measured_and_the_sheet_says_so(tmp_path, monkeypatch):
    shop = light_shop(40, 1)
    blocks, release = InMemory.of(shop, 60), CHAIN.release(shop, seed=2)
    whole = sheet_of(release.data, shop, release.pairing)
    monkeypatch.setattr(sampling, "TARGETS", 15)
    kb.write_release(release, tmp_path / "whole", secret=tmp_path / "whole.csv", original=shop)
    made = CHAIN.release_in_blocks(blocks, seed=2)
    kb.write_in_blocks(made, tmp_path / "parts", secret=tmp_path / "parts.csv", original=blocks)
    assert files(tmp_path / "parts") == files(tmp_path / "whole")
    sheet = datasheet.read(tmp_path / "parts")
    assert (sheet.sampled, whole.sampled) == (15, 0)
    assert sheet.columns == whole.columns
    assert sheet.counts == whole.counts
    assert {use.measure for use in sheet.uses} == {use.measure for use in whole.uses}
    assert sheet.uses != whole.uses
    assert "Measured on 15 people" in (tmp_path / "parts" / "README.md").read_text()
    assert datasheet.recognised(tmp_path / "parts") == set(datasheet.NAMES)


def test_where_nobody_drawn_was_released_nothing_is_said_about_use(tmp_path, monkeypatch):
    monkeypatch.setattr(sampling, "TARGETS", 1)
    shop = light_shop(40, 1)
    blocks = InMemory.of(shop, 60)
    made = M.Sample(share=0.1).release_in_blocks(blocks, seed=3)
    kb.write_in_blocks(made, tmp_path / "parts", secret=tmp_path / "parts.csv", original=blocks)
    assert drawn(shop.customers, 1, Chance(0))[0] not in (tmp_path / "parts.csv").read_text()
    sheet = datasheet.read(tmp_path / "parts")
    assert (sheet.compared, sheet.sampled, sheet.uses) == (False, 0, ())
    assert sheet.counts["customers"] == len((tmp_path / "parts.csv").read_text().split()) - 1


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
