"""Outputs replace only what this program wrote, and a killed run is no obstacle to the next one."""

from __future__ import annotations

import errno
import json
import os
import stat
from contextlib import contextmanager

import polars as pl
import pytest

import kakurenbo as kb
from kakurenbo.data.blocks import InMemory
from kakurenbo.files import aside, atomic, datasheet, disk, manifest, release_folder
from kakurenbo.files.outputs import Output, check, inputs_of
from kakurenbo.files.pairings import is_guess
from kakurenbo.files.pending import Journal, until_told
from kakurenbo.files.stretches import Stretches


class Killed(BaseException):
    """Stands for a process that is no more."""


@pytest.fixture
def release(small):
    return kb.methods.Pseudonymize().release(small, seed=1)


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


@contextmanager
def killed_at(monkeypatch, owner, name, after=0):
    """Let the process 'die' at a call: nothing is tidied up, as by SIGKILL, and all its locks are free."""
    calls, whole = [], getattr(owner, name)

    def die(*arguments, **named):
        calls.append(name)
        if len(calls) > after:
            raise Killed
        return whole(*arguments, **named)

    with monkeypatch.context() as patch:
        patch.setattr(owner, name, die)
        patch.setattr(aside.Aside, "leave", lambda self: os.close(self.descriptor))
        patch.setattr(Journal, "remove", Journal.close)
        patch.setattr(aside.Aside, "in_place", True)
        with pytest.raises(Killed), until_told():
            yield


STEPS = [
    (release_folder, "fill", 0), (release_folder, "seal", 0), (aside.Aside, "ready", 0),
    (Journal, "write", 0), (aside.Aside, "take", 0), (aside.Aside, "take", 1), (aside.Aside, "take", 2),
    (release_folder, "_finish", 0), (Journal, "done", 0),
]  # fmt: skip


@pytest.mark.parametrize(("owner", "name", "after"), STEPS)
def test_a_release_killed_at_any_step_can_be_made_again_by_the_same_command(
    owner, name, after, release, tmp_path, monkeypatch
):
    out, secret = tmp_path / "out", tmp_path / "secret.csv"
    for step in ((owner, name, after), (Journal, "done")):
        with killed_at(monkeypatch, *step):
            kb.write_release(release, out, secret=secret)
        assert not out.exists() or (manifest.is_release(out) and secret.exists())
    kb.write_release(release, out, secret=secret)
    assert names(tmp_path) == ["out", "secret.csv"]
    assert manifest.is_release(out)
    assert kb.read_pairing(secret) == release.pairing


@pytest.mark.parametrize(
    "step",
    [
        (Stretches, "add", 1), (release_folder, "write_beside", 0), (datasheet, "put", 0),
        (release_folder, "seal", 0), (aside.Aside, "take", 1), (Journal, "done", 0),
    ],
)  # fmt: skip
def test_a_release_in_blocks_killed_at_any_step_can_be_made_again(step, small, tmp_path, monkeypatch):
    out, secret, blocks = tmp_path / "out", tmp_path / "secret.csv", InMemory(small, 3)
    made = kb.methods.Pseudonymize().release_in_blocks(blocks, seed=1)
    with killed_at(monkeypatch, *step):
        kb.write_in_blocks(made, out, secret=secret, original=blocks)
    assert not out.exists() or (manifest.is_release(out) and secret.exists())
    kb.write_in_blocks(made, out, secret=secret, original=blocks)
    assert names(tmp_path) == ["out", "secret.csv"]
    assert manifest.is_release(out)
    assert kb.read_pairing(secret) == kb.methods.Pseudonymize().release(small, seed=1).pairing


@pytest.mark.parametrize(
    "step", [(aside.Aside, "replace", 0), (release_folder, "_finish", 0), (Journal, "done", 0)]
)
def test_an_overwriting_killed_at_any_step_can_be_repeated(step, release, tmp_path, monkeypatch):
    out, old, secret = tmp_path / "out", tmp_path / "old.csv", tmp_path / "secret.csv"
    kb.write_release(release, out, secret=old)
    for _ in range(2):
        with killed_at(monkeypatch, *step):
            kb.write_release(release, out, secret=secret, overwrite=True)
        assert manifest.is_release(out)
    kb.write_release(release, out, secret=secret, overwrite=True)
    assert names(tmp_path) == ["old.csv", "out", "secret.csv"]
    assert manifest.is_release(out)


def test_the_secret_of_a_release_that_somebody_moved_is_kept(release, tmp_path, monkeypatch):
    out, secret = tmp_path / "out", tmp_path / "secret.csv"
    with killed_at(monkeypatch, Journal, "done"):
        kb.write_release(release, out, secret=secret)
    out.rename(tmp_path / "handed over")
    before = secret.read_bytes()
    with pytest.raises(kb.ParameterError, match="only key"):
        kb.write_release(release, out, secret=secret)
    assert secret.read_bytes() == before


def test_the_secret_of_a_killed_run_is_kept_for_its_release_in_another_place(release, tmp_path, monkeypatch):
    with killed_at(monkeypatch, Journal, "done"):
        kb.write_release(release, tmp_path / "out", secret=tmp_path / "secret.csv")
    with pytest.raises(kb.ParameterError, match="only key"):
        kb.write_release(release, tmp_path / "other", secret=tmp_path / "secret.csv")
    assert manifest.is_release(tmp_path / "out")


def test_a_secret_nobody_speaks_of_is_kept(release, tmp_path):
    (tmp_path / "secret.csv").write_text("released,original\na,b\n")
    with pytest.raises(kb.ParameterError, match="Choose another name"):
        kb.write_release(release, tmp_path / "out", secret=tmp_path / "secret.csv")
    assert names(tmp_path) == ["secret.csv"]


def test_a_pair_that_a_living_run_is_writing_is_refused(release, tmp_path):
    with until_told():
        kb.write_release(release, tmp_path / "out", secret=tmp_path / "secret.csv")
        with pytest.raises(kb.WriteError) as error:
            kb.write_release(release, tmp_path / "out", secret=tmp_path / "secret.csv")
    assert error.value.code == "busy"


def test_when_the_note_is_gone_the_run_is_over_whatever_the_disk_says(release, tmp_path, monkeypatch):
    sync = disk.sync_folder

    def refuse(path):
        if (tmp_path / "out").exists() and not (tmp_path / ".secret.csv.pending").exists():
            raise OSError(errno.EIO, "Input/output error")
        sync(path)

    monkeypatch.setattr(disk, "sync_folder", refuse)
    kb.write_release(release, tmp_path / "out", secret=tmp_path / "secret.csv")
    assert names(tmp_path) == ["out", "secret.csv"]


@pytest.mark.parametrize("content", [b"", b"mine", b'{"made_by": "me", "digests": []}', b"[" * 9000])
def test_a_file_called_like_a_note_is_left_alone(content, release, tmp_path):
    (tmp_path / ".secret.csv.pending").write_bytes(content)
    with pytest.raises(kb.ParameterError) as error:
        kb.write_release(release, tmp_path / "out", secret=tmp_path / "secret.csv")
    assert error.value.code == "exists"
    assert (tmp_path / ".secret.csv.pending").read_bytes() == content
    assert names(tmp_path) == [".secret.csv.pending"]


def test_an_error_after_the_exchange_takes_nothing_back(release, tmp_path, monkeypatch):
    out, secret = tmp_path / "out", tmp_path / "secret.csv"
    kb.write_release(release, out, secret=tmp_path / "old.csv")
    remove = disk.remove

    def refuse(path):
        if path.is_dir():
            raise OSError(errno.EIO, "Input/output error")
        remove(path)

    with monkeypatch.context() as patch:
        patch.setattr(disk, "remove", refuse)
        with pytest.raises(kb.WriteError, match=r"could not be removed: it is .*\.out\.\w+\.partial"):
            kb.write_release(release, out, secret=secret, overwrite=True)
    assert manifest.is_release(out)
    assert kb.read_pairing(secret) == release.pairing
    kb.write_release(release, out, secret=secret, overwrite=True)
    assert names(tmp_path) == ["old.csv", "out", "secret.csv"]


def test_only_an_unchanged_release_of_ours_is_overwritten(release, tmp_path):
    out = tmp_path / "out"
    for content in ({"precious.txt": "keep"}, {}, {"transactions.csv": "a,b\n", "release.json": "{}"}):
        out.mkdir()
        for name, text in content.items():
            (out / name).write_text(text)
        with pytest.raises(kb.ParameterError, match="not a release that this program wrote"):
            kb.write_release(release, out, secret=tmp_path / "s.csv", overwrite=True)
        assert {path.name: path.read_text() for path in out.iterdir()} == content
        for path in out.iterdir():
            path.unlink()
        out.rmdir()
    kb.write_release(release, out, secret=tmp_path / "s.csv")
    (out / "notes.txt").write_text("mine")
    with pytest.raises(kb.ParameterError, match="changed since"):
        kb.write_release(release, out, secret=tmp_path / "t.csv", overwrite=True)
    (tmp_path / "link").symlink_to(out)
    (out / "notes.txt").unlink()
    with pytest.raises(kb.ParameterError):
        kb.write_release(release, tmp_path / "link", secret=tmp_path / "t.csv", overwrite=True)


def test_what_takes_its_place_at_the_last_moment_is_put_back(release, tmp_path, monkeypatch):
    out = tmp_path / "out"
    kb.write_release(release, out, secret=tmp_path / "s.csv")
    exchange = disk.exchange

    def late(first, second):
        if not (tmp_path / "moved").exists():
            out.rename(tmp_path / "moved")
            out.mkdir()
            (out / "precious.txt").write_text("keep")
        return exchange(first, second)

    monkeypatch.setattr(disk, "exchange", late)
    with pytest.raises(kb.ParameterError) as error:
        kb.write_release(release, out, secret=tmp_path / "t.csv", overwrite=True)
    assert error.value.code == "exists"
    assert (out / "precious.txt").read_text() == "keep"
    assert names(tmp_path) == ["moved", "out", "s.csv"]


def test_guesses_replace_guesses_and_never_a_secret(release, tmp_path):
    path = tmp_path / "pairs.csv"
    kb.write_pairing(release.pairing, path)
    assert is_guess(path)
    path.chmod(0o644)
    kb.write_pairing(release.pairing, path)
    assert mode(path) == 0o600
    kb.write_pairing(release.pairing, tmp_path / "secret.csv", secret=True)
    before = (tmp_path / "secret.csv").read_bytes()
    with pytest.raises(kb.ParameterError) as error:
        kb.write_pairing(release.pairing, tmp_path / "secret.csv")
    assert error.value.code == "exists"
    assert (tmp_path / "secret.csv").read_bytes() == before
    assert names(tmp_path) == ["pairs.csv", "secret.csv"]


@pytest.mark.parametrize(
    "text",
    ["", "released,original\n", "released,original\nb,1\n", "released,original\nb,1\nc,2\n", "b,1\na,2\n",
     "released,original\nb,1\na,2,3\n", 'released,original\nb,"1\na,2\n', "released,original\nb,1\nb,2\n"],
)  # fmt: skip
def test_no_other_file_is_taken_for_a_guess(text, tmp_path):
    (tmp_path / "pairs.csv").write_text(text)
    assert not is_guess(tmp_path / "pairs.csv")


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077, 0o777])
def test_what_names_people_is_private_whatever_the_umask(umask, release, tmp_path):
    before = os.umask(umask)
    try:
        kb.write_pairing(release.pairing, tmp_path / "guess.csv")
    finally:
        os.umask(before)
    assert mode(tmp_path / "guess.csv") == 0o600


def test_nobody_may_read_the_new_who_could_not_read_the_old(release, tmp_path):
    kb.write_release(release, tmp_path / "out", secret=tmp_path / "s.csv")
    (tmp_path / "out").chmod(0o700)
    (tmp_path / "out" / "transactions.csv").chmod(0o600)
    kb.write_release(release, tmp_path / "out", secret=tmp_path / "t.csv", overwrite=True)
    assert mode(tmp_path / "out") == 0o700
    assert mode(tmp_path / "out" / "transactions.csv") == 0o600


@pytest.mark.parametrize("inside", ["tree/.git/", "tree/.git", "release"])
def test_what_names_people_does_not_go_where_it_may_be_published(inside, release, tmp_path):
    place = tmp_path / "tree"
    if inside == "release":
        kb.write_release(release, place, secret=tmp_path / "s.csv")
    else:
        place.mkdir()
        (tmp_path / inside).mkdir() if inside.endswith("/") else (tmp_path / inside).write_text("gitdir: x")
    for write in (
        lambda **allow: kb.write_pairing(release.pairing, place / "g.csv", **allow),
        lambda **allow: kb.write_release(release, tmp_path / "new", secret=place / "s.csv", **allow),
    ):
        with pytest.raises(kb.ParameterError) as error:
            write()
        assert error.value.code == "secret-place"
        write(allow_exposed=True)
    assert (place / "g.csv").exists()


def test_an_output_is_no_input_under_any_name(tmp_path):
    data = tmp_path / "data"
    data.mkdir()
    (data / "transactions.csv").write_text("a,b\n")
    (tmp_path / "link.csv").symlink_to(data / "transactions.csv")
    (tmp_path / "folder").symlink_to(data)
    (tmp_path / "hard.csv").hardlink_to(data / "transactions.csv")
    (tmp_path / "kakurenbo.toml").write_text("")
    table = data / "transactions.csv"
    for path, given in (
        (table, table), (tmp_path / "link.csv", table), (tmp_path / "hard.csv", data), (data, data),
        (data / "new", data), (tmp_path / "folder" / "new", data), (data / ".." / "data" / "new", data),
        (data, table), (tmp_path / "kakurenbo.toml", tmp_path / "hard.csv"), (tmp_path, table),
    ):  # fmt: skip
        with pytest.raises(kb.ParameterError) as error:
            check([Output("out", path, replaces=lambda _: True)], inputs_of(given))
        assert error.value.code == "output-place", path


def test_two_outputs_are_not_one_and_not_in_one_another(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "a")
    for other in ("a", "A", "link", "a/b", "b/../a", "A/b/c"):
        with pytest.raises(kb.ParameterError) as error:
            check([Output("out", tmp_path / "a"), Output("report", tmp_path / other)])
        assert error.value.code == "output-place"
    check([Output("out", tmp_path / "a"), Output("report", tmp_path / "ab")])


def test_a_name_of_the_greatest_length_can_be_written(tmp_path, release):
    for name in ("n" * 255, "\u3042" * 85):
        atomic.write_file(tmp_path / name, b"whole")
        assert (tmp_path / name).read_bytes() == b"whole"
    with pytest.raises(kb.WriteError) as error:
        atomic.write_file(tmp_path / ("n" * 256), b"")
    assert error.value.code == "write"
    assert len(names(tmp_path)) == 2
    with pytest.raises(kb.WriteError, match="name too long"):
        check([Output("out", tmp_path / ("n" * 256))])


def test_stale_partials_go_and_those_of_others_stay(tmp_path):
    target = tmp_path / "table.csv"
    ours = aside._named(target, ".partial")
    others = aside._named(tmp_path / "other.csv", ".partial")
    foreign = tmp_path / ".table.csv.0123456789abcdef.partial"
    ready = aside._named(target, ".ready")
    for path in (ours, others, foreign, ready):
        path.write_text("x")
    with aside.aside_file(target, 0o644) as alive:
        atomic.write_file(target, b"whole")
        assert alive.path.exists()
    assert names(tmp_path) == sorted(["table.csv", others.name, foreign.name, ready.name])


def test_polars_refused_by_the_system_is_a_write_error(release, tmp_path, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(release_folder._Sink, "write", _full)
        for write in (pl.DataFrame.write_parquet, pl.DataFrame.write_csv):
            with pytest.raises(OSError, match="No space") as error:
                release_folder._to_file(
                    lambda file, w=write: w(pl.DataFrame({"a": [1]}), file), tmp_path / "t"
                )
            assert error.value.errno == errno.ENOSPC
            (tmp_path / "t").unlink()


def _full(self, _content):
    self.refused = OSError(errno.ENOSPC, "No space left on device")
    raise self.refused


def test_the_manifest_says_whether_a_seed_was_used(small, tmp_path):
    for seed, name in ((1, "seeded"), (None, "fresh")):
        made = kb.methods.Pseudonymize().release(small, seed=seed)
        kb.write_release(made, tmp_path / name, secret=tmp_path / f"{name}.csv")
        document = json.loads((tmp_path / name / "release.json").read_text())
        assert document["reproducible"] is (seed is not None)
