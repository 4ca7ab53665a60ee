"""The command line: one file per command, every answer also as JSON, errors without tracebacks or values."""

from kakurenbo.cli.main import main

__all__ = ["main"]
