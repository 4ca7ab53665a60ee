"""Purchases in blocks on disk: what is read in a stream is what is read at once, block for block."""

import json
import os
import stat
import tempfile
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kakurenbo as kb
from kakurenbo.data.blocks import InMemory
from kakurenbo.files import aside, guard
from kakurenbo.files import read as reading
from kakurenbo.files.store import encode, form, read, runs
from kakurenbo.threads import ahead, in_order, processors

ROLES = {"customer": "who", "goods": "what"}
FULL = {**ROLES, "receipt": "slip", "time": "when", "price": "each", "quantity": "pieces"}
line = st.tuples(
    st.sampled_from(["ann", "bob", "cid", "dan", "eve", "", "17.0"]),
    st.sampled_from(["tea", "milk", "salt", "NA", "egg"]),
    st.sampled_from(["r1", "r2", "C7", "r3", "r4"]),
    st.sampled_from(["2010-12-01 08:26", "2011-01-31 23:59"]),
    st.sampled_from([0.0, 1.5, 2.25, 10.0]),
    st.integers(-1, 3),
)


@pytest.fixture
def small_steps(monkeypatch):
    """Batches and runs of a few rows, so that a small table needs many."""
    monkeypatch.setattr(encode, "BATCH", 4)
    monkeypatch.setattr(guard, "CHUNK", 80)
    monkeypatch.setattr(runs, "RECORDS", 6)


def table_of(lines):
    return pl.DataFrame(lines, schema=list(FULL.values()), orient="row")


def refused(reader, path, **options):
    """What is read, or the code and the row of the refusal."""
    try:
        return reader(path, **options)
    except kb.InputError as error:
        return error.code, error.row


def listed(folder):
    return sorted(path.name for path in folder.iterdir())


def parts_of(blocks):
    return list(blocks.map(lambda block: (block.under(None).sort("customer", maintain_order=True), block)))


@pytest.mark.campaign
@given(
    lines=st.lists(line, min_size=1, max_size=30),
    each=st.integers(1, 9),
    suffix=st.sampled_from([".csv", ".parquet"]),
)
def test_in_blocks_of_any_size_it_is_what_is_read_at_once(lines, each, suffix):
    with pytest.MonkeyPatch.context() as patch, tempfile.TemporaryDirectory() as folder:
        patch.setattr(encode, "BATCH", 4)
        patch.setattr(guard, "CHUNK", 80)
        patch.setattr(runs, "RECORDS", 6)
        path = Path(folder) / f"shop{suffix}"
        frame = table_of(lines)
        frame.write_csv(path) if suffix == ".csv" else frame.write_parquet(path)
        whole = refused(kb.read_purchases, path, policy="drop", **FULL)
        if isinstance(whole, tuple):
            assert refused(kb.read_blocks, path, records=each, policy="drop", **FULL) == whole
            assert listed(path.parent) == [path.name]
            return
        stored, memory = kb.read_blocks(path, records=each, **FULL, policy="drop"), InMemory.of(whole, each)
        assert len(stored) == len(memory)
        for (rows, block), (expected, other) in zip(parts_of(stored), parts_of(memory), strict=True):
            assert rows.equals(expected)
            assert block.records.schema == other.records.schema
            assert block.customers.equals(other.customers)
        told, expected = stored.whole, memory.whole
        assert dict(told.counts) == dict(expected.counts)
        assert told.goods.to_list() == expected.goods.to_list()
        assert (told.roles, told.layout, told.shown, told.dropped) == (
            expected.roles, expected.layout, expected.shown, expected.dropped,
        )  # fmt: skip
        assert told.source == whole.source


def written(folder, text, name="shop.csv"):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def rows_of(*fields):
    return "".join(",".join(map(str, row)) + "\n" for row in zip(*fields, strict=True))


def shop_text(rows, **columns):
    """A CSV of so many rows, with these columns instead of the usual values."""
    usual = {
        "who": [f"p{number % 5}" for number in range(rows)],
        "what": [f"g{number % 3}" for number in range(rows)],
        "when": ["2010-12-25"] * rows,
        "each": ["1.50"] * rows,
    }
    named = {**usual, **columns}
    return ",".join(named) + "\n" + rows_of(*named.values())


USED = {"customer": "who", "goods": "what", "time": "when", "price": "each"}


@pytest.mark.usefixtures("small_steps")
@pytest.mark.parametrize(
    ("column", "value", "code"),
    [("when", "2010-02-30", "not-date"), ("each", "cheap", "not-number"), ("who", "", "missing-id")],
)
def test_a_fault_in_a_later_batch_is_refused_with_its_row_and_leaves_nothing(tmp_path, column, value, code):
    text = shop_text(12)
    lines = text.splitlines()
    place = lines[0].split(",").index(column)
    fields = lines[10].split(",")
    fields[place] = value
    lines[10] = ",".join(fields)
    path = written(tmp_path, "\n".join(lines) + "\n")
    with pytest.raises(kb.InputError) as refused:
        kb.read_blocks(path, **USED)
    assert (refused.value.code, refused.value.row, refused.value.column) == (code, 10, column)
    assert refused.value.file == "shop.csv"
    assert listed(tmp_path) == ["shop.csv"]


@pytest.mark.usefixtures("small_steps")
def test_ids_of_two_spellings_in_different_batches_are_refused_with_the_first_row(tmp_path):
    who = ["caf\u00e9" if number == 1 else "cafe\u0301" if number == 9 else "ann" for number in range(12)]
    path = written(tmp_path, shop_text(12, who=who))
    with pytest.raises(kb.InputError) as refused:
        kb.read_blocks(path, **USED)
    assert (refused.value.code, refused.value.row) == ("spelling", 2)
    assert len(kb.read_blocks(path, **USED, spelling="keep").block(0).customers) == 3
    assert listed(tmp_path / "shop.csv.blocks" / "blocks") == ["00000.parquet"]


@pytest.mark.usefixtures("small_steps")
def test_ids_that_end_in_nought_beside_fractions_of_another_batch_are_refused(tmp_path):
    what = ["1.0" if number == 6 else "2.5" if number == 11 else "tea" for number in range(12)]
    path = written(tmp_path, shop_text(12, what=what))
    with pytest.raises(kb.InputError) as whole:
        kb.read_purchases(path, **USED)
    with pytest.raises(kb.InputError) as refused:
        kb.read_blocks(path, **USED)
    assert (refused.value.code, refused.value.row) == (whole.value.code, whole.value.row) == ("spelling", 7)


@pytest.mark.usefixtures("small_steps")
def test_dates_that_the_first_rows_leave_in_doubt_are_settled_by_later_ones(tmp_path, monkeypatch):
    monkeypatch.setattr(reading, "HEAD", 4)
    when = [f"{1 + number}/2/2011" for number in range(14)]
    path = written(tmp_path, shop_text(14, when=when))
    times = [
        time for block in kb.read_blocks(path, **USED).map(lambda b: b.records["time"]) for time in block
    ]
    assert sorted(time.day for time in times) == list(range(1, 15))
    assert {time.month for time in times} == {2}


@pytest.mark.usefixtures("small_steps")
def test_forms_of_later_rows_count_for_the_layout(tmp_path):
    each = ["1,50", "2,25", "3,00", "4,00", "5,00", "1.234,567", "7,00", "8,00"]
    when = ["2010-12-25T08:00:00+01:00"] * 5 + ["2010-12-25T09:00:00+02:00"] * 3
    rows = [";".join(row) for row in zip(["a"] * 8, ["b"] * 8, when, each, strict=True)]
    path = written(tmp_path, "who;what;when;each\n" + "\n".join(rows) + "\n")
    stored, whole = kb.read_blocks(path, **USED), kb.read_purchases(path, **USED)
    assert stored.whole.layout == whole.layout
    assert stored.block(0).under(None).equals(whole.under(None))


def test_it_stands_beside_its_data_for_its_owner_alone_and_opens_at_once(tmp_path):
    path = written(tmp_path, shop_text(12))
    made, again = kb.read_blocks(path, **USED), kb.read_blocks(path, **USED)
    assert (made.folder, made.made, again.made) == (tmp_path / "shop.csv.blocks", True, False)
    assert stat.S_IMODE(made.folder.stat().st_mode) == 0o700
    assert listed(made.folder) == [
        ".gitignore", "blocks", "goods.parquet", "people", "store.json",
    ]  # fmt: skip
    assert json.loads((made.folder / "store.json").read_text())["counts"]["records"] == 12


def test_what_was_made_from_other_bytes_or_read_otherwise_is_made_anew(tmp_path):
    path = written(tmp_path, shop_text(12))
    kb.read_blocks(path, **USED)
    written(tmp_path, shop_text(13))
    assert kb.read_blocks(path, **USED).whole.counts["records"] == 13
    without_price = kb.read_blocks(path, **{**USED, "price": None})
    assert without_price.made
    assert "price" not in without_price.whole.roles
    assert listed(tmp_path) == ["shop.csv", "shop.csv.blocks"]


def test_a_folder_of_somebody_else_is_not_replaced(tmp_path):
    path = written(tmp_path, shop_text(12))
    kb.read_blocks(path, **USED)
    (tmp_path / "shop.csv.blocks" / "diary.txt").write_text("mine")
    written(tmp_path, shop_text(13))
    with pytest.raises(kb.ParameterError) as refused:
        kb.read_blocks(path, **USED)
    assert refused.value.code == "exists"
    assert (tmp_path / "shop.csv.blocks" / "diary.txt").read_text() == "mine"


def test_what_a_killed_run_left_is_cleaned_away(tmp_path):
    path = written(tmp_path, shop_text(12))
    with aside.aside_folder(tmp_path / "shop.csv.blocks") as left:
        (left.path / "blocks").mkdir()
        orphan = left.path
        os.close(left.descriptor)
        left.descriptor = os.open(tmp_path, os.O_RDONLY)
    assert orphan.is_dir()
    kb.read_blocks(path, **USED)
    assert listed(tmp_path) == ["shop.csv", "shop.csv.blocks"]


def test_stopped_it_leaves_nothing(tmp_path):
    path = written(tmp_path, shop_text(12))
    progress = kb.Progress()
    progress.stop()
    with pytest.raises(kb.KakurenboError) as stopped:
        kb.read_blocks(path, **USED, progress=progress)
    assert stopped.value.code == "stopped"
    assert listed(tmp_path) == ["shop.csv"]


def test_a_master_and_what_is_said_of_goods_come_with_the_blocks(tmp_path):
    folder = tmp_path / "shop"
    folder.mkdir()
    rows = [
        ("ann", "tea", "Black tea"),
        ("bob", "milk", "Milk"),
        ("cid", "tea", "Tea"),
        ("cid", "tea", "Tea"),
    ]
    frame = pl.DataFrame(rows, schema=["who", "what", "name"], orient="row")
    frame.write_parquet(folder / "transactions.parquet")
    people = pl.DataFrame({"who": ["ann", "bob", "cid", "dan"], "town": ["A", "B", "C", "D"]})
    people.write_csv(folder / "master.csv")
    options = {**ROLES, "goods_columns": ("name",), "keep_master": ("town",)}
    stored, whole = kb.read_blocks(folder, records=2, **options), kb.read_purchases(folder, **options)
    assert stored.folder == tmp_path / "shop.blocks"
    assert stored.whole.shown == whole.shown == {"customer", "goods", "master"}
    for block, other in zip(stored.map(lambda b: b), InMemory.of(whole, 2).map(lambda b: b), strict=True):
        assert block.master.sort("customer").equals(other.master.sort("customer"))
        assert block.goods_table.equals(other.goods_table)
        assert block.keep_master == ("town",)
    people.head(2).write_csv(folder / "master.csv")
    with pytest.raises(kb.InputError, match="not in the master"):
        kb.read_blocks(folder, records=2, **options)


def test_the_store_of_a_release_stands_beside_it(tmp_path):
    path = written(tmp_path, shop_text(12))
    release = kb.methods.Pseudonymize().release(kb.read_purchases(path, **USED), seed=1)
    kb.write_release(release, tmp_path / "out", secret=tmp_path / "secret.csv")
    names = listed(tmp_path / "out")
    table = next((tmp_path / "out").glob("transactions.*"))
    for place, there in ((tmp_path / "out", "out.blocks"), (table, f"out.{table.name}.blocks")):
        stored = kb.read_blocks(place, like=path, **USED)
        assert stored.folder == tmp_path / there
        assert stored.whole.counts["records"] == 12
    assert listed(tmp_path / "out") == names


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_signs_of_a_pattern_in_a_path_are_signs_of_a_name(tmp_path, kind):
    place = tmp_path / "shop [1]*"
    place.mkdir()
    path = written(place, shop_text(12))
    if kind == "parquet":
        pl.read_csv(path.read_bytes(), infer_schema=False).write_parquet(place / "shop?.parquet")
        path = place / "shop?.parquet"
    blocks = kb.read_blocks(path, records=5, **USED)
    assert len(kb.read_purchases(path, **USED)) == 12
    made = kb.methods.Pseudonymize().release_in_blocks(blocks, seed=1)
    kb.write_in_blocks(made, place / "out", secret=tmp_path / "secret.csv", original=blocks)
    again = kb.read_blocks(place / "out", like=path, records=5, **USED)
    assert len(again) > 1
    assert again.whole.counts == blocks.whole.counts
    assert sum(again.map(len)) == 12


def test_a_damaged_or_foreign_store_is_none(tmp_path):
    path = written(tmp_path, shop_text(12))
    folder = kb.read_blocks(path, **USED).folder
    said = json.loads((folder / "store.json").read_text())
    for broken in ({**said, "version": 0}, {**said, "layout": {}}, {**said, "made_by": "me"}, []):
        (folder / "store.json").write_text(json.dumps(broken))
        assert form.about(folder) is None


def test_no_more_than_three_blocks_are_under_way_or_waiting():
    begun = []
    results = in_order(lambda number: begun.append(number) or number, range(10))
    taken = []
    for result in results:
        taken.append(result)
        assert len(begun) <= len(taken) + 2
    assert taken == list(range(10))


def test_what_goes_wrong_in_a_block_is_told_and_the_rest_not_begun(tmp_path):
    begun = []

    def work(number):
        begun.append(number)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        list(in_order(work, range(10)))
    assert len(begun) <= 3


@pytest.mark.parametrize(("things", "share"), [(0, 4), (1, 4), (2, 2), (5, 2)])
def test_who_works_beside_another_has_his_share_of_the_processors(things, share, monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: range(4), raising=False)
    assert list(in_order(lambda _: processors(), range(things))) == [share] * things
    assert processors() == 4


def test_the_next_thing_is_made_ahead_and_no_other():
    made = []

    def things():
        for number in range(5):
            made.append(number)
            yield number
        raise ZeroDivisionError

    coming = ahead(things())
    for number in range(5):
        assert next(coming) == number
        assert len(made) <= number + 2
    with pytest.raises(ZeroDivisionError):
        next(coming)


def test_large_tables_and_those_with_blocks_are_taken_for_blocks(tmp_path, monkeypatch):
    path = written(tmp_path, shop_text(12))
    parquet = tmp_path / "shop.parquet"
    pl.read_csv(path).write_parquet(parquet)
    assert not read.is_large(path)
    assert not read.is_large(parquet)
    assert not read.is_large(tmp_path / "nowhere.csv")
    monkeypatch.setattr(reading, "MANY_BYTES", 100)
    monkeypatch.setattr(reading, "MANY_ROWS", 11)
    assert read.is_large(path)
    assert read.is_large(parquet)
    monkeypatch.undo()
    kb.read_blocks(path, **USED)
    assert read.is_large(path)
    written(tmp_path, shop_text(13))
    assert not read.is_large(path)


def test_a_store_that_was_moved_with_its_table_speaks_of_the_files_where_they_are(tmp_path):
    table = table_of([("ann", "tea", "r1", "2010-12-01 08:26", 1.5, 1)])
    (tmp_path / "before").mkdir()
    for name in ("retail.csv", "folder"):
        path = tmp_path / "before" / name
        if name == "folder":
            path.mkdir()
        table.write_csv(path / "transactions.csv" if path.is_dir() else path)
        kb.read_blocks(path, **FULL)
    (tmp_path / "before").rename(tmp_path / "after")
    for name in ("retail.csv", "folder"):
        path = tmp_path / "after" / name
        moved = kb.read_blocks(path, **FULL)
        assert not moved.made, "the blocks that stand there are taken"
        source = moved.whole.source
        assert source.place == path
        assert [file.read_bytes() for file in source.tables]
        assert read.is_large(path)
