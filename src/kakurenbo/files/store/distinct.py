"""How many different values there are in all blocks together, by their hashes and in bounded memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

_RANGES = 64  # told by the first six bits


class Distinct:
    """Sorted hashes of many parts, kept on disk; they are counted range by range.

    Two of ten million values have the same hash of 64 bits once in 400,000 tables.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._parts: list[Path] = []

    def add(self, hashes: NDArray[np.uint64]) -> None:
        """Add the distinct hashes of a part, sorted."""
        path = self._folder / f"{len(self._parts):05}.npy"
        np.save(path, hashes)
        self._parts.append(path)

    def count(self) -> int:
        """Return how many different ones there are."""
        parts = [np.load(path, mmap_mode="r") for path in self._parts]
        edges = np.arange(_RANGES, dtype=np.uint64) << np.uint64(58)
        cuts = [[*np.searchsorted(part, edges).tolist(), len(part)] for part in parts]
        slices = list(zip(parts, cuts, strict=True))
        return sum(
            len(np.unique(np.concatenate([part[cut[i] : cut[i + 1]] for part, cut in slices])))
            for i in range(_RANGES if parts else 0)
        )
