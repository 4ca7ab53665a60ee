"""The single methods of 001's contest: noise, unification, averaging, swapping, deletion, and the cheat.

Each changes one thing, so each shows what it does to every measure and attack; the teams chained them.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

import numpy as np
import polars as pl
from pydantic import Field

from kakurenbo.data.groups import groups, over
from kakurenbo.data.pairing import Pairing
from kakurenbo.deidentify.base import ChangedMicrodata, MicrodataMethod
from kakurenbo.deidentify.microdata.base import changed, chosen, groups_of, in_fixed_order
from kakurenbo.errors import InputError, ParameterError
from kakurenbo.kernels import shuffles

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kakurenbo.data.microdata import Microdata

_WHICH_SA = "sensitive attributes changed; none given means all"
_WHICH_QI = "quasi-identifiers that must be equal; none given means all"


class NoiseMicrodata(MicrodataMethod):
    """Add random noise to the sensitive attributes; quasi-identifiers stay.

    The scale is the standard deviation of the noise, whatever its shape. Means survive in large tables,
    single values do not; who knows the quasi-identifiers still finds the right group.
    """

    scale: float = Field(ge=0, allow_inf_nan=False, description="standard deviation of the noise")
    unit: Literal["spread", "absolute"] = Field(
        "spread", description="the scale in units of each attribute's own standard deviation, or as it is"
    )
    shape: Literal["gaussian", "laplace", "uniform"] = Field(
        "gaussian", description="how the noise is distributed"
    )
    s: tuple[str, ...] = Field((), description=_WHICH_SA)

    def change(self, microdata: Microdata, rng: np.random.Generator) -> ChangedMicrodata:
        """Return the microdata with blurred numbers."""
        data = in_fixed_order(microdata)
        made = []
        for name in chosen(self.s, data.sa):
            values = data.records[name].to_numpy()
            unit = _spread(values) if self.unit == "spread" else 1.0
            noisy = values + self.scale * unit * self._noise(len(values), rng)
            if not np.isfinite(noisy).all():
                raise ParameterError(
                    f"{type(self).__name__}: this scale leaves the range of numbers.", code="parameter"
                )
            made.append(pl.Series(name, noisy))
        return ChangedMicrodata(changed(data, *made), {"deleted": 0})

    def _noise(self, count: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw noise of standard deviation one."""
        if self.shape == "gaussian":
            return rng.standard_normal(count)
        if self.shape == "laplace":
            return rng.laplace(0.0, 1 / math.sqrt(2), count)
        return rng.uniform(-math.sqrt(3), math.sqrt(3), count)


def _spread(values: NDArray[np.float64]) -> float:
    """Return the standard deviation, also of huge numbers."""
    largest = float(np.abs(values).max()) or 1.0
    return float((values / largest).std() * largest)


class CheatMicrodata(MicrodataMethod):
    """Change nothing but the row numbers: release the table as it is and declare another pairing (Yamaoka).

    A trick of the contest, kept to show what measures miss. Every attacker finds the true row and is scored
    against a random one, so all rates fall to chance while nobody is protected; only U5, which follows people
    through the pairing, sees it. Never a protection.
    """

    within: tuple[str, ...] = Field(
        (),
        description="exchange people only among equals in these quasi-identifiers; none given means all",
    )

    def change(self, microdata: Microdata, rng: np.random.Generator) -> ChangedMicrodata:
        """Return the microdata as they are, with the pairing that is declared."""
        data = in_fixed_order(microdata)
        declared = shuffles.within(groups(data, self.within), rng)
        return ChangedMicrodata(data, {"deleted": 0}, Pairing(data.ids, data.ids.gather(declared)))


class Unify(MicrodataMethod):
    """Set a quasi-identifier to one value for everybody, as if it had not been collected.

    001 tells two kinds apart: a quasi-identifier that the utility measures look at (their cells break), and
    one that they do not (nothing is lost that is measured).
    """

    q: tuple[str, ...] = Field((), description="quasi-identifiers to unify; none given means the first")
    value: str | None = Field(None, description="the value; none given means each column's most frequent one")

    def change(self, microdata: Microdata, rng: np.random.Generator) -> ChangedMicrodata:  # noqa: ARG002
        """Return the microdata with constant columns."""
        made = []
        for name in chosen(self.q, microdata.qi)[: len(self.q) or 1]:
            column = microdata.records[name]
            one = column.mode().sort().head(1) if self.value is None else _as_type(self.value, column)
            made.append(one.new_from_index(0, len(column)).alias(name))
        return ChangedMicrodata(changed(microdata, *made), {"deleted": 0})


def _as_type(value: str, column: pl.Series) -> pl.Series:
    """Return the value in the column's type."""
    try:
        text = pl.Series([value])
        made = text.str.to_date() if column.dtype == pl.Date else text.cast(column.dtype)
    except pl.exceptions.PolarsError:
        raise ParameterError(
            f"Unify: the value does not fit the column {column.name}, which holds {column.dtype}.",
            code="parameter",
        ) from None
    return made


class Average(MicrodataMethod):
    """Give everybody with equal quasi-identifiers the mean of their sensitive attributes.

    Means are kept, of all and of every group; correlations and everybody's own values are not. Somebody alone
    in his group keeps his values: average after k-anonymize.
    """

    q: tuple[str, ...] = Field((), description=_WHICH_QI)
    s: tuple[str, ...] = Field((), description=_WHICH_SA)

    def change(self, microdata: Microdata, rng: np.random.Generator) -> ChangedMicrodata:  # noqa: ARG002
        """Return the microdata with averaged numbers."""
        data = in_fixed_order(microdata)
        names = chosen(self.s, data.sa)
        means = over(pl.col(names).mean(), groups_of(data, self.q))
        return ChangedMicrodata(changed(data, means), {"deleted": 0})


class Swap(MicrodataMethod):
    """Exchange sensitive attributes among people with equal quasi-identifiers, each attribute by itself.

    Every value and every mean stays; what belongs together does not. Somebody alone in his group has nobody
    to swap with.
    """

    q: tuple[str, ...] = Field((), description=_WHICH_QI)
    s: tuple[str, ...] = Field((), description=_WHICH_SA)

    def change(self, microdata: Microdata, rng: np.random.Generator) -> ChangedMicrodata:
        """Return the microdata with each attribute permuted within the groups."""
        data = in_fixed_order(microdata)
        group = groups_of(data, self.q)
        made = [data.records[name].gather(shuffles.within(group, rng)) for name in chosen(self.s, data.sa)]
        return ChangedMicrodata(changed(data, *made), {"deleted": 0})


class DeleteMicrodata(MicrodataMethod):
    """Delete a random share of the people; those who stay are released as they are."""

    share: float = Field(ge=0, lt=1, description="share of the people to delete")

    def change(self, microdata: Microdata, rng: np.random.Generator) -> ChangedMicrodata:
        """Return the microdata of those who stay."""
        data = in_fixed_order(microdata)
        gone = round(self.share * len(data))
        if gone == len(data):
            raise InputError("Nothing is left after deleting.", code="file-empty")
        kept = np.sort(rng.permutation(len(data))[gone:])
        data = replace(data, records=data.records[kept], ids=data.ids.gather(kept))
        return ChangedMicrodata(data, {"deleted": gone})
