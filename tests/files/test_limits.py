"""A small file that would unpack to more than a machine holds is refused before it does."""

import datetime as dt
import struct
import zipfile
from decimal import Decimal

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import xlsxwriter

import kakurenbo as kb
from kakurenbo.files import parquet_sizes, tables, workbook
from kakurenbo.files.limits import Limits

WHO = {"customer": "who", "goods": "what"}


def code_of(path, **options):
    with pytest.raises(kb.InputError) as error:
        kb.read_purchases(path, **{**WHO, **options})
    return error.value.code


def sheet(folder, cells, *, strings="", change=None):
    """Write a workbook by hand whose sheet holds this XML."""
    path = folder / "book.xlsx"
    with xlsxwriter.Workbook(folder / "good.xlsx") as book:
        page = book.add_worksheet()
        for row, line in enumerate([("who", "what"), ("ann", "tea"), ("bob", "milk")]):
            page.write_row(row, 0, line)
    with (
        zipfile.ZipFile(folder / "good.xlsx") as good,
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as bad,
    ):
        for name in good.namelist():
            text = good.read(name).decode()
            if name.endswith("sheet1.xml"):
                text = text.replace("</sheetData>", f"{cells}</sheetData>")
            if name.endswith("sharedStrings.xml"):
                text = text.replace("</sst>", f"{strings}</sst>")
            bad.writestr(name, change(name, text) if change else text)
    return path


def test_a_workbook_made_by_hand_is_read(tmp_path):
    assert len(kb.read_purchases(sheet(tmp_path, ""), **WHO)) == 2


SPACE = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
FAR = {
    "the far corner": '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>',
    "other quotes and spaces": "<row r='1048576'><c\n  r = 'XFD1048576'><v>1</v></c></row>",
    "a prefix": f'<x:row xmlns:x="{SPACE}" r="1048576"><x:c r="xfd1048576"/></x:row>',
    "two corners": '<row r="900000"><c r="A900000"/></row><row r="3"><c r="ZZ3"/><c/><c/></row>',
    "a row beyond the last": '<row r="999999999"/>',
    "a column beyond the last": '<row r="3"><c r="ZZZZ3"/></row>',
    "cells without references": "<row><c/></row>" * 400_000 + "<row>" + "<c/>" * 200 + "</row>",
}


@pytest.mark.parametrize("case", FAR)
def test_a_sheet_that_reaches_far_is_over_the_limit(case, tmp_path):
    assert code_of(sheet(tmp_path, FAR[case])) == "limit"


def test_the_limit_of_a_sheet_can_be_raised(tmp_path):
    path = sheet(tmp_path, '<row r="60"><c r="H60"><v>1</v></c></row>')
    assert code_of(path, max_cells=16 * 479) == "limit"
    assert len(kb.read_purchases(path, **WHO, max_cells=16 * 480, policy="drop")) == 2


def test_a_workbook_with_too_many_texts_is_over_the_limit(tmp_path):
    assert code_of(sheet(tmp_path, "", strings="<si/>" * 3000), max_cells=16 * 3000) == "limit"


def test_a_long_text_that_many_cells_share_is_counted_in_each(tmp_path, monkeypatch):
    monkeypatch.setattr(workbook, "_MOST_TEXT", 1_000_000)
    monkeypatch.setattr(workbook, "_PIECE", 5_000)
    texts = f"<si><t>short</t></si><si><t>{'a' * 10_000}</t></si><si><t>short</t></si>"
    for shared, refused in ((7, True), (6, False), (8, False)):
        row = f'<row><c t="s"><v>{shared}</v></c><c t="s"><v>{shared}</v></c></row>'
        path = sheet(tmp_path, row * 60, strings=texts)
        if refused:
            assert code_of(path) == "limit"
        else:
            assert len(kb.read_purchases(path, **WHO)) == 62


def test_a_document_type_is_refused(tmp_path):
    def bomb(name, text):
        if not name.endswith("sheet1.xml"):
            return text
        return text.replace("<worksheet", '<!DOCTYPE x [<!ENTITY a "aaaa">]><worksheet', 1)

    assert code_of(sheet(tmp_path, "", change=bomb)) == "file-broken"


@pytest.mark.parametrize("field", ["size", "sum"])
def test_a_directory_that_lies_about_a_member_is_not_believed(field, tmp_path):
    path = sheet(tmp_path, "<row><c/></row>" * 1000)
    content = bytearray(path.read_bytes())
    at = 0
    while (at := content.find(b"PK\x01\x02", at)) >= 0:
        if content[at + 46 :].startswith(b"xl/worksheets/sheet1.xml"):
            struct.pack_into("<I", content, at + (24 if field == "size" else 16), 500)
        at += 4
    path.write_bytes(content)
    assert code_of(path) == "file-broken"


def test_what_a_workbook_unpacks_to_is_counted(tmp_path):
    path = sheet(tmp_path, "", strings="<!-- -->" * (3 << 17))
    assert code_of(path, max_megabytes=2) == "limit"
    assert len(kb.read_purchases(path, **WHO, max_megabytes=5)) == 2


def test_a_small_parquet_of_many_rows_is_over_the_limit(tmp_path):
    path = tmp_path / "shop.parquet"
    frame = pl.select(who=pl.repeat(1, 2_000_000, dtype=pl.Int8), what=pl.repeat(2, 2_000_000, dtype=pl.Int8))
    frame.write_parquet(path)
    assert path.stat().st_size < 10_000
    assert code_of(path, max_rows=1_999_999) == "limit"
    assert code_of(path, max_cells=3_999_999) == "limit"
    assert tables.open_any(path, limits=Limits(cells=4_000_000)).load(["who", "what"]).height == 2_000_000


@pytest.mark.parametrize(("name", "value"), [("max_rows", 2), ("max_cells", 5)])
def test_parquet_in_blocks_is_held_to_the_limits_that_were_given(name, value, tmp_path):
    path = tmp_path / "shop.parquet"
    pl.DataFrame({"who": ["ann", "bob", "cid"], "what": "tea"}).write_parquet(path)
    with pytest.raises(kb.InputError) as error:
        kb.read_blocks(path, **WHO, **{name: value})
    assert (error.value.code, error.value.parameter) == ("limit", name)
    assert sum(kb.read_blocks(path, **WHO, **{name: value + 1}).map(len)) == 3


def test_pages_that_unpack_to_too_much_are_over_the_limit_whatever_the_footer_says(tmp_path):
    path = tmp_path / "shop.parquet"
    pl.DataFrame({"who": ["a" * (3 << 20), "b"], "what": ["x", "y"]}).write_parquet(path)
    assert path.stat().st_size < 10_000
    assert code_of(path, max_megabytes=2) == "limit"
    with path.open("rb") as file:
        content = parquet_sizes.footer(file, Limits())
        parquet_sizes.unpacked(file, content, ["what"], Limits(megabytes=1))
        with pytest.raises(kb.InputError):
            parquet_sizes.unpacked(file, content, ["who"], Limits(megabytes=1))


@pytest.mark.parametrize("kind", ["text", "words"])
def test_one_long_text_in_many_rows_is_counted_in_each(kind, tmp_path):
    path = tmp_path / "shop.parquet"
    long = pa.array(["a" * 10_000] * 1000)
    table = pa.table({"who": long.dictionary_encode() if kind == "words" else long, "what": ["tea"] * 1000})
    pq.write_table(table, path, use_dictionary=True)
    assert path.stat().st_size < 20_000
    assert code_of(path, max_megabytes=5) == "limit"
    assert len(kb.read_purchases(path, **WHO, max_megabytes=11)) == 1000


def test_more_than_32_bits_of_text_are_counted(tmp_path):
    path = tmp_path / "shop.parquet"
    words = pa.DictionaryArray.from_arrays(pa.array([0] * 50_000, pa.int8()), ["a" * 100_000])
    pq.write_table(pa.table({"who": words, "what": ["tea"] * 50_000}), path)
    assert code_of(path) == "limit"


@pytest.mark.campaign
def test_a_wide_parquet_is_over_the_limit_or_read(tmp_path):
    path = tmp_path / "wide.parquet"
    pl.DataFrame({f"c{i}": ["v"] for i in range(3000)}).write_parquet(path)
    assert code_of(path, customer="c1", goods="c2", max_columns=2999) == "limit"
    assert len(kb.read_purchases(path, customer="c1", goods="c2")) == 1


@pytest.mark.parametrize("cut", [0, 1, 4, 5, 9, 20, 200])
def test_a_parquet_cut_short_or_with_a_broken_footer_is_refused(cut, tmp_path):
    path = tmp_path / "shop.parquet"
    pl.DataFrame({"who": ["a"], "what": ["b"]}).write_parquet(path)
    good = path.read_bytes()
    path.write_bytes(good[: len(good) - cut] if cut else good[:-8] + b"\xff\xff\xff\x7fPAR1")
    assert code_of(path) == "file-broken"
    path.write_bytes(good[:-8] + b"\0\0\0\0PAR1")
    assert code_of(path) == "file-broken"
    path.write_bytes(good[: -8 - 60] + b"\x19" * 60 + good[-8:])
    assert code_of(path) == "file-broken"
    path.write_bytes(good.replace(b"\x19\x1c\x19", b"\x19\x18\x19"))  # a text where a group of rows should be
    assert code_of(path) == "file-broken"


def test_names_of_nested_columns_are_those_at_the_top(tmp_path):
    path = tmp_path / "nested.parquet"
    pl.DataFrame({"a": [[1]], "s": [{"x": 1, "y": [1]}], "who": ["p"], "what": ["q"]}).write_parquet(path)
    assert tables.open_any(path).names == ["a", "s", "who", "what"]
    assert len(kb.read_purchases(path, **WHO)) == 1


DAY = dt.timedelta(1)
TYPES = {
    "a list": pl.Series([[1], [2]]),
    "a structure": pl.Series([{"a": 1}, {"a": 2}]),
    "an array": pl.Series([[1, 2], [1, 2]], dtype=pl.Array(pl.Int64, 2)),
    "bytes": pl.Series([b"a", b"b"]),
    "a duration": pl.Series([DAY, DAY]),
    "above 2^63": pl.Series([2**63 + 5, 1], dtype=pl.UInt64),
    "of 128 bits": pl.Series([2**100, 1], dtype=pl.Int128),
    "a decimal": pl.Series([Decimal("1" * 30), Decimal(1)]),
    "a huge float": pl.Series([1e300, 1.0]),
    "infinite": pl.Series([float("inf"), 1.0]),
    "a far date": pl.Series([2**31 - 1, 0], dtype=pl.Int32).cast(pl.Date),
    "a far time": pl.Series([2**63 - 1, 0]).cast(pl.Datetime("ms")),
    "a word of a list": pl.Series(["seen", "word"], dtype=pl.Enum(["seen", "word"])),
}
REFUSED = {"frame", "not-number", "not-whole", "not-date", "limit"}


@pytest.mark.parametrize("kind", TYPES)
def test_a_column_of_any_type_is_read_or_refused_whatever_its_role(kind, tmp_path):
    path = tmp_path / "shop.parquet"
    pl.DataFrame({"who": ["x", "y"], "what": ["p", "q"], "v": TYPES[kind]}).write_parquet(path)
    for role in ("customer", "receipt", "time", "price", "quantity"):
        try:
            kb.read_purchases(path, **{**WHO, role: "v"})
        except kb.InputError as error:
            assert error.code in REFUSED  # noqa: PT017 - some of them are good
            assert error.column == "v"  # noqa: PT017 - the same
            assert "seen" not in str(error)  # noqa: PT017 - the same


def test_a_column_of_categories_holds_ids_like_any_text(tmp_path):
    path = tmp_path / "shop.parquet"
    pl.DataFrame({"who": ["x", "y"], "what": ["p", "q"]}).with_columns(
        pl.col("who").cast(pl.Enum(["y", "x"])), pl.col("what").cast(pl.Categorical)
    ).write_parquet(path)
    assert list(kb.read_purchases(path, **WHO).customers) == ["x", "y"]


def test_receipts_that_are_all_missing_are_missing_and_not_always_zero(tmp_path):
    path = tmp_path / "shop.csv"
    path.write_text("who,what,slip\nann,tea,\nbob,milk,\n")
    assert code_of(path, receipt="slip") == "missing-id"
