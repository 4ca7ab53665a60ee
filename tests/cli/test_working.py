"""What a command shows on a terminal while it works, and what a command that is stopped leaves behind."""

import io
from contextlib import contextmanager, redirect_stderr

import pytest
from rich.status import Status

import kakurenbo as kb
import sample_audit
from kakurenbo.cli import output
from kakurenbo.cli.main import run
from kakurenbo.progress import Progress
from searches import imagined
from shops import light_shop

ROLES = [
    part
    for role in ("customer", "goods", "receipt", "time", "price", "quantity")
    for part in (f"--{role}", role)
]


class Terminal(io.StringIO):
    def isatty(self):
        return True


def shown_by(monkeypatch, file, work, *, quiet=False):
    """Return what standard error, being this file, gets to see while the work is done."""
    for name in ("NO_COLOR", "CI", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    with redirect_stderr(file), output.working(quiet=quiet) as progress:
        work(progress)
    return file.getvalue()


def test_a_terminal_shows_messages_and_shares(monkeypatch):
    """Drawn at once here; else some time later, as often as a busy machine allows."""

    def at_once(change):
        def drawn(status, *words):
            change(status, *words)
            status._live.refresh()

        return drawn

    def work(progress):
        progress.step("counting baskets", 0.25)
        progress.part(0.5, 1).step("comparing people", 0.5)
        progress.step("drawing")

    for name in ("start", "update"):
        monkeypatch.setattr(Status, name, at_once(getattr(Status, name)))
    shown = shown_by(monkeypatch, Terminal(), work)
    for words in ("reading", "25% counting baskets", "75% comparing people", " drawing"):
        assert words in shown
    assert "% drawing" not in shown


@pytest.mark.parametrize(("file", "quiet"), [(Terminal, True), (io.StringIO, False)])
def test_quiet_commands_and_pipes_show_nothing(monkeypatch, file, quiet):
    assert shown_by(monkeypatch, file(), lambda progress: progress.step("work", 0.5), quiet=quiet) == ""


@pytest.fixture
def stop(monkeypatch):
    """Return a function: commands run from now on are asked to stop at the step with this word."""

    def at(word):
        @contextmanager
        def working(*, quiet):
            progress = Progress(lambda step: progress.stop() if word in step.message else None)
            yield progress

        monkeypatch.setattr(output, "working", working)

    return at


@pytest.fixture
def place(tmp_path):
    """A folder with a shop and a release of it."""
    made = light_shop(20, seed=3)
    (tmp_path / "shop.csv").write_text(made.to_frame().write_csv())
    release = kb.methods.Pseudonymize().release(made, seed=1)
    kb.write_release(release, tmp_path / "new", secret=tmp_path / "secret.csv")
    return tmp_path


HIDE = "deidentify pseudonymize shop.csv --out out --secret out.csv"
AUDIT = "audit shop.csv new --secret secret.csv --report out.html --people out.csv"
TUNE = "tune shop.csv --max-risk 1 --knowledge goods --trials 2 --jobs 1 --apply --out out --secret out.csv"


@pytest.mark.parametrize(
    ("command", "word"),
    [
        (HIDE, "hiding"), (HIDE, "writing the release"), (AUDIT, "proving"), (AUDIT, "writing the report"),
        (TUNE, "trial 1"), (TUNE, "writing the release"),
    ],
)  # fmt: skip
def test_a_stopped_command_leaves_nothing_behind(place, stop, command, word, monkeypatch, capsys):
    monkeypatch.chdir(place)
    before = sorted(place.rglob("*"))
    stop(word)
    if word == "writing the report":
        monkeypatch.setattr("kakurenbo.cli.audit.run_audit", lambda *_, **__: sample_audit.purchases())
    with imagined():
        assert run([*command.split(), *ROLES]) == 130
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert "[stopped]" in said.err
    assert sorted(place.rglob("*")) == before
