"""The application behind a real server: what only shows on a socket."""

import http.client
import json
import signal
import socket
import subprocess
import sys
import threading
import time

import pytest

from campaign import in_campaign

BEARER = {"Authorization": "Bearer token-m1"}
PATIENCE = 120  # seconds, on a machine with other work


def ask(port, method, path, body=None, headers=None):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    connection.request(
        method, path, body, headers or {}, encode_chunked=body is not None and not isinstance(body, bytes)
    )
    answer = connection.getresponse()
    content = answer.read()
    connection.close()
    return answer.status, {name.lower(): value for name, value in answer.getheaders()}, content


@pytest.fixture
def port(app, served):
    with served(app) as port:
        yield port


def test_the_server_does_not_say_what_it_is(port):
    status, headers, _ = ask(port, "GET", "/")
    assert status == 200
    assert "server" not in headers
    assert "x-powered-by" not in headers


def test_an_upload_in_chunks(port):
    chunked = {**BEARER, "Transfer-Encoding": "chunked"}
    status, _, content = ask(port, "PUT", "/api/v1/files?name=a.csv", iter([b"x" * 1000] * 100), chunked)
    assert (status, json.loads(content)["size"], json.loads(content)["name"]) == (200, 100_000, "a.csv")


def test_an_endless_upload_is_cut_off_and_the_connection_closed(port):
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as connection:
        head = "PUT /api/v1/files HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer token-m1\r\n"
        connection.sendall(f"{head}Transfer-Encoding: chunked\r\n\r\n".encode())
        with pytest.raises((ConnectionResetError, BrokenPipeError)):
            connection.sendall((b"10000\r\n" + b"x" * 65536 + b"\r\n") * 1500)


def test_a_length_that_is_too_large_is_refused_before_the_body(port):
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as connection:
        head = "PUT /api/v1/files HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer token-m1\r\n"
        connection.sendall(f"{head}Content-Length: 999999999\r\n\r\n".encode())
        told = connection.recv(65536)
    assert told.startswith(b"HTTP/1.1 413")
    assert b"connection: close" in told.lower()


def test_what_is_refused_unread_ends_the_connection(port):
    for path, body, closes in (
        ("/nowhere", b"x" * 10, True),
        ("/nowhere", None, False),
        ("/user", None, False),
    ):
        assert ("connection" in ask(port, "PUT", path, body)[1]) == closes


def test_the_word_of_strangers_about_https_is_not_taken(port):
    _, headers, _ = ask(
        port, "GET", "/", headers={"X-Forwarded-Proto": "https", "X-Forwarded-For": "198.51.100.1"}
    )
    assert "strict-transport-security" not in headers


def test_the_word_of_a_proxy_about_https_is_taken_where_it_is_named(app, served):
    with served(app, proxies=["127.0.0.1"]) as port:
        _, headers, _ = ask(port, "GET", "/form", headers={"X-Forwarded-Proto": "https"})
        assert headers["strict-transport-security"] == "max-age=31536000"
        assert headers["set-cookie"].startswith("__Host-kakurenbo_guest=")
        assert "strict-transport-security" not in ask(port, "GET", "/")[1]


def test_the_word_of_a_proxy_is_not_taken_from_another_address(app, served):
    with served(app, proxies=["10.0.0.1"]) as port:
        assert (
            "strict-transport-security"
            not in ask(port, "GET", "/", headers={"X-Forwarded-Proto": "https"})[1]
        )


def test_websockets_are_not_spoken(port):
    headers = {
        "Connection": "Upgrade", "Upgrade": "websocket",
        "Sec-WebSocket-Key": "dGVzdA==", "Sec-WebSocket-Version": "13",
    }  # fmt: skip
    assert ask(port, "GET", "/", headers=headers)[0] == 200


PROGRAM = """
import sys
from fastapi import APIRouter
from kakurenbo.web.app import make_app, serve
from kakurenbo.web.limits import MemoryAttempts
from kakurenbo.web.sessions import MemorySessions
from kakurenbo.web.site import Site
stores = {"sessions": MemorySessions(), "attempts": MemoryAttempts()}
site = Site(title="x", people=None, secret=bytes(range(32)), **stores)
serve(make_app(site, []), port=0, ready=lambda port: print(port, flush=True))
print("put in order", flush=True)
"""


@pytest.mark.parametrize("sign", [signal.SIGTERM, *in_campaign(signal.SIGINT)])
def test_a_signal_ends_it_in_good_order(sign):
    with subprocess.Popen([sys.executable, "-c", PROGRAM], stdout=subprocess.PIPE, text=True) as process:
        assert int(process.stdout.readline()) > 0
        process.send_signal(sign)
        assert process.stdout.readline() == "put in order\n"
        assert process.wait(PATIENCE) == 0


def test_many_at_once_are_all_answered(port):
    answers = []
    threads = [threading.Thread(target=lambda: answers.append(ask(port, "GET", "/")[0])) for _ in range(40)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [200] * 40


def test_an_answer_under_way_may_end(app, served):
    with served(app) as port, socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as connection:
        connection.sendall(
            b"PUT /api/v1/files HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer token-m1\r\n"
            b"Content-Length: 2\r\n\r\na"
        )
        time.sleep(0.05)
        connection.sendall(b"b")
        assert connection.recv(65536).startswith(b"HTTP/1.1 200")
