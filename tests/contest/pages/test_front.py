"""The front page, the rules and the data: what everybody reads, in both languages."""

import hashlib

import pytest

from contest import cups


@pytest.mark.parametrize(
    ("who", "phase", "step"),
    [
        ("nobody", "hide", "/sign-up"), ("user", "hide", "/team"), ("organiser", "hide", "/organise"),
        ("member", "sign-up", "/data"), ("member", "practice", "/submit"), ("member", "hide", "/submit"),
        ("member", "seek", "/releases"), ("member", "final", "/board"), ("nobody", "final", "/board"),
    ],
)  # fmt: skip
def test_everybody_is_told_his_next_step(stage, who, phase, step):
    cups.begin(stage.contest, phase)
    assert f'<a href="{step}">' in stage.enter(who).page("/").partition("Your next step:")[2][:80]


def test_the_front_page_tells_phase_time_left_and_numbers(stage):
    page = stage.enter().page("/")
    for part in ("Now: Hide", "Seek begins in", "data-countdown", "<p>Hide them.</p>\n<p>Seek them.</p>",
                 'aria-current="step"', "Begin &lt;b&gt;now&lt;/b&gt;."):  # fmt: skip
        assert part in page
    assert "<html" not in stage.enter().page("/live/state")


def test_the_same_in_japanese(stage):
    page = stage.enter().get("/", headers={"Accept-Language": "ja"}).text
    for part in (
        "小さな大会",
        "隠して、見つけて。",
        "現在: 匿名加工",
        "再識別の開始まで",
        "始めてください。",
    ):
        assert part in page


def test_the_rules_tell_measures_attacks_and_phases(stage):
    page = stage.enter().page("/rules")
    for part in (
        "popularity",
        "How far the goods&#39; shares of all buyers moved",
        "Algorithm 1",
        "2026-04-04 00:00 UTC",
    ):
        assert part in page
    written = stage.enter().get("/rules.toml")
    assert b"Little cup" in written.content
    assert "attachment" in written.headers["content-disposition"]


def test_data_is_listed_with_its_hash_and_given_to_whoever_signed_in(stage):
    path = stage.contest.data / "transactions.csv"
    page = stage.enter("user").page("/data")
    assert hashlib.sha256(path.read_bytes()).hexdigest() in page
    given = stage.enter("user").get("/data/transactions.csv")
    assert given.content == path.read_bytes()
    assert "/data/transactions.csv" not in stage.enter().page("/data")


@pytest.mark.parametrize(
    "name", ["../contest.toml", "..%2Fcontest.toml", "%2e%2e/private/key", ".hidden", "nothing.csv"]
)
def test_no_other_file_is_given(stage, name):
    (stage.contest.data / ".hidden").write_text("x")
    answer = stage.enter("user").get(f"/data/{name}")
    assert answer.status_code == 404
    assert "Little cup</title>" in answer.text


def test_nothing_private_lies_under_a_served_path(stage):
    (stage.contest.data / "key.csv").symlink_to(stage.contest.folder / "private" / "key")
    assert stage.enter("user").get("/data/key.csv").status_code == 404
    assert "key.csv" not in stage.enter("user").page("/data")
