"""Made-up contests in the shape of PWS Cup 2017, submissions to them, and submissions with faults.

Everything is drawn from one seed. Contests are small but awkward on purpose: customers without a record,
goods whose first two characters are shared, sums that meet a threshold exactly, goods equal in buyers around
the hundredth place, months in which somebody bought nothing.
"""

import calendar
import csv
import io
import random
from pathlib import Path

from contest import pws2017_plain as plain
from contest.pws2017_plain import CELLS, DATE, DELETED, GOOD, NAME, PRICE, QUANTITY, RECEIPT, TIME

STARTS = ((2010, 12), (2010, 12), (2011, 1), (2011, 4), (2011, 11))
SUFFIXES = ("", "", "A", "B", "bl")


def contest(seed):
    """Return (M, T, {level: known rows}) of a small contest as lists of rows."""
    rng = random.Random(f"contest {seed}")
    ids = rng.sample(range(12000, 19000), rng.randint(2, 30))
    master = [
        [str(one), rng.choice("mf"), f"{rng.randrange(1930, 2000, 10)}/1/1", rng.choice(["Others", "UK"])]
        for one in ids
    ]
    shoppers = [row[0] for row in master[: max(1, len(master) - rng.randint(0, 2))]]
    goods, start = goods_of(rng), rng.choice(STARTS)
    rows = [record(rng, shoppers, goods, start, 0)]
    rows += [
        record(rng, shoppers, goods, start, rng.randrange(12)) for _ in range(rng.choice([1, 30, 120, 500]))
    ]
    rows.sort(key=lambda row: plain.day_of(row[DATE]))
    return master, rows, {level: known(rng, rows, int(level[1:]) / 100) for level in plain.LEVELS}


def goods_of(rng):
    codes = rng.sample(range(21000, 21000 + 40 * rng.randint(1, 20)), rng.choice([3, 12, 39]))
    goods = [f"{code}{rng.choice(SUFFIXES)}" for code in codes]
    goods += [str(90000 + 11 * number) for number in range(rng.choice([0, 0, 80, 150]))]
    return [*goods, "POST", "M", "C2"]


def record(rng, shoppers, goods, start, later):
    year, month = divmod(start[0] * 12 + start[1] - 1 + later, 12)
    day = rng.randint(1, calendar.monthrange(year, month + 1)[1])
    quantity = rng.choice([1, 2, 3, 5, 6, 11, 12, 13, 23, 24, 35, 36, 48, 59, 60, 72, 100, 600])
    price = rng.choice(["0.42", "1.25", "1.25", "2.1", "8.5", "10.95", "295", "1687.17"])
    at = min(len(goods) - 1, int(rng.expovariate(6 / len(goods))))
    when = f"{rng.randint(6, 20)}:{rng.randint(0, 59):02}"
    return [rng.choice(shoppers), "0", f"{year}/{month + 1}/{day}", when, goods[at], price, str(quantity)]


def known(rng, rows, share):
    return [
        [*row[:GOOD], row[GOOD][:2], *row[PRICE:]] if rng.random() < share or share == 1 else DELETED
        for row in rows
    ]


def text_of(rows, ending="\r\n"):
    """Return rows as CSV."""
    out = io.StringIO(newline="")
    csv.writer(out, lineterminator=ending).writerows(rows)
    return out.getvalue()


def write(folder, made):
    """Write the tables of a contest into a folder, and return it as the plain computation holds it."""
    master, rows, levels = made
    Path(folder).mkdir(parents=True, exist_ok=True)
    for name, table in {"M": master, "T": rows, **levels}.items():
        Path(folder, f"{name}.csv").write_text(text_of(table), encoding="utf-8", newline="")
    return plain.Cup(master, rows, levels)


def submission(cup, seed):
    """Return the rows of a valid submission: new names by month, and each cell changed by some chance."""
    rng = random.Random(f"submission {seed}")
    rename = naming(rng)
    chances = {cell: rng.choice([0, 0, 0.1, 0.9]) for cell in range(1, CELLS)}
    drop, allowed = rng.choice([0, 0, 0.1, 0.45, 0.9]), len(cup.rows) // 2
    rows = []
    for original in cup.rows:
        if rng.random() < drop and allowed:
            allowed -= 1
            rows.append(list(DELETED))
        else:
            name = rename(original[NAME], plain.month_of(original[DATE]))
            rows.append([name, *changed(rng, cup, original, chances)])
    return rows


def naming(rng):
    """Return a way to name a customer in a month: apart, by customer, or several under one name."""
    way, salt = rng.choice(["month", "month", "month", "customer", "few"]), rng.random()

    def name(customer, month):
        if way == "customer":
            month = "always"
        token = random.Random(f"{salt} {customer} {month}").randrange(10**9)
        return f"n{token % 7}" if way == "few" else f"{token:09}x"

    return name


def changed(rng, cup, original, chances):
    """Return the cells of a row after the name, changed within the rules."""
    changes = {
        RECEIPT: lambda: rng.choice(["0", "", "r-17", "レシート", "a b;c"]),
        DATE: lambda: moved(rng, original[DATE]),
        TIME: lambda: rng.choice(["0:00", "23:59", "7:30", "12:00"]),
        GOOD: lambda: rng.choice(cup.rows)[GOOD],
        PRICE: lambda: scaled(rng, original[PRICE]),
        QUANTITY: lambda: rng.choice([str(rng.randint(1, 99)), original[QUANTITY], "12", "0", "007"]),
    }
    return [
        changes[cell]() if rng.random() < chances[cell] else original[cell]
        for cell in range(RECEIPT, QUANTITY + 1)
    ]


def moved(rng, date):
    year, month, _ = date.split("/")
    return f"{year}/{month}/{rng.randint(1, calendar.monthrange(int(year), int(month))[1])}"


def scaled(rng, price):
    amount = float(price) * rng.choice([0.5, 0.9, 1, 1.1, 2, 3])
    return rng.choice([f"{amount:.2f}", f"{amount:.1f}", f"{amount:.0f}", "0", "99999.99"])


SPOILT = {
    "empty-pseudonym": (NAME, [""]),
    "original-id": (NAME, []),
    "second-pseudonym": (NAME, ["other1", "other2", "other3"]),
    "receipt": (RECEIPT, ["a\tb", "\x07"]),
    "no-date": (DATE, ["", "soon", "2011/13/1", "2011/2/30", "2011-02-03", "2011/2", "2011/2/3/4"]),
    "other-month": (DATE, []),
    "time": (TIME, ["", "noon", "24:00", "9:60", "9:5", "9.05", "-1:00"]),
    "good": (GOOD, ["", "nothing", "2", "POST ", "post"]),
    "price": (PRICE, ["", "-1", "1.234", "123456", "1.", ".5", "1e3", "8;5", "+1", " 1", "nan"]),
    "quantity": (QUANTITY, ["", "-1", "1.5", "1234567", "1e3", "+1", " 1", "x"]),
}


def worse(rng, cup, original, kind):
    """Return what a cell must not hold; two kinds depend on the contest and on the row."""
    year, month, _ = map(int, original[DATE].split("/"))
    others = {
        "original-id": cup.customers,
        "other-month": [f"{year}/{month % 12 + 1}/1", f"{year + 1}/{month}/1", f"{year - 1}/{month}/1"],
    }
    return rng.choice(others.get(kind) or SPOILT[kind][1])


def spoilt(cup, seed):
    """Return a submission with many faults, several of them in one line, as rows."""
    rng = random.Random(f"spoilt {seed}")
    rows = submission(cup, seed)
    for line in rng.sample(range(len(rows)), rng.randint(1, min(len(rows), 12))):
        spoil_line(rng, cup, rows, line)
    if rng.random() < 0.2:
        rows = rows[: rng.randint(len(rows) // 2, len(rows) - 1)]
    elif rng.random() < 0.2:
        rows = [*rows, *rng.choices(rows, k=rng.randint(1, 3))]
    elif rng.random() < 0.2:
        places = rng.sample(range(len(rows)), len(rows) // 2 + 1)
        rows = [list(DELETED) if place in places else row for place, row in enumerate(rows)]
    return rows


def spoil_line(rng, cup, rows, line):
    way = rng.random()
    if way < 0.1:
        rows[line] = rng.choice([rows[line][:-1], [*rows[line], ""], [*rows[line], "more"], ["x"]])
    elif way < 0.25:
        rows[line] = [
            "DEL",
            *(cell if rng.random() < 0.5 else "" for cell in ["0", *cup.rows[line][DATE:]]),
        ]
    else:
        if rows[line][NAME] == "DEL":
            rows[line] = ["back", *cup.rows[line][1:]]
        for kind in rng.sample(sorted(SPOILT), rng.randint(1, 5)):
            rows[line][SPOILT[kind][0]] = worse(rng, cup, cup.rows[line], kind)
