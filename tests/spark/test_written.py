"""Releases that the workers write, with the secret apart; and a worker that is lost in the middle."""

import json
import shutil
import stat
import threading
import time
from hashlib import sha256

import polars as pl
import pytest

import kakurenbo as kb
from kakurenbo.data.source import Said
from kakurenbo.errors import InputError, ParameterError
from shops import NAMED
from works import content, slowly

PLAN = kb.methods.Chain(
    methods=(
        kb.methods.Coarsen(times="week", price_bands=2),
        kb.methods.Generalize(crowd=3),
        kb.methods.Delete(share=0.2),
    )
)


@pytest.fixture(scope="module")
def whole(shop):
    """Return the release that memory makes."""
    return PLAN.release(shop, seed=5)


@pytest.fixture(scope="module")
def made(spark):
    """Return the same release on the cluster."""
    return kb.spark.deidentify(PLAN, spark[0], seed=5)


@pytest.fixture(scope="module")
def written(made, tmp_path_factory):
    """Return the folder that the workers wrote; the secret lies beside it, by an address of this machine."""
    release = tmp_path_factory.mktemp("written") / "release"
    made.write(release, secret=release.with_name("secret.csv").as_uri())
    return release


@pytest.fixture(scope="module")
def read(session, written):
    """Return what is read of it."""
    return kb.spark.read(written, session=session, policy="refuse", **NAMED)


def test_a_release_is_written_by_the_workers(made, written, read, whole):
    files = sorted((written / "transactions.parquet").glob("*.parquet"))
    assert made.records == len(whole.data)
    assert "original" not in pl.concat([pl.read_parquet(file) for file in files]).columns
    assert len(files) > 1
    rows = pl.concat(read.map(content))
    assert rows.sort(rows.columns).equals(whole.data.by_content().select(rows.columns))


def test_the_secret_of_a_release_is_written_apart(made, written, whole, tmp_path):
    inside = tmp_path / "release" / "secret.csv"
    for place in (inside, inside.as_uri()):
        with pytest.raises(ParameterError) as refused:
            made.write(tmp_path / "release", secret=place)
        assert refused.value.code == "secret-place"
    secret = written.with_name("secret.csv")
    assert stat.S_IMODE(secret.stat().st_mode) == 0o600
    told = kb.read_pairing(secret)
    assert dict(told.frame.iter_rows()) == dict(whole.pairing.frame.iter_rows())


def test_a_secret_on_a_storage_is_written_by_the_workers(session, made, whole, tmp_path):
    storage = session.sparkContext._jsc.hadoopConfiguration()
    storage.set("fs.viewfs.mounttable.storage.link./private", tmp_path.as_uri())
    made.write(tmp_path / "release", secret="viewfs://storage/private/secret")  # noqa: S106 - a path
    parts = [kb.read_pairing(part).frame for part in (tmp_path / "secret").glob("part-*.csv")]
    assert dict(pl.concat(parts).iter_rows()) == dict(whole.pairing.frame.iter_rows())


def test_nothing_is_written_over_a_release_nor_a_secret_before_it(made, written, tmp_path):
    with pytest.raises(ParameterError):
        made.write(written, secret=tmp_path / "another.csv")
    assert not (tmp_path / "another.csv").exists()


def test_the_words_of_a_release_lie_beside_it_and_come_back_with_it(session, files, written, read, whole):
    tree = whole.data.hierarchies["goods"]
    assert read.whole.hierarchies["goods"].frame.rows() == tree.frame.rows()
    words = {"goods": str(written / "goods.csv")}
    again = kb.spark.read(files[0], session=session, hierarchies=words, **NAMED)
    assert again.whole.hierarchies["goods"].frame.rows() == tree.frame.rows()


def test_a_release_says_what_made_it_and_what_belongs_to_it(written, read):
    parts = sorted((written / "transactions.parquet").glob("part-*"))
    printed = "".join(f"{sha256(part.read_bytes()).hexdigest()}  {part.name}\n" for part in parts)
    assert json.loads((written / "release.json").read_text()) == {
        "made_by": "kakurenbo release",
        "files": {
            "transactions.parquet": sha256(printed.encode()).hexdigest(),
            "goods.csv": sha256((written / "goods.csv").read_bytes()).hexdigest(),
        },
        "reproducible": True,
        "plan": PLAN.plan.to_dict(),
    }
    assert read.source.said == Said((), (), True, PLAN.plan)


def test_what_was_changed_in_a_release_or_put_beside_it_is_told(session, written, tmp_path):
    release = shutil.copytree(written, tmp_path / "release")
    parts = sorted((release / "transactions.parquet").glob("part-*"))
    parts[0].unlink()
    (release / "transactions.parquet" / "_names.csv").write_text("released,original\n")
    (release / "pairing.csv").write_text("released,original\n")
    beside = ("pairing.csv", "transactions.parquet/_names.csv")
    said = kb.spark.read(release, session=session, **NAMED).source.said
    assert said == Said(beside, ("transactions.parquet",), True, PLAN.plan)
    (release / "release.json").write_text("{}")
    with pytest.raises(InputError) as refused:
        kb.spark.read(release, session=session, **NAMED)
    assert refused.value.code == "file-broken"
    (release / ".release.json.crc").unlink()
    said = kb.spark.read(release, session=session, **NAMED).source.said
    assert said == Said(("pairing.csv", "release.json", "transactions.parquet/_names.csv"))


def test_columns_that_nobody_reads_are_told(session, shop, tmp_path):
    shop.to_frame().with_columns(note=pl.lit("x")).write_parquet(tmp_path / "more.parquet")
    there = kb.spark.read(tmp_path / "more.parquet", session=session, **NAMED)
    assert there.source.unread == ("note",)


@pytest.mark.campaign
def test_a_worker_killed_in_the_middle_changes_no_answer(cluster, spark):
    blocks = spark[0]
    expected = list(blocks.map(content))

    def kill():
        time.sleep(2)
        cluster.kill(0)

    killer = threading.Thread(target=kill)
    killer.start()
    answers = list(blocks.map(slowly))
    killer.join()
    assert all(one.equals(other) for one, other in zip(answers, expected, strict=True))
