"""`python -m snapshots [NAME ...]`: compute snapshots, say what moved, and freeze them anew only if asked to.

Everything is computed with one thread of polars and one of linear algebra, set here before either is loaded,
by two processes that take one snapshot after another. Exit code 1 if anything moved beyond the tolerance and
was not frozen anew.
"""

import os

os.environ |= {f"{pool}_THREADS": "1" for pool in ("POLARS_MAX", "OMP_NUM", "OPENBLAS_NUM", "MKL_NUM")}

import argparse
import multiprocessing
import sys
from concurrent.futures import ProcessPoolExecutor

from snapshots.cases import CASES, document
from snapshots.frozen import forget, frozen, moved, read, write


def main(arguments=None):
    """Compute the snapshots named, or all, and tell figure by figure what moved."""
    options = _options(arguments)
    names = options.names or list(CASES)
    away = 0
    for name, made in _computed(names, options.jobs):
        away += _compared(name, made)
        if options.write:
            write(name, made)
    for name in [] if options.names else sorted(frozen() - CASES.keys()):
        _say(f"{name}: nothing computes it any more")
        away += 1
        if options.write:
            forget(name)
    told = "; frozen anew: the commit tells why each of them moved" if options.write and away else ""
    _say(f"{len(names)} snapshots, {_counted(away)} beyond the tolerance{told}")
    return 1 if away and not options.write else 0


def _computed(names, jobs):
    """Yield every snapshot with its name, in their order; one job needs no other process."""
    if jobs == 1:
        yield from ((name, document(name)) for name in names)
        return
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn")) as pool:
        yield from zip(names, pool.map(document, names), strict=True)


def _compared(name, made):
    """Tell what moved in a snapshot, and return how many of its figures did beyond the tolerance."""
    if name not in frozen():
        _say(f"{name}: not frozen yet")
        return 1
    changes = moved(read(name), made)
    away = sum(change.beyond for change in changes)
    within = f", {len(changes) - away:,} within the tolerance" if len(changes) > away else ""
    _say(f"{name}: {_counted(away)}{within}", *(f"  {change}" for change in changes))
    return away


def _counted(away):
    return f"{away:,} figures moved" if away else "nothing moved"


def _say(*lines):
    sys.stdout.writelines(f"{line}\n" for line in lines)
    sys.stdout.flush()


def _options(arguments):
    parser = argparse.ArgumentParser(prog="python -m snapshots", description=__doc__)
    parser.add_argument("names", nargs="*", choices=[[], *CASES], metavar="NAME", help=", ".join(CASES))
    parser.add_argument("--write", action="store_true", help="freeze what was computed")
    parser.add_argument(
        "--jobs", type=int, default=2, help="processes; the answers are the same with any number"
    )
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
