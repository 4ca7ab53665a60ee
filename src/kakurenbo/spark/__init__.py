"""The same verbs on a cluster: purchases in blocks that Spark holds, and work that runs where they lie."""

from kakurenbo.spark.reading import open as open  # noqa: A004 - of a command
from kakurenbo.spark.reading import read as read
