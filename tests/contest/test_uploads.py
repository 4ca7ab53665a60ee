"""Uploads: bombs, names that lead out, links and zips in zips are refused; names are only looked up."""

import io
import stat
import struct
import tracemalloc
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kakurenbo.contest.rules import Limits
from kakurenbo.contest.uploads import MOST_MEMBERS, UploadError, unpack

LIMITS = Limits(megabytes=1)


def zipped(files, **options):
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED, **options) as archive:
        for name, data in files:
            archive.writestr(name, data)
    return content.getvalue()


def refused(content, name="u.zip", code="submission"):
    with pytest.raises(UploadError) as caught:
        unpack(content, name, LIMITS)
    assert caught.value.code == code
    return str(caught.value)


def test_tables_come_out_by_their_names(tmp_path):
    assert unpack(b"a,b\n", "T.csv", LIMITS) == {"T.csv": b"a,b\n"}
    assert unpack(b"PAR1...", "C:\\work\\T.PARQUET", LIMITS) == {"T.PARQUET": b"PAR1..."}
    content = zipped([("release/", b""), ("release/T.csv", b"1"), ("release/M.csv", b"2"),
                      ("__MACOSX/release/._T.csv", b"x"), ("release/.DS_Store", b"x")])  # fmt: skip
    assert unpack(content, "u.zip", LIMITS) == {"T.csv": b"1", "M.csv": b"2"}
    path = tmp_path / "u.zip"
    path.write_bytes(content)
    assert unpack(path, "U.ZIP", LIMITS) == {"T.csv": b"1", "M.csv": b"2"}


@pytest.mark.parametrize(
    "name",
    ["../T.csv", "a/../../T.csv", "/T.csv", "\\T.csv", "C:\\T.csv", "C:/T.csv", "..\\T.csv", "a\nT.csv"],
)
def test_names_that_lead_out_are_refused(name):
    assert "T.csv" not in refused(zipped([(name, b"1")]))


def test_links_are_refused():
    link = zipfile.ZipInfo("T.csv")
    link.create_system, link.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
    refused(zipped([(link, b"/etc/passwd")]))


@pytest.mark.parametrize("name", ["inner.zip", "T.csv"])
def test_zips_in_zips_are_refused(name):
    refused(zipped([(name, zipped([("T.csv", b"1")]))]))


def test_two_files_of_one_name_are_refused():
    refused(zipped([("a/T.csv", b"1"), ("b/T.csv", b"2")]))


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (b"", "T.csv"),
        (b"1", "T.txt"),
        (b"1", "T"),
        (b"PAR1", "T.csv"),
        (b"a,b", "T.parquet"),
        (b"PK\x03\x04", "T.csv"),
        (b"no zip", "u.zip"),
        (zipped([]), "u.zip"),
        (zipped([("T.exe", b"1")]), "u.zip"),
        (zipped([("T.csv", b"")]), "v.xlsx"),
    ],
    ids=range(10),
)
def test_what_is_not_what_it_says_is_refused(content, name):
    refused(content, name)


def test_too_much_is_refused_packed_and_unpacked():
    refused(b"x" * 1_000_001, "T.csv", "limit")
    assert unpack(b"x" * 1_000_000, "T.csv", LIMITS)
    refused(zipped([("T.csv", b"x" * 1_000_001)]), code="limit")
    refused(zipped([("T.csv", b"x" * 600_000), ("M.csv", b"x" * 600_000)]), code="limit")
    refused(zipped([(f"{n}.csv", b"1") for n in range(MOST_MEMBERS + 1)]), code="limit")


def test_a_bomb_that_lies_about_its_size_fills_no_memory():
    bomb = bytearray(zipped([("T.csv", b"\0" * 60_000_000)]))
    for signature, offset in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        at = bomb.index(signature) + offset
        bomb[at : at + 4] = struct.pack("<I", 10)
    tracemalloc.start()
    with pytest.raises(UploadError):
        unpack(bytes(bomb), "u.zip", LIMITS)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 10_000_000


def test_an_honest_bomb_fills_no_memory_either():
    bomb = zipped([("T.csv", b"\0" * 60_000_000)])
    tracemalloc.start()
    refused(bomb, code="limit")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 10_000_000


def test_encrypted_and_strangely_packed_zips_are_refused():
    locked = bytearray(zipped([("T.csv", b"1")]))
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        locked[locked.index(signature) + offset] |= 1
    refused(bytes(locked))
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("T.csv", b"1")
    refused(content.getvalue())


@given(
    harm=st.lists(st.tuples(st.integers(0, 400), st.integers(0, 255)), max_size=8), cut=st.integers(0, 400)
)
def test_any_harm_to_a_zip_is_refused_or_reads_as_files(harm, cut):
    content = bytearray(zipped([("a/T.csv", b"1,2\n" * 50), ("a/M.csv", b"3\n")]))
    for place, value in harm:
        content[place % len(content)] = value
    try:
        files = unpack(bytes(content[: max(1, len(content) - cut)]), "u.zip", LIMITS)
    except UploadError:
        return
    assert all("/" not in name and name for name in files)
