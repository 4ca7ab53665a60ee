"""k-anonymize: nobody's quasi-identifiers are shared by fewer than k, nor by people who are all alike.

Multidimensional generalisation by Mondrian: the table is cut into groups of at least k rows, and within a
group all rows get the same quasi-identifiers. A cut is made only if both sides keep what is asked of their
sensitive attributes, l-diversity and t-closeness. These stay as they are, so who knows one of them
(identify-sa21, identify-sort) is not held at all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np
from pydantic import Field

from kakurenbo.about import Knob, MethodAbout
from kakurenbo.data.checks.columns import chosen
from kakurenbo.data.groups import group_codes
from kakurenbo.data.microdata import Microdata
from kakurenbo.data.release import Changed, Facts
from kakurenbo.deidentify.base import Method
from kakurenbo.deidentify.microdata.outliers import loss, outliers
from kakurenbo.deidentify.microdata.quasi import Quasi
from kakurenbo.errors import ParameterError
from kakurenbo.kernels.groups import Protected, mondrian

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kakurenbo.chance import Chance

    Ints = NDArray[np.int64]

_ROUNDS = 4  # in which outliers are left out, the rest being cut anew after each


class KAnonymize(Method[Microdata]):
    """Generalise the quasi-identifiers by Mondrian until every combination is shared by at least k rows.

    Numbers and dates become ranges such as [20..29], categories sets such as {north,south}, a set of all of
    them *, or the finest word of a hierarchy that a group shares; or every row of a group gets its typical
    values, so that columns keep their types. With l or t every group also keeps l-diversity or t-closeness in
    its sensitive attributes. Some rows may be left out where the others then keep more detail than is lost
    with them. A table of fewer than k rows, or of fewer than l values, is refused; otherwise every group has
    what was asked, for certain.
    """

    about: ClassVar = MethodAbout(
        name="k-anonymize", kind="microdata",
        source="Mondrian, LeFevre et al. 2006; Machanavajjhala et al. 2007; Li et al. 2007",
        promises=("k-anonymous", "l-diverse", "t-close"), slot="groups",
        knobs=(
            Knob.of_size("k"), Knob("cut", ("strict", "relaxed")), Knob("write", ("ranges", "typical")),
            Knob("l", (1, 2), needs=("sa",)),
        ),
        example={"k": 2},
    )  # fmt: skip

    k: int = Field(ge=1, description="fewest rows with the same quasi-identifiers")
    cut: Literal["strict", "relaxed"] = Field(
        "strict", description="keep rows with equal values together, or part them for smaller groups"
    )
    write: Literal["ranges", "typical"] = Field(
        "ranges", description="write ranges and sets, or the group's median and most frequent values"
    )
    l: int = Field(1, ge=1, description="fewest values of a sensitive attribute in a group")  # noqa: E741 - its name
    diversity: Literal["distinct", "entropy", "recursive"] = Field(
        "distinct", description="how these are counted: all that differ, by entropy, or recursively with c"
    )
    c: float = Field(3.0, gt=0, description="of recursive diversity: how far the most frequent may stand out")
    t: float = Field(
        1.0, ge=0, le=1, description="the farthest that a group's values may be from those of the whole table"
    )
    s: tuple[str, ...] = Field(
        (), description="sensitive attributes that l and t hold for; none given means all"
    )
    suppress: float = Field(
        0.0, ge=0, lt=1, description="the largest share of rows to leave out where the others gain by it"
    )

    def change(self, data: Microdata, chance: Chance) -> Changed[Microdata]:
        """Return the microdata with generalised quasi-identifiers."""
        self.require_rows(data, self.k)
        protected = self._protected(data)
        columns = [Quasi.of(data.records[name], data.hierarchies.get(name)) for name in data.qi]
        rows = chance.order("cut", data.ids)  # relaxed cuts part equal rows at random
        rows, group = self._grouped(columns, protected, rows)
        order = np.argsort(rows, kind="stable")
        rows, group = rows[order], group[order]
        made = [
            column.written(rows, group) if self.write == "ranges" else column.typical(rows, group)
            for column in columns
        ]
        gone = len(data) - len(rows)
        return Changed(data.at(rows).with_columns(*made), Facts.of_groups(group, deleted=gone))

    def _protected(self, data: Microdata) -> Protected | None:
        """Return what is asked of sensitive attributes, if anything; refuse what no group could keep."""
        names = chosen(self.s, data.sa)
        if self.l == 1 and self.t == 1 and self.diversity != "recursive":
            return None
        self.require(data, "sa")
        codes = np.column_stack([group_codes([data.records], [name])[0] for name in names])
        ordered = [name in data.numbers for name in names]
        asked = Protected(codes, ordered, self.l, self.diversity, self.c, self.t)
        if not asked.kept():
            raise ParameterError(
                f"{type(self).__name__}: not even the whole table is {self.l}-diverse in this way; ask for a "
                "smaller l, or name other attributes in s.", code="parameter", parameter="l",
            )  # fmt: skip
        return asked

    def _grouped(self, columns: list[Quasi], protected: Protected | None, rows: Ints) -> tuple[Ints, Ints]:
        """Return the rows that are released and their groups: those of which the least is lost."""
        group = self._cut(columns, protected, rows)
        best, least = (rows, group), loss(columns, rows, group) if self.suppress else 0.0
        most = int(self.suppress * len(rows))
        for left in range(_ROUNDS, 0, -1):
            if most < 1:
                break
            gone = outliers(columns, rows, group, -(-most // left))
            rows, most = np.delete(rows, gone), most - len(gone)
            if not len(gone) or len(rows) < self.k or not (protected is None or protected.at(rows).kept()):
                break
            group = self._cut(columns, protected, rows)
            lost = loss(columns, rows, group)
            best, least = ((rows, group), lost) if lost < least else (best, least)
        return best

    def _cut(self, columns: list[Quasi], protected: Protected | None, rows: Ints) -> Ints:
        asked = None if protected is None else protected.at(rows)
        taken = [column.cut.at(rows) for column in columns]
        return mondrian(taken, self.k, strict=self.cut == "strict", protected=asked)
