"""Oracle: what bots gain that use told scores to be led, under every way of telling, side by side.

400 people, bots that know nothing but whom each released person may be: anybody (chance finds 0.25 %), or one
of 8 look-alikes that an attack has left (chance finds 12.5 %). The gain of a bot is what its last guess finds
of everybody beyond chance, in percentage points, the mean over made-up contests with its standard error.
`luck` is no leak: it is what the best of that many blind guesses finds, which a board counts that lets the
best of all tries count.
"""

import sys

import numpy as np

from kakurenbo.contest.bots import oracle
from kakurenbo.contest.bots.trial import PEOPLE, QUERIES, Telling, mean_and_error, tried
from kakurenbo.contest.rules import Seek

CONTESTS = 10
OFTENER = 4  # times as many contests where nothing is told: the claim is a small number, and they are quick
LUCKY = 100
BOTS = {
    "hill climbing": oracle.climb,
    "group testing, blanks": oracle.split,
    "the same, all four times": oracle.split_again,
    "group testing, no blanks": oracle.split_named,
    "vote (Blum & Hardt)": oracle.vote,
}
DEFAULT = Telling(Seek())
STEPS = ((0.05, 0.5), (0.1, 0.25))


def tellings():
    """Return every way of telling by its name; the default first."""
    ways = {"DEFAULT: nothing": DEFAULT}
    ways |= {
        f"ladder, step {step:g}, share {share:g}": Telling(Seek(tells="ladder", step=step, share=share))
        for step, share in STEPS
    }
    ways |= {
        f"rounded, 1 decimal, share {share:g}": Telling(Seek(tells="rounded", decimals=1, share=share))
        for _, share in STEPS
    }
    ways["exact, blanks filled by chance"] = Telling(None)
    ways["NO DEFENCE: exact, blanks are misses"] = Telling(None, fills=False)
    return ways


def gains(bot, telling, candidates, queries, contests):
    """Return the gains over made-up contests, in percentage points."""
    outcomes = [
        tried(bot, telling, candidates=candidates, seed=seed, queries=queries) for seed in range(contests)
    ]
    return [100 * outcome.gain for outcome in outcomes]


def table(candidates, queries, contests):
    print(f"-- {PEOPLE} people, {queries:,} queries, one of {candidates} may be meant, {contests} contests")
    print(f"{'points over chance':<38}" + "".join(f"{name:>26}" for name in BOTS))
    for name, telling in tellings().items():
        count = contests * (OFTENER if telling == DEFAULT else 1)
        cells = [mean_and_error(gains(bot, telling, candidates, queries, count)) for bot in BOTS.values()]
        print(f"{name:<38}" + "".join(f"{gain:>18.1f} ± {error:<5.1f}" for gain, error in cells))


def luck(candidates):
    """Print what the best of many blind guesses finds beyond chance."""
    rng = np.random.default_rng(1)
    for tries in (1, 10, QUERIES):
        draws = rng.binomial(PEOPLE, 1 / candidates, (LUCKY, tries)).max(axis=1) / PEOPLE
        best = 100 * (draws - 1 / candidates)
        gain, error = mean_and_error(best)
        print(f"   luck, best of {tries:>5,} blind guesses, one of {candidates}: {gain:.1f} ± {error:.1f}")


def run(contests=CONTESTS):
    for candidates in (PEOPLE, 8):
        for queries in (QUERIES, Seek().tries):
            table(candidates, queries, int(contests))
        luck(candidates)


if __name__ == "__main__":
    run(*sys.argv[1:])
