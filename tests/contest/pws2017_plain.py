"""PWS Cup 2017 judged slowly and obviously: the rules as they are written, with lists and dictionaries alone.

The judge of the contest is held against this. Nothing of the project is used here, and nothing is done to be
quick: whoever knows the rules should be able to read each function beside them and nod.
"""

import csv
import datetime as dt
import io
import math
import re
from collections import defaultdict

CELLS = 7
NAME, RECEIPT, DATE, TIME, GOOD, PRICE, QUANTITY = range(CELLS)
DELETED = ["DEL", "", "", "", "", "", ""]
LEVELS = ("T25", "T50", "T75", "T100")
THRESHOLDS = (12, 24, 36, 48, 60, 72)
TOP = 100
KEYS = {
    "S1": (DATE, QUANTITY),
    "S2": (GOOD, PRICE),
    "S3": (GOOD, QUANTITY),
    "S4": (DATE, GOOD),
    "S5": (GOOD, PRICE, QUANTITY),
    "S6": (GOOD, DATE, QUANTITY),
}


def rows_of(text):
    """Return the cells of every line."""
    return list(csv.reader(io.StringIO(text, newline="")))


class Cup:
    """The tables of a contest: M, T and what the attacker knows at each level."""

    def __init__(self, master, rows, known):
        self.customers = [row[0] for row in master]
        self.rows = rows
        self.known = known
        self.goods = {row[GOOD] for row in rows}
        first = min(day_of(row[DATE]) for row in rows)
        months = [first.year * 12 + first.month - 1 + later for later in range(12)]
        self.months = [(number // 12, number % 12 + 1) for number in months]


def read(folder):
    """Return the contest whose tables stand in a folder."""

    def table(name):
        return rows_of((folder / f"{name}.csv").read_text(encoding="utf-8"))

    return Cup(table("M"), table("T"), {level: table(level) for level in LEVELS})


def day_of(text):
    """Return the day that Y/M/D writes, or None where it writes none."""
    if not re.fullmatch(r"[0-9]{4}/[0-9]{1,2}/[0-9]{1,2}", text):
        return None
    year, month, day = map(int, text.split("/"))
    try:
        return dt.date(year, month, day)
    except ValueError:
        return None


def month_of(text):
    day = day_of(text)
    return (day.year, day.month)


def is_time(text):
    if not re.fullmatch(r"[0-9]{1,2}:[0-9]{2}", text):
        return False
    hour, minute = map(int, text.split(":"))
    return hour < 24 and minute < 60


def faults(cup, rows):
    """Return all faults of a submission: (line, cell, what), both from 1, None for a whole file or line."""
    found = []
    if len(rows) != len(cup.rows):
        found.append((None, None, "rows"))
    ids = set(cup.customers)
    names = {}
    for line, (original, row) in enumerate(zip(cup.rows, rows, strict=False), start=1):
        if len(row) != CELLS:
            found.append((line, None, "cells"))
        elif row[NAME] == "DEL":
            found += [(line, place + 1, "deleted-not-empty") for place in range(1, CELLS) if row[place] != ""]
        else:
            found += [(line, place + 1, what) for place, what in faults_of_cells(cup, original, row, ids)]
            owner = (original[NAME], month_of(original[DATE]))
            if names.setdefault(owner, row[NAME]) != row[NAME]:
                found.append((line, NAME + 1, "second-pseudonym"))
    kept = sum(1 for row in rows if row[:1] != ["DEL"])
    if kept * 2 < len(cup.rows):
        found.append((None, None, "kept"))
    return found


def faults_of_cells(cup, original, row, ids):
    if row[NAME] == "":
        yield NAME, "empty-pseudonym"
    if row[NAME] in ids:
        yield NAME, "original-id"
    if len(row[RECEIPT]) > 100 or any(ord(letter) < 32 or ord(letter) == 127 for letter in row[RECEIPT]):
        yield RECEIPT, "receipt"
    day = day_of(row[DATE])
    if day is None:
        yield DATE, "no-date"
    elif (day.year, day.month) != month_of(original[DATE]):
        yield DATE, "other-month"
    if not is_time(row[TIME]):
        yield TIME, "time"
    if row[GOOD] not in cup.goods:
        yield GOOD, "good"
    if not re.fullmatch(r"[0-9]{1,5}(\.[0-9]{1,2})?", row[PRICE]):
        yield PRICE, "price"
    if not re.fullmatch(r"[0-9]{1,6}", row[QUANTITY]):
        yield QUANTITY, "quantity"


def kept_rows(rows):
    """Return S in the order submitted."""
    return [row for row in rows if row[NAME] != "DEL"]


def truth(cup, rows):
    """Return F: customer -> the pseudonym of each of the twelve months, DEL where no row survives."""
    table = {customer: ["DEL"] * 12 for customer in cup.customers}
    for original, row in zip(cup.rows, rows, strict=True):
        if row[NAME] != "DEL":
            table[original[NAME]][cup.months.index(month_of(original[DATE]))] = row[NAME]
    return table


def quantities(rows):
    """Return user -> good -> the sum of quantities."""
    table = defaultdict(lambda: defaultdict(int))
    for row in rows:
        table[row[NAME]][row[GOOD]] += int(row[QUANTITY])
    return table


def large(quantity):
    return sum(1 for threshold in THRESHOLDS if threshold <= quantity)


def retail(quantity):
    return quantity if quantity <= 11 else 0


def scores(rows, score):
    """Return user -> good -> score, where it is not zero."""
    return {
        user: {good: score(quantity) for good, quantity in goods.items() if score(quantity) != 0}
        for user, goods in quantities(rows).items()
    }


def bought(rows, goods):
    """Return user -> good -> 1 for the goods asked for that a user bought at all."""
    return {user: {good: 1 for good in basket if good in goods} for user, basket in quantities(rows).items()}


def cosines(vectors):
    """Return (good, other good) -> their cosine over users, for ordered pairs with a positive product."""
    products, squares = defaultdict(int), defaultdict(int)
    for goods in vectors.values():
        for good, score in goods.items():
            squares[good] += score * score
            for other, other_score in goods.items():
                if other != good:
                    products[good, other] += score * other_score
    return {
        (good, other): product / math.sqrt(squares[good] * squares[other])
        for (good, other), product in products.items()
        if product > 0
    }


def distance(before, after):
    """Return min(1, sum |W - W'| / sum W) over the pairs of W; 0 where W has none."""
    if not before:
        return 0.0
    lost = math.fsum(abs(weight - after.get(pair, 0.0)) for pair, weight in before.items())
    return min(1.0, lost / math.fsum(before.values()))


def top_goods(rows):
    """Return the goods most users bought, at most a hundred; among equals the larger id first."""
    buyers = defaultdict(set)
    for row in rows:
        buyers[row[GOOD]].add(row[NAME])
    return sorted(buyers, key=lambda good: (len(buyers[good]), good), reverse=True)[:TOP]


def days_apart(original, row):
    return abs((day_of(row[DATE]) - day_of(original[DATE])).days)


def price_apart(original, row):
    one, two = float(original[PRICE]), float(row[PRICE])
    return 0.0 if one == two else 1 - min(one, two) / max(one, two)


def utility(cup, rows):
    """Return the seven measures by name."""
    kept = kept_rows(rows)
    pairs = [(old, new) for old, new in zip(cup.rows, rows, strict=True) if new[NAME] != "DEL"]
    top, top_after = top_goods(cup.rows), top_goods(kept)
    count = len(cup.rows)
    return {
        "E1": distance(cosines(scores(cup.rows, large)), cosines(scores(kept, large))),
        "E2": distance(cosines(scores(cup.rows, retail)), cosines(scores(kept, retail))),
        "E3_topk": sum(1 for good in top if good not in top_after) / len(top),
        "E3_sim": distance(cosines(bought(cup.rows, top)), cosines(bought(kept, top))),
        "E4": sum(days_apart(old, new) for old, new in pairs) / (31 * count),
        "E5": math.fsum(price_apart(old, new) for old, new in pairs) / count,
        "E6": (count - len(kept)) / count,
    }


def key_of(row, cells):
    return tuple(row[cell][:2] if cell == GOOD else row[cell] for cell in cells)


def guess(cup, published, known, cells):
    """Return the map that a sample attack guesses, in the shape of the truth."""
    pseudonyms = {}
    for row in published:
        pseudonyms[key_of(row, cells)] = row[NAME]
    table = {customer: ["DEL"] * 12 for customer in cup.customers}
    for row in known:
        if row[NAME] != "DEL" and key_of(row, cells) in pseudonyms:
            month = cup.months.index(month_of(row[DATE]))
            table[row[NAME]][month] = pseudonyms[key_of(row, cells)]
    return table


def rate(cup, guessed, right):
    hits = sum(1 for customer in cup.customers if guessed[customer] == right[customer])
    return hits / len(cup.customers)


def attacks(cup, rows):
    """Return attack -> its rate at each level of knowledge, on the kept rows in the order submitted."""
    published, right = kept_rows(rows), truth(cup, rows)
    return {
        name: [rate(cup, guess(cup, published, cup.known[level], cells), right) for level in LEVELS]
        for name, cells in KEYS.items()
    }


def judge(cup, text):
    """Return everything the judge says about a submission."""
    rows = rows_of(text)
    wrong = faults(cup, rows)
    if wrong:
        return {"valid": False, "faults": wrong, "utility": {}, "attacks": {}, "score": None}
    lost, rates = utility(cup, rows), attacks(cup, rows)
    worst = max(math.fsum(levels) / len(levels) for levels in rates.values())
    loss = max(lost.values())
    return {
        "valid": True,
        "faults": [],
        "utility": lost,
        "attacks": rates,
        "score": {"utility": loss, "security": worst, "total": (loss + worst) / 2},
    }
