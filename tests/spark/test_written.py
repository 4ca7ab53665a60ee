"""Releases that the workers write, with the secret apart; and a worker that is lost in the middle."""

import json
import stat
import threading
import time
from hashlib import sha256

import polars as pl
import pytest

import kakurenbo as kb
from kakurenbo.data.source import Said
from kakurenbo.errors import InputError, ParameterError
from shops import ROLES, light_shop
from works import content, slowly

NAMED = {role: role for role in ROLES}
SHOP = kb.Purchases.from_frame(light_shop(30, 3).to_frame(), **NAMED)
PLAN = kb.methods.Chain(
    methods=(kb.methods.Coarsen(times="week", price_bands=2), kb.methods.Delete(share=0.2))
)


@pytest.fixture(scope="module")
def blocks(session, tmp_path_factory):
    path = tmp_path_factory.mktemp("shop") / "shop.parquet"
    SHOP.to_frame().write_parquet(path)
    return kb.spark.read(path, session=session, records=300, **NAMED)


def test_a_release_is_written_by_the_workers_and_the_secret_apart(session, blocks, tmp_path):
    made = kb.spark.deidentify(PLAN, blocks, seed=5)
    with pytest.raises(ParameterError) as refused:
        made.write(tmp_path / "release", secret=tmp_path / "release" / "secret.csv")
    assert refused.value.code == "secret-place"
    made.write(tmp_path / "release", secret=tmp_path / "secret.csv")
    whole = PLAN.release(SHOP, seed=5)
    files = sorted((tmp_path / "release" / "transactions.parquet").glob("*.parquet"))
    assert made.records == len(whole.data)
    written = pl.concat([pl.read_parquet(file) for file in files])
    assert "original" not in written.columns
    assert len(files) > 1
    there = kb.spark.read(tmp_path / "release", session=session, policy="refuse", **NAMED)
    rows = pl.concat(there.map(content))
    assert rows.sort(rows.columns).equals(whole.data.by_content().select(rows.columns))
    secret = tmp_path / "secret.csv"
    assert stat.S_IMODE(secret.stat().st_mode) == 0o600
    told = kb.read_pairing(secret)
    assert dict(told.frame.iter_rows()) == dict(whole.pairing.frame.iter_rows())


def test_the_words_of_a_release_lie_beside_it_and_come_back_with_it(session, blocks, tmp_path):
    method = kb.methods.Generalize(crowd=3)
    release = tmp_path / "release"
    kb.spark.deidentify(method, blocks, seed=5).write(release, secret=tmp_path / "secret.csv")
    tree = method.release(SHOP, seed=5).data.hierarchies["goods"]
    there = kb.spark.read(release, session=session, **NAMED)
    assert there.whole.hierarchies["goods"].frame.rows() == tree.frame.rows()
    with pytest.raises(ParameterError):
        kb.spark.deidentify(PLAN, blocks).write(release, secret=tmp_path / "another.csv")
    assert not (tmp_path / "another.csv").exists()
    words = {"goods": str(release / "goods.csv")}
    again = kb.spark.read(blocks.source.place.parent, session=session, hierarchies=words, **NAMED)
    assert again.whole.hierarchies["goods"].frame.rows() == tree.frame.rows()


def test_a_release_says_what_made_it_and_what_belongs_to_it(session, blocks, tmp_path):
    release, method = tmp_path / "release", kb.methods.Generalize(crowd=3)
    kb.spark.deidentify(method, blocks, seed=5).write(release, secret=tmp_path / "secret.csv")
    parts = sorted((release / "transactions.parquet").glob("part-*"))
    printed = "".join(f"{sha256(part.read_bytes()).hexdigest()}  {part.name}\n" for part in parts)
    assert json.loads((release / "release.json").read_text()) == {
        "made_by": "kakurenbo release",
        "files": {
            "transactions.parquet": sha256(printed.encode()).hexdigest(),
            "goods.csv": sha256((release / "goods.csv").read_bytes()).hexdigest(),
        },
        "reproducible": True,
        "plan": method.plan.to_dict(),
    }
    assert kb.spark.read(release, session=session, **NAMED).source.said == Said((), (), True, method.plan)


def test_what_was_changed_in_a_release_or_put_beside_it_is_told(session, blocks, tmp_path):
    release = tmp_path / "release"
    kb.spark.deidentify(PLAN, blocks, seed=5).write(release, secret=tmp_path / "secret.csv")
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


def test_columns_that_nobody_reads_are_told(session, tmp_path):
    SHOP.to_frame().with_columns(note=pl.lit("x")).write_parquet(tmp_path / "more.parquet")
    there = kb.spark.read(tmp_path / "more.parquet", session=session, **NAMED)
    assert there.source.unread == ("note",)


@pytest.mark.campaign
def test_a_worker_killed_in_the_middle_changes_no_answer(cluster, blocks):
    expected = list(blocks.map(content))

    def kill():
        time.sleep(2)
        cluster.kill(0)

    killer = threading.Thread(target=kill)
    killer.start()
    answers = list(blocks.map(slowly))
    killer.join()
    assert all(one.equals(other) for one, other in zip(answers, expected, strict=True))
