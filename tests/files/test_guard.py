"""Every row of a text is held to the width of the first, and what breaks the grammar is told with its row."""

import polars as pl
import pytest

import kakurenbo as kb
from kakurenbo.files import guard, tables
from kakurenbo.files.guard import Dialect

WHO = {"customer": "who", "goods": "what"}


def written(folder, content, name="shop.csv"):
    path = folder / name
    path.write_bytes(content)
    return path


def refusal(path, **options):
    with pytest.raises(kb.InputError) as error:
        kb.read_purchases(path, **{**WHO, **options})
    return error.value.code, error.value.row


HEAD = b"who,what,note,more\n"
GOOD = b"ann,tea,x,y\n"
BROKEN = {
    "too few fields, none with a role": (HEAD + GOOD + b"bob,milk,x\n", "ragged", 2),
    "too many fields": (HEAD + GOOD * 2 + b"bob,milk,x,y,z\n", "ragged", 3),
    "too few in the last line, not ended": (HEAD + GOOD + b"bob,milk", "ragged", 2),
    "one field": (HEAD + b"bob\n" + GOOD, "ragged", 1),
    "a blank line between others": (HEAD + GOOD + b"\n" + GOOD, "ragged", 2),
    "blank lines, then a row": (HEAD + GOOD + b"\n \n\r\n" + GOOD, "ragged", 2),
    "a blank first line over no header": (b"\nwho,what,3\n" + b"ann,tea,1\n", "ragged", None),
    "separators in quotes are none": (HEAD + GOOD + b'bob,"milk,x,y"\n', "ragged", 2),
    "after a row of two lines": (HEAD + b'ann,"tea\ngreen",x,y\n' + b"bob,milk,x\n", "ragged", 2),
    "a quote mark in a field": (HEAD + GOOD + b'bob,6" plate,x,y\n' + b'eve,9" plate,x,y\n', "quote", 2),
    "a quote mark before a field's end": (HEAD + GOOD + b'bob,"milk"s,x,y\n', "quote", 2),
    "a blank after a closing quote": (HEAD + GOOD + b'bob,"milk" ,x,y\n', "quote", 2),
    "a quoted field that never ends": (HEAD + GOOD + b'bob,"milk,x,y\n' + GOOD, "quote", 2),
    "it ends with another's beginning": (HEAD + GOOD + b'bob,"milk,x,y\nann,"tea",x,y\n', "quote", 2),
    "a quote mark in the header": (b'who,wh"at,note,more\n' + GOOD, "quote", None),
    "lines that end in carriage returns": (b"who,what\rann,tea\rbob,milk\r", "file-broken", None),
    "a carriage return alone": (HEAD + GOOD + b"bob,mi\rlk,x,y\n", "file-broken", 2),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_row_is_refused_with_its_number(case, tmp_path):
    content, code, row = BROKEN[case]
    assert refusal(written(tmp_path, content)) == (code, row)


def test_rows_of_a_file_without_header_count_from_its_first_line(tmp_path):
    path = written(tmp_path, b"ann,tea\nbob\n")
    assert refusal(path, customer="1", goods="2", header=False) == ("ragged", 2)
    contest = written(tmp_path, b"12583,536370,2010/12/1,8:45,22728,3.75,24\n" * 3 + b"1,2,3\n", "T.csv")
    with pytest.raises(kb.InputError) as error:
        kb.read_purchases(contest)
    assert (error.value.code, error.value.row) == ("ragged", 4)


def test_one_broken_row_is_found_wherever_it_stands(tmp_path, monkeypatch):
    monkeypatch.setattr(guard, "CHUNK", 64)
    quoted = b'bob,"milk\n""fresh"", cold",x,y\r\n'
    for row in range(1, 12):
        lines = [GOOD if i % 3 else quoted for i in range(12)]
        lines[row - 1] = b"eve,tea,x\n"
        path = written(tmp_path, HEAD + b"".join(lines))
        assert guard_code(path) == ("ragged", row)
    assert guard.inspect(written(tmp_path, HEAD + quoted * 20), Dialect()).records == 21


def guard_code(path):
    with pytest.raises(kb.InputError) as error:
        guard.inspect(path, Dialect())
    return error.value.code, error.value.row


def test_a_table_of_one_column_has_empty_fields_between_but_not_at_the_end(tmp_path):
    path = written(tmp_path, b"town\nOslo\n\nBergen\n\n\n")
    frame = tables.open_any(path).load(["town"])
    assert frame["town"].to_list() == ["Oslo", None, "Bergen"]


@pytest.mark.parametrize("blanks", [b"\n" * 70_000, b" \t\n" * 3, b"\n \n" * 50_000, b""])
def test_any_number_of_blank_lines_at_the_end_are_no_records(blanks, tmp_path):
    path = written(tmp_path, HEAD + GOOD * 2 + blanks)
    assert len(kb.read_purchases(path, **WHO)) == 2


def test_a_last_line_of_separators_is_a_row_of_empty_fields(tmp_path):
    path = written(tmp_path, b"who\twhat\nann\ttea\n\t\n", "shop.tsv")
    assert refusal(path) == ("missing-id", 2)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp932"])
def test_a_blank_before_a_quoted_field_is_no_part_of_it(encoding, tmp_path):
    text = 'who, "what",n\nann,  "お茶, green",1\n "bob", "6"" plate",2\neve,milk, "3"\n'
    path = written(tmp_path, text.encode(encoding))
    options = {} if encoding.startswith("utf-8") else {"encoding": encoding}
    shop = kb.read_purchases(path, quantity="n", **WHO, **options)
    assert list(shop.goods) == ['6" plate', "milk", "お茶, green"]
    assert list(shop.customers) == ["ann", "bob", "eve"]


def test_a_header_may_hold_doubled_quotes_separators_and_newlines(tmp_path):
    path = written(tmp_path, b'"the ""who""","what,\nnow",x\nann,tea,1\nbob,milk,2\n')
    shop = kb.read_purchases(path, customer='the "who"', goods="what,\nnow")
    assert list(shop.customers) == ["ann", "bob"]


def test_a_separator_is_counted_as_a_letter_of_its_encoding(tmp_path):
    word = "ソポ"  # in CP932 their second bytes are those of a backslash and a bar
    path = written(tmp_path, f"who|what\nann|{word}\n".encode("cp932"))
    assert list(kb.read_purchases(path, separator="|", encoding="cp932", **WHO).goods) == [word]


def test_a_letter_of_several_bytes_may_stand_between_two_chunks(tmp_path, monkeypatch):
    monkeypatch.setattr(guard, "CHUNK", 16)
    for shift in range(8):
        text = "who,what\n" + "x" * shift + "ann,お茶\nbob,抹茶抹茶抹茶\n"
        path = written(tmp_path, text.encode())
        assert list(tables.open_any(path).load(["what"])["what"]) == ["お茶", "抹茶抹茶抹茶"]


def test_twins_are_told_apart_and_a_name_that_two_have_is_refused_clearly(tmp_path):
    path = written(tmp_path, b"who,what,what,what (1)\nann,tea,milk,x\n")
    assert tables.open_any(path).names == ["who", "what (2)", "what (3)", "what (1)"]
    with pytest.raises(kb.InputError, match=r"one column is called 'what'; say which: 'what \(2\)'") as error:
        kb.read_purchases(path, **WHO)
    assert error.value.code == "column-missing"
    assert list(kb.read_purchases(path, customer="who", goods="what (3)").goods) == ["milk"]


def test_a_field_of_almost_a_megabyte_is_read(tmp_path):
    long = b"m" * 900_000
    path = written(tmp_path, b"who,what," + long + b"\nann,tea,x\nbob," + long + b',"' + b"," * 900 + b'"\n')
    assert kb.read_purchases(path, **WHO).goods.str.len_chars().to_list() == [900_000, 3]


def test_many_columns_are_read_in_time_that_grows_with_them(tmp_path):
    names = [f"c{i}" for i in range(20_000)] + ["twin"] * 20_000
    rows = "\n".join(",".join(["v"] * 40_000) for _ in range(3))
    path = written(tmp_path, f"{','.join(names)}\n{rows}\n".encode())
    assert refusal(path, customer="c1", goods="c2")[0] == "limit"
    assert len(kb.read_purchases(path, customer="c1", goods="twin (20000)", max_columns=40_000)) == 3


@pytest.mark.parametrize(("option", "value"), [("max_rows", 4), ("max_columns", 3), ("max_cells", 9)])
def test_limits_are_counted_and_can_be_raised(option, value, tmp_path):
    path = written(tmp_path, HEAD + GOOD * 5)
    with pytest.raises(kb.InputError) as error:
        kb.read_purchases(path, **WHO, **{option: value})
    assert (error.value.code, error.value.parameter) == ("limit", option)
    assert len(kb.read_purchases(path, **WHO, **{option: value + 2})) == 5


def test_quoted_text_that_looks_like_rows_is_one_field(tmp_path):
    looks = b"bob,milk,x,y\n" * 30_000
    content = HEAD + b"".join(b'ann,"' + looks + b'",x,y\n' + GOOD for _ in range(6))
    frame = tables.open_any(written(tmp_path, content)).load(["who", "what"])
    assert frame["who"].to_list() == ["ann"] * 12
    assert frame["what"].str.len_bytes().to_list() == [len(looks), 3] * 6


def test_a_reader_that_counts_other_rows_than_the_guard_is_not_believed(tmp_path, monkeypatch):
    path = written(tmp_path, HEAD + GOOD * 3)
    monkeypatch.setattr(pl, "scan_csv", lambda *_, **__: pl.LazyFrame({str(i): ["x"] for i in range(4)}))
    assert refusal(path)[0] == "file-broken"
