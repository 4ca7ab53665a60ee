"""What to look at first in a result, as a chart that can be shown, changed and saved.

Of an audit the ladder of attackers, of a search the frontier, of a profile how many people a few points
single out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import altair as alt

from kakurenbo.auditing.results import Audit
from kakurenbo.report.charts import basic, frontier
from kakurenbo.report.charts.ladder import ladder
from kakurenbo.risk.profile import MicrodataProfile, PurchasesProfile
from kakurenbo.tuning.results import Tuned

if TYPE_CHECKING:
    Pictured = Audit | Tuned | PurchasesProfile | MicrodataProfile

_KINDS: Final[dict[str, Any]] = {
    "layer": alt.LayerChart,
    "vconcat": alt.VConcatChart,
    "hconcat": alt.HConcatChart,
}


def chart(result: Pictured) -> Any:  # noqa: ANN401 - altair ships no types
    """Return the chart of a result."""
    drawn = {"background": "white", "padding": 12, **_specification(result)}
    kind = next((made for key, made in _KINDS.items() if key in drawn), alt.Chart)
    return kind.from_dict(drawn, validate=False)  # it was checked when it was made


def _specification(result: Pictured) -> dict[str, Any]:
    match result:
        case Audit():
            return ladder(result, wide=True)
        case Tuned():
            return frontier.picture(result)
        case PurchasesProfile():
            rows = [(row.knowledge, row.k, row.rate.value) for row in result.unicity]
            return basic.share_lines(rows, x="points known of everybody", y="customers singled out")
    sizes = [("alone in their group", result.unique_share), ("in a group", 1 - result.unique_share)]
    return basic.shares(sizes, x="share of the people")
