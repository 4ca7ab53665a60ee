"""Run all benchmarks, or those named."""

import sys

from bench import audit, compact, dummies, excess, generalize, ground, microdata, nearest, parts, sizes

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
}

if __name__ == "__main__":
    for name in sys.argv[1:] or BENCHES:
        print(f"== {name}")
        BENCHES[name]()
