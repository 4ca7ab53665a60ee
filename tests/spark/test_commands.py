"""Commands on a cluster answer as in memory, and their releases are written by the workers."""

import copy
import io
import json
import shutil
from contextlib import redirect_stdout
from functools import partial

import pytest

import kakurenbo as kb
from campaign import in_campaign
from kakurenbo.cli import engines
from kakurenbo.cli.main import run
from kakurenbo.data.source import Said
from shops import ROLES

WORDS = [word for role in ROLES for word in (f"--{role}", role)]
PLAN = kb.methods.Chain(methods=(kb.methods.Generalize(crowd=3), kb.methods.Coarsen(times="week"))).plan


def answer(*arguments, codes=(0,)):
    with redirect_stdout(io.StringIO()) as said:
        assert run([*map(str, arguments), *WORDS, "--json", "--seed", "1", "--quiet"]) in codes
    return json.loads(said.getvalue())


@pytest.fixture(scope="module")
def folder(session, shop, tmp_path_factory):
    """Carry the plan out with every engine; commands cut tables into several blocks from here on."""
    from kakurenbo.spark import reading  # noqa: PLC0415 - an extra

    folder = tmp_path_factory.mktemp("commands")
    shop.to_frame().write_parquet(folder / "shop.parquet")
    (folder / "plan.json").write_text(json.dumps(PLAN.to_dict()))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engines, "read_blocks", partial(kb.read_blocks, records=300))
        patch.setattr(reading, "read", partial(reading.read, records=300))
        for engine in ("memory", "blocks", "spark"):
            where = ("--out", folder / engine, "--secret", folder / f"{engine}.csv", "--engine", engine)
            made = answer("deidentify", folder / "shop.parquet", "--plan", folder / "plan.json", *where)
            assert made["records"] == len(shop)
        yield folder


def told(folder, command, release, engine, *more, **how):
    """Return what a command answers on an engine about a release."""
    secret = ("--secret", folder / f"{release}.csv", "--engine", engine)
    return answer(*command.split(), folder / "shop.parquet", folder / release, *secret, *more, **how)


@pytest.mark.parametrize(("command", "code"), [("measure likeness", 0), ("excess", 1)])
def test_a_release_is_judged_on_the_cluster_as_in_memory(folder, command, code):
    asked = ("--targets", "all")
    here, there = (told(folder, command, name, name, *asked, codes=[code]) for name in ("memory", "spark"))
    assert here == there


def test_a_table_is_profiled_on_the_cluster_as_in_memory(folder):
    here, there = (
        answer("profile", folder / "shop.parquet", "--engine", engine) for engine in ("memory", "spark")
    )
    assert here == there


@pytest.fixture(scope="module", params=[12, *in_campaign("all")])
def targets(request):
    """How many people are sought."""
    return request.param


@pytest.fixture(scope="module")
def audited(folder, targets):
    """Audit the cluster's release on it."""
    return untimed(told(folder, "audit", "spark", "spark", "--targets", targets, codes=(0, 1)))


@pytest.mark.parametrize("release", ["blocks", "spark"])
def test_an_audit_on_the_cluster_says_what_one_in_blocks_says(folder, audited, targets, release):
    here = untimed(told(folder, "audit", release, "blocks", "--targets", targets, codes=(0, 1)))
    assert here["attacks"]
    assert here["learnt"]
    assert here["control"]["kind"] == "plan"
    assert not here["unseen"]["files"]
    assert len(list((folder / "spark" / "transactions.parquet").glob("part-*"))) > 0
    there = copy.deepcopy(audited)
    assert [document["engine"].pop("name") for document in (here, there)] == ["blocks", "spark"]
    assert here == there


def untimed(document):
    """Return what an audit tells, but for when, how long, where, and who goes by rows."""
    for part in ("seconds", "filing", "provenance", "proof", "worst"):
        del document[part]
    for found in (*document["attacks"], *document["learnt"]):
        found.pop("seconds", None)
    return document


def test_a_release_folder_of_one_machine_says_the_same_on_a_cluster(folder, session, tmp_path):
    out, how = tmp_path / "release", {"like": folder / "shop.parquet", "session": session}
    shutil.copytree(folder / "memory", out)
    assert (out / "datasheet.json").exists()
    assert kb.spark.read(out, **how).source.said == Said((), (), True, PLAN)
    (out / "goods.csv").write_text((out / "goods.csv").read_text() + "\n")
    assert kb.spark.read(out, **how).source.said.changed == ("goods.csv",)
