"""Real exports are read as they come, and a release is written in the form its original had."""

import pytest

from kakurenbo.files.forms import form_of


@pytest.mark.parametrize(
    ("values", "form"),
    [
        (["17850", "12583"], "5 digits"),
        (["7", "12583", None, ""], "1-5 digits"),
        (["ab", "abcdefghi"], "2-9 letters"),
        (["85123A", "22728"], "5-6 letters and digits"),
        (["3,95", "2,5"], "number with decimal comma"),
        (["1.234,56", "2,50"], "number with decimal comma and point between thousands"),
        (["1,234", "5,678"], "number, comma or point in doubt"),
        (["1,200円", "5円"], "number with comma between thousands, in 円"),
        (["2.55"], "number with decimal point"),
        (["2011/12/03"], "time %Y/%m/%d"),
        (["20101203", "20110101"], "time %Y%m%d"),
        (["3/4/2011"], "date, day and month in doubt"),
        (["", None], "empty"),
        (["a b", "c-d!"], "3-4 characters"),
    ],
)
def test_the_form_of_a_column_tells_no_value(values, form):
    assert form_of(values) == form
