"""What an organiser does by a program."""

import pytest

from contest import cups
from kakurenbo.contest import log


def test_phases_are_moved_and_it_is_written_down(api, contest):
    answer = api.ask("PUT", "/schedule/hide", "chief", json={"starts": contest.clock().isoformat()})
    assert answer.status_code == 200
    assert cups.phase_of(contest) == "hide"
    assert answer.json()["phases"][2]["starts"] == answer.json()["now"]
    assert [event.who for event in log.read(contest, what="move")] == ["chief"]


@pytest.mark.parametrize(
    ("phase", "document", "status"),
    [
        ("hide", {"starts": "2026-04-01T00:00:00"}, 422),
        ("nonsense", {"starts": None}, 422),
        ("hide", {}, 422),
        ("hide", {"starts": None, "other": 1}, 422),
        ("hide", {"starts": "2026-04-10T00:00:00Z"}, 422),
    ],
)
def test_a_move_that_cannot_be_is_refused(api, contest, phase, document, status):
    assert api.ask("PUT", f"/schedule/{phase}", "chief", json=document).status_code == status
    assert cups.phase_of(contest) == "sign-up"


def test_nothing_moves_after_the_end(api, contest):
    cups.begin(contest, "final")
    answer = api.ask("PUT", "/schedule/hide", "chief", json={"starts": None})
    assert (answer.status_code, answer.json()["code"]) == (409, "closed")


def test_the_queue_tells_what_waits_and_what_failed(api, contest):
    cups.begin(contest, "hide")
    good, crashed = api.submit("hider").json()["id"], api.submit("seeker", b"crash").json()["id"]
    assert api.get("/queue", "chief").json()["counts"]["waiting"] == 2
    for _ in range(8):
        cups.judge_all(contest)
        contest.clock.go(cups.SECOND * 60)
    queue = api.get("/queue", "chief").json()
    assert (queue["counts"]["done"], queue["counts"]["failed"]) == (1, 1)
    assert [(job["submission"], job["trouble"]) for job in queue["jobs"]] == [(crashed, "RuntimeError")]
    again = api.ask("POST", f"/submissions/{good}/rounds", "chief")
    assert (again.status_code, again.json()) == (201, {"round": 2})
    assert api.get(f"/submissions/{good}", "hider").json()["valid"] is None


@pytest.mark.parametrize(
    ("method", "path"), [("PUT", "/schedule/hide"), ("GET", "/queue"), ("POST", "/submissions/x/rounds")]
)
def test_nobody_else_organises(api, method, path):
    statuses = {who: api.ask(method, path, who).status_code for who in (None, "guest", "hider")}
    assert statuses == {None: 401, "guest": 403, "hider": 403}
