"""A real cluster for a session of tests, and one fixture for all engines, so that one body tests them all."""

import os

import pytest
from bench import cluster as clusters


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
    """Return a session on the cluster."""
    from kakurenbo.spark import session as sessions  # noqa: PLC0415 - an extra

    with pytest.MonkeyPatch.context() as patch:
        for name, value in cluster.environment.items():
            if os.environ.get(name) != value:
                patch.setenv(name, value)
        started = sessions.start(cluster.url)
        yield started
        started.stop()
