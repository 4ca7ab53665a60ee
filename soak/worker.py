"""`python -m soak.worker MODULE:PART START STOP STEP SEED PLACE`: tries cases, one line of JSON for each."""

from __future__ import annotations

import importlib
import json
import os
import sys
import tempfile
import traceback
from pathlib import Path


def main() -> None:
    """Try the cases and tell what came of each on the standard output the runner reads."""
    name, start, stop, step, seed, place = sys.argv[1:]
    with os.fdopen(os.dup(1), "w") as answers, tempfile.TemporaryDirectory(dir=place) as own:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what a case prints is its own affair
        module, _, name = name.partition(":")
        part = getattr(importlib.import_module(module), name)(Path(own), int(seed))
        print("{}", file=answers, flush=True)
        for number in range(int(start), int(stop), int(step)):
            part.counts.clear()
            try:
                why = part.case(number)
            except Exception:  # noqa: BLE001 - a fault of the case itself, told like any other
                why = "the case itself broke: " + traceback.format_exc(limit=-3)
            print(json.dumps({"why": why, "counts": dict(part.counts)}), file=answers, flush=True)


if __name__ == "__main__":
    main()
