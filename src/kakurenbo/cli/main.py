"""Start a command and turn whatever goes wrong into a plain sentence and an exit code.

Exit codes: 0 done; 1 the answer is "no"; 2 wrong use or bad input; 74 could not write; 70 a fault of this
program; 130 interrupted or stopped, 143 and 129 ended by SIGTERM and SIGHUP.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from functools import cache
from typing import Any, TextIO

import typer

from kakurenbo import door
from kakurenbo.cli import filing, output
from kakurenbo.cli.flags import flag
from kakurenbo.cli.lazy import Commands
from kakurenbo.errors import KakurenboError
from kakurenbo.files.interrupts import Terminated, listening
from kakurenbo.files.pending import until_told

DEBUG = "KAKURENBO_DEBUG"
WRONG_USE = 2
FAULT = 70
INTERRUPTED = 130
_FULL = "The memory, threads or open files allowed here do not suffice for this data. [limit]"
_STARVING = ("failed to map segment", "annot allocate memory", "can't start new thread", "out of memory")

app = typer.Typer(
    name="kakurenbo",
    help="Hide people in purchase histories and microdata, seek them again, judge how well they were hidden.",
    cls=Commands,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback(invoke_without_command=True)
def _root(
    *, version: bool = typer.Option(False, "--version", help="Print the version and stop.", is_eager=True)
) -> None:
    if version:
        from kakurenbo import __version__  # noqa: PLC0415 - only here

        print(__version__)
        raise typer.Exit


def main() -> None:
    """Run the command line and exit with its code."""
    door.enter()
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run one command; return its exit code."""
    filing.TYPED.set(tuple(arguments))
    code = _run(arguments)
    try:
        sys.stdout.flush()
    except OSError:  # told already: an answer that nobody gets is a failure
        _let_go(sys.stdout)
    return code


def _run(arguments: list[str]) -> int:
    try:
        with listening(), until_told() as told:
            code = _answered(arguments)
            if code != INTERRUPTED:
                told()
        if code == INTERRUPTED:  # how the option parser passes an interrupt on
            _say("interrupted")
    except SystemExit as stop:  # how the option parser answers a shell that completes words, or a closed pipe
        return 0 if stop.code == 0 else _explain(BrokenPipeError())[0]
    except BaseException as error:  # a panic of the libraries below is no Exception
        code, said = _explain(error)
        if code == FAULT and os.environ.get(DEBUG):
            raise
        _say(said)
    return code if arguments else WRONG_USE


def _say(said: str) -> None:
    """Tell what went wrong, if anybody can hear it."""
    try:
        if said:
            print(f"kakurenbo: {output.sentence(said)}", file=sys.stderr, flush=True)
    except OSError:
        _let_go(sys.stderr)


def _let_go(stream: TextIO) -> None:
    """Drop what a stream did not take, so that the end of the program does not try again."""
    with contextlib.suppress(OSError, ValueError, AttributeError):  # some streams have no number
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _starved(error: BaseException) -> bool:
    """Tell whether an error says that the system gave no more memory, threads or open files.

    A file that could not be opened has a name; an answer that could not be written has none.
    """
    if isinstance(error, OSError):
        files = {errno.EMFILE, errno.ENFILE}
        return error.errno == errno.ENOMEM or (error.errno in files and error.filename is not None)
    if isinstance(error, ImportError | RuntimeError):
        return any(words in str(error) for words in _STARVING)
    return isinstance(error, MemoryError)


@cache
def commands() -> Any:  # noqa: ANN401 - the option parser's
    """Return the tree of commands, each of which is loaded when it is called."""
    return typer.main.get_command(app)


def _answered(arguments: list[str]) -> int:
    """Carry out a command until its answer is out."""
    try:
        code: int = commands()(arguments or ["--help"], standalone_mode=False, prog_name="kakurenbo") or 0
    except typer.Exit as stop:
        code = stop.exit_code
    sys.stdout.flush()
    return code


def _explain(error: BaseException) -> tuple[int, str]:
    """Return the exit code for an error and what to say; no sentence quotes a value of the data."""
    match error:
        case KakurenboError():
            typed = f" ({flag(error.parameter)})" if error.parameter else ""
            return error.exit_code, f"{error}{typed} [{error.code}]"
        case KeyboardInterrupt() | typer.Abort():
            return INTERRUPTED, "interrupted"
        case Terminated():
            return error.exit_code, "ended by a signal"
        case BrokenPipeError():
            _let_go(sys.stdout)
            return 74, ""
        case _ if _starved(error):
            return 2, _FULL
        case OSError():
            full = error.errno == errno.ENOSPC and error.filename is None
            start = "The answer could not be written out" if full else "The system refused"
            return 74, f"{start}: {(error.strerror or 'input or output failed').lower()}. [write]"
        case _ if hasattr(error, "format_message") and hasattr(error, "exit_code"):  # the option parser
            said = error.format_message()
            return int(error.exit_code), f"{said} (see --help)" if said else ""
    return FAULT, f"This is a fault of kakurenbo ({type(error).__name__}); {DEBUG}=1 shows where."
