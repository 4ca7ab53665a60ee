"""A search in any number of processes, stopped, killed and resumed: the same trials and the same answer."""

import multiprocessing
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from dataclasses import replace

import pytest

import kakurenbo as kb
from kakurenbo.progress import Progress
from kakurenbo.tuning.aim import Aim
from kakurenbo.tuning.ledger import Ledger
from kakurenbo.tuning.space import Space
from kakurenbo.tuning.study import Settings, Study
from searches import Imagined, told
from shops import light_shop
from stopping import LONG, stopped_at

LIMITS = {"max_risk": 0.2, "knowledge": "goods", "max_learnt": 1.0}


@pytest.mark.campaign
def test_the_same_seed_agrees_in_any_number_of_processes_and_another_differs(shop, found):
    again = kb.tune(shop, **LIMITS, trials=1, seed=5, jobs=2)
    assert told(again)[:1] == told(found)[:1]
    fresh = {one.number: one for one in found.finalists}
    both = [(one, fresh[one.number]) for one in again.finalists if one.number in fresh]
    assert both
    assert all(replace(one.outcome, seconds=0) == replace(other.outcome, seconds=0) for one, other in both)
    other = kb.tune(shop, 0.001, "goods", max_learnt=1.0, trials=1, seed=6, jobs=1)
    assert told(other)[:1] != told(found)[:1]


@pytest.mark.usefixtures("imagining")
def test_the_same_seed_tries_the_same_plans_and_another_others(shop, thought_up):
    again = kb.tune(shop, **LIMITS, trials=4, seed=5, jobs=1)
    assert told(again)[:4] == told(thought_up)[:4]
    assert told(kb.tune(shop, **LIMITS, trials=12, seed=5, jobs=1)) == told(thought_up)
    assert told(kb.tune(shop, **LIMITS, trials=3, seed=6, jobs=1))[:3] != told(thought_up)[:3]


@pytest.mark.campaign
def test_the_number_of_processes_changes_nothing_in_twelve_trials(shop):
    one, two = (kb.tune(shop, **LIMITS, trials=12, seed=5, jobs=jobs) for jobs in (1, 2))
    assert told(two) == told(one)


@pytest.mark.usefixtures("imagining")
def test_a_study_goes_on_where_it_stood(shop, thought_up, tmp_path):
    file = tmp_path / "a study.sqlite"
    steps = []
    watched = Progress(steps.append)
    first = kb.tune(shop, **LIMITS, trials=4, seed=5, jobs=1, study=file, progress=watched)
    (last,) = [step for step in steps if "trial 4 of 4, 0 s left; best so far: " in step.message]
    assert last.share == pytest.approx(0.7)
    assert "checking" in steps[-1].message
    shares = [step.share for step in steps if step.share is not None]
    assert shares[:6] == pytest.approx([0, 0.175, 0.35, 0.525, 0.7, 0.7])
    assert shares == sorted(shares)
    assert f"{first.fresh} of {first.fresh}, 0 s left" in steps[-1].message
    assert first.seconds > first.trials[-1].clock, "the fresh draws took their time too"
    assert told(first)[:4] == told(thought_up)[:4]
    second = kb.tune(shop, **LIMITS, trials=12, jobs=1, study=file)
    assert (second.resumed, second.seed) == (4, 5)
    assert told(second) == told(thought_up)
    assert second.seconds > first.seconds
    third = kb.tune(shop, **LIMITS, trials=12, jobs=1, study=file)
    assert (third.resumed, told(third)) == (12, told(thought_up))
    late = kb.tune(shop, **LIMITS, trials=13, minutes=1e-6, jobs=1, study=file)
    assert len(late.trials) == 12
    written = file.read_bytes()
    assert not [name for name in shop.customers.to_list() if f'"{name}"'.encode() in written]


def stopped_search(shop, word, file, jobs):
    wanted = {"trials": 12, "seed": 5, "jobs": jobs, "study": file}
    return stopped_at(word, lambda progress: kb.tune(shop, **LIMITS, **wanted, progress=progress))


@pytest.mark.usefixtures("imagining")
@pytest.mark.parametrize("word", ["trial 5 of 12", "checking"])
def test_a_search_stopped_between_trials_resumes_to_the_same_result(shop, thought_up, tmp_path, word):
    file = tmp_path / "stopped.sqlite"
    stopped_search(shop, word, file, jobs=1)
    result = kb.tune(shop, **LIMITS, trials=12, jobs=1, study=file)
    assert result.resumed == (12 if word == "checking" else 5)
    assert told(result) == told(thought_up)


@pytest.mark.campaign
@pytest.mark.usefixtures("imagining")
def test_the_processes_of_a_stopped_search_end_and_one_alone_goes_on(shop, thought_up, tmp_path):
    file = tmp_path / "stopped.sqlite"
    stopped_search(shop, "trial 2 of 12", file, jobs=2)
    assert multiprocessing.active_children() == []
    assert trials_in(file) == 2
    assert told(kb.tune(shop, **LIMITS, trials=12, jobs=1, study=file)) == told(thought_up)


def test_a_search_stopped_at_once_begins_no_study(shop, tmp_path):
    stopped_search(shop, "preparing", tmp_path / "never.sqlite", jobs=1)
    assert list(tmp_path.iterdir()) == []


CHILD = """
import sys
sys.path.append(sys.argv[2])
import kakurenbo as kb
from searches import Imagined, imagined
from shops import light_shop

class Stuck(Imagined):
    asked = []

    def measure(self, task):
        self.asked.append(task)
        if len(self.asked) == 5:
            print("in the middle of a trial", flush=True)
            sys.stdin.read()
        return super().measure(task)

with imagined(Stuck):
    kb.tune(light_shop(30, seed=1), 0.2, "goods", max_learnt=1.0, trials=12, seed=5, jobs=1,
            study=sys.argv[1])
"""


def trials_in(file):
    try:
        with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as study:
            return study.execute("SELECT count(*) FROM trials").fetchone()[0]
    except sqlite3.OperationalError:  # not made yet
        return 0


@pytest.mark.usefixtures("imagining")
@pytest.mark.parametrize("laboratory", [Imagined], indirect=True)  # which the killed process has, too
def test_a_killed_search_resumes_to_the_same_trials(shop, thought_up, tmp_path, root):
    file = tmp_path / "killed.sqlite"
    words, pipe = [sys.executable, "-c", CHILD, str(file), str(root / "tests")], subprocess.PIPE
    with subprocess.Popen(words, stdin=pipe, stdout=pipe) as child:
        assert child.stdout.readline() == b"in the middle of a trial\n"
        child.send_signal(signal.SIGKILL)
    assert trials_in(file) == 4
    result = kb.tune(shop, **LIMITS, trials=12, jobs=1, study=file)
    assert result.resumed == 4
    assert told(result) == told(thought_up)


REAL = """
import sys
import kakurenbo as kb
sys.path.append(sys.argv[2])
from shops import light_shop
kb.tune(light_shop(30, seed=1), 0.2, "goods", max_learnt=1.0, trials=12, seed=5, jobs=1, study=sys.argv[1])
"""


@pytest.mark.campaign
def test_a_search_of_real_releases_killed_at_any_moment_resumes_to_the_same_trials(shop, tmp_path, root):
    file = tmp_path / "killed.sqlite"
    child = subprocess.Popen([sys.executable, "-c", REAL, str(file), str(root / "tests")])
    try:
        while trials_in(file) < 3 and child.poll() is None:
            time.sleep(0.05)
    finally:
        child.send_signal(signal.SIGKILL)
        child.wait()
    result = kb.tune(shop, **LIMITS, trials=12, jobs=1, study=file)
    assert result.resumed >= 3
    assert told(result) == told(kb.tune(shop, **LIMITS, trials=12, seed=5, jobs=1))


@pytest.mark.usefixtures("imagining")
def test_a_foreign_study_is_refused(shop, tmp_path):
    file = tmp_path / "s.sqlite"
    kb.tune(shop, **LIMITS, trials=1, seed=5, jobs=1, study=file)
    for change, words in (
        ({"data": light_shop(30, seed=2)}, "other data"),
        ({"max_risk": 0.3}, "another risk limit"),
        ({"knowledge": "order"}, "another knowledge"),
        ({"seed": 6}, "another seed"),
    ):
        wanted = {"data": shop, **LIMITS, "jobs": 1, **change}
        with pytest.raises(kb.ParameterError, match=words):
            kb.tune(**wanted, trials=1, study=file)
    (tmp_path / "text.sqlite").write_text("not a study, but quite a long text all the same")
    with pytest.raises(kb.ParameterError, match="no SQLite"):
        kb.tune(shop, **LIMITS, trials=1, jobs=1, study=tmp_path / "text.sqlite")
    (tmp_path / "half.sqlite").write_bytes(file.read_bytes()[:3000])
    with pytest.raises(kb.ParameterError, match="cannot be read"):
        kb.tune(shop, **LIMITS, trials=1, jobs=1, study=tmp_path / "half.sqlite")
    with pytest.raises(kb.WriteError, match="folder"):
        kb.tune(shop, **LIMITS, trials=1, jobs=1, study=tmp_path / "nowhere" / "s.sqlite")


def test_a_study_belongs_to_a_version_of_this_program_and_of_no_other(shop, tmp_path):
    file, space = tmp_path / "s.sqlite", Space.of(shop)
    now = Settings.of(shop, space, (0.2, 1.0), "goods", Aim.of(shop))
    assert now.provenance.fingerprints == {"data": shop.fingerprint()}

    def with_version(name):
        versions = {**now.provenance.versions, name: "another"}
        return replace(now, provenance=replace(now.provenance, versions=versions))

    with Study.opened(file, space, now, 5):
        pass
    with Study.opened(file, space, with_version("numpy"), None) as again:
        assert again.seed == 5
    with pytest.raises(kb.ParameterError, match="another version of this program;"):
        Study.opened(file, space, with_version("kakurenbo"), 5)
    with closing(Ledger.opened(tmp_path / "other.sqlite")) as other:
        other.begin({"seed": 5})  # as another program would
    with pytest.raises(kb.ParameterError, match="cannot be read"):
        Study.opened(tmp_path / "other.sqlite", space, now, 5)


UNGUARDED = """
import sys
sys.path.append(sys.argv[1])
import kakurenbo as kb
from shops import light_shop
kb.tune(light_shop(30, seed=3), max_risk=0.3, trials=2, seed=1, jobs=2)
"""


@pytest.mark.campaign
def test_a_script_that_does_not_guard_its_start_is_told_so_at_once(tmp_path, root):
    script = tmp_path / "search.py"
    script.write_text(UNGUARDED, encoding="utf-8")
    ended = subprocess.run(
        [sys.executable, script, str(root / "tests")],
        capture_output=True,
        text=True,
        check=False,
        timeout=LONG,
    )
    assert ended.returncode == 1
    assert "jobs=1" in ended.stderr.splitlines()[-1]
