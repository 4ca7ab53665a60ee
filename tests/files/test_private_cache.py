"""The user's cache folder: private, whole, and as good as empty where anybody else could have written it."""

import json
import logging
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from kakurenbo.files import private_cache
from kakurenbo.files.private_cache import VARIABLE, PrivateCache

KEY, DOCUMENT = "0123abcd", {"a": [1, 2.5], "b": {"c": None}}


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


@pytest.fixture
def kept(home):
    """Return a cache with a document in it, and the file that holds it."""
    cache = PrivateCache.of_user()
    assert cache.write(KEY, DOCUMENT)
    return cache, cache.folder / f"{KEY}.json"


def mode(path):
    return stat.S_IMODE(path.lstat().st_mode)


def test_what_is_written_is_read_back_and_is_the_users_alone(kept, home):
    cache, file = kept
    assert PrivateCache.of_user().read(KEY) == DOCUMENT
    assert cache.folder == home / ".cache" / "kakurenbo"
    assert (mode(cache.folder), mode(file)) == (0o700, 0o600)
    assert list(cache.folder.iterdir()) == [file]
    assert cache.read("other") is None
    assert cache.write(KEY, {"new": 1})
    assert cache.read(KEY) == {"new": 1}


@pytest.mark.parametrize(
    ("named", "folder"),
    [
        ({}, "HOME/.cache/kakurenbo"),
        ({"XDG_CACHE_HOME": "HOME/x"}, "HOME/x/kakurenbo"),
        ({"XDG_CACHE_HOME": "x"}, "HOME/.cache/kakurenbo"),
        ({"XDG_CACHE_HOME": "HOME/x", VARIABLE: "HOME/y"}, "HOME/y"),
        ({VARIABLE: "", "XDG_CACHE_HOME": "HOME/x"}, "HOME/x/kakurenbo"),
        ({VARIABLE: "y"}, None),
    ],
)
def test_where_it_lies(home, monkeypatch, named, folder):
    for name, value in named.items():
        monkeypatch.setenv(name, value.replace("HOME", str(home)))
    expected = None if folder is None else Path(folder.replace("HOME", str(home)))
    assert PrivateCache.of_user().folder == expected


@pytest.mark.parametrize(
    ("platform", "folder"), [("darwin", "Library/Caches/kakurenbo"), ("win32", ".cache/kakurenbo")]
)
def test_where_it_lies_on_other_systems(home, monkeypatch, platform, folder):
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.delenv("LOCALAPPDATA", raising=False)
    assert PrivateCache.of_user().folder == home / folder
    monkeypatch.setenv("LOCALAPPDATA", str(home / "local"))
    assert platform != "win32" or PrivateCache.of_user().folder == home / "local" / "kakurenbo"


def owned_by_somebody_else(monkeypatch, path):
    """Let the system say that a file or folder is another user's."""
    one = path.lstat()
    own = private_cache._is_own
    monkeypatch.setattr(
        private_cache, "_is_own", lambda status: own(status) and not os.path.samestat(status, one)
    )


def elsewhere(path):
    """Put a link to a copy in the place of a file or folder."""
    path.rename(path.with_name("elsewhere"))
    path.symlink_to(path.with_name("elsewhere"))


def rewritten(file, change):
    document = json.loads(file.read_text())
    change(document)
    file.write_text(json.dumps(document))


FORGED = {
    "a file of somebody else": owned_by_somebody_else,
    "a folder of somebody else": lambda patch, file: owned_by_somebody_else(patch, file.parent),
    "a file for the group to write": lambda _, file: file.chmod(0o620),
    "a file for everybody to write": lambda _, file: file.chmod(0o602),
    "a folder for the group to write": lambda _, file: file.parent.chmod(0o770),
    "a folder for everybody to write": lambda _, file: file.parent.chmod(0o777),
    "a folder where everybody can write": lambda _, file: file.parent.parent.chmod(0o777),
    "a link to the file": lambda _, file: elsewhere(file),
    "a link to the folder": lambda _, file: elsewhere(file.parent),
    "another document": lambda _, file: rewritten(file, lambda one: one["document"].update(a=[])),
    "another key": lambda _, file: rewritten(file, lambda one: one.update(key="ffff")),
    "another digest": lambda _, file: rewritten(file, lambda one: one.update(sha256="0" * 64)),
    "no document": lambda _, file: file.write_text('{"document": []}'),
    "no JSON": lambda _, file: file.write_bytes(b"\xff\x00"),
    "half of it": lambda _, file: os.truncate(file, file.stat().st_size // 2),
    "nothing": lambda _, file: os.truncate(file, 0),
    "a folder": lambda _, file: (file.unlink(), file.mkdir()),
    "a pipe": lambda _, file: (file.unlink(), os.mkfifo(file, 0o600)),
}


@pytest.mark.parametrize("forge", FORGED.values(), ids=FORGED)
def test_what_somebody_else_may_have_written_is_not_read(kept, monkeypatch, caplog, forge):
    cache, file = kept
    forge(monkeypatch, file)
    with caplog.at_level(logging.WARNING):
        assert cache.read(KEY) is None
    assert "is not used" in caplog.text


def test_what_one_user_wrote_another_does_not_read(kept, monkeypatch):
    cache, _ = kept
    me = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: me + 1)
    assert cache.read(KEY) is None
    assert not cache.write(KEY, {"new": 1})


@pytest.mark.parametrize("forge", ["a file for the group to write", "a link to the file", "half of it"])
def test_a_forged_file_is_replaced_and_what_a_link_leads_to_stays(kept, monkeypatch, forge):
    cache, file = kept
    FORGED[forge](monkeypatch, file)
    assert cache.write(KEY, {"new": 1})
    assert cache.read(KEY) == {"new": 1}
    assert (file.is_symlink(), mode(file)) == (False, 0o600)
    other = file.with_name("elsewhere")
    assert not other.exists() or json.loads(other.read_text())["document"] == DOCUMENT


@pytest.mark.parametrize("forge", ["a folder for the group to write", "a folder of somebody else"])
def test_nothing_is_written_into_a_folder_of_others(kept, monkeypatch, forge):
    cache, file = kept
    FORGED[forge](monkeypatch, file)
    before = file.read_bytes()
    assert not cache.write(KEY, {"new": 1})
    assert file.read_bytes() == before
    assert list(file.parent.iterdir()) == [file]


def test_a_file_under_the_key_of_another_is_not_read(kept):
    cache, file = kept
    file.rename(file.with_name("stale.json"))
    assert cache.read("stale") is None


def test_it_never_lies_in_what_came_from_elsewhere(home, monkeypatch, caplog):
    release = home / "release"
    release.mkdir()
    (home / "link").symlink_to(release)
    for inside in (release, release / "cache", home / "link" / "cache"):
        monkeypatch.setenv(VARIABLE, str(inside))
        assert PrivateCache.of_user(apart=[release]).folder is None
    assert "lies inside data that is read" in caplog.text
    monkeypatch.setenv(VARIABLE, str(home / "release of mine"))
    assert PrivateCache.of_user(apart=[release]).folder is not None


@pytest.mark.parametrize("refusal", ["a file in its place", "nobody's home"])
def test_where_nothing_can_be_kept_nothing_is(home, monkeypatch, refusal):
    if refusal == "a file in its place":
        (home / ".cache").touch()
    else:
        monkeypatch.setattr(private_cache.Path, "home", lambda: (_ for _ in ()).throw(RuntimeError))
    cache = PrivateCache.of_user()
    assert not cache.write(KEY, DOCUMENT)
    assert cache.read(KEY) is None


def test_a_home_of_somebody_else_stays_as_it_is(home, monkeypatch):
    owned_by_somebody_else(monkeypatch, home)
    assert not PrivateCache.of_user().write(KEY, DOCUMENT)
    assert list(home.iterdir()) == []


WRITE = """
import sys
from kakurenbo.files.private_cache import PrivateCache
cache, me = PrivateCache.of_user(), sys.argv[1]
for turn in range(200):
    assert cache.write("both", {"who": me, "turn": turn, "much": [me] * 500})
    read = cache.read("both")
    assert read is None or set(read["much"]) == {read["who"]}, read
"""


def test_two_processes_write_at_once_and_what_is_read_is_whole(home):
    here = {**os.environ, VARIABLE: str(home / "cache")}
    both = [
        subprocess.Popen([sys.executable, "-c", WRITE, me], env=here, stderr=subprocess.PIPE) for me in "ab"
    ]
    for one in both:
        _, said = one.communicate()
        assert (one.returncode, said) == (0, b"")
    assert PrivateCache(home / "cache").read("both")["turn"] == 199
    assert len(list((home / "cache").iterdir())) == 1


def test_the_newest_are_kept(home, monkeypatch):
    monkeypatch.setattr(private_cache, "_KEPT", 3)
    cache = PrivateCache.of_user()
    for number in range(5):
        cache.write(f"k{number}", DOCUMENT)
        os.utime(cache.folder / f"k{number}.json", (number, number))
    assert {path.stem for path in cache.folder.iterdir()} == {"k2", "k3", "k4"}
