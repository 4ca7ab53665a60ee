"""Real processes of a contest, killed at random moments: the campaign of 500 kills, for a little while."""

import pytest
from soak.contest import ContestKills

from soak import postgres, runner


@pytest.mark.slow
@pytest.mark.parametrize(
    "first",
    [pytest.param(0, id="sqlite"), pytest.param(1, id="postgresql")],
)
@pytest.mark.campaign
def test_killed_servers_and_workers_lose_nothing_and_judge_nothing_twice(first):
    if first and postgres.why_not():
        pytest.skip(postgres.why_not())
    tally = runner.run(ContestKills, seconds=600, seed=17, jobs=1, most=first + 1, first=first)
    assert tally.failures == []
    assert tally.counts["workers killed"] == 5
    assert tally.counts["servers killed"] == 2
    assert tally.counts["receipts"] > 0
