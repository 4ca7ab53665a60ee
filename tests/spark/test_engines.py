"""One body for all engines: profiles, releases and what is told of them are equal, under chance by id."""

import polars as pl
import pytest

import kakurenbo as kb
from kakurenbo.attacks.base import Tables
from kakurenbo.attacks.purchases.receipts import asked_of_some
from kakurenbo.catalogue import entries
from kakurenbo.chance import Chance
from kakurenbo.cli.engines import on_cluster
from kakurenbo.data.pairing import Pairing
from kakurenbo.deidentify.in_blocks import release_in_blocks
from kakurenbo.progress import Progress
from kakurenbo.risk.excess.judge import Excess, limits_and_verdict
from same_answers import apart, named
from shops import NAMED
from snapshots.cases import RELEASES
from works import content

METHODS = [
    entry.what(**entry.example)
    for entry in entries("method", "purchases")
    if entry.what.about.reach in {"person", "table"} and "master" not in entry.what.about.needs
]


def itself(release):
    return release


def released(method, table):
    """Return the records and the pairing of a release: as the workers hold it, or put together from parts."""
    cluster = on_cluster(table)
    if cluster is None:
        made = release_in_blocks(method, table, seed=5).settled()
        parts = [part.made for part in made.parts(itself) if part.made is not None]
        rows = pl.concat([part.data.under(None) for part in parts])
        pairing = Pairing(*pl.concat([part.pairing.frame for part in parts]))
    else:
        made = cluster.deidentify(method, table, seed=5)
        rows, pairing = pl.concat(made.data.map(content)), made.pairing()
        made.data.close()
    return rows.sort(rows.columns), pairing


def test_every_engine_profiles_alike(engine, memory):
    assert kb.profile(engine, seed=1) == kb.profile(memory[0], seed=1)


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.plan.name)
def test_every_engine_releases_alike(engine, shop, method):
    whole = method.release(shop, seed=5)
    rows, pairing = released(method, engine)
    assert rows.equals(whole.data.by_content().select(rows.columns))
    assert dict(pairing.frame.iter_rows()) == dict(whole.pairing.frame.iter_rows())


@pytest.mark.parametrize("measure", [kb.measures.Likeness(), kb.measures.MeanGroup()], ids=repr)
def test_a_cluster_measures_as_memory_does(spark, memory, release, measure):
    here, there = (measure.of_blocks(*both, release.pairing, targets=12, seed=1) for both in (memory, spark))
    assert here == there


@pytest.mark.parametrize("people", [12, None])
def test_a_cluster_judges_the_distance_as_memory_does(spark, memory, release, people):
    here, there = (
        limits_and_verdict(
            Excess(), *both, release.pairing, people=people, chance=Chance(1), progress=Progress()
        )
        for both in (memory, spark)
    )
    assert here[1].to_dict() == there[1].to_dict()
    assert here[0].nearest == there[0].nearest


def told(audit):
    """Return what an audit tells, but for when, how long, and who goes by rows, whom blocks do not keep."""
    document = audit.to_dict()
    for part in ("seconds", "filing", "provenance", "proof", "worst"):
        del document[part]
    del document["engine"]["name"]
    for found in document["attacks"]:
        del found["seconds"]
    return document


def test_a_cluster_gives_people_the_receipts_that_memory_gives(spark, memory, shop, release):
    people, tables = shop.customers.head(12), Tables(shop, release.data, Chance(1))
    who = {unit: kb.attacks.OwnersAttack(share=0.5, unit=unit) for unit in ("receipt", "moment")}
    here, there = (
        asked_of_some(who, tables, people, 30, both, alike=None, progress=Progress())
        for both in (memory, spark)
    )  # fmt: skip
    for unit in who:
        mine, theirs = (
            one.tables.released.under(None).with_columns(owner=one.of[unit].owner).sort(pl.all())
            for one in (here, there)
        )
        assert set(mine["owner"]) > {-1, 3}
        assert mine.equals(theirs)


@pytest.mark.campaign
@pytest.mark.parametrize("targets", [12, "all"])
def test_a_cluster_audits_as_memory_does(spark, memory, release, targets):
    here, there = (
        told(kb.audit(*both, release.pairing, targets=targets, seed=1)) for both in (memory, spark)
    )
    assert len(here["attacks"]) > 5
    assert here == there


@pytest.mark.campaign
@pytest.mark.parametrize("name", ["consensus", "noise"])
def test_a_cluster_answers_as_a_whole_table_does(session, tmp_path, name):
    """Two of the releases that snapshots freeze: in memory, and in blocks on two workers."""
    shop = kb.Purchases.from_frame(kb.demo.shop(60, seed=1).to_frame(), **NAMED)
    release = RELEASES[name].release(shop, seed=1)
    for table, file in ((shop, "shop"), (release.data, "release")):
        table.to_frame().write_parquet(tmp_path / f"{file}.parquet")
    how = {"session": session, "records": 2000, **NAMED}
    original = kb.spark.read(tmp_path / "shop.parquet", **how)
    released = kb.spark.read(tmp_path / "release.parquet", like=tmp_path / "shop.parquet", **how)
    here, there = (
        named(kb.audit(*both, release.pairing, targets="all", seed=1).to_dict())
        for both in ((shop, release.data), (original, released))
    )
    for table in (original, released):
        table.close()
    assert len(original) > 1
    assert len(here["attacks"]) > 60
    assert list(apart(here, there)) == []
