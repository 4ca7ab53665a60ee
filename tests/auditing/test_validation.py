"""The validation on made-up people: remembered for the very program that was validated, and for no other."""

import datetime as dt
import json
import logging
import os
import subprocess
import sys
from types import CodeType, FunctionType

import numpy as np
import polars as pl
import pytest

import kakurenbo as kb
from campaign import in_campaign
from kakurenbo.attacks.purchases.likeness import JaccardAttack
from kakurenbo.attacks.purchases.visits import VisitsAttack
from kakurenbo.attacks.search import overlap
from kakurenbo.attacks.search.scores import Pairwise
from kakurenbo.auditing.panel.members import attackers, naming
from kakurenbo.auditing.proof import live_code, made_up, remembered, strong
from kakurenbo.auditing.proof.prove import prove
from kakurenbo.cli.main import run
from kakurenbo.files import private_cache
from kakurenbo.files.private_cache import VARIABLE, PrivateCache
from kakurenbo.kernels.nearest import similarity_block
from kakurenbo.progress import Progress
from shops import light_shop

TRIED = {("goods", "jaccard"), ("card statement", "visits")}
PARTS = (
    ("controls", *sorted({"customer", "goods", "receipt", "time", "price", "quantity", "master"})),
    ("disguises",),
)


@pytest.fixture(scope="module")
def shop():
    return light_shop(60, seed=3)


@pytest.fixture(scope="module")
def members(shop):
    return [who for who in naming(attackers(shop)) if (who.knowledge, who.name) in TRIED]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv(VARIABLE, str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def asked(shop, members, folder):
    """Return a function that proves these attackers as a new process does that has this cache."""
    others = [who.key for who in attackers(shop) if who not in members]

    def ask(**options):
        remembered._memory.clear()
        return prove(shop, seed=1, without=others, **options)

    return ask


@pytest.fixture(scope="module")
def honest(shop, members):
    """Return what is remembered of these attackers as they are, each under his key in the panel."""
    program = remembered.Program(members)
    like, found = made_up.made_up(shop), {}
    for name, make in zip(
        PARTS, (lambda new: strong.on_made_up(new, like, Progress()), strong.through_disguises), strict=True
    ):
        found[name] = program.ask(name, None, make)[0]
    return found


def shuffled(patch, share=1.0, least=0):
    """Let him mix up a share of the released people, where there are at least so many."""

    def mixed_up(released, known):
        goods = pl.concat([known.goods, released.goods]).unique().sort()
        similar = similarity_block(
            released.baskets().over(goods).matrix, known.baskets().over(goods).matrix, "jaccard"
        )
        order = np.arange(len(similar))
        some = round(share * len(order)) if len(order) >= least else 0
        order[:some] = np.roll(order[:some], 1)
        return similar[order]

    patch.setattr(JaccardAttack, "score", lambda *_: Pairwise(mixed_up))


def lost_where_goods_changed(patch):
    named = VisitsAttack.named

    def refusing(self, tables, chance):
        sold = (side.records["goods"].cast(pl.String).sort() for side in (tables.original, tables.released))
        if not next(sold).equals(next(sold)):
            raise kb.InputError("Nothing to be seen.", code="limit")
        return named(self, tables, chance)

    patch.setattr(VisitsAttack, "named", refusing)


def built_on_a_broken_kernel(patch):
    nearest = overlap.nearest
    patch.setattr(overlap, "nearest", lambda a, b, *given, **more: nearest(a[::-1], b, *given, **more))


WEAKENED = {
    "finds nobody": (shuffled, "jaccard"),
    "finds four fifths": (lambda patch: shuffled(patch, share=0.2), "jaccard"),
    "finds nobody among many": (lambda patch: shuffled(patch, least=100), "jaccard"),
    "is built on a broken kernel": (built_on_a_broken_kernel, "jaccard"),
    "says that goods do not concern him": (
        lambda patch: patch.setattr(JaccardAttack, "reads", lambda *_: frozenset()), "jaccard",
    ),
    "does not see through what he is meant to": (lost_where_goods_changed, "visits"),
}  # fmt: skip
ON_FEW = {
    "finds nobody",
    "finds four fifths",
    "is built on a broken kernel",
}  # seen on the user's own people too


def failed(proof):
    return {one.attack for one in proof.failed}


@pytest.mark.parametrize("way", WEAKENED)
def test_who_is_weakened_while_the_program_runs_is_caught_whatever_is_remembered(asked, monkeypatch, way):
    """With a cold cache, and with a valid one of the same attackers as they were before."""
    weaken, name = WEAKENED[way]
    with monkeypatch.context() as patch:
        weaken(patch)
        cold = asked()
    assert (failed(cold), cold.validation.source) == ({name}, "made")
    before = asked()
    assert (failed(before), before.validation.source) == (set(), "made")
    assert asked().validation.source == "remembered"
    weaken(monkeypatch)
    after = asked()
    assert failed(after) == {name}
    assert after.attackers == cold.attackers


def written(members, honest, folder):
    """Write what is remembered of honest attackers for those who are tried now; return the files."""
    program, cache = remembered.Program(members), PrivateCache.of_user()
    for name, found in honest.items():
        assert cache.write(program.place(*name), {program.keys[key]: one for key, one in found.items()})
    return sorted(folder.iterdir())


def owned_by_somebody_else(patch, files):
    """Let the system say that these are another user's."""
    theirs, own = [path.lstat() for path in files], private_cache._is_own
    patch.setattr(
        private_cache, "_is_own",
        lambda status: own(status) and not any(os.path.samestat(status, one) for one in theirs),
    )  # fmt: skip


def of_another_program(_, files):
    for path in files:
        document = json.loads(path.read_text())
        path.write_text(json.dumps(document | {"key": "validation-of-another-program"}))


def links(_, files):
    for path in files:
        path.rename(path.with_suffix(".elsewhere"))
        path.symlink_to(path.with_suffix(".elsewhere"))


FORGED = {
    "a foreign owner": owned_by_somebody_else,
    "the group may write": lambda _, files: [path.chmod(0o660) for path in files],
    "everybody may write to the folder": lambda _, files: files[0].parent.chmod(0o777),
    "a wrong digest": of_another_program,
    "links": links,
    "torn": lambda _, files: [os.truncate(path, 100) for path in files],
}


@pytest.mark.parametrize("way", ["finds nobody among many", *in_campaign(*(set(WEAKENED) - ON_FEW))])
@pytest.mark.parametrize("forge", FORGED)
def test_nobody_is_believed_for_what_somebody_else_wrote(
    asked, members, honest, folder, monkeypatch, caplog, forge, way
):
    """The forger knows everything, the digests of the weakened attackers too; only the place is not his."""
    weaken, name = WEAKENED[way]
    weaken(monkeypatch)
    files = written(members, honest, folder)
    FORGED[forge](monkeypatch, files)
    with caplog.at_level(logging.WARNING):
        proof = asked()
    assert (failed(proof), proof.validation.source) == ({name}, "made")
    assert "is not used" in caplog.text


def test_what_is_the_users_own_is_believed(asked, members, honest, folder, monkeypatch):
    """Without the forger's marks the same files would have been: the tests above can fail."""
    WEAKENED["finds nobody among many"][0](monkeypatch)
    written(members, honest, folder)
    proof = asked()
    assert (failed(proof), proof.validation.source) == (set(), "remembered")


@pytest.mark.parametrize("way", sorted(ON_FEW))
def test_the_users_own_people_tell_without_anything_made_up(asked, members, honest, folder, monkeypatch, way):
    weaken, name = WEAKENED[way]
    weaken(monkeypatch)
    written(members, honest, folder)
    proof = asked()
    assert (failed(proof), proof.validation.source) == ({name}, "remembered")


def test_what_another_program_left_is_not_asked_for(asked, honest, members, folder, monkeypatch):
    """Another version of a library, or of anything that all attackers share, makes another program."""
    for change in (
        lambda patch: patch.setattr(remembered, "versions", lambda: {"polars": "0.1"}),
        lambda patch: patch.setattr(strong, "SEEDS", strong.SEEDS[::-1]),
    ):
        with monkeypatch.context() as patch:
            change(patch)
            written(members, honest, folder)
    assert len(list(folder.iterdir())) == 4
    assert asked().validation.source == "made"


def test_only_who_changed_is_validated_anew(members, honest, folder, monkeypatch):
    written(members, honest, folder)
    tried = []

    def spied(new):
        tried.extend(who.name for who in new)
        return {}

    for weaken, expected in (
        (None, []),
        (shuffled, ["jaccard", "jaccard"]),
        (lost_where_goods_changed, ["visits"] * 2),
    ):
        remembered._memory.clear()
        with monkeypatch.context() as patch:
            if weaken is not None:
                weaken(patch)
            remembered.Program(members).ask(PARTS[0], PrivateCache.of_user(), spied)
        assert tried == expected
        tried.clear()


def test_other_columns_are_another_validation(shop, members):
    few = kb.Purchases.from_frame(
        shop.under(None), **{role: role for role in ("customer", "goods", "receipt", "time")}
    )
    shapes = [made_up.made_up(data).shape for data in (shop, few)]
    assert shapes[0] == PARTS[0][1:]
    assert set(shapes[1]) == {"customer", "goods", "receipt", "time"}
    assert made_up.made_up(few).draw(20, 1).shown == few.shown
    program = remembered.Program(members)
    assert program.place("controls", *shapes[0]) != program.place("controls", *shapes[1])


def test_made_up_microdata_have_the_columns_of_the_users_and_nothing_of_his_values():
    table = pl.DataFrame({
        "zip": ["8001", "8002"], "age": [31, 40], "member": [True, False],
        "born": [dt.date(1980, 1, 1), dt.date(1990, 2, 2)], "income": [1.5, 2.5], "ill": ["flu", "no"],
    })  # fmt: skip
    data = kb.Microdata.from_frame(table, qi=["zip", "age", "member", "born"], sa=["income", "ill"])
    like = made_up.made_up(data)
    people = like.draw(50, 1)
    assert (people.qi, people.sa, people.numbers) == (data.qi, data.sa, data.numbers)
    assert made_up.made_up(people).shape == like.shape
    assert people.records.equals(like.draw(50, 1).records)
    assert not people.records.equals(like.draw(50, 2).records)
    other = table.with_columns(pl.lit("A").alias("zip"), pl.col("age") + 1)
    assert made_up.made_up(kb.Microdata.from_frame(other, qi=data.qi, sa=data.sa)).shape == like.shape


def test_without_a_cache_all_is_made_and_nothing_kept(asked, folder):
    assert asked(cache=False).validation.source == "made"
    assert not folder.exists()
    assert not remembered._memory


@pytest.mark.parametrize("home", ["nothing can be written", "a release"])
def test_where_nothing_can_be_kept_all_is_made(asked, tmp_path, monkeypatch, home):
    if home == "nothing can be written":
        monkeypatch.setenv(VARIABLE, "/proc/nowhere/cache")
        proof = asked()
    else:
        proof = asked(apart=[tmp_path])
    assert (failed(proof), proof.validation.source) == (set(), "made")
    assert list(tmp_path.iterdir()) == []


IN_A_PROCESS = """
import sys
import kakurenbo as kb
from kakurenbo.auditing.proof.prove import prove
proof = prove(kb.demo.households(30, seed=1), seed=1)
print(proof.holds, proof.validation.source)
"""


def test_two_processes_at_once_and_one_after_them_come_to_the_same(folder):
    def begun():
        return subprocess.Popen(
            [sys.executable, "-c", IN_A_PROCESS], env=dict(os.environ), stdout=subprocess.PIPE
        )

    both = [begun(), begun()]
    assert [one.communicate()[0].split() for one in both] == [[b"True", b"made"]] * 2
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert begun().communicate()[0].split() == [b"True", b"remembered"]
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_an_audit_says_whether_it_was_remembered_and_can_be_told_to_forget(tmp_path, folder, capsys):
    people = kb.demo.households(30, seed=1)
    released = kb.methods.PseudonymizeMicrodata().release(people, seed=5)
    people.with_ids.write_csv(tmp_path / "people.csv")
    released.data.with_ids.write_csv(tmp_path / "out.csv")
    released.pairing.frame.write_csv(tmp_path / "secret.csv")
    words = [
        "audit",
        str(tmp_path / "people.csv"),
        str(tmp_path / "out.csv"),
        "--secret",
        str(tmp_path / "secret.csv"),
    ]
    words += ["--qi", ",".join(people.qi), "--sa", ",".join(people.sa), "--json"]

    def source(*more):
        remembered._memory.clear()
        assert run([*words, *more]) == 1
        return json.loads(capsys.readouterr().out)["proof"]["validation"]["source"]

    assert source("--no-cache") == "made"
    assert not folder.exists()
    assert [source(), source(), source("--no-cache")] == ["made", "remembered", "made"]


def codes(function):
    """Yield where a function stands, and those inside it."""
    waiting = [function.__code__]
    while waiting:
        code = waiting.pop()
        yield code.co_filename, code.co_firstlineno, code.co_qualname
        waiting.extend(part for part in code.co_consts if isinstance(part, CodeType))


def walked(members):
    """Return where all functions stand that are part of the digest of these attackers."""
    common = live_code.LiveCode(lambda made: isinstance(getattr(made, "about", None), remembered.About))
    common.digest(strong.on_made_up, strong.through_disguises)
    walks = [common]
    for one in {type(who.attack) for who in members}:
        walks.append(common.beyond())
        walks[-1].digest(one)
    held = [thing for walk in walks for thing in walk._held if isinstance(thing, FunctionType)]
    return {place for function in held for place in codes(function)}


@pytest.mark.parametrize("everybody", [False, *in_campaign(True)])
def test_all_that_runs_is_part_of_the_digest(shop, members, monkeypatch, everybody):
    """A function that runs and is not could be weakened without anybody noticing."""
    tried = naming(attackers(shop)) if everybody else members
    like, ran = made_up.made_up(shop), set()

    def watch(frame, event, _):
        code = frame.f_code
        if event == "call" and f"{os.sep}kakurenbo{os.sep}" in code.co_filename:
            ran.add((code.co_filename, code.co_firstlineno, code.co_qualname))

    part = walked(tried)
    monkeypatch.setattr(made_up, "PEOPLE", 60)
    monkeypatch.setattr(strong, "PEOPLE", 60)
    sys.setprofile(watch)
    try:
        strong.on_made_up(tried, like, Progress())
        strong.through_disguises(tried)
    finally:
        sys.setprofile(None)
    compiling = {one for one in ran if one[2] == "<module>" or one[0].endswith("compiled.py")}
    assert len(ran) > 300
    assert ran - compiling - part == set()
