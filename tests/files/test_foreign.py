"""Exports as people have them are read right without a word, or one clear question is asked."""

import math

import polars as pl
import pytest
from sklearn import datasets

import kakurenbo as kb
from campaign import one_in
from foreign import Row, Truth, cases
from kakurenbo.errors import KakurenboError


@pytest.fixture(scope="module")
def rows(real):
    table = pl.read_parquet(real("online_retail.parquet")).filter(
        pl.col("CustomerID").is_not_null() & (pl.col("Quantity") > 0) & (pl.col("UnitPrice") > 0)
    )
    people = table["CustomerID"].unique().sort().gather_every(43).head(90)
    kept = table.filter(pl.col("CustomerID").is_in(people.implode())).head(1_000)
    return [
        Row(
            str(int(float(row["CustomerID"]))), str(row["InvoiceNo"]), row["InvoiceDate"],
            str(row["StockCode"]), row["UnitPrice"], int(row["Quantity"]), row.get("Description") or "",
        )
        for row in kept.to_dicts()
    ]  # fmt: skip


def found_in(purchases):
    records, roles = purchases.records, purchases.roles
    return Truth(
        customers=len(purchases.people),
        goods=records["goods"].n_unique(),
        records=len(records),
        receipts=records["receipt"].n_unique() if "receipt" in roles else None,
        quantity=int(records["quantity"].sum()) if "quantity" in roles else None,
        price=math.fsum(records["price"]) if "price" in roles else None,
        days=frozenset(records["time"].dt.date()) if "time" in roles else None,
    )


@pytest.mark.parametrize(
    "case", one_in(2, [case for case in cases() if case.truth]), ids=lambda case: case.name
)
def test_a_foreign_file_is_read_right_without_options(case, rows, tmp_path):
    found, truth = found_in(kb.read_purchases(case.write(tmp_path, rows))), case.truth(rows)
    assert found.price == (truth.price if truth.price is None else pytest.approx(truth.price))
    for name in ("customers", "goods", "records", "receipts", "quantity", "days"):
        assert getattr(found, name) == getattr(truth, name), name


@pytest.mark.parametrize("case", [case for case in cases() if not case.truth], ids=lambda case: case.name)
def test_what_nobody_can_know_is_asked_in_one_question(case, rows, tmp_path):
    with pytest.raises(KakurenboError) as told:
        kb.read_purchases(case.write(tmp_path, rows))
    message = str(told.value)
    assert any(word in f"{message} {told.value.parameter}" for word in case.asks), message
    assert not {row.customer for row in rows} & set(message.replace(".", " ").replace(",", " ").split())


def contest(folder, table, name, *, separator=",", encoding="utf-8", header=""):
    """Write a table of the contest anew; return it with its number of rows and of customers."""
    lines = [line.split(",") for line in table.read_text(encoding="utf-8").splitlines()[:3_000]]
    path = folder / name
    text = "\n".join([*([header] if header else []), *(separator.join(line) for line in lines)])
    path.write_text(f"{text}\n", encoding=encoding)
    kept = [line for line in lines if line[0] != "DEL"]
    return path, len(kept), len({line[0] for line in kept})


HEADER = "顧客番号;伝票;購入日;時刻;商品コード;単価;数量"


@pytest.mark.parametrize(
    ("table", "how"),
    [
        ("T.csv", {}),
        ("T25.csv", {}),
        ("T.csv", {"encoding": "utf-16"}),
        ("T.csv", {"separator": ";"}),
        ("T.csv", {"separator": ";", "encoding": "cp932", "header": HEADER}),
    ],
    ids=["as it is", "with deleted rows", "utf-16", "semicolons", "japanese headers"],
)
def test_tables_of_the_contest_are_read_in_any_dress(table, how, real, tmp_path):
    path, records, customers = contest(tmp_path, real(f"pwscup2017/{table}"), "t.csv", **how)
    read = kb.read_purchases(path)
    assert (len(read), len(read.people)) == (records, customers)
    assert {"time", "price", "quantity"} <= read.shown


@pytest.mark.parametrize(
    ("name", "how"),
    [
        ("iris", {}),
        ("wine", {"separator": ";", "decimal": ","}),
        ("breast_cancer", {"separator": "\t"}),
        ("diabetes", {"encoding": "utf-16"}),
    ],
)
def test_tables_of_one_row_a_person_are_asked_for_what_others_know(name, how, tmp_path):
    bunch = getattr(datasets, f"load_{name}")()
    between, mark = how.get("separator", ","), how.get("decimal", ".")
    rows = [[f"{value:g}".replace(".", mark) for value in row] for row in bunch.data]
    path = tmp_path / "people.csv"
    text = "\n".join(between.join(row) for row in [bunch.feature_names, *rows])
    path.write_text(text, encoding=how.get("encoding", "utf-8"))
    with pytest.raises(KakurenboError) as told:
        kb.read_purchases(path)
    assert told.value.parameter == "qi"
    assert "quasi-identifiers" in str(told.value)
    first = bunch.feature_names[0]
    assert kb.read_microdata(path, qi=(first,)).records[first].dtype.is_numeric()
