"""Passwords: argon2id, never an error when one is checked, and none that everybody tries."""

import threading
import time

import pytest
from argon2 import PasswordHasher, Type, extract_parameters

from kakurenbo.errors import ParameterError
from kakurenbo.web import passwords
from kakurenbo.web.passwords import MISSING_HASH, check_password, hash_password, needs_rehash, verify_password

GOOD = "correct horse battery"


@pytest.fixture(scope="module")
def kept():
    return hash_password(GOOD)


def test_a_password_is_kept_as_argon2id_with_the_librarys_parameters(kept):
    assert extract_parameters(kept).type is Type.ID
    assert not needs_rehash(kept)
    assert GOOD not in kept
    assert hash_password(GOOD) != kept


def test_only_the_right_one_is_right(kept):
    assert verify_password(kept, GOOD)
    assert not verify_password(kept, GOOD + " ")
    assert not verify_password(kept, "")
    assert not verify_password(kept, "x" * 100_000)


@pytest.mark.parametrize(
    "broken", ["", "nonsense", "$argon2id$", "$argon2id$v=19$m=65536,t=3,p=4$aa$bb", "é", "\x00"]
)
def test_a_hash_that_is_none_is_never_an_error(broken):
    assert not verify_password(broken, GOOD)
    assert needs_rehash(broken)


def test_a_password_that_cannot_be_written_is_never_an_error(kept):
    assert not verify_password(kept, "\ud800" * 12)


def test_the_same_letters_composed_otherwise_are_the_same_password():
    assert verify_password(hash_password("がぎぐげござじずぜぞ"), "か\u3099ぎぐげござじずぜぞ")


def test_the_hash_of_nobody_costs_as_much_as_that_of_somebody():
    assert not needs_rehash(MISSING_HASH)
    assert not verify_password(MISSING_HASH, GOOD)


def test_weaker_hashes_are_made_anew():
    assert needs_rehash(PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash(GOOD))


@pytest.mark.parametrize(
    ("password", "name", "sentence"),
    [
        ("short", "hanako", "at least 10"),
        ("", "hanako", "at least 10"),
        ("x" * 1001, "hanako", "at most 1000"),
        ("hanakosuzuki", "HanakoSuzuki", "own name"),
        ("Hanako123456", "hanako", "own name"),
        ("hanakohanako", "hanako", "own name"),
        ("password123", "hanako", "tried first"),
        ("QwertyUIOP", "hanako", "tried first"),
        ("1234567890", "hanako", "tried first"),
        ("aaaaaaaaaaaa", "hanako", "tried first"),
    ],
)
def test_bad_passwords_are_refused_without_being_repeated(password, name, sentence):
    with pytest.raises(ParameterError, match=sentence) as caught:
        check_password(password, name)
    assert not password or password not in str(caught.value)


@pytest.mark.parametrize("password", [GOOD, "とても長いパスワードです", "hanako likes tea", "x7#kQ9!mZ2"])
def test_good_passwords_are_taken(password):
    check_password(password, "hanako")
    check_password(password, "")


def test_all_common_ones_are_long_enough_to_matter():
    assert all(len(word) >= passwords.SHORTEST for word in passwords._COMMON)
    assert len(passwords._COMMON) > 40


def test_only_a_few_are_computed_at_once(monkeypatch):
    running, most, lock = 0, 0, threading.Lock()

    class Slow:
        def hash(self, text):
            nonlocal running, most
            with lock:
                running += 1
                most = max(most, running)
            time.sleep(0.002)
            with lock:
                running -= 1
            return text

    monkeypatch.setattr(passwords, "_HASHER", Slow())
    monkeypatch.setattr(passwords, "_AT_ONCE", threading.BoundedSemaphore(2))
    threads = [threading.Thread(target=hash_password, args=("x",)) for _ in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most <= 2
    assert running == 0
