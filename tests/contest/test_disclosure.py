"""What a team is told of its guesses: the same whatever they are worth, or no more than the rules say."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

import kakurenbo as kb
from contest import cups
from contest import pws2017_made as made
from contest.cups import begin, judge_all, on_both_databases
from kakurenbo.contest import results, submissions
from kakurenbo.contest.disclosure import blank_seed, ladder, score_on, tellable, told
from kakurenbo.contest.judging import judge as judging
from kakurenbo.contest.judging.records import Judged, Score
from kakurenbo.contest.judging.scoring import with_guess
from kakurenbo.contest.lookalikes import chosen, clusters, labels_of, traces
from kakurenbo.contest.records import Outcome
from kakurenbo.contest.rules import Rules, Seek

SHARES = st.floats(0, 1)
STEPS = st.sampled_from([0.01, 0.05, 0.1, 0.25, 0.3, 1.0])


@given(st.lists(SHARES, min_size=1), STEPS)
def test_a_ladder_never_falls_and_moves_only_by_steps(scores, step):
    best = 0.0
    for score, after in zip(scores, ladder(scores, step), strict=True):
        if after == best:
            assert score < best + step
        else:
            assert after > best
            assert score >= best + step - 1e-9
            assert abs(after - score) <= step / 2 + 1e-9
            assert after / step == pytest.approx(round(after / step))
        best = after


@given(st.lists(SHARES, min_size=1, max_size=200), STEPS)
def test_however_often_one_asks_a_ladder_answers_no_oftener_than_it_has_steps(scores, step):
    assert len(set(ladder(scores, step)) - {0.0}) <= 1 / step + 1


def test_a_ladder_tells_the_best_so_far():
    assert ladder([0.04, 0.12, 0.14, 0.16, 0.1, 0.31], 0.1) == [0.0, 0.1, 0.1, 0.1, 0.1, 0.3]
    assert ladder([0.2, 0.1, 0.25], 0.0) == [0.2, 0.2, 0.25]


def test_what_is_told_follows_the_rules():
    assert tellable(Seek(), [0.9, 0.123]) is None
    assert tellable(Seek(tells="rounded", decimals=1), [0.9, 0.123]) == 0.1
    assert tellable(Seek(tells="rounded", decimals=2), [0.9, 0.129]) == 0.13
    assert tellable(Seek(tells="ladder", step=0.1), [0.9, 0.123]) == 0.9


def test_a_score_on_a_share_looks_at_nobody_else():
    share = np.array([True, False, True, False])
    assert score_on([1.0, 0.0, 0.5, 0.0], share) == 0.75
    assert score_on([1.0, 1.0, 0.5, 1.0], share) == 0.75


@given(st.lists(st.integers(0, 9), min_size=2, max_size=60), SHARES, st.integers(0, 5))
def test_a_share_is_made_of_whole_clusters_neither_none_nor_all(labels, share, seed):
    labels = np.array(labels)
    mask = chosen(labels, share, seed)
    assert not set(labels[mask]) & set(labels[~mask])
    assert mask.any()
    if len(set(labels.tolist())) > 1:
        assert mask.all() == (share == 1.0)
    largest = np.bincount(labels).max() / len(labels)
    assert share == 1.0 or abs(mask.mean() - share) <= largest or len(set(labels.tolist())) == 1


def test_the_share_comes_from_the_key_and_the_release():
    labels = np.repeat(np.arange(20), 5)
    assert (chosen(labels, 0.5, 1) == chosen(labels, 0.5, 1)).all()
    assert len({chosen(labels, 0.5, seed).tobytes() for seed in range(10)}) > 5


def test_look_alikes_are_together():
    taste = np.repeat(np.arange(10), 16)
    rng = np.random.default_rng(1)
    cells = [(u, 10 * taste[u] + g) for u in range(160) for g in rng.permutation(10)[:7]]
    rows, goods = np.array(cells).T
    matrix = sparse.coo_array((np.ones(len(rows), dtype=np.int64), (rows, goods)), shape=(160, 100)).tocsr()
    labels = clusters(matrix, 1)
    assert all(len(set(taste[labels == label].tolist())) == 1 for label in set(labels.tolist()))
    assert (labels == clusters(matrix, 1)).all()


def test_everybody_of_a_contest_about_purchases_has_a_cluster(folder):
    rules = Rules.read(folder)
    labels = labels_of(rules, folder / "data", 1)
    assert len(labels) == len(judging.people(rules, folder / "data")) == 6
    assert labels_of(rules, folder / "data", 1) is labels, "made once"


def test_everybody_of_a_contest_about_microdata_has_a_cluster(tmp_path):
    ages = [20 + number for number in range(40)]
    frame = pl.DataFrame({"age": ages, "sex": ["f", "m"] * 20, "income": [float(age) ** 2 for age in ages]})
    frame.write_csv(tmp_path / "X.csv")
    rules = Rules(title="t", format="microdata", data={"qi": ["age", "sex"], "sa": ["income"]})
    matrix = traces(rules, tmp_path)
    assert matrix.shape[0] == 40
    assert matrix.sum(axis=1).tolist() == [3] * 40
    assert matrix.shape[1] == 10 + 2 + 10, "numbers are told apart by bands"
    assert len(labels_of(rules, tmp_path, 1)) == len(judging.people(rules, tmp_path)) == 40


def test_everybody_of_a_contest_about_long_term_data_has_a_cluster(tmp_path):
    master, rows, known = made.contest(3)
    for name, table in {"M": master, "T": rows, **known}.items():
        (tmp_path / f"{name}.csv").write_text("".join(",".join(row) + "\n" for row in table))
    rules = Rules.preset("pws2017")
    assert traces(rules, tmp_path).sum() == len({(row[0], row[4]) for row in rows})
    assert len(labels_of(rules, tmp_path, 1)) == len(judging.people(rules, tmp_path)) == len(master)


def test_blanks_are_filled_alike_for_the_same_file_and_no_other(contest):
    first, again, other = (blank_seed(contest.vault, digest) for digest in ("aa", "aa", "ab"))
    assert first == again != other


def test_a_blank_guess_finds_others_whenever_its_file_is_another(contest):
    names = {f"c{number}": f"x{number}" for number in range(1, 7)}
    table = cups.TRANSACTIONS
    for original, released in names.items():
        table = table.replace(original, released)
    pairs = "".join(f"{released},{original}\n" for original, released in names.items())
    release = {"T.csv": table.encode(), "P.csv": f"released,original\n{pairs}".encode()}
    blank = {"Q.csv": b"released,original\nx1,c1\n"}

    def hits(digest):
        seed = blank_seed(contest.vault, digest)
        return tuple(judging.hits(contest.rules, contest.data, release, blank, seed=seed))

    filled = [hits(f"{number:064x}") for number in range(40)]
    assert hits(f"{0:064x}") == filled[0]
    assert {one[0] for one in filled} == {1.0}, "who is named is named"
    assert len(set(filled)) > 5
    assert 0 < sum(map(sum, filled)) / 40 - 1 < 2, "blanks find one of the five others or so"


def by_share(contest, lease):
    """Judge a guess by the number of people it says it found; six are sought."""
    _, content = submissions.content_of(contest, lease.submission)
    score = Score(0.25, 0.5, 0.375)
    if submissions.one(contest, lease.submission).kind == "release":
        return Outcome(Judged(utility={"popularity": 0.25}, attacks={"jaccard": (0.5,)}, score=score))
    if content.startswith(b"bad"):
        return Outcome(cups.BAD)
    found = int(content.split(b",")[0])
    hits = (1.0,) * found + (0.0,) * (6 - found)
    return Outcome(with_guess(contest.rules, Judged(score=score), (found / 6,)), hits)


def as_submitted(rules, original, files, *, seed):
    return dict(files)


@pytest.fixture
def seeking(contest, monkeypatch):
    """Return a contest in the phase seek and a function by which one team guesses at another's release."""
    monkeypatch.setattr(judging, "published", as_submitted)
    contest = cups.with_rules(contest, seek={"tries": 9, "tries_a_day": 9})
    (hider, hiders), (seeker, _) = cups.team(contest, "Hiders"), cups.team(contest, "Seekers")
    begin(contest, "hide")
    submissions.submit(contest, hider, "release", b"good", "T.csv")
    begin(contest, "seek")
    judge_all(contest, by_share)

    def hand_in(text):
        contest.clock.go(cups.SECOND)
        return submissions.submit(contest, seeker, "guess", text, "Q.csv", hiders.id).id

    return contest, hand_in


def under(contest, **seek):
    return cups.with_rules(contest, seek={"share": 1.0, **seek})


def test_by_default_nothing_is_told_and_no_result_is_read(seeking, monkeypatch):
    contest, hand_in = seeking
    worthless = hand_in(b"0")
    perfect = hand_in(b"6")
    judge_all(contest, by_share)

    def looked(*_):
        raise AssertionError("a result was read")

    monkeypatch.setattr(results, "of", looked)
    monkeypatch.setattr(results, "hits", looked)
    assert told(contest, worthless) is told(contest, perfect) is None


def public(contest, submission):
    """Return all of a submission that pages and programs show, but what makes every submission another."""
    view = submissions.one(contest, submission)
    own = {"id", "digest", "commitment", "salt", "received", "judged"}
    return {name: getattr(view, name) for name in view.__slots__ if name not in own}


def test_by_default_a_worthless_and_a_perfect_guess_look_the_same(seeking):
    contest, hand_in = seeking
    worthless, perfect = hand_in(b"0"), hand_in(b"6")
    judge_all(contest, by_share)
    assert public(contest, worthless) == public(contest, perfect)


@on_both_databases
def test_a_ladder_is_climbed_by_the_guesses_of_one_team_about_one_release(seeking):
    contest, hand_in = seeking
    contest = under(contest, tells="ladder", step=0.25)
    guesses = [hand_in(text) for text in (b"1", b"2", b"1,again", b"5")]
    judge_all(contest, by_share)
    answers = [told(contest, one) for one in guesses]
    assert [answer["score"] for answer in answers] == [0.0, 0.25, 0.25, 0.75]
    assert answers[0] == {"tells": "ladder", "score": 0.0, "step": 0.25, "share": 1.0}


def test_a_ladder_waits_for_earlier_guesses(seeking):
    contest, hand_in = seeking
    contest = under(contest, tells="ladder", step=0.25)
    first, second = hand_in(b"6"), hand_in(b"2")
    views = {one: submissions.one(contest, one) for one in (first, second)}
    assert told(contest, first) is None
    judge_all(contest, by_share)
    assert told(contest, views[second]) is None, "the view is of before it was judged"
    assert told(contest, second)["score"] == 1.0


def test_a_rounded_score_is_of_the_guess_itself(seeking):
    contest, hand_in = seeking
    contest = under(contest, tells="rounded", decimals=1)
    guesses = [hand_in(text) for text in (b"5", b"1")]
    judge_all(contest, by_share)
    assert [told(contest, one)["score"] for one in guesses] == [0.8, 0.2]
    assert told(contest, guesses[0]) == {"tells": "rounded", "score": 0.8, "decimals": 1, "share": 1.0}


def test_a_share_of_the_people_is_what_is_looked_at(seeking):
    contest, hand_in = seeking
    contest = under(contest, tells="rounded", decimals=6, share=0.5)
    guess = hand_in(b"3")
    judge_all(contest, by_share)
    labels = labels_of(contest.rules, contest.data, contest.vault.seed("look-alikes"))
    release = submissions.one(contest, guess).release
    share = chosen(labels, 0.5, contest.vault.seed(f"share {release}"))
    assert 0 < share.sum() < 6
    assert told(contest, guess)["score"] == pytest.approx(share[:3].sum() / share.sum(), abs=1e-6)


@pytest.mark.parametrize("tells", ["nothing", "ladder", "rounded"])
def test_what_is_not_valid_or_not_judged_tells_nothing(seeking, tells):
    contest, hand_in = seeking
    contest = under(contest, tells=tells)
    bad, waiting = hand_in(b"bad"), hand_in(b"6")
    assert told(contest, waiting) is None
    judge_all(contest, by_share)
    assert told(contest, bad) is None
    assert told(contest, "no such submission") is None


@pytest.mark.parametrize("tells", ["nothing", "ladder", "rounded"])
def test_at_the_end_everything_is_told_when_all_is_judged(seeking, tells):
    contest, hand_in = seeking
    contest = under(contest, tells=tells)
    first = hand_in(b"3")
    judge_all(contest, by_share)
    last = hand_in(b"6")
    begin(contest, "final")
    assert (told(contest, first) or {}).get("tells") != "everything"
    judge_all(contest, by_share)
    answer = told(contest, last)
    assert (answer["tells"], answer["attacks"]["guess"], answer["score"]["security"]) == (
        "everything",
        [1.0],
        1.0,
    )
    assert told(contest, first)["attacks"]["guess"] == [0.5]


def test_practice_tells_everything(contest):
    user, _ = cups.team(contest, "Hiders")
    begin(contest, "practice")
    release = submissions.submit(contest, user, "release", b"good", "T.csv")
    judge_all(contest, by_share)
    guess = submissions.submit(contest, user, "guess", b"3", "Q.csv")
    judge_all(contest, by_share)
    assert told(contest, release.id)["utility"] == {"popularity": 0.25}
    assert told(contest, guess.id)["attacks"]["guess"] == [0.5]


def test_a_release_tells_its_team_what_the_board_shows(contest):
    user, _ = cups.team(contest, "Hiders")
    begin(contest, "hide")
    release = submissions.submit(contest, user, "release", b"good", "T.csv").id
    judge_all(contest, by_share)
    assert told(contest, release) is None
    live = cups.with_rules(contest, scoring={"board": "live"})
    assert told(live, release)["score"] == {"utility": 0.25, "security": 0.5, "total": 0.375}


def test_clusters_of_a_shop_are_quickly_made_and_every_one_is_used():
    shop = kb.demo.shop(300, seed=1)
    labels = clusters(shop.baskets().matrix, 1)
    assert set(labels.tolist()) == set(range(37))
