"""Mistakes that people make: each is told in a sentence or two that say what to do, and quotes nobody."""

import re

import pytest

import kakurenbo as kb
from kakurenbo.cli.main import run

SECRET_VALUES = ("10003", "Zaphod")
SHOP = "customer_id,sku,order_id,date\n" + "".join(
    f"{10000 + c},G{(c + 3 * line) % 7},{500 + c // 1},2024-01-{1 + c % 28:02d}\n"
    for c in range(20)
    for line in range(2)
)
PEOPLE = "age,town,income\n" + "".join(f"{20 + i % 30},Zaphod,{i % 9}\n" for i in range(40))
PLAN = 'kind = "purchases"\n\n[[steps]]\nmethod = "pseudonimize"\n'


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder with a shop, its release and secret, people, and files that are none of these."""
    folder = tmp_path_factory.mktemp("mistakes")
    (folder / "shop.csv").write_text(SHOP)
    shop = kb.read_purchases(folder / "shop.csv")
    for name, seed in (("release", 1), ("other", 2)):
        made = kb.methods.Pseudonymize().release(shop, seed=seed)
        kb.write_release(made, folder / name, secret=folder / f"{name}-secret.csv")
    guess = kb.attacks.JaccardAttack().guess(shop, made.data, seed=1)
    kb.write_pairing(guess, folder / "guess.csv")
    (folder / "people.csv").write_text(PEOPLE)
    (folder / "shop.docx").write_text(SHOP)
    (folder / "empty.csv").write_text("")
    (folder / "header.csv").write_text("customer_id,sku\n")
    (folder / "semicolons.csv").write_text(SHOP.replace(",", ";"))
    (folder / "plan.toml").write_text(PLAN)
    (folder / "bare").mkdir()
    return folder


MISTAKES = {
    "a column that is not there": ("profile shop.csv --customer client_id --goods sku", 2, "'customer_id'"),
    "a column nearly right": (
        "profile shop.csv --customer customerid --goods sku", 2, "did you mean 'customer_id'"),
    "a wrong separator": ("profile shop.csv --separator ;", 2, "separator"),
    "a separator of two letters": ("profile shop.csv --separator ,,", 2, "one ASCII character"),
    "original and release exchanged": (
        "measure records-altered release shop.csv --secret release-secret.csv", 2, "exchanged"),
    "secret and guess exchanged": ("score --secret guess.csv --guess release-secret.csv", 2, "exchanged"),
    "a secret that is not there": ("audit shop.csv release --secret nowhere.csv", 2, "does not exist"),
    "no secret where one is needed": ("score --guess guess.csv", 2, "--secret"),
    "a folder without a table": ("profile bare", 2, "transactions.csv"),
    "an output that exists": (
        "deidentify pseudonymize shop.csv --out release --secret s.csv", 2, "exists"),
    "a secret inside the release": (
        "deidentify pseudonymize shop.csv --out new --secret new/secret.csv", 2, "secret"),
    "an encoding misspelt": ("profile shop.csv --encoding utf9", 2, "encoding"),
    "an ending of another program": ("profile shop.docx", 2, ".csv"),
    "an empty file": ("profile empty.csv", 2, "empty"),
    "only a header": ("profile header.csv", 2, "no rows"),
    "microdata without quasi-identifiers": ("profile people.csv", 2, "--qi age,town"),
    "a quasi-identifier that is not there": ("profile people.csv --qi age,village", 2, "'town'"),
    "a rung misspelt": (
        "audit shop.csv release --secret release-secret.csv --knowledge everythin", 2, "everything"),
    "a method misspelt": ("deidentify pseudonymise shop.csv --out new --secret s.csv", 2, "pseudonymize"),
    "a parameter out of range": (
        "deidentify balanced shop.csv --clusters 0 --out new --secret s.csv", 2, "clusters"),
    "a plan with a typing error": (
        "deidentify plan shop.csv --plan plan.toml --out new --secret s.csv", 2, "pseudonymize"),
    "the pairing of another release": (
        "measure records-altered shop.csv release --secret other-secret.csv", 2, "release"),
    "a pairing for a release": ("measure records-altered shop.csv release-secret.csv", 2, "pairing"),
    "people for a shop": ("measure records-altered shop.csv people.csv", 2, "--release-columns"),
    "a folder for a file": ("score --secret release --guess guess.csv", 2, "not a file"),
    "a file that is not there": ("profile shpo.csv", 2, "does not exist"),
}  # fmt: skip


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_told_in_a_sentence_that_says_what_to_do(mistake, place, monkeypatch, capsys):
    line, codes, hint = MISTAKES[mistake]
    monkeypatch.chdir(place)
    code = run(line.split())
    told = capsys.readouterr()
    assert code in (codes if isinstance(codes, tuple) else (codes,)), told.err
    assert hint in told.err
    assert "Traceback" not in told.err
    assert not any(value in told.err for value in SECRET_VALUES)
    sentences = re.findall(r"[.?!](?=\s|$)", told.err)
    assert 1 <= len(sentences) <= 5
    assert not (place / "new").exists()
