"""One body for all engines: profiles, releases and what is told of them are equal, under chance by id."""

import polars as pl
import pytest

import kakurenbo as kb
from kakurenbo.catalogue import entries
from kakurenbo.chance import Chance
from kakurenbo.data.blocks import InMemory
from kakurenbo.data.pairing import Pairing
from kakurenbo.deidentify.in_blocks import release_in_blocks
from kakurenbo.risk.excess.judge import Excess
from kakurenbo.risk.excess.sampled import excess_in_blocks
from shops import ROLES, light_shop
from works import content

NAMED = {role: role for role in ROLES}
SHOP = kb.Purchases.from_frame(light_shop(30, 3).to_frame(), **NAMED)
METHODS = [
    entry.what(**entry.example)
    for entry in entries("method", "purchases")
    if entry.what.about.reach in {"person", "table"} and "master" not in entry.what.about.needs
]


def itself(release):
    return release


class Local:
    """Blocks of this machine: the release put together from its parts."""

    def __init__(self, table):
        self.table = table

    def released(self, method):
        made = release_in_blocks(method, self.table, seed=5).settled()
        parts = [part.made for part in made.parts(itself) if part.made is not None]
        rows = pl.concat([part.data.under(None) for part in parts])
        return rows.sort(rows.columns), Pairing(*pl.concat([part.pairing.frame for part in parts]))


class OnCluster:
    """Blocks of the cluster: the release as the workers hold it."""

    def __init__(self, table):
        self.table = table

    def released(self, method):
        made = kb.spark.deidentify(method, self.table, seed=5)
        rows = pl.concat(made.data.map(content))
        pairing = made.pairing()
        made.data.close()
        return rows.sort(rows.columns), pairing


@pytest.fixture(scope="module", params=["memory", "blocks", "spark"])
def engine(request, tmp_path_factory):
    """Return the same shop on every engine in turn."""
    if request.param == "memory":
        return Local(InMemory.of(SHOP, 200))
    path = tmp_path_factory.mktemp("shop") / "shop.parquet"
    SHOP.to_frame().write_parquet(path)
    if request.param == "blocks":
        return Local(kb.read_blocks(path, **NAMED))
    session = request.getfixturevalue("session")
    return OnCluster(kb.spark.read(path, session=session, records=400, **NAMED))


def test_every_engine_profiles_alike(engine):
    assert kb.profile(engine.table, seed=1) == kb.profile(InMemory.of(SHOP, 200), seed=1)


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.plan.name)
def test_every_engine_releases_alike(engine, method):
    whole = method.release(SHOP, seed=5)
    rows, pairing = engine.released(method)
    assert rows.equals(whole.data.by_content().select(rows.columns))
    assert dict(pairing.frame.iter_rows()) == dict(whole.pairing.frame.iter_rows())


RELEASE = kb.methods.Chain(methods=(kb.methods.Coarsen(times="week"), kb.methods.Delete(share=0.2))).release(
    SHOP, seed=5
)


@pytest.fixture(scope="module")
def pairs(session, tmp_path_factory):
    """Return the shop and a release of it, in memory and on the cluster."""
    folder = tmp_path_factory.mktemp("pair")
    SHOP.to_frame().write_parquet(folder / "shop.parquet")
    RELEASE.data.to_frame().write_parquet(folder / "release.parquet")
    how = {"session": session, "records": 400, **NAMED}
    before = kb.spark.read(folder / "shop.parquet", **how)
    after = kb.spark.read(folder / "release.parquet", like=folder / "shop.parquet", **how)
    yield (InMemory.of(SHOP, 400), InMemory.of(RELEASE.data, 400)), (before, after)
    before.close()
    after.close()


@pytest.mark.parametrize("measure", [kb.measures.Likeness(), kb.measures.MeanGroup()], ids=repr)
def test_a_cluster_measures_as_memory_does(pairs, measure):
    here, there = (measure.of_blocks(*both, RELEASE.pairing, targets=12, seed=1) for both in pairs)
    assert here == there


@pytest.mark.parametrize("people", [12, None])
def test_a_cluster_judges_the_distance_as_memory_does(pairs, people):
    here, there = (
        excess_in_blocks(Excess(), *both, RELEASE.pairing, people=people, chance=Chance(1)) for both in pairs
    )
    assert here.verdict.to_dict() == there.verdict.to_dict()
    assert (here.threshold, here.nearest, here.distance) == (there.threshold, there.nearest, there.distance)


def told(audit):
    """Return what an audit tells, but for when, how long, and who goes by rows, whom blocks do not keep."""
    document = audit.to_dict()
    for part in ("seconds", "filing", "provenance", "proof", "worst"):
        del document[part]
    for found in document["attacks"]:
        del found["seconds"]
    return document


def test_a_cluster_audits_as_memory_does(pairs):
    here, there = (told(kb.audit(*both, RELEASE.pairing, targets=12, seed=1)) for both in pairs)
    assert len(here["attacks"]) > 5
    assert here == there
