"""`kakurenbo contest serve FOLDER` and `kakurenbo contest worker FOLDER`: running a contest."""

from __future__ import annotations

import logging
import sys
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated

import typer

from kakurenbo.cli import options, output
from kakurenbo.cli.contest.new import Database, Folder
from kakurenbo.extras import require
from kakurenbo.files.interrupts import Terminated

if TYPE_CHECKING:
    from collections.abc import Callable


@options.command
def serve(
    folder: Folder,
    *,
    host: Annotated[
        str, typer.Option(help="The address to listen on; 0.0.0.0 for the network.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 takes any that is free.")] = 8000,
    hosts: Annotated[
        list[str] | None,
        typer.Option(
            help="A name under which people reach the server, such as cup.example.org. Can be given several "
            "times.",
            metavar="NAME",
        ),
    ] = None,
    secure: Annotated[
        bool, typer.Option("--secure", help="People come by https: a proxy in front ends TLS.")
    ] = False,
    proxies: Annotated[
        str | None,
        typer.Option(
            "--proxies",
            "--forwarded-allow-ips",
            help="Addresses of proxies whose X-Forwarded headers are believed, a,b.",
            metavar="A,B",
        ),
    ] = None,
    workers: Annotated[int, typer.Option(min=0, help="How many processes judge beside the server.")] = 1,
    database: Database = None,
    run: options.Run,
) -> None:
    """Serve a contest: its pages, its API, and a worker that judges.

    It runs until it is interrupted, and then answers what was asked before it ends. It does not start with a
    key that others can read or guess. Over a network put it behind a proxy that ends TLS.
    """
    require("contest", "report")
    from kakurenbo.contest.server import Settings  # noqa: PLC0415 - needs the extra
    from kakurenbo.contest.server import serve as run_server  # noqa: PLC0415 - the same

    _log_to_screen(run)
    settings = Settings(
        host=host, port=port, hosts=tuple(hosts or ()), secure=secure, proxies=options.listed(proxies),
        workers=workers, database=database,
    )  # fmt: skip
    with suppress(KeyboardInterrupt, Terminated):  # passed on by the web server after it has stopped
        run_server(folder, settings, ready=_telling(host, run))
    if not (run.json or run.quiet):
        output.console().print("stopped")


@options.command
def worker(folder: Folder, *, database: Database = None, run: options.Run) -> None:
    """Judge what teams submit, on this machine or on another that shares the folder and the database.

    It runs until it is interrupted, and then finishes what it judges. One that is killed loses nothing: its
    lease runs out, and another worker takes the job.
    """
    require("contest", "report")
    from kakurenbo.contest.server import on_signals, work  # noqa: PLC0415 - needs the extra

    _log_to_screen(run)
    stop = threading.Event()
    with on_signals(stop):
        work(folder, database, stop=stop)


def _telling(host: str, run: options.Run) -> Callable[[int], None]:
    """Return what tells where the server listens, once it does."""

    def ready(port: int) -> None:
        name = f"[{host}]" if ":" in host else host
        address = f"http://{'127.0.0.1' if host in {'0.0.0.0', '::'} else name}:{port}"  # noqa: S104 - compared
        if run.json:
            output.print_json({"address": address, "port": port})
        elif not run.quiet:
            output.console().print(f"The contest is served at {address}; Ctrl-C stops it.")
        sys.stdout.flush()

    return ready


def _log_to_screen(run: options.Run) -> None:
    """Tell of faults on standard error, with their time; never of what people sent."""
    logging.basicConfig(
        level=logging.INFO if run.verbose else logging.WARNING, stream=sys.stderr,
        format="%(asctime)s %(levelname)s %(message)s",
    )  # fmt: skip
