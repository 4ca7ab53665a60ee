"""A few mutated files, the reference on its own, and the faults that the campaign must be able to see."""

import pytest
from soak.mutations import Mutations
from soak.reference import Dialect, RefusedError

from kakurenbo.files import guard
from soak import mutations, reference

ROLES = (("customer", "who"), ("goods", "what"))


def failures(part, numbers):
    return [why for why in map(part.case, numbers) if why]


def test_a_few_mutated_files_are_read_as_by_the_reference(tmp_path):
    part = Mutations(tmp_path, 2)
    assert failures(part, range(120)) == []
    assert {"read", "refused by both"} <= set(part.counts)


def test_rows_that_are_not_held_to_a_width_are_seen(tmp_path, monkeypatch):
    def careless(scan, widths, *_):
        scan.any, scan.width = True, scan.width or int(widths[0])

    monkeypatch.setattr(guard._Scan, "_check_widths", careless)
    found = failures(Mutations(tmp_path, 2), range(120))
    assert any("refused by the reference" in why for why in found)


def test_a_changed_value_is_seen(tmp_path, monkeypatch):
    number = reference._number
    monkeypatch.setattr(reference, "_number", lambda *text: number(*text) + 1)
    assert any("is not" in why for why in failures(Mutations(tmp_path, 2), range(120)))


@pytest.mark.parametrize(
    ("raised", "told"),
    [
        (ValueError("odd"), "exit code 70"),
        (mutations.PanicException("odd"), "exit code 70"),
        (guard.InputError("The value Qzanna is odd.", code="ragged"), "a value of the data"),
    ],
)
def test_a_fault_and_a_leak_are_seen(raised, told, tmp_path, monkeypatch):
    part = Mutations(tmp_path, 2)

    def broken(*_):
        raise raised

    monkeypatch.setattr(guard, "inspect", broken)
    assert any(told in why for why in failures(part, range(20)))


def test_the_reference_reads_what_is_plain_and_refuses_what_is_not():
    good = b'\xef\xbb\xbfwho,what,n\nann, "tea, ""x""",1\n'
    assert reference.read(good, Dialect(roles=ROLES)).records == [("ann", 'tea, "x"', None, None, None, None)]
    for bad in (b"ann\n", b'ann,"tea\n', b"\nann,tea\n", b"ann,\n", b""):
        with pytest.raises(RefusedError):
            reference.read(b"who,what\n" + bad, Dialect(roles=ROLES))
