"""What is frozen of an audit: its figures, member by member, and nothing that a clock or a machine says.

Rates stand here as they were computed, those that a report withholds included: a snapshot is no report.
"""

from collections import Counter

from kakurenbo.document import plain, written
from snapshots.frozen import table

_TOLD_BY_KNOWLEDGE = {"share", "points", "whole", "reading"}  # of an attack's parameters
_AS_THEY_ARE = (
    "verdict", "reasons", "holding", "counts", "targets", "practised", "control", "inferred", "own_ids",
    "seed_guessed", "unseen", "dropped", "honesty", "worst_again", "names", "dummies", "synthetic",
    "population", "diversity", "nearness",
)  # fmt: skip
_FOUND = (
    "rate", "low", "high", "chance", "people", "abstained", "proven", "persons", "persons_rate",
    "persons_low", "persons_high",
)  # fmt: skip
_PROVED = ("copy", "attainable", "noise", "holds")
_TRIED = {"found": "disguised", "attainable": "undisguised", "survived": "survived"}


def of_audit(audit):
    """Return the figures of an audit."""
    told = written(audit)
    panel, others = _panel(told)
    return {
        **{name: told[name] for name in _AS_THEY_ARE},
        "blind": list(audit.blind),
        "kept": audit.kept,
        "worst": plain(audit.worst) and " / ".join(_member(plain(audit.worst))),
        "worst_lesson": plain(audit.worst_lesson) and " / ".join(_lesson(plain(audit.worst_lesson))),
        "not_run": {why: _each_once(left.name for left in audit.skipped if left.why == why)
                    for why in audit.not_run},
        "people": told["people"] and _bare(told["people"]),
        "groups": _bare(told["groups"]),
        "excess": told["excess"] and _bare(told["excess"]),
        "coverage": table(("values", "records", "comparable", "change", "by"), told["coverage"], "role"),
        "uniqueness": table(
            ("rate", "low", "high"), told["uniqueness"], lambda one: (f"{one['k']} x {one['knowledge']}",)
        ),
        "utility": table(("value", "loss", "low", "high"), told["measures"], "name"),
        "members": table((*_FOUND, *_PROVED, *_TRIED.values()), panel, _member),
        "proved_alone": table((*_PROVED, *_TRIED.values()), others, _member),
        "proof": {"people": told["proof"]["people"], "holds": audit.proof.holds},
        "proof_through": {
            " / ".join(_member(one)): [[way["found"], way["attainable"]] for way in one["through"]]
            for one in told["proof"]["attackers"] if one["through"]
        },
        "disguised_as": told["disguised"]["shows"],
        "learnt": table(("mean", "laid_open", "certain", "advantage"), told["learnt"], _lesson),
        "membership": table(("auc", "caught"), told["membership"], _lesson),
        "owners": table(("told", "given", "right"), told["owners"], _lesson),
    }  # fmt: skip


def _member(one):
    """Return the rung of an attacker, and what he is called there."""
    parameters = {
        name: value for name, value in one["parameters"].items()
        if name not in _TOLD_BY_KNOWLEDGE and value not in (None, False, "")
    }  # fmt: skip
    said = (" ".join(value) if isinstance(value, list) else str(value) for value in parameters.values())
    return one["knowledge"], ", ".join([one["attack"], one["reading"], *said])


def _lesson(one):
    """Return what is known, by whom and how it is used, and, where it is told, what is learnt."""
    return (
        one["knowledge"],
        one["attack"] + (one["way"] and f", {one['way']}"),
        *filter(None, [one.get("grain")]),
    )


def _panel(told):
    """Return the panel, a row each, and those of it who were proved and then not set on the release.

    A row is what one found, how he was proved, and what he found in a copy disguised as the release is. The
    rates of people are left out where everybody has one name: they are those of the names.
    """
    rows = {_member(one): dict.fromkeys((*_PROVED, *_TRIED.values())) | one for one in told["attacks"]}
    for row in rows.values():
        if row["persons"] == row["people"]:
            row.update(dict.fromkeys(("persons_rate", "persons_low", "persons_high")))
    for one in told["proof"]["attackers"]:
        rows.setdefault(_member(one), _nobody(one)).update({name: one[name] for name in _PROVED})
    for one in told["disguised"]["attackers"]:
        rows.setdefault(_member(one), _nobody(one)).update({new: one[old] for old, new in _TRIED.items()})
    return [one for one in rows.values() if "rate" in one], [
        one for one in rows.values() if "rate" not in one
    ]


def _nobody(one):
    """Return the row of somebody of whom nothing is known yet but his name."""
    named = {name: one[name] for name in ("knowledge", "attack", "reading", "parameters")}
    return dict.fromkeys((*_PROVED, *_TRIED.values())) | named


def _each_once(names):
    """Return names with how often they came, where that is more than once."""
    return [name if often == 1 else f"{name} ({often})" for name, often in Counter(names).items()]


def _bare(record):
    """Return a record whose lists of little objects are lists of their values."""
    return {
        name: [*map(_values, part)] if part and isinstance(part, list) and isinstance(part[0], dict) else part
        for name, part in record.items()
    }


def _values(one):
    """Return the values of an object; of a bar, whose edges never change, how many people it counts."""
    return one["people"] if "from" in one else list(one.values())
