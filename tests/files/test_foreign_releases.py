"""Releases that other people made: other names, another order, a pairing with columns of its own."""

import polars as pl
import pytest

import kakurenbo as kb
from kakurenbo.cli.main import run
from kakurenbo.files.pairings import read_both, read_owners, read_pairing

PEOPLE = [f"{10000 + c}" for c in range(30)]
NAMES = {person: f"P{(7 * place) % 30:02d}" for place, person in enumerate(PEOPLE)}


def bought():
    rows = [
        (person, f"{900 + 2 * c + visit}", f"2024-0{1 + visit}-1{c % 9}",
         f"G{(5 * c + 3 * line + visit) % 17:02d}",         f"{1 + line + visit}")
        for c, person in enumerate(PEOPLE) for visit in range(2) for line in range(2)
    ]  # fmt: skip
    return pl.DataFrame(rows, schema=["who", "slip", "day", "what", "pieces"], orient="row")


@pytest.fixture
def original(tmp_path):
    bought().rename(
        {"who": "customer_id", "slip": "order", "day": "date", "what": "sku", "pieces": "qty"}
    ).write_csv(tmp_path / "original.csv")
    return tmp_path / "original.csv"


@pytest.fixture
def release(tmp_path):
    table = (
        bought()
        .with_columns(pl.col("who").replace(NAMES))
        .select(
            pl.col("what").alias("x1"),
            pl.col("slip").alias("x2"),
            pl.col("who").alias("x3"),
            pl.col("day").alias("x4"),
        )
    )
    table.reverse().write_csv(tmp_path / "handed.csv")
    return tmp_path / "handed.csv"


def test_a_release_is_read_by_its_own_columns(original, release):
    read = kb.read_purchases(release, like=original)
    assert set(read.customers) == set(NAMES.values())
    assert list(read.goods) == list(kb.read_purchases(original).goods)
    assert read.source.taken["customer"] == "x3"


@pytest.mark.parametrize(
    "names", [("CUSTOMER ID", "Order", "Date", "SKU", "Qty"), ("customerId", "ORDER", "DATE", "sku", "qty")]
)
def test_the_same_names_in_other_letters_are_the_same(original, tmp_path, names):
    table = bought().with_columns(pl.col("who").replace(NAMES))
    table.columns = list(names)
    table.write_csv(tmp_path / "handed.csv")
    read = kb.read_purchases(tmp_path / "handed.csv", like=original)
    assert set(read.customers) == set(NAMES.values())
    assert read.receipts == 60


def test_what_was_said_of_the_release_wins(original, release):
    read = kb.read_purchases(release, like=original, release={"customer": "x2", "receipt": "x3"})
    assert len(read.customers) == 60
    (original.parent / "kakurenbo.toml").write_text('[release]\ncustomer = "x2"\nreceipt = "x3"\n')
    assert len(kb.read_purchases(release, like=original).customers) == 60


def test_a_doubtful_release_is_asked_about(original, tmp_path):
    table = bought().select(a="what", b="who", c="Q" + (pl.int_range(pl.len()) * 7 % 31).cast(pl.String))
    table.write_csv(tmp_path / "handed.csv")
    with pytest.raises(kb.InputError) as error:
        kb.read_purchases(tmp_path / "handed.csv", like=original)
    assert error.value.parameter == "release_columns"
    assert "'a', 'b', 'c'" in str(error.value)


def test_settings_beside_a_release_are_never_obeyed(original, release, tmp_path):
    folder = tmp_path / "apart"
    folder.mkdir()
    release.rename(folder / "handed.csv")
    (folder / "kakurenbo.toml").write_text('customer = "x2"\ngoods = "x1"\n')
    assert set(kb.read_purchases(folder / "handed.csv", like=original).customers) == set(NAMES.values())


def test_microdata_of_a_release_is_matched_by_name(tmp_path):
    (tmp_path / "people.csv").write_text("age,post code,income\n30,N1,100\n40,N2,200\n")
    (tmp_path / "handed.csv").write_text("INCOME,Age,postCode\n200,40,N2\n100,30,N1\n")
    (tmp_path / "other.csv").write_text("i,a,p\n200,40,N2\n100,30,N1\n")
    options = {"qi": ["age", "post code"], "sa": ["income"], "like": tmp_path / "people.csv"}
    read = kb.read_microdata(tmp_path / "handed.csv", **options)
    assert read.records.columns == ["age", "post code", "income"]
    said = {"qi": ["a", "p"], "sa": ["i"]}
    assert kb.read_microdata(tmp_path / "other.csv", release=said, **options).records.equals(read.records)


PAIRINGS = {
    "plain": ("released,original", ",", "{name},{person}"),
    "other names": ("真のID;仮名", ";", "{person};{name}"),
    "a number, floats": ("no\told\tnew", "\t", "{place}\t{person}.0\t{name}"),
    "no header": (None, ",", "{person},{name}"),
}


@pytest.mark.parametrize("case", PAIRINGS)
def test_a_pairing_is_read_under_any_two_names(case, tmp_path):
    header, _, line = PAIRINGS[case]
    lines = [
        line.format(name=name, person=person, place=place)
        for place, (person, name) in enumerate(NAMES.items())
    ]
    path = tmp_path / "pairs.txt"
    path.write_text("\n".join([*([header] if header else []), *lines]) + "\n")
    ids = {"released": pl.Series(list(NAMES.values())), "original": pl.Series(PEOPLE)}
    expected = {name: person for person, name in NAMES.items()}
    assert read_pairing(path, **ids).to_dict() == expected
    assert read_owners(path, **ids).as_secret().to_dict() == expected


def test_a_guess_tells_the_columns_of_a_secret_and_the_other_way_round(tmp_path):
    plain, other = tmp_path / "plain.csv", tmp_path / "other.csv"
    plain.write_text("released,original\n" + "".join(f"{name},{person}\n" for person, name in NAMES.items()))
    other.write_text("old,new\n" + "".join(f"{person},{name}\n" for person, name in NAMES.items()))
    for secret, guess in ((plain, other), (other, plain)):
        truth, named = read_both(secret, guess)
        assert truth == named


def test_a_pairing_that_fits_nothing_says_what_would(tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_text("customer,age\n" + "".join(f"{person},{place}\n" for place, person in enumerate(PEOPLE)))
    ids = {"released": pl.Series(list(NAMES.values())), "original": pl.Series(PEOPLE)}
    with pytest.raises(kb.InputError, match=r"pairs.csv .* ids of the release .*'customer', 'age'"):
        read_pairing(path, **ids)


def test_a_release_by_other_people_is_measured_at_the_first_try(original, release, tmp_path, capsys):
    secret = tmp_path / "pairs.csv"
    secret.write_text("alias;true\n" + "".join(f"{name};{person}\n" for person, name in NAMES.items()))
    assert (
        run(
            [
                "measure",
                "records-altered",
                str(original),
                str(release),
                "--secret",
                str(secret),
                "--json",
                "-q",
            ]
        )
        == 0
    )
    assert '"value": 0' in capsys.readouterr().out


def test_a_master_may_call_its_customers_otherwise(tmp_path):
    bought().rename({"who": "client", "what": "sku"}).select("client", "sku").write_csv(
        tmp_path / "transactions.csv"
    )
    (tmp_path / "master.csv").write_text("sex,Customer ID\n" + "".join(f"f,{person}\n" for person in PEOPLE))
    assert kb.read_purchases(tmp_path).master.columns == ["customer", "sex"]
