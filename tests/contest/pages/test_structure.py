"""Every page in every phase for everybody: sound HTML, headings in order, captions, labels."""

import pytest

from contest.pages import structure
from contest.pages.conftest import WHO
from contest.pages.test_roles import PAGES, address

LOOKS = [one.split(" ")[1] for one in PAGES if one.startswith("GET")]


@pytest.mark.parametrize(
    ("phase", "lang"),
    [
        ("seek", "ja"),
        pytest.param("hide", "en", marks=pytest.mark.campaign),
        pytest.param("end", "en", marks=pytest.mark.campaign),
        pytest.param("hide", "ja", marks=pytest.mark.campaign),
        pytest.param("seek", "en", marks=pytest.mark.campaign),
        pytest.param("end", "ja", marks=pytest.mark.campaign),
    ],
)
def test_every_page_can_be_read_without_eyes_and_without_a_mouse(stage, phase, lang):
    if phase != "hide":
        getattr(stage, phase)()
    wrong, seen = {}, 0
    for who in WHO:
        browser = stage.enter(who)
        for path in LOOKS:
            answer = browser.get(address(path, stage.ids), headers={"Accept-Language": lang})
            if not answer.headers.get("content-type", "").startswith("text/html") or not answer.text:
                continue
            seen += 1
            faults = structure.faults_of(answer.text, whole=not path.startswith("/live/"))
            if not path.startswith("/live/") and f'<html lang="{lang}"' not in answer.text:
                faults.append("another language")
            if faults:
                wrong[who, path] = faults
    assert wrong == {}
    assert seen > 100


def test_the_reader_finds_what_is_wrong():
    page = '<html><h2>a</h2><h4>b</h4><input name="x"><table><tr><th>c</th></tr></table><p style="x">'
    assert len(structure.faults_of(page)) >= 6
