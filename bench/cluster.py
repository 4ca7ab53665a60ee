"""A real cluster on this machine, for tests and benchmarks: a master and workers as processes on loopback."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Self

_CLASS = "org.apache.spark.deploy"
_QUICK = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xshare:auto"
_JAVA = 17  # the oldest that Spark 4 runs on
_PATIENCE = 180  # seconds that a busy machine may take to start two small programs


def why_not() -> str | None:
    """Return why no cluster can be started here, None where one can."""
    java = shutil.which("java")
    if java is None:
        return "there is no Java (make spark installs it)"
    told = subprocess.run([java, "-version"], capture_output=True, text=True, check=False).stderr
    version = re.search(r'version "(\d+)', told)
    if version is None or int(version[1]) < _JAVA:
        return f"Java is older than {_JAVA}"
    if find_spec("pyspark") is None:
        return "pyspark is not installed (make spark installs it)"
    return None


class Cluster:
    """A master and some workers, each of one processor; stopped for sure at the end."""

    def __init__(self, folder: Path, workers: int = 2, memory: str = "1g", *, quick: bool = False) -> None:
        self.folder = folder
        self.memory = memory
        self.environment = environment(quick=quick)
        self.url = f"spark://127.0.0.1:{_free_port()}"
        self.workers: list[subprocess.Popen[bytes]] = []
        self._count = workers

    def __enter__(self) -> Self:
        self.folder.mkdir(parents=True, exist_ok=True)
        host, port = self.url.removeprefix("spark://").split(":")
        self._master = self._started("master.Master", "--host", host, "--port", port)
        try:
            self._wait("master.Master", "I have been elected leader", self._master)
            for _ in range(self._count):
                self.add_worker()
            for place, worker in enumerate(self.workers):
                self._wait(f"worker.Worker.{place}", "Successfully registered", worker)
        except BaseException:
            self.__exit__()
            raise
        return self

    def add_worker(self) -> None:
        """Start another worker."""
        place = len(self.workers)
        more = ("--host", "127.0.0.1", "--cores", "1", "--memory", self.memory)
        where = ("--work-dir", str(self.folder / f"worker-{place}"), self.url)
        self.workers.append(self._started("worker.Worker", *more, *where, log=f"worker.Worker.{place}"))

    def kill(self, place: int) -> None:
        """Kill a worker and what it runs, without a word to anybody."""
        import psutil  # noqa: PLC0415 - of tests and benchmarks

        worker = psutil.Process(self.workers[place].pid)
        for process in [*worker.children(recursive=True), worker]:
            process.kill()

    def __exit__(self, *_: object) -> None:
        for process in [*self.workers, self._master]:
            process.terminate()
        for process in [*self.workers, self._master]:
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def _started(self, name: str, *arguments: str, log: str = "") -> subprocess.Popen[bytes]:
        home = _home()
        with (self.folder / f"{log or name}.log").open("wb") as told:
            return subprocess.Popen(
                [str(home / "bin" / "spark-class"), f"{_CLASS}.{name}", *arguments, "--webui-port", "0"],
                env=self.environment, stdout=told, stderr=told,
            )  # fmt: skip

    def _wait(self, log: str, words: str, process: subprocess.Popen[bytes]) -> None:
        end = time.monotonic() + _PATIENCE
        while words not in (self.folder / f"{log}.log").read_text(errors="replace"):
            if process.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"{log} did not start; see {self.folder}")
            time.sleep(0.1)


def environment(*, quick: bool = False) -> dict[str, str]:
    """Return the environment of the cluster's processes, and of whoever talks to them.

    `quick` has Java compile little: what starts often and works little, as in tests, is done the sooner.
    """
    return {
        **os.environ,
        "SPARK_HOME": str(_home()),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "PYSPARK_PYTHON": sys.executable,
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        "SPARK_DAEMON_MEMORY": "256m",
        "JDK_JAVA_OPTIONS": _QUICK if quick else "",
    }


def _home() -> Path:
    found = find_spec("pyspark")
    if found is None or found.origin is None:
        raise RuntimeError("pyspark is not installed")
    return Path(found.origin).parent


def _free_port() -> int:
    with socket.socket() as tried:
        tried.bind(("127.0.0.1", 0))
        return int(tried.getsockname()[1])
