"""The preview of a check: the first rows of whatever was sent, with the cells that have faults."""

import io

import polars as pl

from kakurenbo.contest.judging.records import Fault
from kakurenbo.contest.pages.preview import CELLS, LETTERS, ROWS, previews


def texts(preview):
    return [[cell.text for cell in cells] for _, cells in preview.rows]


def test_faulty_cells_and_lines_are_marked():
    faults = [Fault("a.csv", 1, 2, "", ""), Fault("a.csv", 2, None, "", ""), Fault("b.csv", 1, 1, "", "")]
    (preview,) = previews({"a.csv": b"x,y\nz,w\n"}, faults)
    assert [[cell.wrong for cell in cells] for _, cells in preview.rows] == [[False, True], [True, True]]
    assert [line for line, _ in preview.rows] == [1, 2]
    assert preview.width == 2


def test_only_a_little_of_much_is_shown():
    line = ",".join(["c" * 100] * (CELLS + 3))
    (preview,) = previews({"a.csv": f"{line}\n".encode() * 50}, [])
    assert len(preview.rows) == ROWS
    assert preview.more_cells == 3
    assert {len(cell.text) for _, cells in preview.rows for cell in cells} == {LETTERS}


def test_what_is_no_text_shows_signs_and_never_fails():
    (preview,) = previews({"a.csv": b'\xff\xfe,\x00\x07"\n"open'}, [])
    assert all(letter.isprintable() for row in texts(preview) for text in row for letter in text)


def test_a_table_of_parquet_is_shown_with_its_names():
    content = io.BytesIO()
    pl.DataFrame({"id": [1, 2], "good": ["x", "y"]}).write_parquet(content)
    good, broken = previews({"a.parquet": content.getvalue(), "b.parquet": b"PAR1 and no more"}, [])
    assert texts(good) == [["id", "good"], ["1", "x"], ["2", "y"]]
    assert broken.rows == ()
