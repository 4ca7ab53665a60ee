"""Board, matrix and reports: nothing before its time, everything at the end, the same numbers everywhere."""

import re

from contest import cups
from kakurenbo.contest.board import board
from kakurenbo.contest.matrix import matrix


def plain(page):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", page))


def test_the_board_is_shut_until_the_end_unless_the_rules_open_it(stage):
    assert "The board opens at the end." in stage.enter().page("/board")
    live = cups.with_rules(stage.contest, scoring={"board": "live"})
    stage.app.state.contest = live
    page = stage.enter("member").page("/board")
    assert "Utility and sample attacks only" in page
    assert "Foxes" in page
    assert 'class="marked"' in page


def test_the_final_board_waits_for_the_last_judge(stage):
    cups.begin(stage.contest, "final")
    page = stage.enter().page("/live/board")
    assert "the last submissions are being judged" in page
    assert "Still to be judged: 1" in page
    assert "Foxes" not in page


def test_the_final_board_ranks_and_links_to_reports(stage):
    stage.end()
    page, final = stage.enter().page("/board"), board(stage.contest)
    assert "These are the final results." in page
    for row in final.hide:
        assert f'<a href="/reports/{row.team}">{row.name}</a>' in page
        assert f"{row.total:.4f}" in page
    assert 'class="sparkline"' in page
    assert len(final.seek) == 2


def test_the_matrix_is_a_picture_and_a_table_with_the_same_numbers(stage):
    stage.seek()
    assert "a mark says that there is a valid guess" in plain(stage.enter().page("/matrix"))
    stage.end()
    page = stage.enter().page("/matrix")
    rate = next(rate for row in matrix(stage.contest).rates for rate in row if rate is not None)
    assert f"{100 * rate:.1f}</text>" in page
    assert re.search(rf'<td class="number">{100 * rate:.1f}\s%</td>', page)
    assert 'role="img"' in page
    japanese = stage.enter().get("/matrix", headers={"Accept-Language": "ja"}).text
    assert "表で見る" in japanese


def test_a_report_tells_what_was_found_by_whom(stage):
    assert "Reports open when" in stage.enter().page(f"/reports/{stage.ids.team}", 409)
    stage.end()
    page = plain(stage.enter().page(f"/reports/{stage.ids.others}"))
    assert "Report of Owls" in page
    assert "Who found people in it" in page
    row = next(row for row in board(stage.contest).hide if row.team == stage.ids.others)
    assert f"{row.total:.4f}" in page
    own = plain(stage.enter().page(f"/reports/{stage.ids.team}"))
    assert "All releases of this team" in own
    assert "not valid" in own
    assert "kakurenbo contest judge contest.toml" in own
    assert stage.enter().get("/reports/nobody").status_code == 404


def test_releases_are_offered_to_others_once_they_are_published(stage):
    assert "Releases are published when seeking begins." in stage.enter("member").page("/releases")
    stage.seek()
    page = stage.enter("member").page("/releases")
    assert "(yours)" in plain(page).replace("( yours )", "(yours)")
    assert f"/submit?target={stage.ids.others}" in page
    assert f"/submit?target={stage.ids.team}" not in page
