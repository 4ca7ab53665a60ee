import os
import random
import signal
import subprocess
import sys
import time

import polars as pl
import pytest

import kakurenbo as kb
from campaign import in_campaign

PWS = """12583,536370,2010/12/1,8:45,22728,3.75,24
12431,536389,2010/12/1,10:03,22941,8.5,6
12431,536389,2010/12/1,10:03,POST,18,1
"""


@pytest.fixture
def release(small):
    return kb.methods.Pseudonymize().release(small, seed=1)


def test_the_release_stands_in_its_folder_and_the_secret_apart(release, tmp_path):
    kb.write_release(release, tmp_path / "out", secret=tmp_path / "secret.csv")
    assert sorted(f.name for f in tmp_path.iterdir()) == ["out", "secret.csv"]
    assert sorted(f.name for f in (tmp_path / "out").iterdir()) == [
        "README.md", "datasheet.json", "release.json", "transactions.csv",
    ]  # fmt: skip
    assert kb.read_pairing(tmp_path / "secret.csv") == release.pairing
    assert (tmp_path / "secret.csv").stat().st_mode & 0o777 == 0o600


def test_a_headerless_contest_table_is_released_headerless_with_its_dates_as_they_were(tmp_path):
    (tmp_path / "T.csv").write_text(PWS)
    shop = kb.read_purchases(tmp_path / "T.csv")
    kb.write_release(
        kb.methods.Pseudonymize().release(shop, seed=1), tmp_path / "out", secret=tmp_path / "s.csv"
    )
    lines = [line.split(",") for line in (tmp_path / "out" / "transactions.csv").read_text().splitlines()]
    assert sorted(line[2:] for line in lines) == sorted(line.split(",")[2:] for line in PWS.splitlines())
    assert lines == sorted(lines)
    again = kb.read_purchases(tmp_path / "out")
    assert again.layout == shop.layout


def test_the_place_of_the_receipt_of_2017_is_kept(tmp_path):
    (tmp_path / "T.csv").write_text(PWS.replace("536370", "0").replace("536389", "0"))
    (tmp_path / "M.csv").write_text("12431,f,1950/1/1,Others\n12583,m,1960/1/1,France\n")
    shop = kb.read_purchases(tmp_path, keep_master=["2", "3", "4"])
    kb.write_release(
        kb.methods.Pseudonymize().release(shop, seed=1), tmp_path / "out", secret=tmp_path / "s.csv"
    )
    lines = (tmp_path / "out" / "transactions.csv").read_text().splitlines()
    assert {line.split(",")[1] for line in lines} == {"0"}
    master = (tmp_path / "out" / "master.csv").read_text().splitlines()
    assert sorted(line.split(",", 1)[1] for line in master) == ["f,1950/1/1,Others", "m,1960/1/1,France"]
    assert kb.read_purchases(tmp_path / "out").master.height == 2


def test_parquet_stays_parquet_with_its_names_and_without_what_had_no_role(tmp_path, small_frame, roles):
    frame = small_frame.with_columns(diary=pl.lit("private"), when=pl.col("when").str.to_datetime())
    frame.write_parquet(tmp_path / "shop.parquet")
    shop = kb.read_purchases(tmp_path / "shop.parquet", **roles)
    kb.write_release(
        kb.methods.Pseudonymize().release(shop, seed=1), tmp_path / "out", secret=tmp_path / "s.csv"
    )
    released = pl.read_parquet(tmp_path / "out" / "transactions.parquet")
    assert released.columns == ["who", "what", "slip", "when", "cost", "pieces"]
    assert released.schema["when"] == pl.Datetime("us")
    assert b"private" not in (tmp_path / "out" / "transactions.parquet").read_bytes()


def test_writing_microdata_leaves_the_release_as_it_is(tmp_path):
    table = kb.demo.households(30, seed=1).to_frame().with_row_index("who")
    people = kb.Microdata.from_frame(table, qi=["region"], sa=["income"], id="who")
    release = kb.methods.PseudonymizeMicrodata().release(people, seed=1)
    for name in ("out", "again"):
        kb.write_release(release, tmp_path / name, secret=tmp_path / f"{name}.csv")
    assert release.data.records.columns == ["region", "income"]
    assert (tmp_path / "out" / "microdata.csv").read_text().startswith("who,region,income\n")


def test_microdata_is_released_sorted_by_content(tmp_path):
    people = kb.demo.households(50, seed=1)
    release = kb.methods.PseudonymizeMicrodata().release(people, seed=1)
    kb.write_release(release, tmp_path / "out", secret=tmp_path / "s.csv")
    again = kb.read_microdata(tmp_path / "out" / "microdata.csv", qi=people.qi, sa=people.sa)
    assert len(again) == 50
    assert kb.read_pairing(tmp_path / "s.csv").is_bijection


def test_rows_without_ids_are_written_where_the_secret_says_they_stand(tmp_path):
    kb.demo.households(400, seed=1).to_frame().select("region", "income", "food").write_csv(
        tmp_path / "X.csv"
    )
    columns = {"qi": ["region"], "sa": ["income", "food"]}
    people = kb.read_microdata(tmp_path / "X.csv", **columns)
    release = kb.methods.PseudonymizeMicrodata().release(people, seed=1)
    kb.write_release(release, tmp_path / "out", secret=tmp_path / "s.csv")
    again = kb.read_microdata(tmp_path / "out", like=tmp_path / "X.csv", **columns)
    assert again.records.equals(release.data.records)
    loss = kb.measures.InformationLoss().of(people, again, kb.read_pairing(tmp_path / "s.csv"))
    assert loss.value == 0


def test_a_secret_inside_the_release_is_refused(release, tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "out")
    for place in (tmp_path / "out" / "secret.csv", tmp_path / "out", tmp_path / "link" / "s.csv"):
        with pytest.raises(kb.ParameterError) as error:
            kb.write_release(release, tmp_path / "out", secret=place)
        assert error.value.code == "secret-place"
    assert [f.name for f in tmp_path.iterdir()] == ["link"]


def test_nothing_is_overwritten_unless_asked_and_a_secret_never(release, tmp_path):
    kb.write_release(release, tmp_path / "out", secret=tmp_path / "one.csv")
    with pytest.raises(kb.ParameterError):
        kb.write_release(release, tmp_path / "out", secret=tmp_path / "two.csv")
    assert not (tmp_path / "two.csv").exists()
    with pytest.raises(kb.ParameterError):
        kb.write_release(release, tmp_path / "out", secret=tmp_path / "one.csv", overwrite=True)
    before = (tmp_path / "out").stat().st_ino
    kb.write_release(release, tmp_path / "out", secret=tmp_path / "two.csv", overwrite=True)
    assert (tmp_path / "out").stat().st_ino != before
    assert sorted(f.name for f in tmp_path.iterdir()) == ["one.csv", "out", "two.csv"]


def test_a_failure_leaves_neither_release_nor_secret(release, tmp_path, monkeypatch):
    def fail(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(pl.DataFrame, "write_csv", fail)
    monkeypatch.setattr("kakurenbo.files.release_folder.as_bytes", lambda _: b"released,original\n")
    with pytest.raises(kb.WriteError) as error:
        kb.write_release(release, tmp_path / "out", secret=tmp_path / "secret.csv")
    assert error.value.exit_code == 74
    assert list(tmp_path.iterdir()) == []


WRITER = """
import itertools, sys
import polars as pl
import kakurenbo as kb

def made(tag):
    customers = [f"c{i}" for i in range(300)]
    frame = pl.DataFrame({"who": customers * 40, "what": [f"{tag}{i}" for i in range(12000)]})
    master = pl.DataFrame({"who": customers, "tag": [tag] * 300})
    shop = kb.Purchases.from_frame(frame, customer="who", goods="what", master=master, keep_master=["tag"])
    return kb.methods.Pseudonymize().release(shop, seed=1)

releases = made("a"), made("b")
overwrite = sys.argv[2] == "over"
if overwrite:
    kb.write_release(releases[0], sys.argv[1] + "/out", secret=sys.argv[1] + "/first.csv")
print("ready", flush=True)
for i in itertools.count():
    where = "out" if overwrite else f"out{i}"
    secret = f"{sys.argv[1]}/{i}.csv"
    kb.write_release(releases[i % 2], f"{sys.argv[1]}/{where}", secret=secret, overwrite=overwrite)
"""


def whole(folder):
    """Whether a release folder is complete and of one make."""
    transactions = pl.read_csv(folder / "transactions.csv")
    master = pl.read_csv(folder / "master.csv")
    tags = set(transactions["what"].str.slice(0, 1)) | set(master["tag"])
    return transactions.height == 12000 and master.height == 300 and len(tags) == 1


@pytest.mark.parametrize("kills", [2, pytest.param(12, marks=pytest.mark.campaign)])
@pytest.mark.parametrize("mode", ["over", *in_campaign("fresh")])
def test_killing_the_writer_leaves_old_or_new_and_never_a_mixture(tmp_path, mode, kills):
    chance = random.Random(1)
    for attempt in range(kills):
        place = tmp_path / str(attempt)
        place.mkdir()
        writer = subprocess.Popen([sys.executable, "-c", WRITER, str(place), mode], stdout=subprocess.PIPE)
        assert writer.stdout.readline() == b"ready\n"
        time.sleep(chance.uniform(0.0, 0.15))
        os.kill(writer.pid, signal.SIGKILL)
        writer.wait()
        writer.stdout.close()
        releases = [f for f in place.iterdir() if f.is_dir() and not f.name.startswith(".")]
        assert all(whole(folder) for folder in releases)
        if mode == "over":
            assert [f.name for f in releases] == ["out"]
        else:
            secrets = {f.stem for f in place.glob("*.csv") if not f.name.startswith(".")}
            assert {f.name.removeprefix("out") for f in releases} <= secrets, "the secret comes first"
