"""Real exports are read as they come, and a release is written in the form its original had."""

import datetime as dt

import polars as pl
import pytest
import xlsxwriter
from hypothesis import given
from hypothesis import strategies as st

import kakurenbo as kb
from kakurenbo.data.checks.numbers import Marks
from kakurenbo.data.checks.times import as_times
from kakurenbo.data.checks.values import numbers_in_form, whole_numbers_in_form
from kakurenbo.data.hierarchy import Hierarchy
from kakurenbo.files import encodings
from kakurenbo.files.forms import form_of

WHO = {"customer": "who", "goods": "what"}


@pytest.mark.parametrize(
    ("values", "form"),
    [
        (["17850", "12583"], "5 digits"),
        (["7", "12583", None, ""], "1-5 digits"),
        (["ab", "abcdefghi"], "2-9 letters"),
        (["85123A", "22728"], "5-6 letters and digits"),
        (["3,95", "2,5"], "number with decimal comma"),
        (["1.234,56", "2,50"], "number with decimal comma and point between thousands"),
        (["1,234", "5,678"], "number, comma or point in doubt"),
        (["1,200円", "5円"], "number with comma between thousands, in 円"),
        (["2.55"], "number with decimal point"),
        (["2011/12/03"], "time %Y/%m/%d"),
        (["20101203", "20110101"], "time %Y%m%d"),
        (["3/4/2011"], "date, day and month in doubt"),
        (["", None], "empty"),
        (["a b", "c-d!"], "3-4 characters"),
    ],
)
def test_the_form_of_a_column_tells_no_value(values, form):
    assert form_of(values) == form


NUMBERS = {
    "thousands": (["5,925.5", "12"], [5925.5, 12.0]),
    "decimal comma": (["3,95", "12,5"], [3.95, 12.5]),
    "both, as in Germany": (["1.234,56", "7"], [1234.56, 7.0]),
    "blanks": (["1 234,56", "1\u00a0234,5", "1\u202f234\u202f567,25"], [1234.56, 1234.5, 1234567.25]),
    "apostrophes": (["1'234.50", "2\u2019000.25"], [1234.5, 2000.25]),
    "yen": (["¥1,200", "¥300"], [1200.0, 300.0]),
    "full-width yen": (["\uffe51,200"], [1200.0]),
    "yen as a backslash": (["\\1,200", "\\80"], [1200.0, 80.0]),
    "yen after": (["1,200円", "80円"], [1200.0, 80.0]),
    "euros": (["€3,95", "€12"], [3.95, 12.0]),
    "euros after": (["3,95 €", "1.200,00 €"], [3.95, 1200.0]),
    "dollars": (["$5", "$1,234.50"], [5.0, 1234.5]),
    "full-width": (["\uff11\uff12\uff10\uff10"], [1200.0]),
    "brackets": (["(5)", "7.5"], [-5.0, 7.5]),
    "minus behind": (["5-", "7"], [-5.0, 7.0]),
    "a triangle": (["▲1,200.5", "3"], [-1200.5, 3.0]),
    "grouped as only thousands are": (["1,200", "12", "7", "300", "5,925"], [1200, 12, 7, 300, 5925]),
}


@pytest.mark.parametrize("case", NUMBERS)
def test_numbers_are_read_by_the_form_of_their_column_and_written_so(case):
    texts, numbers = NUMBERS[case]
    read, form = numbers_in_form(pl.Series(texts), column="n")
    assert read.to_list() == numbers
    again, same = numbers_in_form(form.write(read), column="n", marks=Marks(form.decimal))
    assert again.to_list() == numbers
    assert (same.decimals, same.before, same.after) == (form.decimals, form.before, form.after)


@pytest.mark.parametrize(
    ("texts", "written"),
    [
        (["2.50", "2.55"], ["3.14", "0.01"]),
        (["2.5", "2.55", "3"], ["3.14", "0.01"]),
        (["2,50 €", "2,55 €"], ["3,14 €", "0,01 €"]),
        (["1,200円", "80円"], ["3円", "1円"]),
        (["2.500", "2"], ["3.142", "0.001"]),
    ],
)
def test_other_numbers_are_rounded_as_the_column_is_and_none_becomes_zero(texts, written):
    _, form = numbers_in_form(pl.Series(texts), column="n")
    assert form.write(pl.Series([3.14159, 0.0004]), positive=True).to_list() == written


@pytest.mark.parametrize("texts", [["1,234", "5,678"], ["€1,234"], ["1,234", "12"]])
def test_a_column_in_which_nothing_decides_is_asked_about(texts):
    with pytest.raises(kb.InputError, match="in two ways") as error:
        numbers_in_form(pl.Series(texts), column="n")
    assert (error.value.code, error.value.parameter) == ("not-number", "decimal")
    comma, _ = numbers_in_form(pl.Series(texts), column="n", marks=Marks(","))
    point, _ = numbers_in_form(pl.Series(texts), column="n", marks=Marks("."))
    likely, _ = numbers_in_form(pl.Series(texts), column="n", marks=Marks(likely="."))
    assert (comma[0], point[0], likely[0]) == (1.234, 1234.0, 1234.0)


@pytest.mark.parametrize(
    "texts", [["3,95", "1.5"], ["€5", "$5"], ["(5", "6"], ["-5-", "6"], ["1,23,4"], ["5 %"], ["5,95", "x"]]
)
def test_a_column_of_two_forms_is_refused_without_its_values(texts):
    with pytest.raises(kb.InputError) as error:
        numbers_in_form(pl.Series(texts), column="n")
    assert error.value.code == "not-number"
    assert not any(text in str(error.value) for text in texts)


def test_counts_decide_for_thousands():
    read, form = whole_numbers_in_form(pl.Series(["1,234", "5"]), column="n")
    assert (read.to_list(), form.write(read).to_list()) == ([1234, 5], ["1,234", "5"])


@given(
    numbers=st.lists(st.integers(0, 10**9), min_size=1, max_size=6),
    decimals=st.integers(1, 2),
    marks=st.sampled_from([".,", ",.", ", ", ".'", ",\u202f", ".", ","]),
    around=st.sampled_from(["{}", "¥{}", "{}円", "{} €", "$ {}", "CHF {}"]),
)  # fmt: skip
def test_what_a_plain_formatter_writes_is_read_back(numbers, decimals, marks, around):
    amounts = [number / 10**decimals for number in numbers]
    swap = str.maketrans({".": marks[0], ",": marks[1:]})
    texts = [around.format(f"{amount:,.{decimals}f}".translate(swap)) for amount in amounts]
    read, form = numbers_in_form(pl.Series(texts), column="n")
    assert read.to_list() == amounts
    assert form.write(read).to_list() == texts


NOON = dt.datetime(2010, 12, 1, 8, 26)
DAY = dt.datetime(2010, 12, 1)
TIMES = {
    "2010/12/1": DAY, "2010-12": DAY, "2010/12": DAY, "20101201": DAY, "1-Dec-10": DAY, "2010年12月1日": DAY,
    "2010年12月": DAY, "40513": DAY, "2010-12-01T08:26:00Z": NOON, "2010-12-01T08:26:00+09:00": NOON,
    "2010年12月1日 8時26分": NOON, "2010-12-01 08:26": NOON, "40513.351389": NOON,
}  # fmt: skip


@pytest.mark.parametrize("text", TIMES)
def test_times_are_read_in_many_forms_and_written_so(text, tmp_path):
    times, _ = as_times(pl.Series([text]), column="t")
    assert times.to_list() == [TIMES[text]]
    path = tmp_path / "shop.csv"
    path.write_text(f"who,what,when\nann,tea,{text}\nbob,tea,{text}\n")
    shop = kb.read_purchases(path, **WHO, time="when")
    written = tmp_path / "out" / "transactions.csv"
    kb.write_release(kb.methods.Pseudonymize().release(shop, seed=1), tmp_path / "out", secret=tmp_path / "s")
    assert written.read_text().splitlines()[1].endswith(f",{text}")


def test_of_several_zones_the_clock_counts_and_of_some_none():
    mixed = pl.Series(["2010-12-01T08:26:00+01:00", "2010-07-01T08:26:00+02:00"])
    times, pattern = as_times(mixed, column="t")
    assert ([time.hour for time in times], pattern) == ([8, 8], "%Y-%m-%dT%H:%M:%S")
    with pytest.raises(kb.InputError):
        as_times(pl.Series(["2010-12-01T08:26:00+01:00", "2010-07-01T08:26:00"]), column="t")


SPELLINGS = {
    "Shift_JIS": "cp932", "sjis": "cp932", "ms932": "cp932", "Windows-31J": "cp932", "UTF8": "utf-8",
    "utf-8-sig": "utf-8", "utf-16le": "utf-16-le", "euc_jp": "euc_jp", "EUC-JP": "euc_jp", "cp1252": "cp1252",
    "ISO-8859-1": "latin-1", "windows-1252": "cp1252", "UTF-16": "utf-16",
}  # fmt: skip


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_an_encoding_has_many_names(spelling):
    assert encodings.named(spelling) == SPELLINGS[spelling]


ENCODINGS = ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp932", "euc_jp"]
ROWS = [("顧客", "商品", "日付", "金額"), ("田中", "お茶", "2010/12/1", "1,200円"),
        ("佐藤", "ﾎﾞｰﾙﾍﾟﾝ", "2011/1/13", "80円"), ("鈴木", "牛乳", "2011/2/3", "150円")]  # fmt: skip
NAMED = {"customer": "顧客", "goods": "商品", "time": "日付", "price": "金額"}


def text_of(rows, separator, end="\r\n"):
    cells = [[f'"{cell}"' if separator in cell else cell for cell in row] for row in rows]
    return "".join(separator.join(row) + end for row in cells)


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_release_comes_back_as_its_original_was_and_is_read_without_a_word(encoding, separator, tmp_path):
    path = tmp_path / "shop.csv"
    path.write_bytes(text_of(ROWS, separator).encode(encoding))
    shop = kb.read_purchases(path, **NAMED)
    assert shop.records["price"].sort().to_list() == [80.0, 150.0, 1200.0]
    release = kb.methods.Pseudonymize().release(shop, seed=1)
    kb.write_release(release, tmp_path / "out", secret=tmp_path / "secret.csv")
    content = (tmp_path / "out" / "transactions.csv").read_bytes()
    text = content.decode(encoding)
    assert content[:2] == path.read_bytes()[:2]
    assert sorted(line.split(separator, 1)[1] for line in text.splitlines()) == sorted(
        line.split(separator, 1)[1] for line in path.read_bytes().decode(encoding).splitlines()
    )
    again = kb.read_purchases(tmp_path / "out", like=path, **NAMED)
    assert again.fingerprint() == release.data.fingerprint()


def test_latin_text_and_decimal_commas_come_back(tmp_path):
    path = tmp_path / "shop.csv"
    path.write_bytes("who;what;cost\nann;crème brûlée;3,95\nbob;café;1.234,50\n".encode("cp1252"))
    shop = kb.read_purchases(path, **WHO, price="cost")
    kb.write_release(kb.methods.Pseudonymize().release(shop, seed=1), tmp_path / "out", secret=tmp_path / "s")
    lines = (tmp_path / "out" / "transactions.csv").read_bytes().decode("cp1252").splitlines()
    assert sorted(line.split(";", 1)[1] for line in lines) == [
        "café;1.234,50", "crème brûlée;3,95", "what;cost"
    ]  # fmt: skip


def test_a_release_of_doubtful_numbers_is_read_like_its_original(tmp_path):
    original, released = tmp_path / "shop.tsv", tmp_path / "released.tsv"
    original.write_text("who\twhat\tcost\nann\ttea\t1,234\nbob\tmilk\t2,5\n")
    released.write_text("who\twhat\tcost\nx1\ttea\t1,234\n")
    named = {**WHO, "price": "cost"}
    assert kb.read_purchases(released, like=original, **named).records["price"].to_list() == [1.234]
    with pytest.raises(kb.InputError, match="in two ways"):
        kb.read_purchases(released, **named)


def test_a_letter_that_the_encoding_does_not_have_leaves_nothing_behind(tmp_path):
    path = tmp_path / "shop.csv"
    path.write_bytes("who,what\n田中,お茶\n佐藤,お茶\n".encode("cp932"))
    tree = Hierarchy(pl.DataFrame({"value": ["お茶"], "level 1": ["thé"]}))
    shop = kb.read_purchases(path, **WHO)
    release = kb.methods.Pseudonymize().release(shop, seed=1)
    object.__setattr__(release.data, "hierarchies", {"goods": tree})
    with pytest.raises(kb.InputError, match="has not") as error:
        kb.write_release(release, tmp_path / "out", secret=tmp_path / "s.csv")
    assert error.value.code == "encoding"
    assert [file.name for file in tmp_path.iterdir()] == ["shop.csv"]


def test_one_odd_byte_far_below_is_told_with_its_row(tmp_path):
    path = tmp_path / "shop.csv"
    rows = "ann,crème\n".encode() * 200_000
    path.write_bytes(b"who,what\n" + rows + b"bob,cr\xe8me\n" + rows)
    with pytest.raises(kb.InputError, match="are not UTF-8") as error:
        kb.read_purchases(path, **WHO)
    assert (error.value.code, error.value.row) == ("encoding", 200_001)


def test_text_in_one_of_two_encodings_is_asked_about(tmp_path):
    path = tmp_path / "shop.csv"
    path.write_bytes("who,what\nann,ｶｻ\n".encode("cp932"))
    with pytest.raises(kb.InputError, match="say which") as error:
        kb.read_purchases(path, **WHO)
    assert error.value.parameter == "encoding"
    assert list(kb.read_purchases(path, **WHO, encoding="sjis").goods) == ["ｶｻ"]


@pytest.mark.parametrize(
    "text",
    [
        "sep=;\nwho;what;cost\nann;tea;3,95\n",
        "Sales of 2010\n\nwho;what;cost\nann;tea;3,95\n",
        "Sales of 2010;;\nwho;what;cost\nann;tea;3,95\n",
        "\nwho|what|cost\nann|tea|3,95\n",
        'who,what,cost\nann,tea,"3,95"\n',
        "who\twhat\tcost\nann\ttea\t3,95\n",
        'who;what;cost\nann;"tea; green, hot, with milk";3,95\n',
    ],
)
def test_separators_and_titles_are_worked_out(text, tmp_path):
    path = tmp_path / "shop.txt"
    path.write_text(text)
    shop = kb.read_purchases(path, **WHO, price="cost")
    assert (list(shop.customers), shop.records["price"].to_list()) == (["ann"], [3.95])


def test_two_separators_that_fit_are_asked_about(tmp_path):
    path = tmp_path / "shop.csv"
    path.write_text("who,a;what,b\nann,a;tea,b\n")
    with pytest.raises(kb.InputError, match="a comma and a semicolon") as error:
        kb.read_purchases(path, **WHO)
    assert error.value.parameter == "separator"


def test_a_table_stands_below_a_title_on_any_sheet(tmp_path):
    path = tmp_path / "shop.xlsx"
    book = xlsxwriter.Workbook(path)
    book.add_worksheet("notes").write(0, 0, "read me")
    sheet = book.add_worksheet("data")
    rows = [
        ["Sales of 2010"],
        [],
        ["who", "what", "when", "n"],
        ["ann", "tea", 40513.5, 1],
        [17850.0, "milk", 40514, 2],
    ]
    for place, row in enumerate(rows):
        sheet.write_row(place, 0, row)
    book.close()
    shop = kb.read_purchases(path, **WHO, time="when", quantity="n")
    assert list(shop.customers) == ["17850", "ann"]
    assert shop.records["time"].to_list()[0] == dt.datetime(2010, 12, 1, 12)


def test_whole_numbers_of_a_csv_are_one_customer_with_and_without_their_point(tmp_path):
    path = tmp_path / "shop.csv"
    path.write_text("who,what\n17850.0,tea\n17850,milk\n12583.0,tea\n")
    assert list(kb.read_purchases(path, **WHO).customers) == ["12583", "17850"]


def test_microdata_comes_back_as_it_was(tmp_path):
    path = tmp_path / "people.csv"
    path.write_bytes("年齢;都市;収入\n30;東京;1.234,50\n40;大阪;2.000,00\n50;京都;10,25\n".encode("cp932"))
    named = {"qi": ("年齢", "都市"), "sa": ("収入",)}
    people = kb.read_microdata(path, **named)
    assert people.records["収入"].to_list() == [1234.5, 2000.0, 10.25]
    release = kb.methods.PseudonymizeMicrodata().release(people, seed=1)
    kb.write_release(release, tmp_path / "out", secret=tmp_path / "s.csv")
    lines = (tmp_path / "out" / "microdata.csv").read_bytes().decode("cp932").splitlines()
    assert sorted(lines) == sorted(path.read_bytes().decode("cp932").splitlines())
    assert kb.read_microdata(tmp_path / "out", like=path, **named).records.sort("収入")["収入"].to_list() == [
        10.25, 1234.5, 2000.0
    ]  # fmt: skip
