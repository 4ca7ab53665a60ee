"""A real cluster for a session of tests, and one fixture for all engines, so that one body tests them all."""

import os

import pytest
from bench import cluster as clusters

import kakurenbo as kb
from kakurenbo.data.blocks import InMemory
from shops import NAMED, light_shop

# There is little to compute, so that queries are neither spread widely nor compiled.
_LITTLE = {
    "spark.sql.shuffle.partitions": "2",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
}


@pytest.fixture(scope="session")
def cluster(tmp_path_factory):
    """Start a master and two workers on loopback; where that cannot be, skip and say why."""
    why = clusters.why_not()
    if why:
        pytest.skip(why)
    with clusters.Cluster(tmp_path_factory.mktemp("cluster"), quick=True) as started:
        yield started


@pytest.fixture(scope="session")
def session(cluster):
    """Return a session on the cluster; a command that asks for Spark finds it and starts none."""
    from kakurenbo.spark import session as sessions  # noqa: PLC0415 - an extra

    with pytest.MonkeyPatch.context() as patch:
        for name, value in cluster.environment.items():
            if os.environ.get(name) != value:
                patch.setenv(name, value)
        for name, value in _LITTLE.items():
            patch.setitem(sessions.SETTINGS, name, value)
        started = sessions.start(cluster.url)
        yield started
        started.stop()


@pytest.fixture(scope="session")
def shop():
    """Return a small shop without its master, which a cluster does not read."""
    return kb.Purchases.from_frame(light_shop(30, 3).to_frame(), **NAMED)


@pytest.fixture(scope="session")
def release(shop):
    """Return a release of the shop."""
    steps = (kb.methods.Coarsen(times="week"), kb.methods.Delete(share=0.2))
    return kb.methods.Chain(methods=steps).release(shop, seed=5)


@pytest.fixture(scope="session")
def files(shop, release, tmp_path_factory):
    """Return the files of the shop and of its release."""
    folder = tmp_path_factory.mktemp("files")
    shop.to_frame().write_parquet(folder / "shop.parquet")
    release.data.to_frame().write_parquet(folder / "release.parquet")
    return folder / "shop.parquet", folder / "release.parquet"


@pytest.fixture(scope="session")
def memory(shop, release):
    """Return the shop and its release in blocks of memory, with which all engines are compared."""
    return InMemory.of(shop, 300), InMemory.of(release.data, 300)


@pytest.fixture(scope="session")
def spark(session, files):
    """Return the shop and its release on the cluster."""
    how = {"session": session, "records": 300, **NAMED}
    both = kb.spark.read(files[0], **how), kb.spark.read(files[1], like=files[0], **how)
    yield both
    for table in both:
        table.close()


@pytest.fixture(scope="session", params=["memory", "blocks", "spark"])
def engine(request, shop, files):
    """Return the shop on every engine in turn, on this machine in smaller blocks than on the cluster."""
    if request.param == "memory":
        return InMemory.of(shop, 200)
    if request.param == "blocks":
        return kb.read_blocks(files[0], records=200, **NAMED)
    return request.getfixturevalue("spark")[0]
