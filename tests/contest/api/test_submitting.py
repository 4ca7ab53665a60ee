"""Submitting by a program: receipts, refusals, and what is told afterwards."""

import hashlib
from dataclasses import replace

import pytest

from contest import cups
from kakurenbo.contest import organising, submissions
from kakurenbo.contest.api import throttle
from kakurenbo.contest.database import models


@pytest.fixture
def hiding(api, contest):
    cups.begin(contest, "hide")
    return api


def test_a_receipt_proves_what_was_stored(hiding, contest):
    answer = hiding.submit("hider", b"good release")
    assert answer.status_code == 201
    receipt = answer.json()
    assert receipt["digest"] == hashlib.sha256(b"good release").hexdigest()
    bound = hashlib.sha256(bytes.fromhex(receipt["salt"]) + b"good release").hexdigest()
    assert (receipt["commitment"], receipt["size"]) == (bound, 12)
    assert receipt["received"] == contest.clock().isoformat().replace("+00:00", "Z")
    assert submissions.content_of(contest, receipt["id"]) == ("release.csv", b"good release")


def test_what_is_being_sent_waits_in_the_private_folder_alone(hiding, contest, monkeypatch):
    """A large file is put aside while it comes: not where others of the machine put theirs."""
    seen, sealed = [], submissions.submit

    def looking(contest, user, kind, file, *rest):
        seen.extend((file, file.stat().st_mode & 0o077, file.parent.stat().st_mode & 0o077))
        return sealed(contest, user, kind, file, *rest)

    monkeypatch.setattr(submissions, "submit", looking)
    uploads = contest.folder / "private" / "uploads"
    assert hiding.submit("hider", b"g" * 100_000).status_code == 201
    assert seen[0].is_relative_to(uploads)
    assert seen[1:] == [0, 0]
    assert uploads.stat().st_mode & 0o077 == 0
    assert list(uploads.iterdir()) == []


def test_a_team_sees_how_far_its_submissions_are(hiding, contest):
    first, second = (hiding.submit("hider", content).json()["id"] for content in (b"good", b"bad"))
    listed = hiding.get("/submissions", "hider").json()["submissions"]
    assert [(one["id"], one["state"], one["valid"]) for one in listed] == [
        (second, "waiting", None), (first, "waiting", None),
    ]  # fmt: skip
    cups.judge_all(contest)
    assert [one["valid"] for one in hiding.get("/submissions", "hider").json()["submissions"]] == [
        False,
        True,
    ]
    assert hiding.get("/submissions", "seeker").json() == {"submissions": []}
    told = hiding.get(f"/submissions/{second}", "hider").json()
    fault = {"file": "T.csv", "line": 1, "column": 1, "fault": "is no table", "code": "table"}
    assert (told["faults"], told["told"]) == ([fault], None)
    told = hiding.get(f"/submissions/{first}", "hider").json()
    assert (told["faults"], told["told"], told["by"]) == ([], None, "hider's own")


def test_numbers_are_told_in_practice_and_after_the_end(api, contest):
    cups.begin(contest, "practice")
    practised = api.submit("hider").json()["id"]
    cups.judge_all(contest)
    told = api.get(f"/submissions/{practised}", "hider").json()
    assert told["told"]["score"] == {"utility": 0.25, "security": 0.5, "total": 0.375}
    assert not told["counts"]
    cups.begin(contest, "hide")
    hidden = api.submit("hider").json()["id"]
    cups.judge_all(contest)
    assert api.get(f"/submissions/{hidden}", "hider").json()["told"] is None
    cups.begin(contest, "final")
    assert api.get(f"/submissions/{hidden}", "hider").json()["told"]["tells"] == "everything"


def test_only_the_team_and_organisers_see_a_submission(hiding):
    sent = hiding.submit("hider").json()["id"]
    statuses = {who: hiding.get(f"/submissions/{sent}", who).status_code for who in hiding.tokens}
    assert statuses == {"hider": 200, "seeker": 404, "guest": 404, "chief": 200}
    assert hiding.get("/submissions/nothing", "hider").status_code == 404


@pytest.mark.parametrize(
    ("who", "phase", "asked", "status", "code"),
    [
        (None, "hide", {}, 401, "sign-in"),
        ("guest", "hide", {}, 403, "denied"),
        ("chief", "hide", {}, 403, "denied"),
        ("hider", "sign-up", {}, 409, "closed"),
        ("hider", "seek", {}, 409, "closed"),
        ("hider", "final", {}, 409, "closed"),
        ("hider", "hide", {"kind": "guess", "target": "nobody"}, 409, "closed"),
        ("hider", "seek", {"kind": "guess", "target": "nobody"}, 422, "submission"),
        ("hider", "hide", {"kind": "nonsense"}, 422, "parameter"),
        ("hider", "hide", {"name": "x" * 300}, 422, "parameter"),
        ("hider", "hide", {"target": "somebody"}, 422, "parameter"),
        ("hider", "hide", {"content": b""}, 422, "submission"),
        ("hider", "hide", {"content": b"x" * 1_000_001}, 413, "limit"),
    ],
)  # fmt: skip
def test_what_is_refused_has_a_status_and_a_code_and_leaves_nothing(
    api, contest, who, phase, asked, status, code
):
    cups.begin(contest, phase)
    answer = api.submit(who, **asked)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert answer.json()["message"]
    assert submissions.everything(contest) == []
    assert contest.vault.names() == []


async def pieces(*parts):
    for part in parts:
        yield part


def test_large_files_and_those_of_unknown_length_are_streamed(hiding, contest):
    large = b"good" * 50_000
    sent = [hiding.submit("hider", large), hiding.submit("hider", pieces(b"good", b"", large))]
    assert [answer.status_code for answer in sent] == [201, 201]
    stored = [submissions.content_of(contest, answer.json()["id"])[1] for answer in sent]
    assert stored == [large, b"good" + large]
    assert hiding.submit("hider", pieces(b"")).json()["code"] == "submission"
    packed = {"Content-Encoding": "gzip"}
    assert hiding.ask("PUT", "/submissions", "hider", content=b"good", headers=packed).status_code == 415


def test_tries_of_a_day_are_counted(hiding):
    answers = [hiding.submit("hider").status_code for _ in range(4)]
    assert answers == [201, 201, 201, 429]
    assert hiding.submit("hider").json()["code"] == "quota"
    assert hiding.submit("seeker").status_code == 201


def test_a_team_that_is_shut_out_submits_nothing(hiding, contest):
    organising.shut_out(contest, hiding.teams["hider"], cups.person(contest, "other", organiser=True))
    assert hiding.submit("hider").status_code == 403


def test_a_check_stores_nothing_and_takes_no_try(hiding, contest):
    table = cups.TRANSACTIONS.encode()
    answer = hiding.ask("POST", "/checks", "hider", params={"name": "T.csv"}, content=table)
    assert answer.status_code == 200
    told = answer.json()
    assert not told["valid"]
    assert {"original-id", "file-missing"} <= {fault["code"] for fault in told["faults"]}
    assert submissions.everything(contest) == []
    refused = hiding.ask("POST", "/checks", "hider", params={"name": "T.exe"}, content=table)
    assert (refused.status_code, refused.json()["code"]) == (422, "submission")


def test_a_guess_is_told_to_be_valid_and_nothing_else(api, contest):
    cups.begin(contest, "hide")
    api.submit("hider")
    cups.judge_all(contest)
    cups.begin(contest, "seek")
    with contest.database.writing() as session:
        release = session.query(models.Submission).one()
        session.add(
            models.Release(team_id=release.team_id, submission_id=release.id, filename="T.csv", digest="",
                           stored="0" * 32, size=0, published=contest.clock())
        )  # fmt: skip
    sent = api.submit("seeker", b"good", "Q.csv", kind="guess", target=api.teams["hider"])
    assert sent.status_code == 201
    cups.judge_all(contest)
    told = api.get(f"/submissions/{sent.json()['id']}", "seeker").json()
    assert (told["valid"], told["told"], told["target_name"]) == (True, None, "hider")
    cups.begin(contest, "final")
    told = api.get(f"/submissions/{sent.json()['id']}", "seeker").json()
    assert told["told"]["tells"] == "everything"


def test_who_is_asking_is_told(api):
    assert api.get("/me", "hider").json() == {
        "name": "hider's own", "organiser": False, "team": {"id": api.teams["hider"], "name": "hider"},
    }  # fmt: skip
    assert api.get("/me", "chief").json() == {"name": "chief", "organiser": True, "team": None}
    assert api.get("/me").status_code == 401
    unknown = api.ask("GET", "/me", headers={"Authorization": "Bearer kkb_unknown"})
    assert (unknown.status_code, unknown.json()["code"]) == (401, "sign-in")


def test_a_flood_is_stopped_for_the_rest_of_the_minute(hiding, contest, monkeypatch):
    monkeypatch.setattr(throttle, "SUBMIT", replace(throttle.SUBMIT, by_account=2))
    assert [hiding.submit("hider", b"").status_code for _ in range(3)] == [422, 422, 429]
    refused = hiding.submit("hider", b"")
    assert refused.json()["code"] == "too-many"
    assert 0 < int(refused.headers["retry-after"]) <= 60
    assert hiding.submit("seeker", b"").status_code == 422
    contest.clock.go(cups.SECOND * 60)
    assert hiding.submit("hider").status_code == 201
