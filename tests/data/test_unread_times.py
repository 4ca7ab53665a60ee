"""Which texts are no times: all of them, where reading would stop at the first."""

import polars as pl
import pytest

from kakurenbo.data.checks import times


@pytest.mark.parametrize(
    ("texts", "pattern", "unread"),
    [
        (["2011/1/5", "2011/2/30", "5.1.2011", None, ""], "%Y/%-m/%-d", [0, 1, 1, 1, 1]),
        (["2011-01-05 8:05", "2011-01-05", "2011-01-05 25:00"], "%Y-%m-%d %-H:%M", [0, 1, 1]),
        (["2011-01-05T08:05:00Z", "2011-01-05T08:05:00", "x"], "%Y-%m-%dT%H:%M:%SZ", [0, 0, 1]),
        (["40548", "40548.5", "5", "day"], times.SERIAL, [0, 0, 1, 1]),
        (["2011-01-05", "2011-01-06", "soon"], None, [0, 0, 1]),
        (["2011-01-05T08:05+09:00", "2011-02-31T08:05+09:00"], None, [0, 1]),
        (["soon", "later"], None, [1, 1]),
    ],
)
def test_what_is_no_time_is_marked(texts, pattern, unread):
    found = times.unread(pl.Series(texts, dtype=pl.String), pattern)
    assert found.to_list() == [bool(one) for one in unread]


def test_what_is_read_is_never_marked():
    moments = pl.Series(["2011-12-01 10:11:12", "2012-02-29 20:30:00"]).str.to_datetime()
    for pattern in times.PATTERNS:
        if "%b" in pattern or "%p" in pattern or "%y" in pattern:
            continue
        written = moments.dt.strftime(pattern)
        read, known = times.as_times(written, column="time", pattern=pattern)
        assert read.null_count() == 0
        assert not times.unread(written, known).any()
