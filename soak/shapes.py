"""Extreme tables: what is still a table of purchases or microdata, though nobody would make it on purpose.

Each shape is a table with the roles of its columns. Most must be accepted; some must be refused. What matters
is that nothing in between happens.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import polars as pl

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from kakurenbo.about import Kind

LARGEST_TOTAL = 2**62 - 1
_ROLES = ("customer", "goods", "receipt", "time", "price", "quantity")
_START = dt.datetime(2024, 1, 1)
_LONG = "x" * 10_000


@dataclass(frozen=True)
class Shape:
    """A table, the options it is read with, and how it is written."""

    kind: Kind
    table: pl.DataFrame
    options: dict[str, str]
    master: pl.DataFrame | None = None
    format: str = "csv"
    header: bool = True
    separator: str = ","
    flags: tuple[str, ...] = field(default=())

    @property
    def reading(self) -> list[str]:
        """The options as words of the command line."""
        words = [word for name, value in self.options.items() for word in (f"--{name}", value)]
        return [*words, *self.flags]

    def write(self, folder: Path) -> Path:
        """Write the table, with its master in a folder; return what a command is given."""
        folder.mkdir(parents=True)
        name = "microdata" if self.kind == "microdata" else "transactions"
        self._write(self.table, folder / f"{name}.{self.format}")
        if self.master is None:
            return folder / f"{name}.{self.format}"
        self._write(self.master, folder / f"master.{self.format}")
        return folder

    def _write(self, table: pl.DataFrame, path: Path) -> None:
        if self.format == "parquet":
            table.write_parquet(path)
        else:
            table.write_csv(path, include_header=self.header, separator=self.separator)


def _shop(people: int = 6, each: int = 3, **columns: Any) -> pl.DataFrame:  # noqa: ANN401 - lists or one value
    """Return purchases of some people with all roles; columns given replace those made here."""
    count = people * each
    made: dict[str, Any] = {
        "customer": [f"c{i // each}" for i in range(count)],
        "goods": [f"g{(i * 5 + i // each) % 7}" for i in range(count)],
        "receipt": [f"r{i // 2}" for i in range(count)],
        "time": [(_START + dt.timedelta(hours=7 * i)).isoformat(" ", "minutes") for i in range(count)],
        "price": [1.5 + i % 5 for i in range(count)],
        "quantity": [1 + i % 3 for i in range(count)],
    }
    for name, values in columns.items():
        made[name] = values if isinstance(values, list) else [values] * count
    return pl.DataFrame(made, strict=False)


def _bought(table: pl.DataFrame, **more: Any) -> Shape:  # noqa: ANN401 - fields of Shape
    options = more.pop("options", {role: role for role in _ROLES if role in table.columns})
    return Shape("purchases", table, options, **more)


def _named(names: dict[str, str]) -> Shape:
    """Return purchases whose columns have these names."""
    return _bought(_shop().rename(names), options={role: names.get(role, role) for role in _ROLES})


def _master(people: int = 6, **columns: Any) -> pl.DataFrame:  # noqa: ANN401 - lists
    return pl.DataFrame({"customer": [f"c{i}" for i in range(people)], **columns})


def _called(*ids: str) -> Shape:
    """Return purchases of customers, goods and receipts with these ids."""
    count = 3 * len(ids)
    table = _shop(len(ids), 3, customer=[ids[i // 3] for i in range(count)])
    return _bought(
        table.with_columns(
            goods=pl.Series([ids[(i * 2) % len(ids)] for i in range(count)]),
            receipt=pl.Series([f"{ids[i // 3]}{i % 2}" for i in range(count)]),
        )
    )


_ALL_DISTINCT = [f"own{i}" for i in range(18)]
_GREAT = LARGEST_TOTAL // 18
_DATES = ["0001-01-01", "9999-12-31", "1969-12-31", "1970-01-01", "2024-02-29", "0004-02-29"] * 3

PURCHASES: dict[str, Callable[[], Shape]] = {
    "one record": lambda: _bought(_shop(1, 1)),
    "one customer": lambda: _bought(_shop(1, 9)),
    "one record each": lambda: _bought(_shop(9, 1)),
    "two alike": lambda: _bought(_shop(2, 1, goods="g", receipt="r", time="2024-01-01")),
    "all equal": lambda: _bought(_shop(6, 3, goods="g", receipt="r", time="2024-01-01", price=1, quantity=1)),
    "all distinct": lambda: _bought(_shop(goods=_ALL_DISTINCT, receipt=_ALL_DISTINCT)),
    "one good": lambda: _bought(_shop(goods="g")),
    "one good, many people": lambda: _bought(_shop(150, 1, goods="g", receipt="r")),
    "ten thousand goods": lambda: _bought(
        pl.concat([_shop(1, 10_000, goods=[f"g{i}" for i in range(10_000)]), _shop(4, 2)])
    ),
    "one who buys all": lambda: _bought(pl.concat([_shop(1, 400), _shop(8, 1)])),
    "nested baskets": lambda: _bought(
        pl.concat([_shop(1, n, customer=f"c{n}", goods=[f"g{i}" for i in range(n)]) for n in range(1, 8)])
    ),
    "huge quantities": lambda: _bought(_shop(quantity=_GREAT)),
    "one huge quantity": lambda: _bought(_shop(quantity=[2**53 + 1] + [1] * 17)),
    "too many quantities": lambda: _bought(_shop(quantity=LARGEST_TOTAL)),
    "tiny prices": lambda: _bought(_shop(price=1e-300)),
    "prices of no size": lambda: _bought(_shop(price=5e-324)),
    "prices at the limit": lambda: _bought(_shop(price=1e15)),
    "prices beyond it": lambda: _bought(_shop(price=1e308)),
    "prices of all sizes": lambda: _bought(_shop(price=[1e-300, 1e15, 5e-324, 1.0, 1e-8, 1e9] * 3)),
    "amounts at the limit": lambda: _bought(_shop(price=1e15, quantity=_GREAT)),
    "first and last day": lambda: _bought(_shop(time=_DATES)),
    "the last instant": lambda: _bought(_shop(time="9999-12-31 23:59:59.999999")),
    "the first instant": lambda: _bought(_shop(time="0001-01-01 00:00:00")),
    "one instant": lambda: _bought(_shop(time="2024-01-01 00:00")),
    "years that do not exist": lambda: _bought(_shop(time="0000-01-01")),
    "quotes and commas": lambda: _called('"', '""', ",", 'a,"b"', "';--", "a;b"),
    "lines in ids": lambda: _called("a\nb", "a\r\nb c", "t\tt", "\\n", "#x", "a\\"),
    "emoji and right to left": lambda: _called("😀", "👨\u200d👩", "שלום", "مرحبا", "日本", "e\u0301"),
    "ids of ten thousand": lambda: _called(_LONG, _LONG + "y", "z" + _LONG, "short"),
    "ids like numbers": lambda: _called("1e5", "0x10", "-0", "+1", "007", "007.0"),
    "ids like ranges": lambda: _called("*", "[1-2]", "{a,b}", "any", "1-2", "**"),
    "ids like markup": lambda: _called("<script>", "[bold]", "{{x}}", "%s", "$(ls)", "../.."),
    "spelled missing": lambda: _called("NA", "null", "None", "nan"),
    "twins": lambda: _called("Jos\u00e9", "Jose\u0301", "ann"),
    "names of SQL": lambda: _named({"customer": "select * from x; --", "goods": '"', "price": "a,b"}),
    "names of markup": lambda: _named({"customer": "<b>who</b>", "goods": "[red]", "time": "{{ t }}"}),
    "names of roles": lambda: _named(
        {"customer": "goods", "goods": "customer", "price": "time", "time": "price"}
    ),
    "a name of nothing": lambda: _named({"customer": ""}),
    "long names": lambda: _named({"customer": "n" * 2000, "goods": "名" * 300}),
    "names of ours": lambda: _named({"customer": "released", "goods": "original", "receipt": "len"}),
    "two columns": lambda: _bought(_shop().select("customer", "goods")),
    "no time, no receipt": lambda: _bought(_shop().drop("time", "receipt")),
    "a bare master": lambda: _bought(_shop(), master=_master()),
    "a constant master": lambda: _bought(_shop(), master=_master(sex=["f"] * 6)),
    "a master of roles": lambda: _bought(
        _shop(), master=_master(price=[1.5] * 6, goods=list("aabbcc"), value=[None, 1, 2, 3, None, 5])
    ),
    "a master of strangers": lambda: _bought(_shop(), master=_master(60, sex=["f", "m"] * 30)),
    "typed": lambda: _bought(
        _shop().with_columns(
            pl.col("time").str.to_datetime(),
            pl.col("customer").str.strip_prefix("c").cast(pl.Float64),
            pl.col("goods").cast(pl.Categorical),
        ),
        format="parquet",
    ),
    "no header": lambda: _bought(
        _shop(), header=False, flags=("--no-header",),
        options={role: str(place) for place, role in enumerate(_ROLES, 1)},
    ),
    "semicolons": lambda: _bought(_shop(), separator=";", flags=("--separator", ";")),
    "date and clock": lambda: _bought(
        _shop(time="2024/1/5", clock="8:45"),
        options={**{role: role for role in _ROLES}, "time": "time,clock"},
    ),
}  # fmt: skip


def _people(count: int = 12, **columns: Any) -> pl.DataFrame:  # noqa: ANN401 - lists or one value
    made: dict[str, Any] = {
        "age": [20 + i % 3 for i in range(count)],
        "town": ["abc"[i % 3] for i in range(count)],
        "income": [100.0 + 7 * i for i in range(count)],
        "rent": [10.0 + i % 4 for i in range(count)],
    }
    for name, values in columns.items():
        made[name] = values if isinstance(values, list) else [values] * count
    return pl.DataFrame(made, strict=False)


def _asked(table: pl.DataFrame, qi: str = "age,town", sa: str = "income,rent", **more: Any) -> Shape:  # noqa: ANN401
    options = {"qi": qi, **({"sa": sa} if sa else {}), **more.pop("options", {})}
    return Shape("microdata", table, options, **more)


_TEXTS = ["😀", "שלום", _LONG, "[1-2]", "*", "{a,b}", "any", "1-2", '"', "a,b", "a\nb", "NA"]
_TYPED: dict[str, Any] = {
    "age": [dt.date(1, 1, 1), dt.date(9999, 12, 31), None, dt.date(1970, 1, 1)],
    "town": [True, False, True, False],
}

MICRODATA: dict[str, Callable[[], Shape]] = {
    "one row": lambda: _asked(_people(1)),
    "two equal rows": lambda: _asked(_people(2, age=1, town="a", income=1, rent=1)),
    "all equal": lambda: _asked(_people(9, age=1, town="a", income=1, rent=1)),
    "all distinct": lambda: _asked(_people(age=list(range(12)))),
    "constant QI": lambda: _asked(_people(age=1, town="a")),
    "constant SA": lambda: _asked(_people(income=5, rent=-1e300)),
    "zero SA": lambda: _asked(_people(income=0.0, rent=-0.0)),
    "huge SA": lambda: _asked(_people(income=[1e300, -1e300] * 6, rent=[1e300] * 11 + [1.0])),
    "huge SA of one sign": lambda: _asked(_people(income=[1e300 - 1e290 * i for i in range(12)])),
    "SA beyond the limit": lambda: _asked(_people(income=[1e308, -1e308] * 6)),
    "tiny SA": lambda: _asked(_people(income=[1e-300 * i for i in range(12)], rent=[5e-324] * 11 + [0.0])),
    "SA of all sizes": lambda: _asked(_people(income=[1e300, 1e-300, 0.0, -5e-324, 1.0, -1e150] * 2)),
    "negative SA": lambda: _asked(_people(income=[-1.0 * i for i in range(12)], rent=-2)),
    "one outlier": lambda: _asked(_people(income=[1.0] * 11 + [1e15])),
    "nearly one value": lambda: _asked(_people(income=[1.0] * 6 + [1.0 + 2**-52] * 6)),
    "whole SA": lambda: _asked(_people(income=[2**53 - i for i in range(12)])),
    "rounded SA": lambda: _asked(_people(income=[2**53 + i for i in range(12)])),
    "no SA": lambda: _asked(_people(), sa=""),
    "one QI, one SA": lambda: _asked(_people(), qi="age", sa="income"),
    "twenty QIs": lambda: _asked(
        _people(12, **{f"q{i}": [(j * 7 + i) % 3 for j in range(12)] for i in range(20)}),
        qi=",".join(f"q{i}" for i in range(20)),
    ),
    "odd texts": lambda: _asked(_people(age=_TEXTS)),
    "QIs at the limit": lambda: _asked(_people(age=[2**63 - 1, -(2**63), 0, 1] * 3)),
    "typed": lambda: _asked(_people(4, **_TYPED), format="parquet", flags=("--policy", "drop")),
    "named people": lambda: _asked(_people(n=[*_TEXTS[:11], "007"]), options={"id": "n"}),
    "people without a name": lambda: _asked(
        _people(n=["NA", *map(str, range(11))]), options={"id": "n"}
    ),
    "names of ours": lambda: _asked(
        _people().rename({"age": "released", "town": "id", "income": "original", "rent": "len"}),
        qi="released,id", sa="original,len",
    ),
    "names of markup": lambda: _asked(
        _people().rename({"age": "<b>", "town": "[red]", "income": "select 1; --", "rent": "{{ x }}"}),
        qi="<b>,[red]", sa="select 1; --,{{ x }}",
    ),
    "three hundred": lambda: _asked(_people(300)),
}  # fmt: skip
