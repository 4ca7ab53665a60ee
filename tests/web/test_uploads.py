"""Files are streamed, counted while they come, shown by a harmless name, and gone afterwards."""

import asyncio
import hashlib
import os
import re
import time

import pytest

from kakurenbo.web.aside import shown_name, tidy

LIMIT = 100_000


async def pieces(number, size=10_000, *, seen=None):
    for _ in range(number):
        if seen is not None:
            seen.append(size)
        yield b"x" * size


@pytest.fixture
def member(browser):
    browser.sign_in("m1")
    return browser


@pytest.fixture
def put(browser):
    return lambda content, **rest: browser.ask(
        "PUT", "/api/v1/files", content=content, headers={"authorization": "Bearer token-m1", **rest}
    )


def test_a_body_is_put_aside_and_gone_afterwards(put, app, site):
    answer = put(b"a,b\n1,2\n")
    assert answer.json() == {"name": "", "size": 8, "sha256": hashlib.sha256(b"a,b\n1,2\n").hexdigest()}
    assert app.state.place.parent.parent == site.uploads
    assert list(site.uploads.iterdir()) == []


def test_a_body_in_chunks_may_reach_its_limit_and_no_byte_more(put, site):
    assert put(pieces(10)).json()["size"] == LIMIT
    for chunks in (pieces(11), pieces(100_001, 1)):
        answer = put(chunks)
        assert (answer.status_code, answer.json()["code"]) == (413, "limit")
        assert answer.headers["connection"] == "close"
    assert list(site.uploads.iterdir()) == []


def test_reading_ends_at_the_byte_that_is_too_many(put):
    seen = []
    assert put(pieces(1000, seen=seen)).status_code == 413
    assert len(seen) <= 12


def test_a_length_that_is_announced_is_believed_before_reading(put):
    seen = []
    answer = put(pieces(1000, seen=seen), **{"content-length": str(10_000_000)})
    assert answer.status_code == 413
    assert seen == []
    assert put(pieces(1), **{"content-length": "9" * 5000}).status_code == 413


def test_other_bodies_have_the_sites_limit(browser):
    headers = {"authorization": "Bearer token-m1", "content-type": "application/x-www-form-urlencoded"}
    assert browser.ask("POST", "/change", content=pieces(3), headers=headers).status_code == 200, (
        "nobody reads it"
    )
    browser.client.headers["x-csrf-token"] = browser.token()
    del headers["authorization"]
    assert browser.ask("POST", "/change", content=pieces(3), headers=headers).status_code == 413


def test_a_form_with_a_file(member, app, site):
    answer = member.ask(
        "POST",
        "/upload",
        data={"csrf": member.token(), "note": "日本"},
        files={"file": ("a b.csv", b"1,2\r\n3")},
    )
    assert answer.json() == {
        "name": "a b.csv", "size": 6, "read": 6, "note": "日本", "mode": "0o600",
        "sha256": hashlib.sha256(b"1,2\r\n3").hexdigest(),
    }  # fmt: skip
    assert not app.state.place.exists()
    assert list(site.uploads.iterdir()) == []


@pytest.mark.parametrize("size", [0, 1, 65_535, 65_536, 99_999, 100_000])
def test_files_of_any_size_arrive_whole(member, size):
    content = os.urandom(size)
    answer = member.ask("POST", "/upload", data={"csrf": member.token()}, files={"file": ("a", content)})
    assert answer.json()["sha256"] == hashlib.sha256(content).hexdigest()


def test_a_file_that_is_too_large_is_refused(member, site):
    for size in (LIMIT + 1, 3 * LIMIT):
        answer = member.ask(
            "POST", "/upload", data={"csrf": member.token()}, files={"file": ("a", b"x" * size)}
        )
        assert answer.status_code == 413
        assert "This is too large." in answer.text
    assert list(site.uploads.iterdir()) == []


def test_no_file_chosen_is_no_file(member):
    boundary, token = "xyz", member.token()
    body = (
        f'--{boundary}\r\nContent-Disposition: form-data; name="csrf"\r\n\r\n{token}\r\n'
        f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename=""\r\n'
        f"Content-Type: application/octet-stream\r\n\r\n\r\n--{boundary}--\r\n"
    )
    headers = {"content-type": f"multipart/form-data; boundary={boundary}"}
    assert member.ask("POST", "/upload", content=body, headers=headers).json() == {"file": None}


@pytest.mark.parametrize("token", ["wrong", None])
def test_the_token_is_checked_before_a_file_is_written(member, site, token):
    data = {} if token is None else {"csrf": token}
    answer = member.ask("POST", "/upload", data=data, files={"file": ("a", b"x")})
    assert answer.status_code == 403
    assert list(site.uploads.iterdir()) == []


def test_a_token_after_the_file_comes_too_late(member):
    boundary = "xyz"
    body = (
        f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nx\r\n'
        f'--{boundary}\r\nContent-Disposition: form-data; name="csrf"\r\n\r\n{member.token()}\r\n'
        f"--{boundary}--\r\n"
    )
    headers = {"content-type": f"multipart/form-data; boundary={boundary}"}
    assert member.ask("POST", "/upload", content=body, headers=headers).status_code == 403


def test_the_token_as_a_header_serves_too(member):
    answer = member.ask(
        "POST", "/upload", files={"file": ("a", b"x")}, headers={"x-csrf-token": member.token()}
    )
    assert answer.json()["size"] == 1


def test_what_another_site_sent_is_refused_before_it_is_read(member):
    answer = member.ask(
        "POST", "/upload", data={"csrf": member.token()}, files={"file": ("a", b"x")},
        headers={"origin": "http://evil.example"},
    )  # fmt: skip
    assert answer.status_code == 403


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        (b"--x\r\nbroken", "multipart/form-data; boundary=x", 400),
        (b"--x\r\n", "multipart/form-data; boundary=x", 400),
        (b"", "multipart/form-data; boundary=x", 400),
        (b"nothing of it", "multipart/form-data; boundary=x", 400),
        (b"--x--", "multipart/form-data", 415),
        (b"--x\r\n" + b"A" * 20_000, "multipart/form-data; boundary=x", 400),
        (
            b'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n' + b"A" * 70_000 + b"\r\n--x--",
            "multipart/form-data; boundary=x",
            413,
        ),
        (
            b'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n' * 101 + b"--x--\r\n",
            "multipart/form-data; boundary=x",
            413,
        ),
        (
            b'--x\r\nContent-Disposition: form-data; name="a"; filename="a"\r\n\r\n1\r\n' * 21 + b"--x--\r\n",
            "multipart/form-data; boundary=x",
            413,
        ),
    ],
    ids=[
        "broken",
        "cut",
        "empty",
        "other",
        "no boundary",
        "long header",
        "long field",
        "many fields",
        "many files",
    ],
)
def test_bodies_that_are_no_form_are_refused(browser, site, body, kind, status):
    headers = {"authorization": "Bearer token-m1", "content-type": kind}
    answer = browser.ask("POST", "/upload", content=body, headers=headers)
    assert answer.status_code == status
    assert list(site.uploads.iterdir()) == []


def test_packed_bodies_are_refused(put):
    assert put(b"x", **{"content-encoding": "gzip"}).status_code == 415


def test_a_sender_who_goes_away_leaves_nothing(enter, app, site):
    sent, messages = (
        [],
        [{"type": "http.request", "body": b"x", "more_body": True}, {"type": "http.disconnect"}],
    )

    async def receive():
        return messages.pop(0)

    async def send(message):
        sent.append(message)

    scope = {
        "type": "http", "method": "PUT", "path": "/api/v1/files", "query_string": b"", "scheme": "http",
        "headers": [(b"host", b"localhost"), (b"authorization", b"Bearer token-m1")], "client": ("::1", 1),
    }  # fmt: skip
    asyncio.run(app(scope, receive, send))
    assert sent == []
    assert list(site.uploads.iterdir()) == []


def test_a_sender_who_says_nothing_is_not_waited_for(enter, changed_site):
    async def silent():
        yield b"x"
        await asyncio.sleep(30)
        yield b"y"

    browser = enter(on=changed_site(patience=0.05))
    answer = browser.ask(
        "PUT", "/api/v1/files", content=silent(), headers={"authorization": "Bearer token-m1"}
    )
    assert (answer.status_code, answer.json()["code"]) == (408, "timeout")


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("../../etc/passwd", "passwd"),
        ("C:\\secret\\a.csv", "a.csv"),
        ("a\r\nb\x00.csv", "ab.csv"),
        ("a\u202evsc.exe", "avsc.exe"),
        ("", ""),
        ("か\u3099.csv", "が.csv"),
        ("x" * 200 + ".csv", "x" * 116 + ".csv"),
    ],
)
def test_names_are_text_and_never_paths(name, shown):
    assert shown_name(name) == shown


def test_what_was_left_by_a_process_that_was_killed_is_removed(tmp_path):
    folder = tmp_path / "uploads"
    tidy(folder)
    assert re.fullmatch(r"0o40700", oct(folder.stat().st_mode))
    for name, age in (("upload-old", 90_000), ("upload-new", 0), ("other", 90_000)):
        (folder / name).mkdir()
        (folder / name / "0").write_bytes(b"x")
        os.utime(folder / name, (time.time() - age,) * 2)
    tidy(folder)
    assert {path.name for path in folder.iterdir()} == {"upload-new", "other"}
