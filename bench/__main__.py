"""Run all benchmarks, or those named.

`scale` takes sizes, and methods, behind its name, `spark` rows and targets.
"""

import sys

from bench import (
    audit,
    compact,
    dummies,
    excess,
    generalize,
    ground,
    microdata,
    nearest,
    parts,
    scale,
    sizes,
    spark,
)

BENCHES = {
    "ground": ground.run,
    "nearest": nearest.run,
    "compact": compact.run,
    "parts": parts.run,
    "dummies": dummies.run,
    "excess": excess.run,
    "generalize": generalize.run,
    "microdata": microdata.run,
    "audit": audit.run,
    "sizes": sizes.run,
    "scale": scale.run,
}

if __name__ == "__main__":
    if sys.argv[1:2] == ["scale"]:  # sizes and methods may follow it
        scale.run(*sys.argv[2:])
        sys.exit()
    if sys.argv[1:2] == ["spark"]:  # it needs a cluster, so it runs only when it is named
        spark.run(*sys.argv[2:])
        sys.exit()
    for name in sys.argv[1:] or BENCHES:
        print(f"== {name}")
        BENCHES[name]()
