"""How a parameter that a message of the library names is typed."""

from __future__ import annotations

_EXAMPLES = {
    "policy": "--policy drop",
    "spelling": "--spelling merge",
    "customer": "--customer, --goods, --no-header",
    "release_columns": "--release-columns customer=ID,goods=Item",
    "qi": "--qi a,b",
    "earlier": "--earlier RELEASE, or --overlook REASON",
    "overlook": "--overlook REASON",
    "hierarchy": "--hierarchy COLUMN=FILE",
    "sa": "--sa x,y",
    "shop": "--data tc400.csv",
}


def flag(parameter: str) -> str:
    """Return how a parameter that a message of the library names is typed, with an example where it helps."""
    return _EXAMPLES.get(parameter, f"--{parameter.replace('_', '-')}")
