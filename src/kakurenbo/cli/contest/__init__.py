"""`kakurenbo contest ...`: hide-and-seek between teams, for organisers and for those who take part."""

from __future__ import annotations

import typer

from kakurenbo.cli.contest.judge import judge
from kakurenbo.cli.contest.new import new, organiser
from kakurenbo.cli.contest.play import play
from kakurenbo.cli.contest.running import serve, worker
from kakurenbo.cli.contest.team import board, status, submit

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    help="Hide-and-seek between teams: run a contest, take part in one, or judge a submission.",
)
for command in (new, serve, worker, play, judge, submit, status, board, organiser):
    app.command(command.__name__)(command)
