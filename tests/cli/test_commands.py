import json
import os
import subprocess
import sys

import polars as pl
import pytest

import kakurenbo as kb
from kakurenbo.cli.main import run
from searches import imagined

GOLDEN = {
    "customers": 400, "records": 38087, "receipts": 1763, "goods": 2781,
    "goods_per_customer": 65.725, "mean_jaccard": 0.03001, "max_jaccard": 0.4, "mean_intersection": 4.4145,
}  # fmt: skip


def answer(capsys, *arguments):
    assert run([str(a) for a in arguments]) == 0
    said = capsys.readouterr()
    assert said.err == ""
    return said.out


def test_the_profile_of_tc400_has_the_printed_numbers(real, capsys):
    found = json.loads(answer(capsys, "profile", real("tc400.csv"), "--json"))
    for key, value in GOLDEN.items():
        digits = len(str(value).partition(".")[2])
        assert round(found[key], digits) == value, key
    assert sum(found["jaccard"]["histogram"]) == 400 * 399 // 2


@pytest.mark.campaign
def test_the_full_file_of_online_retail_is_profiled_with_its_dropped_counts(real, capsys):
    found = json.loads(answer(capsys, "profile", real("online_retail.parquet"), "--json", "--seed", "1"))
    dropped = found["dropped"]
    assert dropped["missing_id"] == 135_080
    assert found["records"] + sum(dropped.values()) == 541_909
    assert found["customers"] == 4338
    day = {row["k"]: row for row in found["unicity"] if row["knowledge"] == "good+day"}
    # FACTS section 6 measured 39, 92, 99 %; counted exactly over all customers the first is 36 %
    assert day[1]["share"] == pytest.approx(0.359, abs=0.001)
    assert day[2]["share"] == pytest.approx(0.92, abs=0.01)
    assert day[3]["share"] == pytest.approx(0.98, abs=0.01)


def test_people_get_tables_and_machines_get_one_json_document(tmp_path, capsys):
    path = tmp_path / "shop.csv"
    path.write_text("who,what\nann,tea\nbob,tea\nbob,milk\n")
    words = answer(capsys, "profile", path, "--customer", "who", "--goods", "what")
    assert "customers" in words
    assert "Singled out" in words
    found = json.loads(answer(capsys, "profile", path, "--customer", "who", "--goods", "what", "--json"))
    assert (found["customers"], found["mean_jaccard"], found["receipts"]) == (2, 0.5, None)


def test_a_single_customer_has_a_profile_too(tmp_path, capsys):
    path = tmp_path / "shop.csv"
    path.write_text("who,what\nann,tea\n")
    found = json.loads(answer(capsys, "profile", path, "--customer", "who", "--goods", "what", "--json"))
    assert found["mean_jaccard"] is None
    assert "Who is in it" in answer(capsys, "profile", path, "--customer", "who", "--goods", "what")


def test_microdata_has_a_profile(tmp_path, capsys):
    kb.demo.households_frame(200, seed=1).write_csv(tmp_path / "people.csv")
    qi = ",".join(kb.demo.QUASI_IDENTIFIERS)
    sa = ",".join(kb.demo.SENSITIVE)
    found = json.loads(answer(capsys, "profile", tmp_path / "people.csv", "--qi", qi, "--sa", sa, "--json"))
    assert (found["rows"], found["quasi_identifiers"], found["sensitive"]) == (200, 13, 12)
    assert "alone in their group" in answer(capsys, "profile", tmp_path / "people.csv", "--qi", qi)


def test_methods_lists_the_catalogue(capsys):
    listed = json.loads(answer(capsys, "methods", "--json"))
    assert [(row["name"], row["family"], row["data"]) for row in listed] == [
        (entry.name, entry.family, entry.kind) for entry in kb.CATALOGUE
    ]
    assert all(row["summary"] for row in listed)
    words = answer(capsys, "methods")
    assert all(entry.name in words for entry in kb.CATALOGUE)


def test_the_demo_makes_a_shop_that_can_be_profiled(tmp_path, capsys):
    made = ["demo", "--customers", "60", "--seed", "3", "--shop-only"]
    words = answer(capsys, *made, "--out", tmp_path / "shop")
    assert "made up" in words
    first = json.loads(answer(capsys, *made, "--json"))
    roles = [
        part
        for role in ("customer", "goods", "receipt", "time", "price", "quantity")
        for part in (f"--{role}", role)
    ]
    again = json.loads(answer(capsys, "profile", tmp_path / "shop", *roles, "--seed", "3", "--json"))
    assert {key: first[key] for key in GOLDEN} == {key: again[key] for key in GOLDEN}


def test_the_demo_writes_a_shop_of_any_size(tmp_path, capsys):
    path = tmp_path / "shop.parquet"
    made = ["demo", "--shop", path, "--customers", "30", "--goods", "500", "--seed", "3"]
    told = json.loads(answer(capsys, *made, "--json"))
    rows = pl.read_parquet(path)
    assert told == {"customers": 30, "records": rows.height, "shop": str(path)}
    assert rows["customer"].n_unique() == 30
    assert rows["goods"].n_unique() <= 500
    assert run([*map(str, made)]) == 2
    assert "exists" in capsys.readouterr().err
    assert run(["demo", "--goods", "500"]) == 2
    assert "--shop" in capsys.readouterr().err


def test_the_demo_of_a_tiny_shop_tells_what_can_be_told(tmp_path, capsys, one_process):
    """The story of a whole shop is in the README, and compared with it; here plans are tried in mind."""
    report, words = tmp_path / "story.html", ("demo", "--customers", "9", "--seed", "3", "--json")
    with imagined():
        told = json.loads(answer(capsys, *words, "--report", report))
    assert {"customers", "naive", "method2", "tuned"} <= set(told)
    assert told["naive"]["goods"] == 1
    assert report.exists() == ("audit" in told)


def test_wrong_use_exits_with_two_and_a_sentence(capsys):
    for arguments in (
        ["profile"],
        ["profile", "x", "--colour", "red"],
        ["dance"],
        ["demo", "--customers", "none"],
    ):
        assert run(arguments) == 2
        said = capsys.readouterr()
        assert said.err.startswith("kakurenbo: ")
        assert "Traceback" not in said.err
    assert run([]) == 2
    assert "Usage" in capsys.readouterr().out


def test_a_fault_of_ours_shows_no_traceback_unless_asked(monkeypatch, capsys):
    def stumble(*_, **__):
        raise ZeroDivisionError("ann bought milk")

    monkeypatch.setattr("kakurenbo.cli.methods.entries", stumble)
    assert run(["methods"]) == 70
    said = capsys.readouterr().err
    assert "ZeroDivisionError" in said
    assert "milk" not in said
    monkeypatch.setenv("KAKURENBO_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        run(["methods"])


def test_the_program_is_installed_and_a_closed_pipe_is_no_drama():
    program = [sys.executable, "-c", "from kakurenbo.cli import main; main()"]
    result = subprocess.run([*program, "--version"], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == kb.__version__
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run([*program, "methods", "--json"], stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert done.returncode == 74
    assert b"Traceback" not in done.stderr
