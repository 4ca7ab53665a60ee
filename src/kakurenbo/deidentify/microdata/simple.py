"""The single methods of 001's contest: noise, unification, averaging, swapping, deletion, and the cheat.

Each changes one thing, so each shows what it does to every measure and attack; the teams chained them.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np
import polars as pl
from pydantic import Field

from kakurenbo.about import Knob, MethodAbout
from kakurenbo.data.checks.columns import chosen
from kakurenbo.data.checks.values import LARGEST
from kakurenbo.data.groups import groups, over
from kakurenbo.data.microdata import Microdata
from kakurenbo.data.pairing import Pairing
from kakurenbo.data.release import Changed, Facts
from kakurenbo.deidentify.base import Method
from kakurenbo.errors import InputError, ParameterError
from kakurenbo.kernels import shuffles

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kakurenbo.chance import Chance

_WHICH_SA = "sensitive attributes changed; none given means all"
_WHICH_QI = "quasi-identifiers that must be equal; none given means all"


class NoiseMicrodata(Method[Microdata]):
    """Add random noise to the sensitive attributes that are numbers; all else stays.

    The scale is the standard deviation of the noise, whatever its shape. Means survive in large tables,
    single values do not; who knows the quasi-identifiers still finds the right group.
    """

    about: ClassVar = MethodAbout(
        name="noise", kind="microdata", source="001 section 4.2", promises=("keeps-qi",), needs=("numbers",),
        slot="values", knobs=(Knob("scale", low=0.02, high=2.0, log=True),), example={"scale": 0.1},
    )  # fmt: skip

    scale: float = Field(ge=0, allow_inf_nan=False, description="standard deviation of the noise")
    unit: Literal["spread", "absolute"] = Field(
        "spread", description="the scale in units of each attribute's own standard deviation, or as it is"
    )
    shape: Literal["gaussian", "laplace", "uniform"] = Field(
        "gaussian", description="how the noise is distributed"
    )
    s: tuple[str, ...] = Field((), description=_WHICH_SA)

    def change(self, data: Microdata, chance: Chance) -> Changed[Microdata]:
        """Return the microdata with blurred numbers."""
        made = []
        for name in data.numbers_among(self.s):
            values = data.records[name].to_numpy()
            unit = _spread(values) if self.unit == "spread" else 1.0
            noisy = values + self.scale * unit * self._noise(chance.under(data.sa.index(name)), data.ids)
            if np.abs(noisy).max() > LARGEST:
                raise ParameterError(
                    f"{type(self).__name__}: this scale leaves the range of numbers.", code="parameter"
                )
            made.append(pl.Series(name, noisy))
        return Changed(data.with_columns(*made))

    def _noise(self, chance: Chance, ids: pl.Series) -> NDArray[np.float64]:
        """Draw noise of standard deviation one."""
        if self.shape == "gaussian":
            return chance.normal("noise", ids)
        drawn = chance.uniform("noise", ids) - 0.5
        if self.shape == "laplace":
            noise: NDArray[np.float64] = -np.sign(drawn) * np.log1p(-2 * np.abs(drawn)) / math.sqrt(2)
            return noise
        return 2 * math.sqrt(3) * drawn


def _spread(values: NDArray[np.float64]) -> float:
    """Return the standard deviation, also of huge numbers."""
    largest = float(np.abs(values).max()) or 1.0
    return float(np.sort(values / largest).std() * largest)


class CheatMicrodata(Method[Microdata]):
    """Change nothing but the row numbers: release the table as it is and declare another pairing (Yamaoka).

    A trick of the contest, kept to show what measures miss. Every attacker finds the true row and is scored
    against a random one, so all rates fall to chance while nobody is protected; only U5, which follows people
    through the pairing, sees it. Never a protection.
    """

    about: ClassVar = MethodAbout(
        name="cheat", kind="microdata", source="001 section 4.2, Yamaoka", promises=("keeps-means",),
        untuned="a cheat hides nobody",
    )  # fmt: skip

    within: tuple[str, ...] = Field(
        (),
        description="exchange people only among equals in these quasi-identifiers; none given means all",
    )

    def change(self, data: Microdata, chance: Chance) -> Changed[Microdata]:
        """Return the microdata as they are, with the pairing that is declared."""
        declared = shuffles.within(groups(data, self.within), chance.numbers("shuffle", data.ids))
        return Changed(data, Facts(), Pairing(data.ids, data.ids.gather(declared)))


class Unify(Method[Microdata]):
    """Set a quasi-identifier to one value for everybody, as if it had not been collected.

    001 tells two kinds apart: a quasi-identifier that the utility measures look at (their cells break), and
    one that they do not (nothing is lost that is measured).
    """

    about: ClassVar = MethodAbout(
        name="unify", kind="microdata", source="001 section 4.2", promises=("keeps-means",),
        untuned="which column may go is for the user to say, not for a search to find out",
    )  # fmt: skip

    q: tuple[str, ...] = Field((), description="quasi-identifiers to unify; none given means the first")
    value: str | None = Field(None, description="the value; none given means each column's most frequent one")

    def change(self, data: Microdata, chance: Chance) -> Changed[Microdata]:  # noqa: ARG002
        """Return the microdata with constant columns."""
        made = []
        for name in chosen(self.q, data.qi)[: len(self.q) or 1]:
            column = data.records[name]
            one = column.mode().sort().head(1) if self.value is None else _as_type(self.value, column)
            made.append(one.new_from_index(0, len(column)).alias(name))
        return Changed(data.with_columns(*made))


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


class Average(Method[Microdata]):
    """Give everybody with equal quasi-identifiers the mean of their sensitive attributes that are numbers.

    Categories stay as they are: they have no mean, and the most frequent one would tell of everybody. Means
    are kept, of all and of every group; correlations and everybody's own values are not. Somebody alone in
    his group keeps his values: average after k-anonymize.
    """

    about: ClassVar = MethodAbout(
        name="average", kind="microdata", source="001 section 4.2", promises=("keeps-qi", "keeps-means"),
        needs=("numbers",), slot="values",
    )  # fmt: skip

    q: tuple[str, ...] = Field((), description=_WHICH_QI)
    s: tuple[str, ...] = Field((), description=_WHICH_SA)

    def change(self, data: Microdata, chance: Chance) -> Changed[Microdata]:  # noqa: ARG002
        """Return the microdata with averaged numbers."""
        data = data.by_content()
        names = data.numbers_among(self.s)
        return Changed(data.with_columns(over(pl.col(names).mean(), groups(data, chosen(self.q, data.qi)))))


class Swap(Method[Microdata]):
    """Exchange sensitive attributes among people with equal quasi-identifiers, each attribute by itself.

    Every value and every mean stays; what belongs together does not. Somebody alone in his group has nobody
    to swap with.
    """

    about: ClassVar = MethodAbout(
        name="swap", kind="microdata", source="001 section 4.2", promises=("keeps-qi", "keeps-means"),
        needs=("sa",), slot="values",
    )  # fmt: skip

    q: tuple[str, ...] = Field((), description=_WHICH_QI)
    s: tuple[str, ...] = Field((), description=_WHICH_SA)

    def change(self, data: Microdata, chance: Chance) -> Changed[Microdata]:
        """Return the microdata with each attribute permuted within the groups."""
        group = groups(data, chosen(self.q, data.qi))
        made = [
            data.records[name].gather(
                shuffles.within(group, chance.numbers(f"swap {data.sa.index(name)}", data.ids))
            )
            for name in chosen(self.s, data.sa)
        ]
        return Changed(data.with_columns(*made))


class DeleteMicrodata(Method[Microdata]):
    """Delete a random share of the people; those who stay are released as they are."""

    about: ClassVar = MethodAbout(
        name="delete", kind="microdata", source="001 section 4.2", promises=("deletes-only", "keeps-qi"),
        slot="records", knobs=(Knob("share", low=0.02, high=0.5),), example={"share": 0.2},
    )  # fmt: skip

    share: float = Field(ge=0, lt=1, description="share of the people to delete")

    def change(self, data: Microdata, chance: Chance) -> Changed[Microdata]:
        """Return the microdata of those who stay."""
        gone = round(self.share * len(data))
        if gone == len(data):
            raise InputError("Nothing is left after deleting.", code="file-empty")
        kept = np.sort(chance.order("deleted", data.ids)[gone:])
        return Changed(data.at(kept), Facts(deleted=gone))
