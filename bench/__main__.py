"""Run all benchmarks, or those named."""

import sys

from bench import ground

BENCHES = {"ground": ground.run}

if __name__ == "__main__":
    for name in sys.argv[1:] or BENCHES:
        print(f"== {name}")
        BENCHES[name]()
