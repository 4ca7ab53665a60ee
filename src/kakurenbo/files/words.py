"""What the names of columns say: one table of words, English and Japanese, some German and French.

A name is folded first (compatibility form, lower case, `CustomerID`, `customer_id` and `Customer ID`
alike), and is then looked for in the table below. The first row that has a word of it says what the column
is; so a customer's country is a country, and the date of an order is a date. Names alone never decide: what
stands in the column must agree.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import Final

_BETWEEN = re.compile(
    r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[a-zA-Z])(?=[^\x00-\u024f])|(?<=[^\x00-\u024f])(?=[a-zA-Z])"
)
_ACCENTS = re.compile("[\u0300-\u036f]")
_OTHER = re.compile(r"[\W_]+")
_SHORTEST = 4  # letters of a word that is looked for inside another

WORDS: Final[dict[str, str]] = {
    "qi": """age|sex|gender|birth|birthday|birthdate|dob|zip|zipcode|postcode|post code|postal|postal code|
        city|
        town|county|state|region|prefecture|country|nationality|race|ethnicity|marital|marital status|
        education|
        occupation|job|profession|workclass|relationship|native country|household size|children|alter|
        geschlecht|geburtsdatum|plz|land|sexe|pays|年齢|年代|性別|生年|誕生|郵便|都道府県|市区町村|地域|居住|
        職業|学歴|国籍|婚姻|世帯|続柄|人種""",
    "sa": """income|salary|wage|wages|earnings|diagnosis|disease|condition|illness|health|religion|
        capital gain|
        capital loss|debt|loan|savings|expenditure|treatment|medication|einkommen|gehalt|revenu|salaire|年収|
        収入|所得|給与|病名|疾病|診断|貯蓄|支出|宗教""",
    "left": """discount|tax|vat|profit|margin|store|shop|branch|ship|shipping|shipped|delivery|delivered|due|
        status|currency|row|line|index|payment|coupon|points|registered|registration|joined|expiry|updated|
        campaign|rating|review|e mail|email|mail|phone|telephone|address|first name|last name|surname|comment|
        filiale|rabatt|magasin|remise|店舗|店番|支店|行番号|明細|税|値引|割引|支払|決済|登録|入会|更新|配送|
        発送|備考|電話|メール|氏名|顧客名|会員名|お客様名|住所|通貨|ポイント""",
    "clock": "clock|hour|time of day|uhrzeit|heure|時刻|時間",
    "time": """date|datetime|timestamp|time|day|when|dt|month|created at|datum|zeit|zeitpunkt|date achat|
        日付|日時|
        年月|購入日|購買日|売上日|販売日|注文日|取引日|利用日|来店日|会計日|伝票日|受注日""",
    "quantity": """qty|quantity|quantities|units|pieces|pcs|count|number of items|menge|anzahl|stueck|
        quantite|
        nombre|数量|個数|点数|数""",
    "price": """price|unit price|unit cost|cost|preis|einzelpreis|stueckpreis|prix|prix unitaire|単価|価格|
        売価|
        販売価格|値段""",
    "amount": """amount|sales|total|revenue|spend|value|turnover|betrag|umsatz|summe|montant|金額|売上|合計|
        代金""",
    "named": """product name|item name|goods name|artikelname|produktname|nom du produit|商品名|品名|
        製品名|アイテム""",
    "spoken": """description|category|subcategory|sub category|department|brand|product type|product group|
        product class|product subclass|product line|product family|item type|item group|item category|
        commodity|manufacturer|beschreibung|bezeichnung|kategorie|warengruppe|marke|categorie|marque|分類|
        カテゴリ|カテゴリー|部門|ブランド|メーカー|規格|品種""",
    "receipt": """invoice|order|receipt|transaction|trans|basket|ticket|bill|slip|purchase|checkout|visit|
        session|
        rechnung|rechnungsnummer|beleg|belegnummer|bon|bestellung|bestellnummer|facture|commande|panier|伝票|
        レシート|注文|取引|受注|会計番号|購買id|購入id""",
    "goods": """product|item|sku|stock code|stock|article|ean|ean13|jan|upc|gtin|barcode|goods|good|
        material|plu|
        asin|isbn|artikel|artikelnummer|produkt|ware|produit|商品|品番|品目|製品|型番|jan""",
    "customer": """customer|client|user|member|account|card|cust|shopper|household|buyer|person|loyalty|
        consumer|
        patron|kunde|kundennummer|kundennr|kunden|mitglied|client|顧客|会員|お客様|客|ユーザー|ユーザ|購入者|カード|
        利用者|世帯id|patient|患者""",
}  # fmt: skip
_FILLERS: Final = frozenset(
    word
    for word in """id|ids|no|nr|num|number|code|key|cd|hash|token|pseudonym|ref|reference|uid|guid|of|the|
by|purchase|order|invoice|sales|sale|transaction|trans|unit|item|product|price|date|time|datetime|timestamp|at|
per|each|stock|numero|nummer|番号|コード|年月日|日""".replace("\n", "").split("|")
)


def folded(name: str) -> str:
    """Return a name as words of plain letters with blanks between them."""
    text = _BETWEEN.sub(" ", unicodedata.normalize("NFKC", name)).casefold()
    bare = unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFD", text)))
    return " ".join(_OTHER.sub(" ", bare).split())


def compact(name: str) -> str:
    """Return a folded name without blanks, by which names of two tables are compared."""
    return folded(name).replace(" ", "")


@cache
def _table() -> dict[str, tuple[str, ...]]:
    return {role: tuple(folded(word) for word in words.split("|")) for role, words in WORDS.items()}


@cache
def spoken_of(name: str) -> tuple[str, bool]:
    """Return what a name speaks of, a row of the table or nothing; and whether it says only that."""
    text = folded(name)
    for role, words in _table().items():
        found = [word for word in words if _stands_in(word, text, role)]
        if found:
            rest = text
            for word in sorted(found, key=len, reverse=True):
                rest = rest.replace(word, " ")
            return role, all(part in _FILLERS or part.isdigit() for part in rest.split())
    return "", False


def _stands_in(word: str, text: str, role: str) -> bool:
    """Tell whether a word stands in a name: as words of it, or grown together with others."""
    if not word.isascii():
        return word.replace(" ", "") in text.replace(" ", "")
    if f" {word} " in f" {text} " or word.replace(" ", "") == text.replace(" ", ""):
        return True
    if " " in text or len(word) < _SHORTEST:
        return False
    if role in {"customer", "goods", "receipt", "named"}:
        rest = text.removeprefix(word)
        return rest != text and rest in _FILLERS
    return role in {"time", "price", "quantity"} and word != "count" and text.endswith(word)
