"""Serving a contest: the server, the workers beside it, and how they end."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

import kakurenbo
from contest import cups
from kakurenbo.cli.main import run
from kakurenbo.contest import accounts, submissions
from kakurenbo.contest.asking import Body, Server
from kakurenbo.contest.client import Client
from kakurenbo.contest.server import Settings, judging

ROOT = str(Path(kakurenbo.__file__).parent.parent)
SERVE = [sys.executable, "-m", "kakurenbo", "contest", "serve"]
PATIENCE = 120  # seconds, on a machine with other work
RULES = cups.RULES.replace("2026-04-0", "2016-04-0").replace(
    '"final"\nstarts = 2016', '"final"\nstarts = 2096'
)
HIDING = RULES.replace('"seek"\nstarts = 2016', '"seek"\nstarts = 2095')
ROWS = cups.TRANSACTIONS.replace("c", "x").replace("xustomer", "customer").encode()


def until(done):
    end = time.monotonic() + PATIENCE
    while not (found := done()):
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.05)
    return found


@pytest.fixture
def folder(tmp_path):
    return cups.make_folder(tmp_path / "cup", HIDING)


@pytest.fixture
def started(folder):
    """Return a function that starts the server; what is left of it at the end is killed."""
    processes = []

    def start(*options, **environment):
        process = subprocess.Popen(
            [*SERVE, str(folder), "--port", "0", "--json", *options],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={**os.environ, "PYTHONPATH": ROOT, **environment},
        )  # fmt: skip
        processes.append(process)
        return process

    yield start
    for process in processes:
        if process.poll() is None:
            process.kill()
        process.communicate()


def address_of(process):
    lines = ""
    while not lines.rstrip().endswith("}"):
        line = process.stdout.readline()
        assert line, process.stderr.read()
        lines += line
    return json.loads(lines)["address"]


def team(folder):
    with cups.opened(folder) as contest:
        user, _ = cups.team(contest, "hider")
        return accounts.make_token(contest, user)


@pytest.mark.campaign
def test_what_is_submitted_is_judged_and_a_signal_ends_everything(folder, started):
    token = team(folder)
    process = started()
    client = Client(Server(address_of(process), token))
    receipt = client.send(Body(ROWS, len(ROWS)), "T.csv")
    found = until(lambda: (one := client.submission(receipt["id"]))["state"] == "done" and one)
    assert "file-missing" in {fault["code"] for fault in found["faults"]}
    [worker] = psutil.Process(process.pid).children()
    assert "worker" in worker.cmdline()
    process.send_signal(signal.SIGTERM)
    _, said = process.communicate(timeout=PATIENCE)
    assert (process.returncode, said) == (0, "")
    assert not worker.is_running()


@pytest.mark.campaign
def test_a_worker_that_dies_is_replaced_and_all_end_when_the_server_is_killed(started):
    process = started("--workers", "1")
    address_of(process)
    [first] = until(psutil.Process(process.pid).children)
    first.kill()
    second = until(lambda: [one for one in psutil.Process(process.pid).children() if one.pid != first.pid])[0]
    process.kill()
    process.wait()
    until(lambda: not second.is_running() or second.status() == psutil.STATUS_ZOMBIE)


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (Path.unlink, "is missing"),
        (lambda key: key.write_text("00" * 32), "can be guessed"),
        (lambda key: key.write_text("short"), "hex digits"),
        (lambda key: key.chmod(0o644), "Others can read"),
    ],
)
def test_no_server_starts_with_a_key_that_seals_nothing(folder, capsys, spoil, said):
    spoil(folder / "private" / "key")
    for command in ("serve", "worker"):
        assert run(["contest", command, str(folder)]) == 2
        told = capsys.readouterr()
        assert told.out == ""
        assert said in told.err
        assert told.err.endswith("[contest]\n")


def test_a_port_that_is_taken_is_told_before_anything_starts(folder, capsys):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        assert run(["contest", "serve", str(folder), "--port", str(taken.getsockname()[1])]) == 2
    said = capsys.readouterr().err
    assert "address already in use" in said
    assert "(--port)" in said
    assert run(["contest", "serve", str(folder), "--host", "no.such.host.invalid"]) == 2


@pytest.mark.campaign
def test_the_address_of_a_database_is_not_on_the_command_line_of_workers(folder, tmp_path):
    secret = f"sqlite:///{tmp_path / 'other.sqlite'}"
    before = set(psutil.Process().children())  # other tests of this process may have left some
    with judging(folder, 1, secret):
        [worker] = until(lambda: set(psutil.Process().children()) - before)
        assert secret not in " ".join(worker.cmdline())
        until((tmp_path / "other.sqlite").exists)


def test_names_that_the_server_answers_to():
    assert "*" in Settings(host="0.0.0.0").allowed  # noqa: S104 - compared
    assert Settings().allowed == ("localhost", "127.0.0.1", "::1")
    assert Settings(host="0.0.0.0", hosts=["cup.example"]).allowed[-1] == "cup.example"  # noqa: S104 - the same
    assert "password" not in repr(Settings(database="postgresql://cup:password@host/cup"))


def test_submissions_survive_the_server(folder, started):
    token = team(folder)
    process = started("--workers", "0")
    client = Client(Server(address_of(process), token))
    receipts = [client.send(Body(ROWS, len(ROWS)), "T.csv") for _ in range(3)]
    process.kill()
    process.wait()
    with cups.opened(folder) as contest:
        assert [one.id for one in submissions.everything(contest)] == [one["id"] for one in receipts]
        assert submissions.content_of(contest, receipts[0]["id"]) == ("T.csv", ROWS)
