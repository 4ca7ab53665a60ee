"""Which columns of a master look like direct identifiers: by what they hold, and by what they are called.

A name, an e-mail address or a telephone number says who somebody is whatever is done to his purchases, so
such a column is never released by a slip: it has to be named twice, once to be kept and once in consent. What
a column holds is looked at first, because names of columns lie; its name decides where the content cannot, as
with first names. Several signs are looked for, in this order:

| sign | looks direct when |
|---|---|
| e-mail | any value holds an address with @ and a domain |
| telephone | most values are 9 to 15 digits with the usual signs between them |
| postal address | one value in five has a number and a word for a street, or a Japanese district |
| ids | one value in ten holds its own customer's id, or most are ids of customers |
| nearly unique | of 20 people or more, more than half are alone with their value |
| the column's name | it is one of the words below, and the column has more than a handful of values |

It is a net with holes, for slips and not for intent: what passes is not thereby harmless.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

import polars as pl

from kakurenbo.data.checks import columns
from kakurenbo.data.checks.values import as_text
from kakurenbo.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

_FEWEST = 20  # people, below which being alone says nothing
_ALONE = 0.5
NEARLY_UNIQUE = "most people are alone with their value"
_HANDFUL = 5  # values of a column whose name means nothing: consents, kinds of telephone
_LONG = 5  # characters of an id that is no age, year or count by accident

_EMAIL = r"[^\s@,;]+@[^\s@,;]+\.[^\s@,;]+"
_PHONE = r"^\+?[0-9(][0-9 ().\-/]*$"
_DATE = r"^[0-9]{4}[-/.][0-9]{1,2}[-/.][0-9]{1,2}"
_STREET = (
    r"(?i)([0-9].*\b(street|st|road|rd|avenue|ave|lane|ln|drive|dr|way|court|square|terrace|place|platz|"
    r"boulevard|blvd)\b|\b(rue|via|calle|rua|avenida)\b.*[0-9]|(stra(ss|ß)e|str\.|weg|gasse|straat)\s*[0-9])"
)
_DISTRICT = "[都道府県市区町村郡].*[0-9０-９]"  # noqa: RUF001 - full-width figures are meant

_WORDS = frozenset((
    "email", "mail", "phone", "telephone", "tel", "mobile", "cellphone", "fax", "surname", "forename",
    "fullname", "firstname", "lastname", "username", "nickname",
    "address", "street", "addr", "ssn", "passport", "iban", "login", "imei", "ip",
    "twitter", "facebook", "instagram", "linkedin",
))  # fmt: skip
_NAMES = frozenset((
    "full", "first", "last", "given", "family", "middle", "maiden", "nick", "sur", "fore", "customer",
    "client", "user", "member", "contact", "person", "cardholder", "account",
))  # fmt: skip
_NUMBERS = frozenset((
    "card", "account", "passport", "licence", "license", "insurance", "security", "national", "tax",
))  # fmt: skip
_JAPANESE = (
    "氏名", "名前", "お名前", "顧客名", "会員名", "姓名", "フリガナ", "ふりがな", "メール", "電話", "携帯",
    "住所", "番地", "マイナンバー", "個人番号", "口座番号", "カード番号", "免許",
)  # fmt: skip
_JAPANESE_ALONE = ("姓", "名", "氏", "セイ", "メイ")


def refuse(master: pl.DataFrame, kept: Sequence[str], consented: Sequence[str]) -> None:
    """Refuse to keep columns that are not there or look direct, those apart that were consented to."""
    columns.require(kept, [name for name in master.columns if name != "customer"])
    strangers = [name for name in consented if name not in kept]
    if strangers:
        raise InputError(
            f"Consent was given for {strangers[0]!r}, which is not among the columns to keep; name it in "
            "keep_master as well.",
            code="column-missing",
            parameter="keep_master",
        )
    for name in kept:
        why = None if name in consented else why_direct(master[name], master["customer"])
        if why:
            raise InputError(
                f"This column of the master looks like a direct identifier: {why}. Leave it out, or consent "
                "by naming it in keep_direct as well.",
                code="direct",
                column=name,
                parameter="keep_direct",
            )


def why_direct(values: pl.Series, owners: pl.Series) -> str | None:
    """Return why a column looks direct, None where it does not.

    Args:
        values: the column.
        owners: the customer of each row.
    """
    text = as_text(values)
    there = text.drop_nulls()
    if not len(there):
        return None
    signs = {
        "it holds e-mail addresses": bool(there.str.contains(_EMAIL).any()),
        "it holds telephone numbers": _telephone(there) > 0.5,
        "it holds postal addresses": _share(there, _STREET) + _share(there, _DISTRICT) >= 0.2,
        "it holds customer ids": _holds_ids(text, owners),
        NEARLY_UNIQUE: _nearly_unique(there),
        "its name says so": there.n_unique() > min(_HANDFUL, len(there) // 2) and named_directly(values.name),
    }
    return next((sign for sign, there_is in signs.items() if there_is), None)


def named_directly(name: str) -> bool:
    """Tell whether a column is called like a direct identifier, in English or Japanese."""
    if any(word in name for word in _JAPANESE) or name.strip() in _JAPANESE_ALONE:
        return True
    spaced = re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", name)
    words = re.findall(r"[a-z]+", spaced.lower().replace("e-mail", "email"))
    pairs = list(pairwise(words))
    called = any(last == "name" and first in _NAMES for first, last in pairs)
    numbered = any(last in {"number", "no", "id"} and first in _NUMBERS for first, last in pairs)
    return called or numbered or words == ["name"] or not _WORDS.isdisjoint(words)


def _share(texts: pl.Series, pattern: str) -> float:
    return int(texts.str.contains(pattern).sum()) / len(texts)


def _telephone(texts: pl.Series) -> float:
    """Return the share of values written as telephone numbers are."""
    digits = texts.str.replace_all(r"[^0-9]", "").str.len_chars()
    alike = texts.str.contains(_PHONE) & ~texts.str.contains(_DATE) & digits.is_between(9, 15)
    return int(alike.sum()) / len(texts)


def _holds_ids(texts: pl.Series, owners: pl.Series) -> bool:
    """Tell whether values are ids: each its own customer's, or such as are no numbers by accident."""
    table = pl.DataFrame({"text": texts.str.to_lowercase(), "owner": owners.str.to_lowercase()})
    long = pl.col("owner").str.len_chars() >= _LONG
    own = (pl.col("text") == pl.col("owner")) | (
        long & pl.col("text").str.contains(pl.col("owner"), literal=True)
    )
    told = table.drop_nulls().select(own.sum())
    if table.height >= _FEWEST and int(told.item()) * 10 >= table.height:
        return True
    there = table["text"].drop_nulls()
    ids = table["owner"].filter(table["owner"].str.len_chars() >= _LONG)
    return 2 * int(there.is_in(ids.implode()).sum()) > len(there)


def _nearly_unique(texts: pl.Series) -> bool:
    return len(texts) >= _FEWEST and int(texts.is_unique().sum()) > _ALONE * len(texts)
