"""Which methods made this release? Every method leaves its mark on the measures (001 tables 12 and 15).

The paper predicts the expected effect of each method on each measure, and reads the methods of a submitted
table from its measures. This does the same, and shows its reasons. The utility measures and S1, S2 are seen
by anybody who holds both tables; U5 and the attacks' rates need the secret, and without it cheating cannot be
told. Where two methods leave the same mark (averaging and swapping both keep U1 and move U4), three plain
looks at the values decide: are single values, whole rows, and distinct rows kept?
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np

from kakurenbo.attacks.microdata.euclid import Euc1, Euc2, IdentifyRand, IdentifySa, IdentifySa21
from kakurenbo.attacks.microdata.sort import IdentifySort
from kakurenbo.data.groups import group_codes
from kakurenbo.risk.classical.groups import KAnonymity, MeanGroupMicrodata
from kakurenbo.risk.found import reidentification
from kakurenbo.utility.microdata.contest import (
    CELLS_BY,
    CorrelationError,
    CrossCount,
    CrossMean,
    InformationLoss,
    MeanError,
    RowsLost,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    import polars as pl

    from kakurenbo.attacks.microdata.base import MicrodataAttack
    from kakurenbo.data.microdata import Microdata
    from kakurenbo.data.pairing import Pairing
    from kakurenbo.measure import Measure

Verdict = Literal["likely", "possible", "unlikely"]
Grade = Literal["unchanged", "slightly", "negative", "positive"]

UTILITY: Final[dict[str, Measure[Microdata]]] = {
    "U1": MeanError(), "U2": CrossMean(), "U3": CrossCount(), "U4": CorrelationError(), "U6": RowsLost(),
}  # fmt: skip
ATTACKS: Final[dict[str, MicrodataAttack]] = {
    "E1": IdentifyRand(), "E2": IdentifySa(), "E3": IdentifySort(), "E4": IdentifySa21(),
    "EUC1": Euc1(), "EUC2": Euc2(),
}  # fmt: skip
# From where on 001 calls a measure "slightly" and "negative" (a safe one "positive"): its tables 14 and 15.
_HARM: Final = {
    "U1": (0.0, 0.0),
    "U2": (0.0, 0.0),
    "U3": (0.0, 2.0),
    "U4": (0.005, 0.1),
    "U5": (0.0, 0.1),
    "U6": (0.0, 0.0),
}
_ROUNDING: Final = 1e-9
_PLACES: Final = 7


@dataclass(frozen=True)
class Suspect:
    """One method, whether it was at work, and why."""

    method: str
    verdict: Verdict
    reasons: tuple[str, ...]


@dataclass(frozen=True)
class MethodGuess:
    """What a release's measures tell of how it was made.

    Attributes:
        measures: U1 to U6, S1 and S2 with those of the original, and where the secret was given the rates.
        grades: each measure's effect in the words of 001's table 15.
        suspects: every method of 001 with a verdict and its reasons.
    """

    measures: Mapping[str, float]
    grades: Mapping[str, Grade]
    suspects: tuple[Suspect, ...]

    @property
    def likely(self) -> tuple[str, ...]:
        """The methods that were likely at work."""
        return tuple(suspect.method for suspect in self.suspects if suspect.verdict == "likely")

    def to_dict(self) -> dict[str, Any]:
        """Return plain values under the JSON keys of the command line."""
        return {
            "likely": list(self.likely),
            "suspects": [{**asdict(each), "reasons": list(each.reasons)} for each in self.suspects],
            "measures": dict(self.measures),
            "grades": dict(self.grades),
        }


def grade(name: str, value: float, before: float = 1.0) -> Grade:
    """Return the effect in 001's words: utility lost, groups grown, or the rate of an attack."""
    if name in _HARM:
        slightly, much = _HARM[name]
        return "negative" if value > much else "slightly" if value > slightly else "unchanged"
    if name in {"S1", "S2"}:
        grown = value / before
        return "positive" if grown >= 5 else "slightly" if grown > 1 + _ROUNDING else "unchanged"
    return "negative" if value >= 0.1 else "slightly" if value >= 0.01 else "positive"


def measures_of(original: Microdata, released: Microdata, secret: Pairing | None = None) -> dict[str, float]:
    """Return the measures of 001's table 1 by their short names, rates and U5 only with the secret."""
    values = {
        name: measure.of(original, released).value
        for name, measure in UTILITY.items()
        if original.numbers or not measure.about.needs
    }
    if secret is not None and original.sa:
        values["U5"] = InformationLoss().of(original, released, secret).value
    for name, table in (("", released), (" before", original)):
        values[f"S1{name}"] = KAnonymity().of(original, table).value
        values[f"S2{name}"] = MeanGroupMicrodata().of(original, table).value
    if secret is not None:
        for name, attack in ATTACKS.items():
            if original.sa or name == "E1":
                values[name] = reidentification(secret, attack.guess(original, released, seed=0)).rate.value
    return values


@dataclass(frozen=True)
class _Evidence:
    """What the verdicts rest on."""

    measures: Mapping[str, float]
    moved_means: bool
    values_kept: float
    rows_kept: float
    equalled: float
    merged: float
    constant_cells: int
    constant_others: int
    fewer: bool
    near_loss: float | None


def guess_methods(original: Microdata, released: Microdata, secret: Pairing | None = None) -> MethodGuess:
    """Guess which methods of 001 made a release.

    Args:
        original: the table before.
        released: the table after.
        secret: the pairing; without it cheating cannot be told from honesty.
    """
    measures = measures_of(original, released, secret)
    seen = _look(original, released, secret, measures)
    suspects = (
        _k_anonymize(seen), _noise(seen), _cheat(seen), _unify_cells(seen), _unify_others(seen),
        _average(seen), _swap(seen), _microaggregate(seen), _delete(seen),
    )  # fmt: skip
    grades = {
        name: grade(name, value, measures.get(f"{name} before", 1.0))
        for name, value in measures.items()
        if not name.endswith("before")
    }
    return MethodGuess(measures, grades, suspects)


def _look(
    original: Microdata, released: Microdata, secret: Pairing | None, measures: Mapping[str, float]
) -> _Evidence:
    size = float(np.abs(original.records.select(original.numbers).to_numpy()).max(initial=0.0))
    constant = [
        released.records[name].n_unique() == 1 < original.records[name].n_unique() for name in original.qi
    ]
    kept = [_kept(original, released, [name]) for name in original.sa]
    everything = [*original.qi, *original.sa]
    near = None
    if secret is not None and original.sa and len(released) <= len(original):
        guess = Euc2().guess(original, released, seed=0)
        near = InformationLoss().value(original, released, guess)  # a guess, and no secret
    return _Evidence(
        measures,
        measures.get("U1", 0.0) > max(_ROUNDING * size, _rounded_away(released)),
        float(np.mean(kept)) if kept else 1.0,
        _kept(original, released, list(original.sa)),
        _repeated(released, everything) - _repeated(original, everything),
        _repeated(released, original.sa) - _repeated(original, original.sa),
        sum(constant[:CELLS_BY]),
        sum(constant[CELLS_BY:]),
        len(released) < len(original),
        near,
    )


def _rounded_away(released: Microdata) -> float:
    """Return how far means may move because values were written to a number of decimals, and no further.

    The error of a value written to units of u has the spread u / sqrt(12); equal values share one error, so
    a mean has that over the root of the number of different values. Four times as much is hardly ever seen.
    """
    errors = [
        4 / math.sqrt(12 * values.n_unique()) * _unit(values)
        for values in (released.records[name] for name in released.numbers)
    ]
    return sum(errors) / len(errors) if errors else 0.0


def _unit(values: pl.Series) -> float:
    """Return the decimal unit that values are written to, 0 where they are not written to a few places."""
    places = (place for place in range(_PLACES) if (values.round(place) == values).all())
    return next((10.0**-place for place in places), 0.0)


def _kept(original: Microdata, released: Microdata, names: list[str]) -> float:
    """Return the share of the release's values (or rows of values) that the original has too, as often."""
    before, after = group_codes([original.records, released.records], names)
    count = int(max(before.max(), after.max())) + 1
    common = np.minimum(np.bincount(before, minlength=count), np.bincount(after, minlength=count))
    return float(common.sum() / len(after))


def _repeated(data: Microdata, names: tuple[str, ...] | list[str]) -> float:
    """Return the share of rows that are no longer one of a kind in these columns."""
    (codes,) = group_codes([data.records], names)
    return float((np.bincount(codes)[codes] > 1).mean())


def _judged(method: str, likely: bool, evidence: str, because: str = "") -> Suspect:
    """Return the verdict on a method; what speaks for it is said only where it is likely."""
    reasons = (evidence, because) if likely and because else (evidence,)
    return Suspect(method, "likely" if likely else "unlikely", reasons)


def _k_anonymize(seen: _Evidence) -> Suspect:
    before, after, cells = seen.measures["S1 before"], seen.measures["S1"], seen.measures["U3"]
    change = f"S1 went from {before:.0f} to {after:.0f}"
    if after <= before:
        return _judged("k-anonymize", False, f"{change}: the smallest group did not grow")
    if cells > 0:
        return _judged("k-anonymize", True, change, f"U3 = {cells:.3g}: the counts of cells moved")
    return Suspect("k-anonymize", "possible", (change, "U3 = 0: but no cell moved, as after unify"))


def _noise(seen: _Evidence) -> Suspect:
    kept = f"{seen.values_kept:.0%} of the values occur in the original"
    if seen.values_kept > 0.5 or not seen.moved_means:
        means = f"U1 {'moved' if seen.moved_means else '= 0: no mean moved'}"
        return Suspect("noise", "unlikely", (kept, means))
    return _judged("noise", True, f"U1 = {seen.measures['U1']:.3g}: the means moved", kept)


def _cheat(seen: _Evidence) -> Suspect:
    if seen.near_loss is None:
        return Suspect("cheat", "possible", ("only the secret can tell: U5 is not to be had without it",))
    declared = seen.measures["U5"]
    losses = f"U5 = {declared:.3g} through the pairing, {seen.near_loss:.3g} to the nearest rows"
    far = declared > 2 * seen.near_loss + 0.01
    return _judged("cheat", far, losses, "rows are declared to be people they are not near to")


def _unify_cells(seen: _Evidence) -> Suspect:
    name, columns = "unify (used by utility)", "quasi-identifiers that make cells"
    if not seen.constant_cells:
        return _judged(name, False, "no quasi-identifier that makes cells has one value left")
    moved = f"U3 = {seen.measures['U3']:.3g}: the counts of cells moved"
    return _judged(name, True, moved, f"{seen.constant_cells} of the {columns} have one value left")


def _unify_others(seen: _Evidence) -> Suspect:
    name = "unify (not used)"
    if not seen.constant_others:
        return _judged(name, False, "no quasi-identifier outside the cells has one value left")
    change = f"S2 went from {seen.measures['S2 before']:.3g} to {seen.measures['S2']:.3g}"
    left = f"{seen.constant_others} quasi-identifiers outside the cells have one value left"
    return _judged(name, True, change, left)


def _average(seen: _Evidence) -> Suspect:
    equal = f"{seen.equalled:+.0%} of the rows became equal to another in all columns"
    kept = f"{seen.rows_kept:.0%} of the rows of values are the original's"
    return _judged("average", seen.equalled > 0.01 and seen.rows_kept < 1, equal, kept)


def _swap(seen: _Evidence) -> Suspect:
    kept = f"{seen.values_kept:.0%} of single values are the original's, {seen.rows_kept:.0%} of rows of them"
    moved = f"U4 = {seen.measures.get('U4', 0.0):.3g}: the correlations moved"
    return _judged("swap", seen.values_kept > 1 - _ROUNDING > seen.rows_kept, kept, moved)


def _microaggregate(seen: _Evidence) -> Suspect:
    equal = f"{seen.merged:+.0%} of the rows became equal to another in the sensitive attributes"
    beyond = seen.merged > 0.01 + max(seen.equalled, 0.0)
    return _judged("microaggregate", beyond, equal, "and not only among equal quasi-identifiers")


def _delete(seen: _Evidence) -> Suspect:
    gone = "rows are gone" if seen.fewer else "no row is gone"
    return _judged("delete", seen.fewer, f"U6 = {seen.measures['U6']:.0f}: {gone}")
