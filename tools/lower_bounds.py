"""Print the oldest versions that pyproject.toml allows, as constraints for pip: `numpy>=2.0` as `numpy==2.0`.

Those of the core and of the extras are pinned; tools of development are not part of the promise.
"""

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

DEVELOPMENT = {"dev", "bench"}


def lower_bounds(document: str) -> Iterator[str]:
    project = tomllib.loads(document)["project"]
    optional = project["optional-dependencies"]
    shipped = [lines for extra, lines in optional.items() if extra not in DEVELOPMENT]
    for line in [*project["dependencies"], *(line for lines in shipped for line in lines)]:
        bound = re.fullmatch(r"([A-Za-z0-9_.-]+)>=([0-9.]+)(,.*)?", line)
        if bound is not None:
            yield f"{bound[1]}=={bound[2]}"


if __name__ == "__main__":
    sys.stdout.writelines(f"{line}\n" for line in lower_bounds(Path(sys.argv[1]).read_text(encoding="utf-8")))
