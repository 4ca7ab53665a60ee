"""`python -m soak [PART ...]`: the campaign, for SOAK_MINUTES minutes; exit code 1 if anything failed."""

from __future__ import annotations

import argparse
import os
import sys

from soak import runner
from soak.parts import PARTS


def main() -> int:
    """Run the parts named, or all of them, and print tried and failed for each."""
    options = _options()
    chosen = [PARTS[name] for name in options.parts or PARTS]
    if options.only is not None:
        return _once(options)
    whole = sum(part.share for part in chosen)
    tallies = []
    for part in chosen:
        print(f"== {part.name}: {part.promise}", flush=True)
        seconds = 60 * options.minutes * part.share / whole
        tally = runner.run(part, seconds=seconds, seed=options.seed, jobs=options.jobs, most=options.most)
        tallies.append(tally)
        _tell(tally)
    print(f"\n{'part':<14}{'tried':>10}{'failed':>8}{'asked for':>11}")
    for part, tally in zip(chosen, tallies, strict=True):
        print(f"{part.name:<14}{tally.tried:>10,}{len(tally.failures):>8,}{part.enough:>11,}")
    return 1 if any(tally.failures for tally in tallies) else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m soak", description=__doc__)
    parser.add_argument("parts", nargs="*", choices=[[], *PARTS], metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--minutes", type=float, default=float(os.environ.get("SOAK_MINUTES", "10")))
    parser.add_argument("--seed", type=int, default=int(os.environ.get("SOAK_SEED", "1")))
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--most", type=int, help="try no more cases of a part than this")
    parser.add_argument("--only", type=int, help="try this one case of the part")
    return parser.parse_args()


def _once(options: argparse.Namespace) -> int:
    """Try one case as the campaign would."""
    part, number = PARTS[options.parts[0]], options.only
    tally = runner.run(part, seconds=600, seed=options.seed, jobs=1, most=number + 1, first=number)
    print("something failed" if tally.failures else "nothing went wrong", dict(tally.counts) or "")
    return 1 if tally.failures else 0


def _tell(tally: runner.Tally) -> None:
    others = "".join(f", {count:,} {what}" for what, count in sorted(tally.counts.items()))
    print(
        f"   tried {tally.tried:,}, failed {len(tally.failures):,}{others}; {tally.seconds:.0f} s", flush=True
    )


if __name__ == "__main__":
    sys.exit(main())
