"""The client against a real server on a port of this machine."""

import http.server
import io
import threading

import pytest

from contest import cups
from kakurenbo.contest import accounts
from kakurenbo.contest.asking import Body, Server
from kakurenbo.contest.client import Client, token_of
from kakurenbo.contest.play import served
from kakurenbo.errors import InputError, KakurenboError, ParameterError


@pytest.fixture
def database_url(tmp_path):
    return f"sqlite:///{tmp_path / 'contest.sqlite'}"


@pytest.fixture
def client(contest):
    user, _ = cups.team(contest, "hider")
    cups.begin(contest, "hide")
    with served(contest) as address:
        yield Client(Server(address, accounts.make_token(contest, user)))


def code_of(work, *arguments):
    with pytest.raises(KakurenboError) as caught:
        work(*arguments)
    return caught.value.code


def test_a_team_submits_and_sees_what_became_of_it(client, contest, tmp_path):
    file = tmp_path / "release.csv"
    file.write_bytes(b"good" * 100_000)
    receipt = client.submit(file)
    assert receipt["size"] == 400_000
    assert [one["id"] for one in client.submissions()] == [receipt["id"]]
    cups.judge_all(contest)
    assert client.submission(receipt["id"])["valid"]
    assert client.contest()["phase"] == "hide"
    assert not client.board()["final"]
    assert client.matrix()["teams"][0]["name"] == "hider"
    assert client.releases() == []
    table = io.BytesIO()
    client.download("data/transactions.csv", table)
    assert table.getvalue().decode() == cups.TRANSACTIONS


def test_what_the_server_refuses_is_raised_with_its_code_and_words(client, contest, tmp_path):
    file = tmp_path / "release.csv"
    file.write_bytes(b"good")
    cups.begin(contest, "seek")
    with pytest.raises(ParameterError, match="not possible in this phase") as caught:
        client.submit(file)
    assert caught.value.code == "closed"
    assert code_of(client.submission, "nothing") == "unknown-name"
    assert code_of(Client(Server(client.server.address, "kkb_unknown")).submissions) == "denied"
    assert code_of(Client(Server(client.server.address)).submissions) == "denied"
    assert code_of(client.submit, file, "guess", "nobody") == "unknown-name"


def test_a_file_that_is_too_large_or_missing_is_never_sent(client, contest, tmp_path):
    large = tmp_path / "large.csv"
    large.write_bytes(b"x" * 1_000_001)
    assert code_of(client.submit, large) == "limit"
    assert code_of(client.submit, tmp_path / "missing.csv") == "path-missing"
    assert code_of(client.submit, tmp_path) == "path-unreadable"
    body = Body(large.read_bytes(), 1_000_001)
    assert code_of(client.send, body, "large.csv") in {"limit", "server"}  # the server may hang up first
    assert client.submissions() == []


def test_a_token_goes_to_nobody_else():
    with pytest.raises(ParameterError, match="plain HTTP") as caught:
        Server("http://cup.example", "kkb_secret")
    assert (caught.value.code, caught.value.parameter) == ("denied", "plain")
    assert "kkb_secret" not in repr(Server("http://cup.example", "kkb_secret", plain=True))
    assert Server("https://cup.example", "kkb_secret").token == "kkb_secret"  # noqa: S105 - made up
    assert Server("http://cup.example").token is None
    for address in ("cup.example", "file:///etc/passwd", "ftp://cup.example", "https://"):
        with pytest.raises(ParameterError, match="by its address"):
            Server(address)


class Elsewhere(http.server.BaseHTTPRequestHandler):
    """Leads everybody on to another path, and notes who came there with what."""

    came: list[str | None]

    def do_GET(self):
        if self.path == "/elsewhere":
            self.came.append(self.headers["Authorization"])
        self.send_response(302)
        self.send_header("Location", "/elsewhere")
        self.end_headers()

    def log_message(self, *_):
        pass


def test_redirections_are_not_followed_and_what_is_no_contest_is_told():
    Elsewhere.came = []
    with http.server.HTTPServer(("127.0.0.1", 0), Elsewhere) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        client = Client(Server(f"http://127.0.0.1:{server.server_port}", "kkb_secret"))
        assert code_of(client.contest) == "server"
        server.shutdown()
        thread.join()
    assert Elsewhere.came == []
    assert code_of(client.contest) == "server"  # nobody is there any more


def test_a_token_comes_from_a_file_or_the_environment(tmp_path, monkeypatch):
    monkeypatch.delenv("KAKURENBO_CONTEST_TOKEN", raising=False)
    assert token_of(None) is None
    file = tmp_path / "token"
    file.write_text("kkb_of-a-file\n")
    assert token_of(file) == "kkb_of-a-file"
    monkeypatch.setenv("KAKURENBO_CONTEST_TOKEN", "kkb_of-the-environment")
    assert token_of(None) == "kkb_of-the-environment"
    for text in ("", "two words", "a\nb", "é"):
        file.write_text(text)
        with pytest.raises(InputError, match="no token"):
            token_of(file)
    assert code_of(token_of, tmp_path / "missing") == "path-missing"
