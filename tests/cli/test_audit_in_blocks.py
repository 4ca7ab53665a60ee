"""`kakurenbo audit` on blocks: the same answer as of the tables in memory, with the same targets."""

import json
from dataclasses import replace

import polars as pl
import pytest

import kakurenbo as kb
import sample_audit
from kakurenbo.auditing.earlier import Other
from kakurenbo.chance import Chance
from kakurenbo.cli.main import run
from kakurenbo.data.blocks import Blocks, InMemory
from kakurenbo.files.fingerprints import fingerprint
from kakurenbo.files.secret_lines import SecretLines
from kakurenbo.files.store.read import read_blocks
from proving import proved_once
from shops import light_shop

PEOPLE = 24


@pytest.fixture(scope="module")
def places(tmp_path_factory):
    folder = tmp_path_factory.mktemp("shop")
    data = folder / "shop.csv"
    light_shop(PEOPLE, seed=1).to_frame().write_csv(data)
    release, secret = folder / "release", folder / "secret.csv"
    made = ["deidentify", "coarsen", data, "--times", "month", "--out", release, "--secret", secret]
    assert run([*map(str, made), "--seed", "1", "--quiet", "--no-datasheet"]) == 0
    return data, release, secret


def _audit(capsys, *arguments):
    code = run(["audit", *map(str, arguments), "--json", "--seed", "1", "--quiet"])
    return code, json.loads(capsys.readouterr().out)


@pytest.mark.campaign
@pytest.mark.parametrize("twice", [False, True])
def test_blocks_and_memory_find_the_same_of_the_same_targets(places, capsys, tmp_path, twice):
    """The secret's columns may have other names; in the campaign they have both."""
    data, release, secret = places
    other = tmp_path / "names.csv"
    pl.read_csv(secret).rename({"released": "after", "original": "before"}).write_csv(other)
    asked = ["--targets", 12]
    ledger = tmp_path / "ledger.jsonl"
    with proved_once():
        code, memory = _audit(capsys, data, release, "--secret", secret, "--engine", "memory", *asked)
        same = [
            _audit(capsys, data, release, "--secret", told, "--engine", "blocks", *asked, *more)
            for told, more in ((other, ["--ledger", ledger]), (secret, []))[: 1 + twice]
        ]
    for blocks_code, blocks in same:
        assert (blocks_code, blocks["verdict"]) == (code, memory["verdict"])
        for name in ("attacks", "learnt", "utility", "targets", "counts"):
            assert _told(blocks[name]) == _told(memory[name]), name
        assert (blocks["engine"]["name"], memory["engine"]["name"]) == ("blocks", "memory")
        assert blocks["engine"]["sampled"] == memory["engine"]["sampled"]
        assert blocks["engine"]["sampled"][0] == {"what": "targets", "count": 12, "of": PEOPLE}
    prints = [blocks["provenance"]["fingerprints"] for _, blocks in same]
    assert prints == [prints[0]] * (1 + twice)
    line = json.loads(ledger.read_text().splitlines()[-1])
    known = kb.read_purchases(data), kb.read_purchases(release, like=data)
    assert [line["data"], line["release"]] == [table.fingerprint() for table in known]
    assert line["people"] == PEOPLE


def _told(part):
    """Leave out what clocks say."""
    if isinstance(part, list):
        return [_told(one) for one in part]
    if isinstance(part, dict):
        return {name: _told(one) for name, one in part.items() if name != "seconds"}
    return part


def test_a_fingerprint_is_of_the_rows_and_not_of_the_blocks(places):
    shop = kb.read_purchases(places[0])
    known = {InMemory(shop, blocks).fingerprint() for blocks in (1, 3, 7)}
    assert known == {read_blocks(places[0], records=400).fingerprint()}
    fewer = shop.with_records(shop.records.slice(1))
    assert InMemory(fewer, 1).fingerprint() not in known
    swapped = shop.records.with_columns(quantity=pl.col("quantity").reverse())
    assert InMemory(shop.with_records(swapped), 1).fingerprint() not in known


def test_of_a_secret_only_the_lines_are_held_that_are_asked_for(tmp_path):
    path = tmp_path / "secret.csv"
    path.write_text("released,original\nx1,a\nx2,b\nx3,\nx4,a\nx5,c\n")
    secret = SecretLines(path)
    assert secret.of(pl.Series(["a"])).frame.rows() == [("x1", "a"), ("x4", "a")]
    assert secret.fakes(Chance(1), 1.0).to_list() == ["x3"]
    assert not secret.one_to_one


def _asked(monkeypatch, *arguments):
    """Return what the command asks an audit, which is made by hand."""
    asked = {}

    def audit(*tables, **more):
        asked.update(more, tables=tables)
        return sample_audit.purchases()

    monkeypatch.setattr("kakurenbo.cli.audit.run_audit", audit)
    assert run(["audit", *map(str, arguments), "--quiet"]) == 1
    return asked


def test_whoever_writes_who_is_found_is_told_that_it_is_of_the_people_drawn(
    places, monkeypatch, tmp_path, capsys
):
    made = sample_audit.purchases()
    drawn = replace(made, people=replace(made.people, drawn_from=9_000))
    data, release, secret = map(str, places)
    for number, audit in enumerate((drawn, made)):
        monkeypatch.setattr("kakurenbo.cli.audit.run_audit", lambda *_, audit=audit, **__: audit)
        people = tmp_path / f"people-{number}.csv"
        assert run(["audit", data, release, "--secret", secret, "--people", str(people)]) == 1
        said = "tells who of the 400 people drawn from 9,000 is found; of the others nothing is known."
        assert (said in capsys.readouterr().err) == (audit is drawn)
        assert people.read_text().startswith("released,original")


def test_people_outside_are_read_by_the_engine_of_the_tables(places, monkeypatch, tmp_path):
    data, release, secret = places
    others = tmp_path / "others.csv"
    light_shop(12, seed=7).to_frame().write_csv(others)
    asked = [data, release, "--secret", secret, "--control", others]
    in_blocks = _asked(monkeypatch, *asked, "--engine", "blocks")["control"]
    whole = _asked(monkeypatch, *asked, "--engine", "memory")["control"]
    assert isinstance(in_blocks, Blocks)
    assert not isinstance(whole, Blocks)
    assert in_blocks.fingerprint() == InMemory(whole, 1).fingerprint()


def test_earlier_releases_are_read_by_the_engine_of_the_tables_with_what_judges_their_links(
    places, monkeypatch, tmp_path
):
    data, release, secret = places
    other, second, third = tmp_path / "other.csv", tmp_path / "second", tmp_path / "third"
    for seed, folder in (("2", second), ("3", third)):
        made = [
            "deidentify",
            "coarsen",
            data,
            "--times",
            "month",
            "--out",
            folder,
            "--secret",
            f"{folder}.csv",
        ]
        assert run([*map(str, made), "--seed", seed, "--quiet", "--no-datasheet"]) == 0
    pl.read_csv(f"{second}.csv").rename({"released": "after", "original": "before"}).write_csv(other)
    held = ["--earlier", second, "--earlier", third, "--earlier-secret", other]
    asked = [data, release, "--secret", secret, *held]
    whole, in_blocks = (
        [Other.of(one) for one in _asked(monkeypatch, *asked, "--engine", engine)["earlier"]]
        for engine in ("memory", "blocks")
    )
    assert [isinstance(one.data, Blocks) for one in (*whole, *in_blocks)] == [False, False, True, True]
    assert [one.names for one in (*whole, *in_blocks)] == [PEOPLE] * 4
    assert [one.secret is None for one in (*whole, *in_blocks)] == [False, True, False, True]
    assert in_blocks[0].secret.frame.equals(whole[0].secret.frame)
    assert [fingerprint(one.data) for one in in_blocks] == [one.data.fingerprint() for one in whole]
