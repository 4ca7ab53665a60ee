"""What two audits of the same release must have in common, whatever holds the tables.

Who goes by the order of rows is asked of whole tables alone, so what counts attackers is left out.
"""

from math import isclose

EXACTLY = 1e-9
ELSEWHERE = ("seconds", "filing", "provenance", "proof", "engine", "people", "pictures", "skipped", "reasons")


def by_rows(finding):
    return finding["parameters"].get("by") == "rows" or finding["parameters"].get("drop") == "appended"


def named(document):
    """Return what an audit tells, its lists under what tells their lines apart."""
    told = {
        name: value for name, value in document.items() if name not in {*ELSEWHERE, "worst", "worst_again"}
    }
    told["attacks"] = {
        (one["knowledge"], one["attack"], str(sorted(one["parameters"].items()))): one
        for one in document["attacks"]
        if not by_rows(one)
    }
    told["learnt"] = {
        (one["knowledge"], one["attack"], one["way"], one["grain"]): one for one in document["learnt"]
    }
    return told


def apart(one, other, path=()):
    """Yield where two documents differ by more than sums in another order do."""
    if isinstance(one, dict) and isinstance(other, dict):
        if one.keys() != other.keys():
            yield (*path, "keys"), sorted(map(str, one.keys() ^ other.keys()))
        for name in one.keys() & other.keys() - {"seconds"}:
            yield from apart(one[name], other[name], (*path, name))
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for place, pair in enumerate(zip(one, other, strict=True)):
            yield from apart(*pair, (*path, place))
    elif isinstance(one, float) and isinstance(other, float):
        if not isclose(one, other, rel_tol=EXACTLY, abs_tol=EXACTLY):
            yield path, (one, other)
    elif one != other:
        yield path, (one, other)
