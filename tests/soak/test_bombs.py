"""A few of the named files, and the ends that the campaign must be able to see."""

import sys

import pytest
from soak.bomb_files import BOMBS
from soak.bombs import Bombs

from soak import bombs

FEW = ("a cell in the far corner", "settings 5,000 deep")


@pytest.mark.skipif(sys.platform != "linux", reason="peak memory is read from Linux's /proc")
@pytest.mark.parametrize("title", FEW)
def test_a_named_file_is_refused(title, tmp_path):
    assert Bombs(tmp_path, 1).case(list(BOMBS).index(title)) is None


@pytest.mark.parametrize(
    ("code", "said", "peak", "told"),
    [
        (-6, "", "", "signal 6"),
        (70, "kakurenbo: a fault\n", "100", "exit code 70"),
        (1, "Traceback\nValueError\n", "100", "exit code 1"),
        (0, "", "100", "it was read"),
        (2, "kakurenbo: no. [quote]\n", "100", "another reason"),
        (2, "kakurenbo: no. [limit]\n", "900", "900 MiB"),
        (2, "kakurenbo: no. [limit]\n", "100", None),
    ],
)
def test_every_wrong_end_is_seen(code, said, peak, told):
    why = bombs._wrong(code, said, peak, ("limit",))
    assert why is None if told is None else told in why
