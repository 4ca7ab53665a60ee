"""Files as people have them: one small true table written in dozens of foreign forms, by plain code.

Each case writes a file from the same rows and says what a reader must find in it, counted from the rows and
never by the reader: so many customers, goods, receipts and records, these sums, these days. A case that
nobody could read without asking says which word the one clear question must hold.
"""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import polars as pl
import xlsxwriter

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path


class Row(NamedTuple):
    customer: str
    receipt: str
    time: dt.datetime
    goods: str
    price: float
    quantity: int
    words: str = ""


ENGLISH = ("CustomerID", "InvoiceNo", "InvoiceDate", "StockCode", "UnitPrice", "Quantity", "Description")
SNAKE = ("customer_id", "order_id", "order_date", "product_id", "unit_price", "qty", "product_name")
LOYALTY = ("Member No.", "Basket ID", "Timestamp", "SKU", "Price", "Units", "Item Description")
GERMAN = ("Kundennummer", "Belegnummer", "Datum", "Artikelnummer", "Preis", "Menge", "Bezeichnung")
MEMBERS = ("会員番号", "伝票番号", "購入日時", "商品コード", "単価", "数量", "商品名")
SHOP = ("顧客ID", "レシート番号", "売上日", "品番", "売価", "個数", "品名")
JAPANESE_WORDS = ("紅茶の缶", "花瓶", "木の箱", "白い皿", "カップ", "ｶﾞﾗｽ瓶")


@dataclass(frozen=True)
class Form:
    """How one file is written."""

    names: tuple[str, ...] = ENGLISH
    ending: str = ".csv"
    encoding: str = "utf-8"
    separator: str = ","
    before: str = ""
    line: str = "\n"
    quoting: int = csv.QUOTE_MINIMAL
    time: Callable[[dt.datetime], str] = lambda t: f"{t:%Y-%m-%d %H:%M:%S}"
    price: Callable[[float], str] = lambda p: f"{p:.2f}"
    quantity: Callable[[int], str] = str
    customer: Callable[[str, int], str] = lambda name, _: name
    words: Callable[[str, int], str] = lambda words, _: words
    leave: tuple[int, ...] = ()
    header: bool = True
    more: Callable[[Row, int], tuple[str, ...]] = lambda *_: ()
    more_names: tuple[str, ...] = ()

    def text(self, rows: Sequence[Row]) -> str:
        out = io.StringIO()
        writer = csv.writer(
            out,
            delimiter=self.separator,
            lineterminator=self.line,
            quoting=self.quoting,  # type: ignore[arg-type]
        )
        if self.header:
            writer.writerow(self._kept(self.names) + list(self.more_names))
        for place, row in enumerate(rows):
            cells = (
                self.customer(row.customer, place), row.receipt, self.time(row.time), row.goods,
                self.price(row.price), self.quantity(row.quantity), self.words(row.words, place),
            )  # fmt: skip
            writer.writerow(self._kept(cells) + list(self.more(row, place)))
        return self.before + out.getvalue()

    def _kept(self, cells: Iterable[str]) -> list[str]:
        return [cell for place, cell in enumerate(cells) if place not in self.leave]


@dataclass(frozen=True)
class Truth:
    """What a reader must find."""

    customers: int
    goods: int
    records: int
    receipts: int | None
    quantity: int | None
    price: float | None
    days: frozenset[dt.date] | None

    @classmethod
    def of(cls, rows: Sequence[Row], leave: Sequence[int] = (), grain: str = "day", *, whole: bool = False):
        days = {row.time.date() if grain == "day" else row.time.date().replace(day=1) for row in rows}
        prices = [round(row.price * 100) if whole else round(row.price, 2) for row in rows]
        return cls(
            customers=len({row.customer for row in rows}),
            goods=len({row.goods for row in rows}),
            records=len(rows),
            receipts=None if 1 in leave else len({row.receipt for row in rows}),
            quantity=None if 5 in leave else sum(row.quantity for row in rows),
            price=None if 4 in leave else float(sum(prices)),
            days=None if 2 in leave else frozenset(days),
        )


@dataclass(frozen=True)
class Case:
    """One file, and what must come of it: the truth, or a question that holds one of these words."""

    name: str
    write: Callable[[Path, Sequence[Row]], Path]
    truth: Callable[[Sequence[Row]], Truth] | None
    asks: tuple[str, ...] = ()


def _comma(price: float) -> str:
    return f"{price:.2f}".replace(".", ",")


def _german(price: float) -> str:
    return f"{price:,.2f}".translate(str.maketrans(",.", ".,"))


def _spaced(price: float) -> str:
    return f"{price:,.2f}".translate(str.maketrans(",.", "\u00a0,"))


def _yen(price: float) -> int:
    return round(price * 100)


def _words(_: str, place: int) -> str:
    return JAPANESE_WORDS[place % len(JAPANESE_WORDS)]


def _slashes(time: dt.datetime) -> str:
    return f"{time.year}/{time.month}/{time.day}"


def _in_japanese(time: dt.datetime) -> str:
    return f"{time.year}年{time.month}月{time.day}日"


def _text(name: str, form: Form, **truth: Any) -> Case:
    def write(folder: Path, rows: Sequence[Row]) -> Path:
        path = folder / f"{name}{form.ending}"
        path.write_bytes(form.text(rows).encode(form.encoding))
        return path

    return Case(name, write, lambda rows: Truth.of(rows, form.leave, **truth))


def _asked(name: str, form: Form, *asks: str, only: Callable[[Row], bool] = lambda _: True) -> Case:
    def write(folder: Path, rows: Sequence[Row]) -> Path:
        path = folder / f"{name}{form.ending}"
        path.write_bytes(form.text([row for row in rows if only(row)]).encode(form.encoding))
        return path

    return Case(name, write, None, asks)


_WIDE = {ord("0") + i: 0xFF10 + i for i in range(10)}
_SEMI = Form(separator=";", price=_comma)
_MEMBERS = Form(names=MEMBERS, words=_words, price=lambda p: str(_yen(p)))
_SHOP = Form(names=SHOP, words=_words, price=lambda p: str(_yen(p)), time=_slashes)
_SNAKE = Form(names=SNAKE)


def _personal(_: Row, place: int) -> tuple[str, ...]:
    return (f"p{place % 50}@mail.example", f"0{place % 7}-555-{place % 50:04}", "GB", "web")


TEXTS: tuple[Case, ...] = (
    _text("plain", Form()),
    _text("bom", Form(encoding="utf-8-sig")),
    _text("crlf quoted", Form(line="\r\n", quoting=csv.QUOTE_ALL)),
    _text("unicode text of a spreadsheet", Form(encoding="utf-16", separator="\t", ending=".txt")),
    _text("utf-16 with commas", Form(encoding="utf-16")),
    _text("utf-16 big end first", replace(_SNAKE, before="\ufeff", encoding="utf-16-be")),
    _text("cp932 members", replace(_MEMBERS, encoding="cp932"), whole=True),
    _text("cp932 tabs", replace(_SHOP, encoding="cp932", separator="\t", ending=".tsv"), whole=True),
    _text("euc-jp", replace(_MEMBERS, encoding="euc-jp", words=lambda *_: JAPANESE_WORDS[0]), whole=True),
    _text("utf-8 members", _MEMBERS, whole=True),
    _text("utf-8 shop", _SHOP, whole=True),
    _text("latin-1", replace(_SNAKE, encoding="latin-1", words=lambda *_: "caf\u00e9 cr\u00e8me")),
    _text("semicolons and decimal commas", _SEMI),
    _text("semicolons, points and commas", replace(_SEMI, price=_german)),
    _text("german", replace(_SEMI, names=GERMAN, time=lambda t: f"{t:%d.%m.%Y %H:%M}")),
    _text("german latin-1", replace(_SEMI, names=GERMAN, encoding="latin-1", words=lambda *_: "gr\u00fcn",
                                     time=lambda t: f"{t:%d.%m.%Y}")),
    _text("tabs", Form(separator="\t", ending=".tsv")),
    _text("tabs in a csv", replace(_SNAKE, separator="\t")),
    _text("bars in a txt", replace(_SNAKE, separator="|", ending=".txt")),
    _text("says its separator", replace(_SEMI, before="sep=;\r\n", line="\r\n")),
    _text("yen sign", replace(_MEMBERS, price=lambda p: f"\u00a5{_yen(p):,}"), whole=True),
    _text("wide yen sign", replace(_SHOP, encoding="cp932", price=lambda p: f"\uffe5{_yen(p):,}"),
          whole=True),
    _text("yen in words", replace(_SHOP, price=lambda p: f"{_yen(p):,}\u5186"), whole=True),
    _text("wide digits", replace(_MEMBERS, quantity=lambda q: str(q).translate(_WIDE)), whole=True),
    _text("thousands of things", replace(_SNAKE, quantity=lambda q: f"{q:,}", price=lambda p: f"{p:,.2f}")),
    _text("dollars", replace(_SNAKE, price=lambda p: f"${p:,.2f}")),
    _text("euros", replace(_SEMI, names=SNAKE, price=lambda p: f"\u20ac{_comma(p)}")),
    _text("spaces for thousands", replace(_SEMI, names=SNAKE, price=_spaced)),
    _text("slashes, no zeros", Form(time=_slashes)),
    _text("slashes and a clock", replace(_SNAKE, time=lambda t: f"{_slashes(t)} {t.hour}:{t:%M}")),
    _text("months only", replace(_SNAKE, time=lambda t: f"{t:%Y-%m}"), grain="month"),
    _text("iso in zulu", replace(_SNAKE, time=lambda t: f"{t:%Y-%m-%dT%H:%M:%SZ}")),
    _text("iso in tokyo", replace(_SNAKE, time=lambda t: f"{t:%Y-%m-%dT%H:%M:%S}+09:00")),
    _text("iso with parts of seconds", replace(_SNAKE, time=lambda t: f"{t:%Y-%m-%dT%H:%M:%S}.123")),
    _text("eight digits", replace(_SNAKE, time=lambda t: f"{t:%Y%m%d}")),
    _text("names of months", replace(_SNAKE, time=lambda t: f"{t.day}-{t:%b-%y}")),
    _text("day first", replace(_SNAKE, time=lambda t: f"{t:%d/%m/%Y %H:%M}")),
    _text("month first", replace(_SNAKE, time=lambda t: f"{t.month}/{t.day}/{t.year} {t.hour}:{t:%M}")),
    _text("month first, twelve hours", replace(_SNAKE, time=lambda t: f"{t:%m/%d/%Y %I:%M %p}")),
    _text("years in japanese", replace(_MEMBERS, time=_in_japanese), whole=True),
    _text("floats as ids", Form(customer=lambda name, _: f"{name}.0")),
    _text("floats as some ids", replace(_SNAKE, customer=lambda name, i: f"{name}.0" if i % 2 else name)),
    _text("loyalty", Form(names=LOYALTY)),
    _text("personal columns", replace(_SNAKE, more=_personal,
                                      more_names=("email", "phone", "country", "channel"))),
    _text("index of pandas", replace(_SNAKE, more=lambda _, i: (str(i),), more_names=("row",))),
    _text("line totals", replace(_SNAKE, more=lambda r, _: (f"{r.price * r.quantity:.2f}",),
                                 more_names=("line_total",))),
    _text("no receipts", replace(_SNAKE, leave=(1,))),
    _text("no times", replace(_SNAKE, leave=(2,))),
    _text("no prices", replace(_SNAKE, leave=(4, 5))),
    _text("who bought what", replace(_SNAKE, leave=(1, 2, 4, 5, 6))),
    _text("members, no receipts", replace(_MEMBERS, leave=(1, 6)), whole=True),
    _asked("days and months alike", replace(_SNAKE, time=lambda t: f"{t:%d/%m/%Y}"), "time_format", "day",
           only=lambda row: row.time.day <= 12),
    _asked("no header", Form(header=False, time=lambda t: f"{t:%Y-%m-%d}", leave=(6,)), "header", "customer"),
    _asked("two customers", replace(_SNAKE, names=("customer", *SNAKE[1:]), more_names=("customer_id",),
                                    more=lambda row, _: (str(int(row.customer) % 97),)), "customer"),
    _asked("names that say nothing", replace(_SNAKE, names=tuple("abcdefg")), "goods"),
)  # fmt: skip


def _separate_clock(folder: Path, rows: Sequence[Row]) -> Path:
    path = folder / "date and clock.csv"
    lines = ["customer_id,receipt_no,date,time,item_code,price,quantity"]
    lines += [
        f"{r.customer},{r.receipt},{r.time:%Y-%m-%d},{r.time:%H:%M},{r.goods},{r.price:.2f},{r.quantity}"
        for r in rows
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def _sheet(name: str, names: tuple[str, ...], titles: Sequence[str]) -> Case:
    def write(folder: Path, rows: Sequence[Row]) -> Path:
        path = folder / f"{name}.xlsx"
        with xlsxwriter.Workbook(path, {"default_date_format": "yyyy-mm-dd hh:mm"}) as book:
            sheet = book.add_worksheet()
            for place, title in enumerate(titles):
                sheet.write(place, 0, title)
            sheet.write_row(len(titles), 0, names)
            for place, row in enumerate(rows, start=len(titles) + 1):
                sheet.write_number(place, 0, int(row.customer))
                sheet.write_string(place, 1, row.receipt)
                sheet.write_datetime(place, 2, row.time)
                sheet.write_string(place, 3, row.goods)
                sheet.write_number(place, 4, round(row.price, 2))
                sheet.write_number(place, 5, row.quantity)
                sheet.write_string(place, 6, row.words)
        return path

    return Case(name, write, Truth.of)


def _parquet(name: str, **types: Any) -> Case:
    def write(folder: Path, rows: Sequence[Row]) -> Path:
        path = folder / f"{name}.parquet"
        frame = pl.DataFrame(rows, schema=SNAKE, orient="row")
        frame.with_columns(pl.col(column).cast(dtype) for column, dtype in types.items()).write_parquet(path)
        return path

    return Case(name, write, Truth.of)


def _one_receipt_each(rows: Sequence[Row]) -> list[Row]:
    """Every customer's rows on one receipt of one time."""
    first = {row.customer: row for row in reversed(rows)}
    return [row._replace(receipt=first[row.customer].receipt, time=first[row.customer].time) for row in rows]


def _single(folder: Path, rows: Sequence[Row]) -> Path:
    path = folder / "one receipt each.csv"
    path.write_text(_SNAKE.text(_one_receipt_each(rows)), encoding="utf-8")
    return path


def others() -> tuple[Case, ...]:
    """Return the cases that are no plain text, or need more than one form."""
    return (
        Case("date and clock", _separate_clock, Truth.of),
        Case("one receipt each", _single, lambda rows: Truth.of(_one_receipt_each(rows))),
        _sheet("sheet", SNAKE, ()),
        _sheet("sheet with titles", SNAKE, ("Sales report 2011", "made by the till", "")),
        _sheet("sheet with a title in japanese", MEMBERS, ("売上明細", "")),
        _parquet("parquet"),
        _parquet("parquet with categories", product_id=pl.Categorical, order_id=pl.Categorical),
        _parquet("parquet with numbers as ids", customer_id=pl.Float64),
    )


def cases() -> tuple[Case, ...]:
    return (*TEXTS, *others())
