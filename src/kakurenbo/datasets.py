"""Known datasets under the name users see: `kb.datasets.online_retail`, `kb.datasets.tc400`."""

from kakurenbo.files.datasets import online_retail, tc400

__all__ = ["online_retail", "tc400"]
