"""Pseudonyms: random, opaque, of fixed width, and never an id that was there before.

A token is drawn from 31^10 (about 50 bits) possibilities, so neither its value nor its order tells anything
of the original id, of the order people came in, or of how many they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Without 0, 1, i, l, o: a token read over the telephone stays the same token.
ALPHABET = np.frombuffer(b"abcdefghjkmnpqrstuvwxyz23456789", dtype=np.uint8)
WIDTH = 10


def draw(count: int, rng: np.random.Generator, *, avoid: pl.Series) -> pl.Series:
    """Return `count` distinct random tokens, in random order, none of them in `avoid`."""
    tokens = pl.Series("token", [], dtype=pl.String)
    while len(tokens) < count:
        fresh = pl.concat([tokens, pl.Series("token", _letters(count - len(tokens), rng))]).unique(
            maintain_order=True
        )
        tokens = fresh.filter(~fresh.is_in(avoid.cast(pl.String).implode()))
    return tokens


def _letters(count: int, rng: np.random.Generator) -> list[str]:
    letters: NDArray[np.uint8] = ALPHABET[rng.integers(0, len(ALPHABET), size=(count, WIDTH), dtype=np.uint8)]
    text: list[str] = letters.view(f"S{WIDTH}").ravel().astype(str).tolist()
    return text
