"""Run all benchmarks, or those named.

`scale` takes sizes, and methods, behind its name, `nearest` the word `many`, `spark` rows and targets,
`sampled` the tables to audit, `contest` seconds and kilobytes. The last three run only when they are named,
and alone.
"""

import sys

from bench import (
    audit,
    compact,
    contest,
    dummies,
    excess,
    generalize,
    ground,
    microdata,
    nearest,
    oracle,
    parts,
    sampled,
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
    "oracle": oracle.run,
    "sizes": sizes.run,
    "scale": scale.run,
}

if __name__ == "__main__":
    asked = {
        "scale": scale.run, "nearest": nearest.run, "spark": spark.run, "sampled": sampled.run,
        "contest": contest.run,
    }  # fmt: skip
    if len(sys.argv) > 1 and sys.argv[1] in asked and not set(sys.argv[2:]) & set(BENCHES):
        asked[sys.argv[1]](*sys.argv[2:])
        sys.exit()
    for name in sys.argv[1:] or BENCHES:
        print(f"== {name}")
        BENCHES[name]()
