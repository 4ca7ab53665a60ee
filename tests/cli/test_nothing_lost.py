"""Nothing is lost at the end: outputs are checked before any work, and an answer outlives a full disk."""

import errno
import json
import shutil

import pytest

import sample_audit
from kakurenbo.cli.main import run
from kakurenbo.errors import CODES, ParameterError
from kakurenbo.files import aside, atomic
from kakurenbo.files.outputs import Output, check
from shops import light_shop

ROLES = ("--customer", "customer", "--goods", "goods")
READ = "kakurenbo.cli.options.read"


@pytest.fixture(scope="module")
def released(tmp_path_factory):
    """A folder with a shop, its release and the secret."""
    folder = tmp_path_factory.mktemp("released")
    light_shop(12, seed=1).under(None).select("customer", "goods").write_csv(folder / "shop.csv")
    words = ["deidentify", "pseudonymize", folder / "shop.csv", "--out", folder / "out", "--secret"]
    assert run([*map(str, words), str(folder / "s.csv"), *ROLES]) == 0
    return folder


@pytest.fixture
def place(released, tmp_path, monkeypatch):
    """A copy of that folder to work in."""
    shutil.copytree(released, tmp_path / "here")
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path / "here"


@pytest.fixture
def full(monkeypatch):
    """Return a function: from then on nothing can be written aside."""

    def fill():
        def write(self, content):
            raise OSError(errno.ENOSPC, "No space left on device")

        monkeypatch.setattr(aside.Aside, "write", write)

    return fill


COMMANDS = {
    "report": ("audit", "shop.csv", "out", "--secret", "s.csv", "--report", "here.json"),
    "people": ("audit", "shop.csv", "out", "--secret", "s.csv", "--people", "here.csv"),
    "guess": ("attack", "chance", "shop.csv", "out", "--out", "here.csv"),
    "release": ("deidentify", "pseudonymize", "shop.csv", "--out", "here", "--secret", "new.csv"),
    "secret": ("deidentify", "pseudonymize", "shop.csv", "--out", "new", "--secret", "here.csv"),
    "tree": ("tree", "shop.csv", "--out", "here.csv"),
    "plot": ("tune", "shop.csv", "--plot", "here.svg"),
    "plan": ("tune", "shop.csv", "--plan", "here.toml"),
    "study": ("tune", "shop.csv", "--study", "here.db"),
    "limits": ("excess", "shop.csv", "--plot", "here.svg"),
}


@pytest.mark.parametrize("what", COMMANDS)
def test_what_exists_and_what_has_no_folder_is_refused_before_anything_is_read(
    place, capsys, monkeypatch, what
):
    def read(*_, **__):
        raise AssertionError("the table was read first")

    monkeypatch.setattr(READ, read)
    words = [*COMMANDS[what], *ROLES]
    (target,) = (word for word in words if word.startswith("here"))
    (place / target).write_text("somebody's")
    assert run(words) == 2
    assert "[exists]" in capsys.readouterr().err
    assert run([word.replace("here", "no/here") for word in words]) == 74
    assert "[write]" in capsys.readouterr().err
    assert (place / target).read_text() == "somebody's"


@pytest.mark.parametrize(
    "words",
    [
        ("audit", "shop.csv", "out", "--secret", "s.csv", "--report", "one.json", "--ledger", "one.json"),
        ("tune", "shop.csv", "--plan", "one.toml", "--study", "one.toml"),
        ("tune", "shop.csv", "--plan", "one.toml", "--ledger", "one.toml"),
    ],
)
def test_two_outputs_of_one_name_are_refused(place, capsys, words):
    assert run([*words, *ROLES]) == 2
    assert "is named for two outputs" in capsys.readouterr().err
    assert not (place / "one.toml").exists()


def test_the_answer_is_told_though_the_disk_is_full(place, capsys, full):
    capsys.readouterr()
    full()
    assert run([*COMMANDS["guess"], *ROLES, "--json"]) == 74
    said = capsys.readouterr()
    assert json.loads(said.out)["people"] == 12
    assert json.loads(said.out)["out"] is None
    assert "here.csv could not be written: no space left on device. [write]" in said.err
    assert run([*COMMANDS["tree"], *ROLES, "--by", "characters"]) == 74
    said = capsys.readouterr()
    assert "goods in" in said.out
    assert "The tree is in" not in said.out
    assert "no space left on device" in said.err
    assert sorted(path.name for path in place.iterdir()) == ["out", "s.csv", "shop.csv"]


def test_an_audit_is_told_though_none_of_its_reports_can_be_written(place, capsys, full, monkeypatch):
    monkeypatch.setattr("kakurenbo.cli.audit.run_audit", lambda *_, **__: sample_audit.purchases())
    words = ("audit", "shop.csv", "out", "--secret", "s.csv", *ROLES, "--json")
    capsys.readouterr()
    full()
    assert run([*words, "--report", "a.json", "--report", "b.json"]) == 74
    said = capsys.readouterr()
    assert json.loads(said.out)["verdict"] == sample_audit.purchases().verdict
    assert "a.json could not be written" in said.err
    assert "b.json could not be written" in said.err


def test_what_exists_already_has_one_code_and_one_exit_code(tmp_path):
    assert "exists" in CODES
    taken = tmp_path / "taken"
    taken.write_text("somebody's")
    for write in (
        lambda: check([Output("out", taken)]),
        lambda: atomic.write_file(taken, b""),
        lambda: atomic.write_folder(taken, lambda _: None),
    ):
        with pytest.raises(ParameterError) as told:
            write()
        assert (told.value.code, told.value.exit_code) == ("exists", 2)


def test_a_picture_is_replaced_when_asked_and_nothing_else_is(place, capsys):
    words = ["excess", "shop.csv", *ROLES, "--plot", "limits.svg"]
    assert run(words) == 0
    assert run(words) == 2
    assert "--overwrite" in capsys.readouterr().err
    assert run([*words, "--overwrite"]) == 0
    (place / "limits.svg").write_text("my notes")
    assert run([*words, "--overwrite"]) == 2
    assert (place / "limits.svg").read_text() == "my notes"
