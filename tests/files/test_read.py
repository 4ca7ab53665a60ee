import datetime as dt
import io

import polars as pl
import pytest
import xlsxwriter

import kakurenbo as kb
from strategies import purchases_of

TEXT = """who,what,slip,when,cost,pieces
ann,milk,r1,2024-01-05,1.5,1
ann,tea,r1,2024-01-05,3,2
bob,milk,r2,2024-02-01,1.5,1
"""


@pytest.fixture
def shop_csv(tmp_path):
    path = tmp_path / "shop.csv"
    path.write_text(TEXT)
    return path


def test_roles_by_option(shop_csv, roles):
    shop = kb.read_purchases(shop_csv, **roles)
    assert list(shop.customers) == ["ann", "bob"]
    assert shop.records["price"].to_list() == [1.5, 3.0, 1.5]
    assert shop.layout.header


def test_roles_by_settings_beside_the_data_and_options_win(shop_csv, roles):
    lines = [f'{role} = "{name}"' for role, name in roles.items()]
    (shop_csv.parent / "kakurenbo.toml").write_text("\n".join(lines))
    assert kb.read_purchases(shop_csv).roles == ("customer", "receipt", "time", "goods", "price", "quantity")
    assert list(kb.read_purchases(shop_csv, goods="slip", receipt="what").goods) == ["r1", "r2"]


@pytest.mark.parametrize("text", ["customer = ", 'colour = "red"', "encoding = 'utf-7'"])
def test_settings_that_make_no_sense_are_refused(shop_csv, text):
    (shop_csv.parent / "kakurenbo.toml").write_text(text)
    with pytest.raises(kb.ParameterError):
        kb.read_purchases(shop_csv)


def test_parquet_and_xlsx_hold_the_same_purchases(shop_csv, roles, tmp_path):
    expected = kb.read_purchases(shop_csv, **roles)
    frame = pl.read_csv(shop_csv, try_parse_dates=True)
    frame.write_parquet(tmp_path / "shop.parquet")
    with xlsxwriter.Workbook(tmp_path / "shop.xlsx") as book:
        frame.write_excel(book)
    for name in ("shop.parquet", "shop.xlsx"):
        shop = kb.read_purchases(tmp_path / name, **roles)
        assert shop.records.equals(expected.records), name


def test_a_folder_holds_transactions_and_master(tmp_path, roles):
    (tmp_path / "transactions.csv").write_text(TEXT)
    (tmp_path / "master.csv").write_text("who,sex\nann,f\nbob,m\n")
    shop = kb.read_purchases(tmp_path, **roles)
    assert shop.master.rows() == [("ann", "f"), ("bob", "m")]
    (tmp_path / "transactions.txt").write_text(TEXT)
    with pytest.raises(kb.InputError) as error:
        kb.read_purchases(tmp_path, **roles)
    assert error.value.code == "many-tables"


@pytest.mark.parametrize(
    ("encoding", "declared"),
    [("utf-8", None), ("utf-8-sig", None), ("cp932", "cp932"), ("latin-1", "latin-1")],
)
def test_encodings_are_read_as_declared(tmp_path, encoding, declared):
    word = "cr\u00e8me" if encoding == "latin-1" else "\u304a\u8336"
    path = tmp_path / "shop.csv"
    path.write_bytes(f"who,what\nann,{word}\n".encode(encoding))
    shop = kb.read_purchases(path, customer="who", goods="what", encoding=declared)
    assert list(shop.goods) == [word]


@pytest.mark.parametrize("encoding", ["cp932", "latin-1"])
def test_bytes_of_another_encoding_are_an_error_that_names_the_option(tmp_path, encoding):
    path = tmp_path / "shop.csv"
    word = "\u304a\u8336" if encoding == "cp932" else "cr\u00e8me br\u00fbl\u00e9e"
    path.write_bytes(b"who,what\nann,tea\n" + f"bob,{word}\n".encode(encoding))
    with pytest.raises(kb.InputError, match="are not UTF-8 text") as error:
        kb.read_purchases(path, customer="who", goods="what", encoding="UTF8")
    assert (error.value.code, error.value.row) == ("encoding", 2)
    assert list(kb.read_purchases(path, customer="who", goods="what").goods) == sorted([word, "tea"])


def test_quoted_fields_may_hold_separators_newlines_and_quotes(tmp_path):
    path = tmp_path / "shop.csv"
    path.write_text('who,what\nann,"tea, green"\nbob,"6"" plate\nwhite"\n')
    assert list(kb.read_purchases(path, customer="who", goods="what").goods) == [
        '6" plate\nwhite',
        "tea, green",
    ]


@pytest.mark.parametrize("ending", ["", "\n", "\n\n", "\r\n\r\n", "\n \n\n"])
def test_blank_lines_at_the_end_are_no_records(tmp_path, ending):
    path = tmp_path / "shop.csv"
    path.write_bytes(b"who,what\nann,tea\nbob,milk" + ending.encode())
    assert len(kb.read_purchases(path, customer="who", goods="what")) == 2


def test_other_separators_and_headerless_files(tmp_path):
    path = tmp_path / "shop.tsv"
    path.write_text("ann\ttea\nbob\tmilk\n")
    assert list(kb.read_purchases(path, customer="1", goods="2", header=False).goods) == ["milk", "tea"]
    semicolons = tmp_path / "shop.csv"
    semicolons.write_text("who;what\nann;tea\n")
    assert len(kb.read_purchases(semicolons, customer="who", goods="what", separator=";")) == 1


PWS = """12583,536370,2010/12/1,8:45,22728,3.75,24
12431,536389,2010/12/1,10:03,22941,8.5,6
12431,536389,2010/12/1,10:03,POST,18,1
"""


def test_the_contest_of_2016_is_recognised(tmp_path):
    path = tmp_path / "T.csv"
    path.write_text(PWS)
    shop = kb.read_purchases(path)
    assert shop.receipts == 2
    assert shop.records["time"][1] == dt.datetime(2010, 12, 1, 10, 3)
    assert not shop.layout.header


def test_the_contest_of_2017_has_no_receipts_and_marks_deleted_rows(tmp_path):
    text = PWS.replace("536370", "0").replace("536389", "0")
    (tmp_path / "T.csv").write_text("DEL,,,,,,\n" + text + "DEL,,,,,,\n")
    (tmp_path / "M.csv").write_text("12431,f,1950/1/1,Others\n12583,m,1960/1/1,France\n")
    shop = kb.read_purchases(tmp_path)
    assert shop.receipts is None
    assert (shop.dropped.deleted, shop.dropped.missing_id) == (2, 0)
    assert shop.master.height == 2
    with pytest.raises(kb.InputError) as error:
        kb.read_purchases(tmp_path, policy="refuse")
    assert (error.value.code, error.value.row) == ("missing-id", 1)


def test_online_retail_is_recognised_in_any_format_and_drops_by_default(tmp_path):
    frame = pl.DataFrame({
        "InvoiceNo": ["536365", "C536379", "536366", "536367"],
        "StockCode": ["85123A", "D", "22633", "84879"],
        "Description": ["x", "y", "z", None],
        "Quantity": [6, -1, 6, 32],
        "InvoiceDate": [dt.datetime(2010, 12, 1, 8, 26)] * 4,
        "UnitPrice": [2.55, 27.5, 1.85, 1.69],
        "CustomerID": [17850.0, 14527.0, None, 13047.0],
        "Country": ["United Kingdom"] * 4,
    })  # fmt: skip
    frame.write_parquet(tmp_path / "retail.parquet")
    frame.with_columns(
        pl.col("InvoiceDate").dt.strftime("%-m/%-d/%Y %-H:%M"), pl.lit("12/13/2010 8:00")
    ).write_csv(tmp_path / "a.csv")
    frame.write_csv(tmp_path / "retail.csv")
    for name in ("retail.parquet", "retail.csv"):
        shop = kb.read_purchases(tmp_path / name)
        assert (len(shop), shop.dropped.missing_id, shop.dropped.cancellation) == (2, 1, 1), name
        assert "Description" not in {column.name for column in shop.layout.columns}


def test_microdata_is_read_by_its_roles(tmp_path):
    path = tmp_path / "people.csv"
    path.write_text("age,town,income,diary\n30,Oslo,100,private\n40,Bergen,200,private\n")
    micro = kb.read_microdata(path, qi=["age", "town"], sa=["income"])
    assert micro.records.columns == ["age", "town", "income"]


def test_real_tables_are_read_whole(real):
    shop = kb.read_purchases(real("pwscup2017"))
    assert (len(shop.customers), len(shop), shop.receipts, shop.master.height) == (500, 44917, None, 500)
    known = kb.read_purchases(real("pwscup2017/T25.csv"))
    assert len(known) + known.dropped.deleted == 44917
    assert known.dropped.missing_id == 0


def test_known_datasets_have_their_published_counts(real):
    shop = kb.datasets.online_retail(real("online_retail.parquet"))
    assert len(shop.customers) == 4333
    assert shop.master.height == 4333
    table = kb.datasets.tc400(real("online_retail.parquet"))
    rebuilt = kb.read_purchases(real("tc400.csv"))
    columns = rebuilt.records.columns
    assert table.records.select(columns).sort(columns).equals(rebuilt.records.sort(columns))


def test_a_table_that_is_not_the_published_one_is_refused(real, tmp_path):
    frame = pl.read_parquet(real("online_retail.parquet"))
    frame.head(-1).write_parquet(tmp_path / "short.parquet")
    frame.filter(pl.col("CustomerID").fill_null(0) != 12346).write_parquet(tmp_path / "other.parquet")
    with pytest.raises(kb.InputError) as error:
        kb.datasets.tc400(tmp_path / "other.parquet")
    assert error.value.code == "counts"


def test_text_from_plain_python_is_read_back_as_it_was(tmp_path):
    table = [(0, 1, 0, 3, 150, 2), (1, 1, 0, 69, 100, 1)]
    shop = purchases_of(table)
    buffer = io.BytesIO()
    shop.to_frame().write_csv(buffer)
    (tmp_path / "shop.csv").write_bytes(buffer.getvalue())
    again = kb.read_purchases(tmp_path / "shop.csv", **{role: role for role in shop.roles})
    assert again.records.select(shop.records.columns).equals(shop.records)
