"""Roles are proposed from names and content; what is doubtful is asked, and no value is repeated."""

import polars as pl
import pytest

import kakurenbo as kb
from kakurenbo.files.read import propose
from kakurenbo.files.words import folded, spoken_of

PLACES = ("customer", "receipt", "time", "goods", "price", "quantity")


def shop():
    """Forty customers with two receipts each, of three lines."""
    rows = []
    for c in range(40):
        for visit in range(2):
            for line in range(3):
                good = (7 * c + 3 * line + visit) % 23
                day = f"2024/{1 + visit}/{1 + c % 28}"
                rows.append((f"{10000 + c}", f"{5000 + 2 * c + visit}", day, f"G{good:02d}",
                             f"{1 + good / 4:.2f}",
                             f"{1 + (c + line) % 4}"))  # fmt: skip
    return pl.DataFrame(rows, schema=list(PLACES), orient="row")


def written(tmp_path, names, frame=None, **settings):
    table = shop() if frame is None else frame
    path = tmp_path / "shop.csv"
    table.select(pl.col(role).alias(name) for name, role in names.items()).write_csv(path, **settings)
    return path


SURE = {
    "Japanese": ("顧客ID", "伝票番号", "購入日", "商品コード", "単価", "数量"),
    "Japanese, another shop": ("会員番号", "レシート番号", "売上日", "JANコード", "販売価格", "個数"),
    "snake case": ("cust_no", "order_id", "order_date", "item_code", "unit_price", "qty"),
    "camel case": ("clientId", "basketId", "dateTime", "articleNo", "price", "units"),
    "grown together": ("customerid", "orderno", "orderdate", "sku", "unitprice", "quantity"),
    "German": ("Kundennummer", "Belegnummer", "Datum", "Artikelnummer", "Einzelpreis", "Menge"),
    "French": ("Client", "Facture", "Date", "Produit", "Prix unitaire", "Quantité"),
}


@pytest.mark.parametrize("case", SURE)
def test_a_table_that_says_what_its_columns_are_is_read_without_options(case, tmp_path):
    names = dict(zip(SURE[case], PLACES, strict=True))
    read = kb.read_purchases(written(tmp_path, names))
    plain = kb.Purchases.from_frame(shop(), **{role: role for role in PLACES})
    assert read.records.select(plain.records.columns).equals(plain.records)
    assert read.source.taken == {role: name for name, role in names.items()}


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Customer Country", ("qi", False)), ("Order Quantity", ("quantity", True)),
        ("Ship Date", ("left", True)),
        ("商品単価", ("price", False)), ("会員登録日", ("left", False)), ("お客様番号", ("customer", True)),
        ("discount", ("left", True)), ("account", ("customer", True)), ("Product Name", ("named", True)),
    ],
)  # fmt: skip
def test_the_first_word_of_the_table_says_what_a_name_speaks_of(name, said):
    role, only = spoken_of(name)
    assert role == said[0]
    assert only == said[1] or role in {"qi", "left", "price"}


def test_names_are_folded():
    assert folded("CustomerID") == folded("customer_id") == folded("\uff23ustomer\u3000ID") == "customer id"


def asked(path, **options):
    with pytest.raises(kb.InputError) as error:
        kb.read_purchases(path, **options)
    assert error.value.code == "roles"
    return str(error.value)


def test_two_columns_that_fit_equally_are_asked_about(tmp_path):
    frame = shop().with_columns(other=pl.col("customer").cast(pl.Int64) // 3)
    path = written(tmp_path, {"customer_id": "customer", "member_id": "other", "item": "goods"}, frame)
    assert "'customer_id' or 'member_id'?" in asked(path)
    assert len(kb.read_purchases(path, customer="member_id").customers) == 14


def test_names_that_do_not_speak_are_proposed_by_content_and_asked_about(tmp_path):
    path = written(tmp_path, dict(zip("abcdef", PLACES, strict=True)))
    said = asked(path)
    assert "customer='a'" in said
    proposal = propose(path)
    assert proposal.possible
    assert not proposal.certain
    assert proposal.options == dict(zip(PLACES, "abcdef", strict=True))
    assert kb.read_purchases(path, **proposal.options).receipts == 80


def test_a_file_without_a_header_is_asked_about_and_its_first_row_is_not_repeated(tmp_path):
    path = written(tmp_path, dict(zip("abcdef", PLACES, strict=True)), include_header=False)
    said = asked(path)
    assert "header=False" in said
    assert "10000" not in said
    assert kb.read_purchases(path, **propose(path).options).receipts == 80


def test_a_first_row_of_words_may_be_somebodys_and_is_not_repeated(tmp_path):
    path = tmp_path / "shop.csv"
    path.write_text("ann,tea\nbob,milk\nbob,tea\nann,milk\n")
    said = asked(path)
    assert "ann" not in said
    assert "tea" not in said


def test_an_amount_is_no_price_and_a_description_speaks_of_goods(tmp_path):
    frame = shop().with_columns(
        amount=(pl.col("price").cast(pl.Float64) * pl.col("quantity").cast(pl.Int64)).round(2),
        text="the good " + pl.col("goods"),
        joined="2020/1/" + (pl.col("customer").cast(pl.Int64) % 28 + 1).cast(pl.String),
    )
    names = {"顧客ID": "customer", "登録日": "joined", "日付": "time", "商品コード": "goods",
             "商品名": "text",             "金額": "amount", "数量": "quantity"}  # fmt: skip
    proposal = propose(written(tmp_path, names, frame))
    assert proposal.certain
    assert "price" not in proposal.roles
    assert proposal.roles["time"] == ("日付",)
    assert (proposal.spoken, proposal.left) == (("商品名",), ("登録日", "金額"))


def test_microdata_is_proposed_and_always_asked_about(tmp_path):
    frame = pl.DataFrame(
        {"person_id": range(30), "Age": range(20, 50), "Sex": ["f", "m"] * 15, "income": range(30)}
    )
    frame.write_csv(tmp_path / "people.csv")
    proposal = propose(tmp_path / "people.csv")
    assert proposal.kind == "microdata"
    assert proposal.options == {"qi": ("Age", "Sex"), "sa": ("income",), "id": "person_id"}
    assert proposal.possible
    assert not proposal.certain
    with pytest.raises(kb.ParameterError, match="'Age', 'Sex'"):
        kb.read_microdata(tmp_path / "people.csv")


def test_no_form_holds_a_value(tmp_path):
    path = written(tmp_path, dict(zip("abcdef", PLACES, strict=True)))
    forms = propose(path).forms
    values = {value for column in shop() for value in column if len(value) > 2}
    assert set(forms) == set("abcdef")
    assert not any(value in form for value in values for form in forms.values())


def test_naming_some_columns_of_a_known_layout_keeps_the_rest(tmp_path):
    names = dict(
        zip(
            ("CustomerID", "InvoiceNo", "InvoiceDate", "StockCode", "UnitPrice", "Quantity"),
            PLACES,
            strict=True,
        )
    )
    cancelled = shop().with_columns(
        receipt=pl.when(pl.col("customer") == "10007").then("C" + pl.col("receipt")).otherwise("receipt")
    )
    path = written(tmp_path, names, cancelled)
    whole = kb.read_purchases(path)
    some = kb.read_purchases(path, customer="CustomerID", goods="StockCode", time="InvoiceDate")
    assert len(some.customers) == len(whole.customers) == 39
    assert some.dropped == whole.dropped
    assert some.dropped.cancellation == 6
    assert kb.read_purchases(path, receipt="").receipts is None


def test_a_wrong_column_is_told_with_those_there_are(tmp_path):
    names = dict(zip(SURE["snake case"], PLACES, strict=True))
    path = written(tmp_path, names)
    with pytest.raises(kb.InputError, match=r"did you mean 'cust_no'.*'order_id'"):
        kb.read_purchases(path, customer="custno", goods="item_code")
