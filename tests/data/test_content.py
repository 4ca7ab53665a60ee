"""The fingerprint of a table in blocks: of its content alone, by a computation that anybody can repeat."""

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from kakurenbo.data.content import _LANES, _texts, _words

MASK = 2**64 - 1


def mixed(bits):
    """Return the output of SplitMix64, in whole numbers."""
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EB & MASK
    return bits ^ (bits >> 31)


def plain(text):
    """Return the bits of a text: its length, then eight bytes at a time."""
    content = text.encode()
    made = mixed(len(content))
    for start in range(0, len(content), 8):
        chunk = int.from_bytes(content[start : start + 8], "little")
        made = mixed((made * int(_LANES[0]) + chunk) & MASK)
    return made


texts = st.text(st.characters(codec="utf-8"), max_size=30)


@given(st.lists(texts, min_size=1, max_size=20))
def test_texts_become_bits_as_a_plain_computation_has_it(words):
    assert _words(pl.Series(words, dtype=pl.String)).tolist() == [plain(word) for word in words]


@given(st.lists(st.none() | st.sampled_from(["a", "b", "longer than eight"]), min_size=1, max_size=9))
def test_names_in_a_list_have_the_bits_of_their_texts(words):
    listed = pl.Series(words, dtype=pl.Enum(["longer than eight", "b", "unused", "a"]))
    assert _texts(listed).tolist() == _texts(listed.cast(pl.String)).tolist()
