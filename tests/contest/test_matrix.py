"""The matrix: what may be seen of who found whom, as numbers, as a table and as a picture for everybody."""

import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest

from contest.standings import guess, moment, refused, release
from kakurenbo.contest.drawing import shown, sparkline, svg, width
from kakurenbo.contest.history import History, Point, history_of
from kakurenbo.contest.matrix import matrix_of
from kakurenbo.contest.standing import TeamName

ABCD = ("a", "b", "c", "d")
RELEASES = (release("a", 0.2, 0.1), release("b", 0.1, 0.3), release("c", 0.4, 0.4), refused("d"))
GUESSES = (guess("b", "a", 0.25), guess("b", "a", 0.5), guess("d", "c", 0.0), guess("a", "b", 0.2),
           guess("c", "a", None, verdict="invalid"))  # fmt: skip
FINAL = matrix_of(moment("final", ABCD, RELEASES, GUESSES))
BEFORE = matrix_of(moment("seek", ABCD, RELEASES, [replace(one, found=None) for one in GUESSES]))
SVG = "{http://www.w3.org/2000/svg}"


def states(matrix):
    return ["".join(cell.state[:2] + " " for cell in row.cells).split() for row in matrix.rows()]


def test_rows_seek_and_columns_hide():
    assert FINAL.rates == (
        (None, 0.2, None, None),
        (0.5, None, None, None),
        (None,) * 4,
        (None, None, 0.0, None),
    )
    assert FINAL.released == (True, True, True, False)
    assert states(FINAL) == [
        ["ow", "fo", "no", "no"], ["fo", "ow", "no", "no"], ["no", "no", "ow", "no"], ["no", "no", "fo", "ow"]
    ]  # fmt: skip
    assert FINAL.rows()[0].cells[3].state == "no-release"
    assert [row.mean for row in FINAL.rows()] == [0.1, 0.25, 0.0, 0.0]


def test_before_the_end_it_only_says_where_there_are_valid_guesses():
    assert BEFORE.rates == ((None,) * 4,) * 4
    assert BEFORE.tried == FINAL.tried
    assert [cell.state for cell in BEFORE.rows()[0].cells] == ["own", "tried", "none", "no-release"]
    assert [row.mean for row in BEFORE.rows()] == [None] * 4
    waiting = matrix_of(moment("final", ABCD, RELEASES, (*GUESSES, guess("c", "b", None, verdict="open"))))
    assert (waiting.final, waiting.rates) == (False, ((None,) * 4,) * 4)


def test_a_matrix_is_plain_values():
    no, yes = False, True
    assert FINAL.to_dict() == {
        "final": True,
        "teams": [{"id": team, "name": team.upper()} for team in ABCD],
        "released": [True, True, True, False],
        "rates": [[None, 0.2, None, None], [0.5, None, None, None], [None] * 4, [None, None, 0.0, None]],
        "tried": [[no, yes, no, no], [yes, no, no, no], [no] * 4, [no, no, yes, no]],
    }


def drawn(matrix, language="en"):
    return ET.fromstring(svg(matrix, language))  # noqa: S314 - our own text


def texts(picture, kind):
    return [one.text for one in picture.iter(f"{SVG}text") if one.get("class") == kind]


def test_the_picture_has_every_number_and_tells_itself():
    picture = drawn(FINAL)
    assert texts(picture, "rate").count("\u2013") == 6
    assert {"20.0", "50.0", "0.0"} <= set(texts(picture, "rate"))
    assert texts(picture, "team") == ["A", "A", "B", "B", "C", "C", "D", "D"]
    named = picture.get("aria-labelledby").split()
    told = {one.get("id"): one.text for one in picture if one.get("id")}
    assert picture.get("role") == "img"
    assert told[named[0]] == "Who found whom"
    assert "B found most: 50.0\u00a0% of the people of A." in told[named[1]]
    cells = list(picture.iter(f"{SVG}g"))
    assert len(cells) == 16
    assert all(cell.find(f"{SVG}title").text for cell in cells)


def test_the_picture_before_the_end_has_marks_and_no_number():
    picture = drawn(BEFORE)
    assert len(list(picture.iter(f"{SVG}circle"))) == 3
    assert set(texts(picture, "rate")) == {"\u2013"}
    assert "%" not in "".join(picture.itertext())


def test_the_picture_speaks_japanese():
    picture = drawn(FINAL, "ja")
    assert texts(picture, "axis") == ["探す側 ↓", "隠す側 →"]
    assert "Bで、Aの人の50.0\u00a0%を見つけました" in "".join(picture.itertext())


@pytest.mark.parametrize("matrix", [FINAL, BEFORE])
def test_nothing_in_the_picture_needs_a_style_or_a_script(matrix):
    for one in drawn(matrix).iter():
        assert one.tag != f"{SVG}style"
        assert one.tag != f"{SVG}script"
        assert not [name for name in one.attrib if name == "style" or name.startswith("on") or "href" in name]
    colours = {
        value
        for one in drawn(matrix).iter()
        for name, value in one.attrib.items()
        if name in {"fill", "stroke"}
    }
    assert colours == {"currentColor"}


def test_names_are_escaped_and_long_ones_are_cut():
    teams = (
        TeamName("a", '<script>"&</script>'),
        TeamName("b", "とても長い名前のチーム" * 3),
        *FINAL.teams[2:],
    )
    text = svg(replace(FINAL, teams=teams))
    assert "<script>" not in text
    assert texts(ET.fromstring(text), "team")[0] == '<script>"&</script>'  # noqa: S314 - our own text
    assert width(shown(teams[1].name)) <= 24
    assert shown(teams[1].name).endswith("…")
    assert teams[1].name in text


def test_many_teams_are_drawn_small_and_nobody_at_all_is_drawn_too():
    many = [f"t{number}" for number in range(60)]
    seen = moment("final", many, [release(team, 0.1, 0.1) for team in many], [guess("t1", "t2", 0.5)])
    picture = drawn(matrix_of(seen))
    assert float(picture.get("width")) < 800
    assert texts(picture, "rate") == []
    assert drawn(matrix_of(moment("hide", []))).get("role") == "img"


def test_shades_follow_the_rates_and_leave_numbers_readable():
    shades = {
        one.find(f"{SVG}text").text: float(one.find(f"{SVG}rect").get("fill-opacity"))
        for one in drawn(FINAL).iter(f"{SVG}g")
        if one.get("class") == "cell found"
    }
    assert shades == {"20.0": pytest.approx(0.168), "50.0": pytest.approx(0.42), "0.0": 0.0}


def test_a_sparkline_has_a_point_for_every_number_and_marks_the_one_that_counts():
    seen = moment("final", ABCD, (release("a", 0.5, 0.5, counts=False), *RELEASES), GUESSES)
    line = ET.fromstring(sparkline(history_of(seen, "a")))  # noqa: S314 - our own text
    points = list(line.iter(f"{SVG}circle"))
    assert [point.get("class") for point in points] == ["point", "point counts"]
    assert float(points[0].get("cy")) < float(points[1].get("cy")), "a lower score stands lower"
    assert line.find(f"{SVG}title").text.endswith(": 0.500, 0.150")
    found = ET.fromstring(sparkline(history_of(seen, "b"), "ja", of="guesses"))  # noqa: S314 - our own text
    assert found.find(f"{SVG}title").text.endswith("0.125, 0.250")


def test_a_sparkline_of_one_number_or_none_is_drawn_too():
    one = Point(RELEASES[0].received, 0.4, counts=True)
    assert sparkline(History("a", (one,), ())).count("<circle") == 1
    assert "nothing yet" in sparkline(History("a", (), ()))
