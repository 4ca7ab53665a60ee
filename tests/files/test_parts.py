"""A table in parts, as a cluster writes it, is read, released and audited as one file would be."""

import json
import os
import shutil
import struct
from dataclasses import replace
from hashlib import sha256

import polars as pl
import pytest

import kakurenbo as kb
from kakurenbo.cli import audit as audit_command
from kakurenbo.cli.main import run
from kakurenbo.data.unseen import ForeignFile
from kakurenbo.files import manifest, options, parts, places, read
from kakurenbo.files.store import read as stores
from kakurenbo.files.unseen import unseen
from shops import ROLES, light_shop

NAMED = {role: role for role in ROLES}
WORDS = [word for role in ROLES for word in (f"--{role}", role)]
SHOP = kb.Purchases.from_frame(light_shop(30, 3).to_frame(), **NAMED)
ENGINES = {"memory": kb.read_purchases, "blocks": kb.read_blocks}


def checksum(path):
    """Write the checksum that a storage of Hadoop's puts beside a file of this machine."""
    count = -(-path.stat().st_size // 512)
    path.with_name(f".{path.name}.crc").write_bytes(b"crc\0" + struct.pack(">i", 512) + b"\0" * 4 * count)


def split(frame, folder, count=3):
    """Write a table as a cluster does: parts, of which the first is empty, with what it keeps for itself."""
    folder.mkdir(parents=True)
    each = -(-frame.height // count)
    for place, rows in enumerate([frame.clear(), *frame.iter_slices(each)]):
        file = folder / f"part-{place:05}-7f3a-c000.snappy.parquet"
        rows.write_parquet(file)
        checksum(file)
    (folder / "_SUCCESS").touch()
    checksum(folder / "_SUCCESS")
    return folder


def as_cluster(release):
    """Make of a release folder what a cluster would have written."""
    table = release / "transactions.parquet"
    frame = pl.read_parquet(table)
    table.unlink()
    split(frame, table)
    files = sorted(table.glob("part-*"))
    printed = "".join(f"{sha256(part.read_bytes()).hexdigest()}  {part.name}\n" for part in files)
    for name in ("README.md", "datasheet.json"):
        (release / name).unlink(missing_ok=True)
    said = json.loads((release / "release.json").read_text())
    said["files"] = {name: digest for name, digest in said["files"].items() if name.endswith("goods.csv")}
    said["files"]["transactions.parquet"] = sha256(printed.encode()).hexdigest()
    (release / "release.json").write_text(json.dumps(said))
    for name in ("release.json", "goods.csv"):
        if (release / name).exists():
            checksum(release / name)
    return release


@pytest.fixture
def whole(tmp_path):
    path = tmp_path / "whole" / "shop.parquet"
    path.parent.mkdir()
    SHOP.to_frame().write_parquet(path)
    return path


@pytest.fixture(params=["shop.parquet", "purchases", "k=1/shop.parquet"])
def table(request, tmp_path):
    return split(SHOP.to_frame(), tmp_path / request.param)


@pytest.fixture
def releases(tmp_path, whole):
    """A release in one file and the same in parts, with the secret of both."""
    release = kb.methods.Generalize(crowd=3).release(kb.read_purchases(whole, **NAMED), seed=5)
    kb.write_release(release, tmp_path / "one", secret=tmp_path / "secret.csv")
    shutil.copytree(tmp_path / "one", tmp_path / "many")
    return tmp_path / "one", as_cluster(tmp_path / "many")


def rows_of(data):
    if isinstance(data, kb.Purchases):
        return data.by_content()
    rows = pl.concat([block.by_content().with_columns(pl.col("customer", "goods").cast(str)) for block in
                      data.map(lambda block: block)])  # fmt: skip
    return rows.sort(rows.columns)


def answered(capsys, *arguments, codes=(0,)):
    code = run([*map(str, arguments), *WORDS, "--json", "--quiet"])
    said = capsys.readouterr()
    assert code in codes, said.err
    return json.loads(said.out)


def refused(path, **opts):
    """What memory and blocks say to a table, which is the same."""
    told = []
    for reader in ENGINES.values():
        with pytest.raises(kb.InputError) as error:
            reader(path, **NAMED, **opts)
        told.append((error.value.code, error.value.file, str(error.value)))
    assert told[0] == told[1]
    return told[0]


@pytest.mark.parametrize("engine", ENGINES)
def test_parts_are_read_as_the_one_file(engine, table, whole):
    reader = ENGINES[engine]
    here, there = reader(table, **NAMED), reader(whole, **NAMED)
    assert rows_of(here).equals(rows_of(there))
    assert here.source.tables == (table,)
    assert here.source.unread == ()


def test_parts_stand_in_a_folder_like_any_table(tmp_path):
    split(SHOP.to_frame(), tmp_path / "data" / "transactions.parquet")
    people = pl.DataFrame({"customer": SHOP.customers.cast(str), "sex": "f"})
    split(people, tmp_path / "data" / "master.parquet")
    for reader in ENGINES.values():
        read_one = reader(tmp_path / "data", **NAMED, keep_master=["sex"])
        assert rows_of(read_one).height == len(SHOP)
        assert read_one.source.tables[1].name == "master.parquet"


def test_rows_are_counted_through_the_parts(tmp_path):
    frame = SHOP.to_frame().with_columns(pl.col("quantity").cast(pl.Int64))
    bad = frame.with_row_index().with_columns(
        quantity=pl.when(pl.col("index") == frame.height - 2).then(0).otherwise(pl.col("quantity"))
    )
    table = split(bad.drop("index"), tmp_path / "shop.parquet")
    for reader in ENGINES.values():
        with pytest.raises(kb.InputError) as error:
            reader(table, **NAMED, policy="refuse")
        assert (error.value.code, error.value.row) == ("not-positive", frame.height - 1)


def test_microdata_come_in_parts_too(tmp_path):
    frame = pl.DataFrame({"age": [20, 30, 40], "pay": [1.0, 2.0, 3.0]})
    table = split(frame, tmp_path / "people.parquet")
    read_one = kb.read_microdata(table, qi=["age"], sa=["pay"])
    assert read_one.records["age"].to_list() == [20, 30, 40]


def test_settings_stand_beside_the_parts(table):
    lines = [f'{role} = "{role}"' for role in ROLES]
    (table.parent / options.SETTINGS).write_text("\n".join(lines))
    assert places.folder_of(table) == table.parent
    for reader in ENGINES.values():
        assert rows_of(reader(table)).height == len(SHOP)


def test_a_folder_of_tables_may_be_called_as_parts_are(tmp_path):
    (tmp_path / "release.parquet").mkdir()
    SHOP.to_frame().write_parquet(tmp_path / "release.parquet" / "transactions.parquet")
    assert len(kb.read_purchases(tmp_path / "release.parquet", **NAMED)) == len(SHOP)


def test_parts_of_another_form_are_refused_and_named(tmp_path):
    frame = SHOP.to_frame()
    different = {
        "price": frame.with_columns(pl.col("quantity").cast(pl.Float64)),
        "fewer": frame.drop("price"),
        "order": frame.select(reversed(frame.columns)),
        "more": frame.with_columns(note=pl.lit("x")),
    }
    for name, other in different.items():
        table = split(frame, tmp_path / f"{name}.parquet")
        other.write_parquet(table / "part-00009.parquet")
        code, file, said = refused(table)
        assert (code, file) == ("parts", "part-00009.parquet")
        assert "same columns" in said


def test_a_folder_without_parts_is_refused(tmp_path):
    (tmp_path / "shop.parquet").mkdir()
    assert refused(tmp_path / "shop.parquet")[:2] == ("no-table", "shop.parquet")
    (tmp_path / "shop.parquet" / "_SUCCESS").touch()
    assert refused(tmp_path / "shop.parquet")[:2] == ("no-table", "shop.parquet")
    SHOP.to_frame().clear().write_parquet(tmp_path / "shop.parquet" / "part-0.parquet")
    assert refused(tmp_path / "shop.parquet")[:2] == ("file-empty", "shop.parquet")
    (tmp_path / "plain").mkdir()
    assert refused(tmp_path / "plain")[0] == "no-table"


def test_what_is_no_part_is_passed_over_where_hidden_and_else_refused(tmp_path):
    table = split(SHOP.to_frame(), tmp_path / "shop.parquet")
    (table / "_delta_log").mkdir()
    (table / ".notes").write_text("mine")
    for reader in ENGINES.values():
        assert rows_of(reader(table, **NAMED)).height == len(SHOP)
    (table / "notes.txt").write_text("mine")
    assert refused(table)[:2] == ("file-broken", "notes.txt")
    (table / "notes.txt").unlink()
    (table / "year=2024").mkdir()
    code, file, said = refused(table)
    assert (code, file) == ("path-unreadable", "year=2024")
    assert "partitions" in said
    (table / "year=2024").rmdir()
    os.mkfifo(table / "part-9.parquet")
    assert refused(table)[:2] == ("path-unreadable", "part-9.parquet")
    (tmp_path / "transactions.csv").mkdir()
    (tmp_path / "transactions.csv" / "part-0.csv").write_text("customer,goods\na,b\n")
    assert refused(tmp_path / "transactions.csv")[0] == "no-table"
    assert refused(tmp_path)[:2] == ("file-broken", "part-0.csv")


def test_limits_hold_for_all_parts_together(tmp_path):
    frame = pl.DataFrame({"customer": ["ann"] * 30_000, "goods": [f"{n:060}" for n in range(30_000)]})
    table = split(frame, tmp_path / "shop.parquet", 3)
    roles = {"customer": "customer", "goods": "goods"}
    most = {"max_rows": 29_999, "max_cells": 59_999, "max_megabytes": 1}
    for name, value in most.items():
        with pytest.raises(kb.InputError) as error:
            kb.read_purchases(table, **roles, **{name: value})
        assert (error.value.code, error.value.parameter) == ("limit", name)
    with pytest.raises(kb.InputError) as error:
        kb.read_blocks(table, **roles, max_rows=29_999)
    assert error.value.parameter == "max_rows"
    assert sum(kb.read_blocks(table, **roles, max_megabytes=1).map(len)) == 30_000


def test_many_rows_in_all_parts_go_into_blocks(tmp_path, monkeypatch):
    folder = tmp_path / "data"
    split(SHOP.to_frame(), folder / "transactions.parquet")
    assert not stores.is_large(folder)
    monkeypatch.setattr(read, "MANY_ROWS", len(SHOP) - 1)
    assert stores.is_large(folder)
    assert stores.is_large(folder / "transactions.parquet")


def test_blocks_are_made_anew_when_a_part_changes(tmp_path):
    table = split(SHOP.to_frame(), tmp_path / "shop.parquet")
    assert kb.read_blocks(table, **NAMED).folder == tmp_path / "shop.parquet.blocks"
    assert not kb.read_blocks(table, **NAMED).made
    assert stores.is_large(table)
    part = sorted(table.glob("part-*"))[1]
    before = part.stat()
    os.utime(part, ns=(before.st_atime_ns, before.st_mtime_ns + 1))
    assert not stores.is_large(table)
    assert kb.read_blocks(table, **NAMED).made
    part.unlink()
    again = kb.read_blocks(table, **NAMED)
    assert again.made
    assert sum(again.map(len)) < len(SHOP)
    kb.read_blocks(table, **NAMED)
    shutil.move(tmp_path / "shop.parquet", tmp_path / "moved.parquet")
    shutil.move(tmp_path / "shop.parquet.blocks", tmp_path / "moved.parquet.blocks")
    assert kb.read_blocks(tmp_path / "moved.parquet", **NAMED).source.tables == (tmp_path / "moved.parquet",)


def test_blocks_of_a_released_table_stand_outside_the_release(releases):
    table = releases[1] / "transactions.parquet"
    assert kb.read_blocks(table, **NAMED).folder == releases[1].with_name("many.transactions.parquet.blocks")


@pytest.mark.parametrize("engine", ENGINES)
def test_an_audit_of_parts_is_given_what_it_is_given_of_the_one_file(
    engine, releases, whole, tmp_path, monkeypatch
):
    """An audit says the same of the same tables, pairing and origin; the campaign has it said."""
    asked = []

    def audit(*tables, progress, **how):
        asked.append((*tables, how))
        raise kb.InputError("Seen.", code="file-empty")

    monkeypatch.setattr(audit_command, "run_audit", audit)
    how = ("--secret", tmp_path / "secret.csv", "--engine", engine, "--seed", "1")
    for release in releases:
        assert run([*map(str, ("audit", whole, release, *how)), *WORDS, "--quiet"]) == 2
    one, many = asked
    for here, there in zip(one[:2], many[:2], strict=True):
        assert type(here) is type(there)
        assert rows_of(here).equals(rows_of(there))
    if engine == "memory":
        assert one[2].frame.equals(many[2].frame)
    else:
        assert one[2] == many[2]
    assert one[3] == many[3]
    seen = [looked_at(engine, release, whole) for release in releases]
    assert seen[0] == seen[1]
    assert seen[1].plan is not None


@pytest.mark.campaign
@pytest.mark.parametrize("engine", ENGINES)
def test_an_audit_of_parts_says_what_it_says_of_the_one_file(engine, releases, whole, tmp_path, capsys):
    how = ("--secret", tmp_path / "secret.csv", "--engine", engine, "--seed", "1")
    one, many = (answered(capsys, "audit", whole, release, *how, codes=(0, 1)) for release in releases)
    for part in ("attacks", "learnt"):
        assert one[part]
        assert [untimed(each) for each in one[part]] == [untimed(each) for each in many[part]]
    for part in ("utility", "control", "unseen", "verdict"):
        assert one[part] == many[part]
    assert many["control"]["kind"] == "plan"


def looked_at(engine, release, whole):
    """What nobody sees of a release, as an audit with this engine asks for it."""
    released = ENGINES[engine](release, like=whole, **NAMED)
    if engine == "blocks":
        released = replace(next(iter(released.map(lambda block: block))), source=released.source)
    return unseen(released, kb.read_purchases(whole, **NAMED))


@pytest.mark.parametrize("engine", ENGINES)
def test_a_changed_part_is_told_and_what_lies_between_parts_named(engine, releases, whole):
    many = releases[1]
    table = many / "transactions.parquet"
    files = sorted(table.glob("part-*"))
    first = looked_at(engine, many, whole)
    assert (first.files, first.changed, first.labelled) == ((), (), True)
    (table / "_names.csv").write_text("released,original\n")
    (table / f".{files[0].name}.crc").write_text("ann")
    beside = looked_at(engine, many, whole)
    hidden = [f"transactions.parquet/.{files[0].name}.crc", "transactions.parquet/_names.csv"]
    assert [file.name for file in beside.files] == hidden
    assert beside.changed == ()
    (table / "_SUCCESS").write_text("ann")
    assert "transactions.parquet/_SUCCESS" in [file.name for file in looked_at(engine, many, whole).files]
    pl.read_parquet(files[1]).head(1).write_parquet(files[1])
    assert looked_at(engine, many, whole).changed == ("transactions.parquet",)
    (many / "release.json").unlink()
    assert looked_at(engine, many, whole).changed == ()


def test_metadata_of_parts_is_told_once(releases, whole):
    original, many = kb.read_purchases(whole, **NAMED), releases[1]
    for part in (many / "transactions.parquet").glob("part-*"):
        pl.read_parquet(part).write_parquet(part, metadata={"org.apache.spark.version": "4.1", "by": "me"})
    files = unseen(kb.read_purchases(many, like=whole, **NAMED), original).files
    assert ForeignFile("transactions.parquet: metadata by") in files
    assert len([file for file in files if "metadata" in file.name]) == 1


@pytest.mark.parametrize("engine", ENGINES)
def test_commands_take_parts(engine, table, tmp_path, capsys):
    how = ("--engine", engine)
    out, secret, guess = tmp_path / "out", tmp_path / "secret.csv", tmp_path / "guess.csv"
    assert answered(capsys, "profile", table, *how)["records"] == len(SHOP)
    made = answered(
        capsys, "deidentify", "pseudonymize", table, "--out", out, "--secret", secret, "--seed", "1", *how
    )
    assert made["records"] == len(SHOP)
    assert (out / "transactions.parquet").is_file()
    released = as_cluster(out)
    assert answered(capsys, "measure", "likeness", table, released, "--secret", secret, *how)["value"]
    if engine == "memory":
        answered(capsys, "attack", "jaccard", table, released, "--out", guess)
        assert answered_plain(capsys, "score", "--secret", secret, "--guess", guess)["people"]


def untimed(told):
    return {name: value for name, value in told.items() if name != "seconds"}


def answered_plain(capsys, *arguments):
    assert run([*map(str, arguments), "--json", "--quiet"]) == 0
    return json.loads(capsys.readouterr().out)


def test_outputs_stay_out_of_parts(table, tmp_path, capsys):
    code = run([
        "deidentify", "pseudonymize", str(table), "--out", str(table / "out"), "--secret",
        str(tmp_path / "secret.csv"), *WORDS, "--quiet",
    ])  # fmt: skip
    assert code == 2
    assert "lies inside an input" in capsys.readouterr().err


def test_the_digest_of_parts_is_that_of_what_sha256sum_prints(tmp_path):
    table = split(SHOP.to_frame(), tmp_path / "shop.parquet")
    files = sorted(table.glob("part-*"))
    printed = "".join(f"{sha256(part.read_bytes()).hexdigest()}  {part.name}\n" for part in files)
    assert parts.sha256(table) == sha256(printed.encode()).hexdigest()
    assert not manifest.is_release(table)
