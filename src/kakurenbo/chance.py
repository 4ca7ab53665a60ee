"""Chance: every draw depends on (seed, what it is for, whose it is), and never on where a row stands.

The same people get the same draws in any order of rows, in blocks, and on a cluster; another purpose or
another person gets others. A keyed BLAKE2b turns (purpose, id) into a number, and SplitMix64 continues it
where one id needs several draws. What works on all people at once, a clustering or an assignment, gets a
generator of its own by its purpose.

With a seed the key comes from the seed, so everything can be repeated, and undone by whoever knows the seed.
Without one it comes from the operating system.
"""

from __future__ import annotations

import functools
import secrets
from hashlib import blake2b
from typing import TYPE_CHECKING, cast

import numpy as np
import polars as pl

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import ArrayLike, NDArray

# Without 0, 1, i, l, o: a token read over the telephone stays the same token.
ALPHABET = np.frombuffer(b"abcdefghjkmnpqrstuvwxyz23456789", dtype=np.uint8)
WIDTH = 10  # about 50 bits
_STEP = np.uint64(0x9E3779B97F4A7C15)


def drawn_seed() -> int:
    """Return a fresh seed, for a run whose parts must draw alike."""
    return secrets.randbits(62)


class Chance:
    """All chance of one run, by purpose and id."""

    def __init__(self, seed: int | bytes | None = None) -> None:
        self._key = secrets.token_bytes(32) if seed is None else _digest(b"", str(seed), 32)

    def under(self, *purpose: object) -> Chance:
        """Return the chance of a part of the run, apart from all others."""
        return Chance(_digest(self._key, "\0".join(map(str, purpose)), 32))

    def stream(self, purpose: str) -> np.random.Generator:
        """Return a generator for what looks at everybody at once."""
        return np.random.default_rng(list(_digest(self._key, purpose, 32)))

    def numbers(self, purpose: str, ids: pl.Series, turns: ArrayLike = 0) -> NDArray[np.uint64]:
        """Return 64 random bits for each id; `turns` tell several draws of one id apart."""
        coded = ids if isinstance(ids.dtype, pl.Enum) else _coded(ids.cast(pl.String))
        names, codes = cast("pl.Enum", coded.dtype).categories, coded.to_physical().to_numpy()
        key = _digest(self._key, purpose, 32)
        used = np.unique(codes)
        bits = np.zeros(len(names), dtype=np.uint64)
        texts = names if len(used) == len(names) else names.gather(used)
        bits[used] = np.frombuffer(_digests(key, texts.to_list(), 8), dtype="<u8")
        return _mixed(bits[codes] + (np.asarray(turns).astype(np.uint64) + np.uint64(1)) * _STEP)

    def uniform(self, purpose: str, ids: pl.Series, turns: ArrayLike = 0) -> NDArray[np.float64]:
        """Return a number of [0, 1) for each id; see `numbers`."""
        return (self.numbers(purpose, ids, turns) >> np.uint64(11)).astype(np.float64) * 2.0**-53

    def below(
        self, purpose: str, ids: pl.Series, bounds: ArrayLike, turns: ArrayLike = 0
    ) -> NDArray[np.int64]:
        """Return a whole number below its bound for each id; see `numbers`."""
        most = np.asarray(bounds, dtype=np.int64)
        return np.minimum((self.uniform(purpose, ids, turns) * most).astype(np.int64), most - 1)

    def normal(self, purpose: str, ids: pl.Series, turns: ArrayLike = 0) -> NDArray[np.float64]:
        """Return a standard normal number for each id; see `numbers`."""
        from scipy.special import ndtri  # noqa: PLC0415 - slow to load

        drawn: NDArray[np.float64] = ndtri(self.uniform(purpose, ids, turns) + 2.0**-54)
        return drawn

    def order(self, purpose: str, ids: pl.Series) -> NDArray[np.int64]:
        """Return the places of the ids in a random order."""
        return np.argsort(self.numbers(purpose, ids), kind="stable")

    def tokens(self, purpose: str, ids: pl.Series, *, avoid: pl.Series) -> pl.Series:
        """Return a pseudonym for each of these distinct ids: opaque, of fixed width, none of them in `avoid`.

        Neither its value nor its order tells anything of the id, of the order people came in, or of how many
        they are. Two that are equal are both drawn again.
        """
        taken = avoid.cast(pl.String)
        tokens = _letters(self.numbers(purpose, ids))
        turn = 0
        while len(again := (tokens.is_duplicated() | tokens.is_in(taken.implode())).arg_true()):
            turn += 1
            fresh = _letters(self.numbers(purpose, ids.gather(again), np.full(len(again), turn)))
            tokens = tokens.scatter(again, fresh)
        return tokens.alias("token")

    def drawn_tokens(self, purpose: str, ids: pl.Series, turn: int = 0) -> NDArray[np.uint64]:
        """Return the numbers of the tokens that ids draw at a turn, whoever else drew them: see `spelled`."""
        return self.numbers(purpose, ids, np.full(len(ids), turn)) % np.uint64(len(ALPHABET) ** WIDTH)


def spelled(tokens: NDArray[np.uint64]) -> pl.Series:
    """Return tokens in letters, given their numbers."""
    return _letters(tokens).alias("token")


def token_numbers(ids: pl.Series) -> NDArray[np.uint64]:
    """Return the numbers of those among these ids that could be tokens."""
    letters = "".join(map(chr, ALPHABET))
    alike = ids.cast(pl.String).unique()
    alike = alike.filter(alike.str.contains(f"^[{letters}]{{{WIDTH}}}$")).sort()
    powers = len(ALPHABET) ** np.arange(WIDTH, dtype=np.uint64)
    places = [[letters.index(letter) for letter in name] for name in alike]
    digits = np.array(places, dtype=np.uint64).reshape(-1, WIDTH)
    numbers: NDArray[np.uint64] = (digits * powers).sum(axis=1)
    return numbers


def gives_tokens(seeds: tuple[int, ...], purpose: str, ids: Iterable[str], names: pl.Series) -> bool:
    """Tell whether one of these seeds gives one of the ids one of the names: anybody can try who guesses."""
    numbers = token_numbers(names)
    if not len(numbers):
        return False
    keys = _keys(seeds, purpose)
    for text in (name.encode() for name in ids):
        drawn = b"".join([blake2b(text, key=key, digest_size=8).digest() for key in keys])
        bits = _mixed(np.frombuffer(drawn, dtype="<u8") + _STEP)
        if np.isin(bits % np.uint64(len(ALPHABET) ** WIDTH), numbers).any():
            return True
    return False


@functools.lru_cache(maxsize=1)
def _keys(seeds: tuple[int, ...], purpose: str) -> list[bytes]:
    """Return the key that each seed gives a purpose; they are tried on every release."""
    part = purpose.encode()
    of_seeds = [blake2b(str(seed).encode(), digest_size=32).digest() for seed in seeds]
    return [blake2b(part, key=key, digest_size=32).digest() for key in of_seeds]


def _coded(ids: pl.Series) -> pl.Series:
    return ids.cast(pl.Enum(ids.unique()))


def _digest(key: bytes, text: str, size: int) -> bytes:
    return blake2b(text.encode(), key=key, digest_size=size).digest()


def _digests(key: bytes, texts: Iterable[str], size: int) -> bytes:
    """Return the digests of texts one after the other; the key is taken in once for all."""
    keyed, made = blake2b(key=key, digest_size=size), []
    for text in texts:
        one = keyed.copy()
        one.update(text.encode())
        made.append(one.digest())
    return b"".join(made)


def _mixed(bits: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return the output of SplitMix64 at these states."""
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> np.uint64(31))


def _letters(bits: NDArray[np.uint64]) -> pl.Series:
    powers = len(ALPHABET) ** np.arange(WIDTH, dtype=np.uint64)
    letters = ALPHABET[(bits[:, None] // powers) % np.uint64(len(ALPHABET))]
    return pl.Series(letters.view(f"S{WIDTH}").ravel().astype(str), dtype=pl.String)
