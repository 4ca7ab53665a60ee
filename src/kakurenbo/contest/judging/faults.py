"""The list of everything that is wrong with a submission: each with its place, none with a value.

A table can be wrong in every cell. So of every kind of fault in a column no more are kept than the rules
list, all are counted, and what is not listed is told in a last line by its number.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final

from kakurenbo.contest.judging.records import Fault

if TYPE_CHECKING:
    from collections.abc import Iterable

MORE: Final = "more-faults"
# What tables of the formats purchases and microdata must not have, by the code of each fault.
WORDS: Final = {
    "file-missing": "the submission needs this file",
    "file-twice": "the submission has two files for the same table",
    "file-empty": "the file has no rows",
    "file-broken": "the file is not a readable Parquet file",
    "limit": "the table, or a number in it, is larger than the rules allow",
    "encoding": "the bytes are not text in UTF-8",
    "nul-byte": "a cell must not hold a NUL byte",
    "control": "a cell must not hold control characters",
    "quote": "a quote mark stands inside a cell, or a quoted cell does not end on its line",
    "formula": "a cell must not begin with = + - @ or a tab, unless it is a number",
    "cells": "the line has another number of cells than the table has columns",
    "column-unknown": "the table must have the original's columns, and has one of another name",
    "column-twice": "a column of this name stands twice",
    "column-missing": "a column is missing or empty that the rules ask for",
    "header": "the first line must be released,original",
    "missing-id": "an id is missing",
    "missing": "a value is missing",
    "spelling": "an id differs from another only in how it is written",
    "original-id": "a released id must not be an id of the original",
    "reserved-id": "this word stands for a deleted row and cannot be an id",
    "not-date": "a value is not a date or time that exists, written as in the original",
    "not-number": "a value is not a number in plain digits",
    "not-positive": "a price or quantity must be more than zero",
    "not-whole": "a quantity must be a whole number",
    "unknown-good": "the good does not occur in the original",
    "duplicate-id": "this id stands in an earlier line already",
    "unknown-released": "this released id is not in the release",
    "unknown-original": "this original id is not in the original",
    "unpaired": "this released id has no line in the pairing",
    "not-in-master": "this customer has no line in the master",
    "not-in-table": "this customer has no purchase",
    "kept": "fewer rows are kept than the rules ask for",
    "excessive": "the release is too far from the data, by its own pairing",
}


class Faults:
    """Collects faults and gives them back in the order of files, lines and cells."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: list[Fault] = []
        self._files: list[str] = []
        self.count = 0

    def __bool__(self) -> bool:
        return self.count > 0

    def add(
        self, file: str, code: str, fault: str = "", *, line: int | None = None, column: int | None = None
    ) -> None:
        """Note one fault; see `Fault` for what places mean."""
        self._note(file, code, fault, [line], column)

    def at(
        self, file: str, code: str, lines: Iterable[int], *, column: int | None = None, fault: str = ""
    ) -> None:
        """Note the same fault in many lines.

        Args:
            file: in which file.
            code: what is wrong, for machines.
            lines: where, from 1, in rising order.
            column: which cell of each line, from 1.
            fault: the same in words; none given means those of the code.
        """
        self._note(file, code, fault, list(lines), column)

    def _note(
        self, file: str, code: str, fault: str, lines: list[int] | list[int | None], column: int | None
    ) -> None:
        if file not in self._files:
            self._files.append(file)
        self.count += len(lines)
        words = fault or WORDS[code]
        self._kept += [Fault(file, line, column, words, code) for line in islice(lines, self._most)]

    def listed(self) -> tuple[Fault, ...]:
        """Return the first of all faults, and where there are more, a last one that counts the rest."""
        order = {file: place for place, file in enumerate(self._files)}
        inside = sorted(self._kept, key=lambda one: (order[one.file], one.line or 0, one.column or 0))
        shown, rest = inside[: self._most], self.count - self._most
        if rest <= 0:
            return tuple(shown)
        last = Fault(shown[-1].file, None, None, f"{rest:,} further faults are not listed", MORE)
        return (*shown, last)
