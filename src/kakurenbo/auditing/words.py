"""The original in the words of a release, as anybody would infer them who has both tables."""

from __future__ import annotations

from typing import Any

from kakurenbo.attacks.microdata.coarser import coarser, written_alike
from kakurenbo.data.table import ByKind
from kakurenbo.mappings import common_vocabulary

# The table as the release writes; the very same one where both write alike.
in_words_of: ByKind[Any] = ByKind(
    purchases=lambda data, released: common_vocabulary(data, released).original,
    microdata=lambda data, released: written_alike(data, coarser(data, released)),
)
