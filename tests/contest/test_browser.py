"""A whole contest as three people use it in a browser: an organiser, one who hides and one who seeks."""

import hashlib
import re
from collections import Counter

import pytest

from contest import pws2017_made as made
from contest import pws2017_plain as plain
from contest.browsing import (
    JUDGED,
    PASSWORD,
    cells_of,
    chromium,
    lines_of,
    needs_chromium,
    served,
    sync,
    visitors,
)
from kakurenbo.contest import accounts
from kakurenbo.contest.contest import Contest
from kakurenbo.contest.rules import preset_text

pytestmark = needs_chromium
SEED = 5  # of a contest with enough rows that attackers find some people, and not all
DASH = "\u2013"  # where there is no line or cell


@pytest.fixture(scope="module")
def browser():
    with chromium() as started:
        yield started


@pytest.fixture
def cup(tmp_path):
    """Return a small contest, as the plain computation holds it; its tables stand in tmp_path / 'data'."""
    return made.write(tmp_path / "data", made.contest(SEED))


@pytest.fixture
def people(tmp_path, cup, browser):
    """Return a function that gives somebody a browser at the contest, which is served."""
    contest = Contest.create(tmp_path / "cup", preset_text("pws2017"), tmp_path / "data")
    accounts.make_organiser(contest, "Olga", PASSWORD)
    with served(contest) as address, visitors(browser, address) as person:
        yield person
    contest.close()


def guess_text(cup, published):
    """Return the map that the sample attack S6 draws from a published release when it knows everything."""
    table = plain.guess(cup, plain.rows_of(published), cup.known["T100"], plain.KEYS["S6"])
    return made.text_of([[customer, *table[customer]] for customer in cup.customers])


@pytest.mark.campaign
@pytest.mark.parametrize(
    ("hides", "seeks"),
    [
        pytest.param(True, False, id="one without script"),
        pytest.param(True, True, id="script", marks=pytest.mark.campaign),
        pytest.param(False, False, id="no script", marks=pytest.mark.campaign),
    ],
)
def test_a_whole_contest_as_three_people_use_it(people, cup, hides, seeks):
    """Two of them have a browser that runs scripts, or has none; the organiser's is as the hider's."""
    organiser, hider, seeker = (people(script=script) for script in (hides, hides, seeks))
    organiser.signs_in("Olga")
    hider.signs_up("Hana", "Foxes")
    seeker.signs_up("Saki", "Owls")

    organiser.page.goto("/organise/announcements")
    organiser.fills(Text_in_English="The cup begins <b>now</b>.")
    organiser.presses("Announce")
    organiser.begins("Hide")
    hider.page.goto("/")
    hider.sees("The cup begins <b>now</b>.")
    hider.sees("Now: Hide")

    sees_all_faults(hider, cup)
    release = made.text_of(made.submission(cup, SEED))
    gets_a_receipt(hider, release, script=hides)
    gets_a_receipt(seeker, made.text_of(made.submission(cup, SEED + 1)), script=seeks)
    looks_at_the_queue(organiser)

    organiser.begins("Seek")
    published = downloads_the_release(seeker, release)
    guess = guess_text(cup, published)
    learns_only_that_it_is_valid(seeker, guess, script=seeks)
    finds_the_doors_shut(hider, seeker)

    organiser.begins("Final")
    losses = plain.utility(cup, plain.rows_of(release))
    found = plain.rate(cup, maps_of(guess), plain.truth(cup, plain.rows_of(release)))
    attacked = attacks_on(cup, plain.rows_of(published), plain.rows_of(release))
    for person in (organiser, hider, seeker):
        sees_the_end(person, max(losses.values()), max(found, attacked), found)


def maps_of(guess):
    return {row[0]: row[1:] for row in plain.rows_of(guess)}


def attacks_on(cup, published, rows):
    """Return what the best sample attack finds in the rows as they were published, in that very order."""
    right = plain.truth(cup, rows)
    means = []
    for cells in plain.KEYS.values():
        maps = [plain.guess(cup, published, cup.known[level], cells) for level in plain.LEVELS]
        means.append(sum(plain.rate(cup, guessed, right) for guessed in maps) / len(maps))
    return max(means)


def sees_all_faults(person, cup):
    rows = made.spoilt(cup, SEED)
    text = made.text_of(rows)
    expected = plain.judge(cup, text)["faults"]
    person.page.goto("/submit")
    person.hands_in("faulty.csv", text, "Check only")
    person.sees(f"Not valid: {len(expected)} faults")
    table = person.page.get_by_role("region", name="Faults").get_by_role("table")
    shown = Counter((line, cell) for _, line, cell, _ in cells_of(table))
    assert shown == Counter((DASH if line is None else f"{line:,}", DASH if cell is None else str(cell))
                            for line, cell, _ in expected)  # fmt: skip
    person.page.goto("/submissions")
    person.sees("Your team has submitted nothing yet.")


def gets_a_receipt(person, text, *, script):
    person.page.goto("/submit")
    person.hands_in("release.csv", text, "Submit")
    person.sees("Receipt")
    person.sees(hashlib.sha256(text.encode()).hexdigest())
    person.awaits("This is the release of your team that counts.", script=script)


def looks_at_the_queue(person):
    person.page.goto("/organise")
    person.page.get_by_role("link", name="Queue", exact=True).click()
    person.sees("Everything is judged.")
    rows = cells_of(person.page.get_by_role("region", name="Last submissions").get_by_role("table"))
    assert {(row[1], row[2], row[4]) for row in rows} == {
        ("Foxes", "Release", "valid"), ("Owls", "Release", "valid")
    }  # fmt: skip


def downloads_the_release(person, release):
    """Download what is published of the other team; it is what that team kept, in another order."""
    person.page.goto("/releases")
    for _ in range(JUDGED // 200):
        if person.page.get_by_role("link", name=re.compile("of Foxes")).count():
            break
        person.page.wait_for_timeout(200)
        person.page.reload()
    with person.page.expect_download() as download:
        person.page.get_by_role("link", name=re.compile("of Foxes")).click()
    text = download.value.path().read_text(encoding="utf-8")
    rows, kept = plain.rows_of(text), plain.kept_rows(plain.rows_of(release))
    assert Counter(map(tuple, rows)) == Counter(map(tuple, kept))
    assert rows != kept
    return text


def learns_only_that_it_is_valid(person, guess, *, script):
    person.page.goto("/releases")
    person.page.get_by_role("link", name=re.compile("Guess about Foxes")).click()
    assert "Foxes" in person.page.get_by_label("About whose release").locator("option:checked").inner_text()
    person.hands_in("guess.csv", guess, "Submit")
    person.awaits("What it found is told at the end", script=script)
    result = person.page.get_by_role("region", name="Result")
    sync.expect(result).to_contain_text("Valid")
    assert not re.search(r"\d", result.inner_text())


def finds_the_doors_shut(hider, seeker):
    """Nobody sees another team's submission, the board's end, or the organiser's pages before their time."""
    seeker.page.goto("/submissions")
    theirs = (
        seeker.page.get_by_role("main").get_by_role("table").get_by_role("link").first.get_attribute("href")
    )
    for path, statuses in {
        theirs: {404},
        "/organise": {403},
        "/archive/export.json": {403, 404, 409},
    }.items():
        assert hider.page.request.get(path).status in statuses
    hider.page.goto("/matrix")
    assert "%" not in hider.page.get_by_role("main").get_by_role("table").inner_text()


def sees_the_end(person, utility, security, found):
    """See the numbers that the plain computation gets, on the board and in the matrix."""
    person.page.goto("/board")
    board = lines_of(person.page.get_by_role("region", name="Hiding").get_by_role("table"))
    foxes = next(line for line in board if line["Team"].startswith("Foxes"))
    numbers = {"Utility": utility, "Security": security, "Score": (utility + security) / 2}
    assert {name: foxes[name].split()[0] for name in numbers} == {
        name: f"{number:.4f}" for name, number in numbers.items()
    }
    board = lines_of(person.page.get_by_role("region", name="Seeking").get_by_role("table"))
    owls = next(line for line in board if line["Team"].startswith("Owls"))
    assert owls["Releases tried"] == "1 / 1"
    person.page.goto("/matrix")
    matrix = person.page.get_by_role("main")
    sync.expect(matrix.get_by_role("img").first).to_be_visible()
    owls = next(line for line in lines_of(matrix.get_by_role("table")) if "Owls" in line.values())
    assert float(owls["Foxes"].rstrip("%").strip()) == pytest.approx(100 * found, abs=0.051)
