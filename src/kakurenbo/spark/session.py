"""A session on a cluster: quiet, with Arrow, and with workers that can load this program.

Without a master everything runs on this machine, a worker for every processor. A session that was started
here is stopped when the program ends; one that was handed over is left as it is.
"""

from __future__ import annotations

import atexit
import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from kakurenbo.errors import InputError, KakurenboError, ParameterError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import SparkSession

LOCAL = "local[*]"
_ONE_THREAD = ("POLARS_MAX_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS")
SETTINGS = {
    "spark.driver.memory": "1g",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "OFF",
    "spark.python.worker.reuse": "true",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.execution.arrow.pyspark.enabled": "true",
    "spark.sql.execution.arrow.maxRecordsPerBatch": "100000",
    "spark.sql.shuffle.partitions": "8",
    "spark.sql.adaptive.enabled": "false",
    **{f"spark.executorEnv.{name}": "1" for name in _ONE_THREAD},
}


def start(master: str | None = None) -> SparkSession:
    """Start a session; the workers' Python is `PYSPARK_PYTHON`, or the one that runs here."""
    from pyspark.sql import SparkSession  # noqa: PLC0415 - an extra

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    os.environ.setdefault("PYSPARK_DRIVER_PYTHON", sys.executable)
    builder = SparkSession.builder.appName("kakurenbo").master(master or LOCAL)
    session = builder.config(map=SETTINGS).getOrCreate()
    atexit.register(session.stop)
    return session


@contextmanager
def translated(*but: type[Exception]) -> Iterator[None]:
    """Say in one sentence what went wrong on the cluster, these apart; the rest is in its logs."""
    from py4j.protocol import Py4JError  # noqa: PLC0415 - an extra
    from pyspark.errors import PySparkException  # noqa: PLC0415 - an extra

    try:
        yield
    except but:
        raise
    except (Py4JError, PySparkException) as error:
        raise _in_words(str(error)) from None


def _in_words(text: str) -> KakurenboError:
    if "ModuleNotFoundError" in text:
        return ParameterError(
            "The Python of the workers lacks kakurenbo or something it needs: install it there, or name in "
            "PYSPARK_PYTHON one that has it.",
            code="extra",
        )
    if "MALFORMED_RECORD" in text or "MALFORMED_CSV" in text:
        return InputError("A row has another number of fields than the header.", code="ragged")
    if "ChecksumException" in text:
        return InputError(
            "A file is not as its storage wrote it: its checksum differs. If that was meant, remove the .crc "
            "file beside it.",
            code="file-broken",
        )
    return ParameterError(
        "The cluster could not finish the work; the logs of its workers tell why.", code="cluster"
    )
