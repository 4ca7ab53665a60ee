"""`python -m kakurenbo`, and the program `kakurenbo`: through the door, then to the command line."""

from __future__ import annotations

import os

from kakurenbo import door


def main() -> None:
    """Run the command line and exit with its code."""
    door.enter()
    try:
        from kakurenbo.cli.main import main as run  # noqa: PLC0415 - after the door
    except (ImportError, OSError, MemoryError):
        if os.environ.get("KAKURENBO_DEBUG"):
            raise
        door.end(
            "The program could not be loaded: too little memory or too few open files, or parts are missing."
        )
    run()


if __name__ == "__main__":
    main()
