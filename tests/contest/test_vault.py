"""The vault: nothing can be read, changed, cut, reordered or renamed without its key."""

import hashlib
import io
import os
import stat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kakurenbo.contest.vault import Vault
from kakurenbo.errors import InputError, KakurenboError, ParameterError

KEY = hashlib.sha256(os.urandom(8)).digest()
CHUNK = 1 << 16
HEAD = 20


@pytest.fixture
def vault(tmp_path):
    return Vault(tmp_path, KEY)


@pytest.mark.parametrize("size", [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK, 200_000])
def test_what_was_put_comes_back(vault, size):
    content = os.urandom(size)
    sealed = vault.put(content)
    assert vault.get(sealed.name) == content
    assert (sealed.size, sealed.digest) == (size, hashlib.sha256(content).hexdigest())
    assert sealed.commitment == hashlib.sha256(bytes.fromhex(sealed.salt) + content).hexdigest()


@given(pieces=st.lists(st.binary(max_size=50), max_size=20))
def test_a_stream_that_gives_little_at_a_time_is_the_same_file(tmp_path_factory, pieces):
    class Dripping:
        def __init__(self):
            self._left = [piece for piece in pieces if piece]

        def read(self, size):
            return self._left.pop(0) if self._left else b""

    vault = Vault(tmp_path_factory.mktemp("vault"), KEY)
    assert vault.get(vault.put(Dripping()).name) == b"".join(pieces)


def test_nothing_can_be_read_at_rest_and_equal_files_look_different(vault):
    content = b"Taro bought medicine. " * 100
    first, second = vault.put(content), vault.put(content)
    at_rest = [(vault.folder / sealed.name).read_bytes() for sealed in (first, second)]
    assert all(b"Taro" not in file and b"medicine" not in file for file in at_rest)
    assert at_rest[0][HEAD:] != at_rest[1][HEAD:]
    assert first.commitment != second.commitment
    assert first.digest not in first.name
    assert "Taro" not in repr(vault)
    assert KEY.hex() not in repr(vault)


def test_files_are_private_whatever_the_umask(vault):
    old = os.umask(0)
    try:
        sealed = vault.put(b"secret")
    finally:
        os.umask(old)
    assert stat.S_IMODE((vault.folder / sealed.name).stat().st_mode) == 0o600


@pytest.mark.parametrize(
    "harm",
    [
        lambda file: file[:HEAD] + bytes([file[HEAD] ^ 1]) + file[HEAD + 1 :],
        lambda file: bytes([*file[:4], file[4] ^ 1, *file[5:]]),
        lambda file: file[:-1] + bytes([file[-1] ^ 1]),
        lambda file: file[: HEAD + CHUNK + 16],
        lambda file: file[:HEAD],
        lambda file: file + b"x",
        lambda file: file[:HEAD] + file[HEAD + CHUNK + 16 :] + file[HEAD : HEAD + CHUNK + 16],
        lambda _: b"",
    ],
    ids=["changed", "salt", "tag", "last chunk cut", "all cut", "longer", "reordered", "empty"],
)
def test_harm_is_noticed(vault, harm):
    sealed = vault.put(os.urandom(2 * CHUNK))
    path = vault.folder / sealed.name
    path.write_bytes(harm(path.read_bytes()))
    with pytest.raises(ParameterError) as caught:
        vault.get(sealed.name)
    assert caught.value.code == "contest"


def test_a_file_does_not_open_under_another_name_or_with_another_key(vault):
    first, second = vault.put(b"first"), vault.put(b"second")
    (vault.folder / first.name).write_bytes((vault.folder / second.name).read_bytes())
    with pytest.raises(ParameterError):
        vault.get(first.name)
    other = Vault(vault.folder, hashlib.sha256(KEY).digest())
    with pytest.raises(ParameterError):
        other.get(second.name)
    assert other.check != vault.check
    assert Vault(vault.folder, KEY).check == vault.check


@pytest.mark.parametrize("name", ["../key", "/etc/passwd", "", "a" * 31, "A" * 32, "a" * 31 + "/"])
def test_a_name_that_is_none_of_ours_opens_nothing(vault, name):
    for use in (vault.get, vault.remove):
        with pytest.raises(KakurenboError):
            use(name)


def test_what_passes_the_limit_leaves_nothing(vault):
    assert vault.put(b"x" * 100, limit=100).size == 100
    before = vault.names()
    with pytest.raises(InputError) as caught:
        vault.put(io.BytesIO(b"x" * 101), limit=100)
    assert caught.value.code == "limit"
    assert vault.names() == before


def test_chance_of_the_key_is_the_same_every_time_and_differs_by_purpose(vault):
    assert vault.seed("release a") == Vault(vault.folder, KEY).seed("release a")
    assert (
        len(
            {
                vault.seed("release a"),
                vault.seed("release b"),
                Vault(vault.folder, b"x" * 32).seed("release a"),
            }
        )
        == 3
    )


def test_a_file_is_on_the_disk_before_anybody_is_told(vault, monkeypatch):
    synced = []
    real = os.fsync
    monkeypatch.setattr(
        os, "fsync", lambda descriptor: (synced.append(os.fstat(descriptor).st_mode), real(descriptor))[1]
    )
    vault.put(b"durable")
    assert [stat.S_ISDIR(mode) for mode in synced] == [False, True]
