"""A PostgreSQL server of our own for a while: in a folder of its own, on loopback, as an unprivileged user.

PostgreSQL refuses to run as root, so there root hands it to `nobody`. It listens on a free port of 127.0.0.1
only, asks for a password, and writes durably as a real one does.
"""

from __future__ import annotations

import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess  # the server is a program
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from types import TracebackType

_USER = "nobody"
_PATIENCE = 60.0  # seconds until it must answer


def programs() -> Path | None:
    """Return the folder of PostgreSQL's programs, of the newest version as Debian installs it."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    on_path = shutil.which("initdb")
    return found[-1].parent if found else Path(on_path).parent if on_path else None


def why_not() -> str | None:
    """Return why no server can be started here, or None."""
    if programs() is None:
        return "PostgreSQL is not installed (make postgres installs it)"
    if os.getuid() == 0 and shutil.which("setpriv") is None:
        return "PostgreSQL does not run as root, and setpriv, which would change that, is missing"
    return None


class Server:
    """A server from `with` to the end of the block, or of this process; `url()` names an empty schema of it.

    Args:
        place: the folder to make its own in; everybody must be able to pass through.
    """

    def __init__(self, place: Path | None = None) -> None:
        self._place = place

    def __enter__(self) -> Self:
        self.folder = Path(tempfile.mkdtemp(prefix="kakurenbo-postgres-", dir=self._place))
        self._password = secrets.token_hex(16)
        self._port = _free_port()
        if os.getuid() == 0:
            shutil.chown(self.folder, _USER, pwd.getpwnam(_USER).pw_gid)
        try:
            self._make()
            self._start()
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        process = getattr(self, "_process", None)
        if process is not None:
            process.send_signal(signal.SIGQUIT)  # at once: nothing of it is kept
            process.wait(_PATIENCE)
        shutil.rmtree(self.folder, ignore_errors=True)

    def url(self) -> str:
        """Return the address of a new schema, as `Contest.open` takes it."""
        import psycopg  # noqa: PLC0415 - only where there is a server

        schema = f"s{secrets.token_hex(6)}"
        with psycopg.connect(self._url, autocommit=True) as connection:
            connection.execute(f"CREATE SCHEMA {schema}")
        return f"{self._url}?options=-csearch_path%3D{schema}"

    @property
    def _url(self) -> str:
        return f"postgresql://contest:{self._password}@127.0.0.1:{self._port}/postgres"

    def _make(self) -> None:
        secret = self.folder / "password"
        secret.write_text(self._password, encoding="ascii")
        secret.chmod(0o644)  # in a folder that is closed to others
        self._run(
            "initdb", "-D", self._data, "-U", "contest", "--auth=scram-sha-256", f"--pwfile={secret}",
            "--encoding=UTF8", "--locale=C",
        )  # fmt: skip

    def _start(self) -> None:
        settings = {
            "listen_addresses": "127.0.0.1", "port": self._port, "unix_socket_directories": "", "fsync": "on",
            "synchronous_commit": "on", "max_connections": 300,
        }  # fmt: skip
        options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        command = [*_as_other(dies=True), str(_program("postgres")), "-D", self._data, *options]
        with (self.folder / "log").open("wb") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log, cwd=self.folder)
        self._wait()

    def _wait(self) -> None:
        import psycopg  # noqa: PLC0415 - the same

        end = time.monotonic() + _PATIENCE
        while True:
            try:
                psycopg.connect(self._url, connect_timeout=5).close()
            except psycopg.OperationalError:
                if time.monotonic() > end or self._process.poll() is not None:
                    raise
                time.sleep(0.05)
            else:
                return

    def _run(self, program: str, *arguments: str) -> None:
        command = [*_as_other(), str(_program(program)), *arguments]
        subprocess.run(command, check=True, capture_output=True, cwd=self.folder)

    @property
    def _data(self) -> str:
        return str(self.folder / "data")


def _program(name: str) -> Path:
    folder = programs()
    assert folder is not None, "PostgreSQL is not installed"  # noqa: S101 - `why_not` was asked
    return folder / name


def _as_other(*, dies: bool = False) -> list[str]:
    """Return what makes a command run as somebody who may do nothing; if asked, it dies with this process."""
    words = ["--pdeathsig=QUIT"] if dies else []
    if os.getuid() == 0:
        words += [f"--reuid={_USER}", f"--regid={pwd.getpwnam(_USER).pw_gid}", "--clear-groups"]
    return ["setpriv", *words] if words and shutil.which("setpriv") else []


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
