"""Taking tables apart: every fault of a text with its line and cell, whatever the columns mean."""

import csv
import io

import polars as pl
import pytest

from contest.judged_shop import places
from kakurenbo.contest.judging.cells import Form
from kakurenbo.contest.judging.faults import Faults
from kakurenbo.contest.judging.lines import parted, read_cells

PLAIN = Form()


def taken(data, form=PLAIN, name="T.csv", most=100):
    """Return the cells of a text, and its faults as places."""
    faults = Faults(most)
    cells = read_cells(name, data, form, faults)
    return cells, [(line, column, code) for _, line, column, code in places(faults.listed())]


def test_a_plain_table_is_read_with_its_lines():
    cells, faults = taken(b'\xef\xbb\xbfa,b\r\n1,2\r\n"x,1","say ""so"""\r\n,\r\n')
    assert faults == []
    assert cells.names == ("a", "b")
    assert cells.frame.rows() == [("1", "2"), ("x,1", 'say "so"'), ("", "")]
    assert cells.lines.to_list() == [2, 3, 4]
    assert cells.text("a").to_list() == ["1", "x,1", None]


def test_without_a_header_columns_have_numbers():
    cells, faults = taken(b"1;2\n3;4", Form(header=False, separator=";", width=2))
    assert (cells.names, cells.lines.to_list(), faults) == (("1", "2"), [1, 2], [])


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", [(None, None, "file-empty")]),
        (b"a,b\n", [(None, None, "file-empty")]),
        (b"a,b\n1\n1,2,3\n\n4,5\n", [(2, None, "cells"), (3, None, "cells"), (4, None, "cells")]),
        (b"a,b\n1,\xff\n\xfe,2\n3,4\n", [(2, 2, "encoding"), (3, 1, "encoding")]),
        (b"a,b\n1,x\0y\n", [(2, 2, "nul-byte")]),
        (b"a,b\n1,x\x07\n\x1b[0m,2\n", [(2, 2, "control"), (3, 1, "control")]),
        (b"a,b\n1,lone\rend\n", [(2, 2, "control")]),
        (b'a,b\n"1\r","x\ry"\n', [(2, 1, "control"), (2, 2, "control")]),
        (b'a,b\nx"y,2\n1,"open\n"a"b,3\n', [(2, 1, "quote"), (3, 2, "quote"), (4, 1, "quote")]),
        (b'a,b\n"1,2",3,4\n', [(2, None, "cells")]),
        (b"a,a\n1,2\n", [(1, 2, "column-twice")]),
        (b'a,"b\n1,2\n', [(1, 2, "quote")]),
        (b"\xff,b\n1,2\n", [(1, 1, "encoding")]),
    ],
)
def test_every_kind_of_fault_has_its_place(data, expected):
    assert taken(data)[1] == expected


@pytest.mark.parametrize("cell", ["=1+1", "+cmd", "-cmd", "@sum", "\tx", "  =1", "-", '"=HYPERLINK(1)"'])
def test_formulas_are_faults(cell):
    assert taken(f"a,b\n1,{cell}\n".encode())[1] == [(2, 2, "formula")]


@pytest.mark.parametrize("cell", ["-5", "+5.25", "-.5", "-1e3", "1-2", "a=b", "me@home"])
def test_numbers_with_signs_and_signs_inside_are_none(cell):
    assert taken(f"a,b\n1,{cell}\n".encode())[1] == []


def test_faults_of_good_lines_are_found_beside_bad_ones():
    _, faults = taken(b'a,b\n1\n\xff,2\n=x,@y\n"q,3\n1,2\n')
    assert faults == [
        (2, None, "cells"), (3, 1, "encoding"), (4, 1, "formula"), (4, 2, "formula"), (5, 1, "quote"),
    ]  # fmt: skip


def test_more_faults_than_the_rules_list_are_counted():
    _, faults = taken(b"a,b\n" + b"=x,=y\n" * 50, most=7)
    assert faults[:3] == [(2, 1, "formula"), (2, 2, "formula"), (3, 1, "formula")]
    assert len(faults) == 8
    collected = Faults(7)
    read_cells("T.csv", b"a,b\n" + b"=x,=y\n" * 50, Form(), collected)
    assert collected.listed()[-1].fault == "93 further faults are not listed"
    assert collected.listed()[-1].code == "more-faults"


def test_too_many_rows_are_not_looked_at():
    assert taken(b"a\n" + b"=x\n" * 6, Form(rows=5)) == (None, [(None, None, "limit")])
    assert len(taken(b"a\n" + b"x\n" * 5, Form(rows=5))[0].frame) == 5


def test_too_many_columns_are_not_looked_at():
    wide = ",".join(map(str, range(300))).encode()
    assert taken(wide + b"\n" + wide) == (None, [(1, None, "limit")])
    file = io.BytesIO()
    pl.DataFrame({str(place): [1] for place in range(300)}).write_parquet(file)
    assert taken(file.getvalue(), name="T.parquet") == (None, [(None, None, "limit")])


def test_parquet_is_read_typed_and_checked_alike():
    file = io.BytesIO()
    pl.DataFrame({"a": [1, 2], "b": ["x", "=y"]}).write_parquet(file)
    cells, faults = taken(file.getvalue(), name="T.parquet")
    assert faults == [(2, 2, "formula")]
    assert cells.frame.schema["a"] == pl.Int64
    assert taken(b"no parquet", name="T.PARQUET") == (None, [(None, None, "file-broken")])
    assert taken(file.getvalue(), Form(rows=1), "T.parquet") == (None, [(None, None, "limit")])


def test_faults_tell_no_value():
    faults = Faults(100)
    read_cells("T.csv", b'a,b\nsecret\n=secret,\xffsecret\n"secret,1\nsecret\0,1\n', Form(), faults)
    assert faults.count == 4
    assert not any("secret" in str(fault) for fault in faults.listed())


@pytest.mark.parametrize("line", [",", '""', '"",', 'a,"b""c",d', '";"'])
def test_cells_of_a_line_are_those_of_the_standard_reader(line):
    assert parted(line, ",") == (next(csv.reader([line]), [""]), None)
