"""Take a form with files apart while it comes: fields are kept, files written, the token checked first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header

from kakurenbo.web.refusals import Refusal
from kakurenbo.web.roles import prove

if TYPE_CHECKING:
    from collections.abc import Callable

    from python_multipart.multipart import MultipartCallbacks

    from kakurenbo.web.aside import Writing
    from kakurenbo.web.visit import Visit

_MOST_FIELDS: Final = 100
_MOST_FILES: Final = 20
_LARGEST_FIELD: Final = 1 << 16
_LARGEST_HEADER: Final = 1 << 13


class Parts:
    """The parts of a form, in the order in which they come."""

    def __init__(self, visit: Visit, content_type: str, begin: Callable[[str, str], Writing]) -> None:
        kind, options = parse_options_header(content_type)
        if kind != b"multipart/form-data" or not options.get(b"boundary"):
            raise Refusal(415)
        self.fields: list[tuple[str, str]] = []
        self.files: list[tuple[str, Writing]] = []
        self.size = 0
        self._visit, self._begin = visit, begin
        self._name, self._value, self._writing = "", bytearray(), None  # type: str, bytearray, Writing | None
        self._header, self._content, self._disposition = bytearray(), bytearray(), b""
        self._ended = False
        self._parser = MultipartParser(options[b"boundary"], self._callbacks())

    def feed(self, piece: bytes) -> None:
        """Take the next piece of the body."""
        try:
            self._parser.write(piece)
        except FormParserError:
            raise Refusal(400) from None

    def finish(self) -> None:
        """Refuse a body that ended too early, or carried no token."""
        if not self._ended:
            raise Refusal(400)
        self._prove()

    def close(self) -> None:
        """Stop writing all files."""
        for _, writing in self.files:
            writing.close()

    def _callbacks(self) -> MultipartCallbacks:
        return {
            "on_part_begin": self._part_begins,
            "on_header_field": self._header_name,
            "on_header_value": self._header_value,
            "on_header_end": self._header_ends,
            "on_headers_finished": self._headers_end,
            "on_part_data": self._data,
            "on_part_end": self._part_ends,
            "on_end": self._ends,
        }

    def _part_begins(self) -> None:
        self._name, self._value, self._writing, self._disposition = "", bytearray(), None, b""

    def _header_name(self, data: bytes, start: int, end: int) -> None:
        self._header = _longer(self._header, data[start:end], _LARGEST_HEADER)

    def _header_value(self, data: bytes, start: int, end: int) -> None:
        self._content = _longer(self._content, data[start:end], _LARGEST_HEADER)

    def _header_ends(self) -> None:
        if bytes(self._header).lower() == b"content-disposition":
            self._disposition = bytes(self._content)
        self._header, self._content = bytearray(), bytearray()

    def _headers_end(self) -> None:
        _, options = parse_options_header(self._disposition)
        self._name = options.get(b"name", b"").decode("utf-8", "replace")
        if b"filename" in options:
            self._file_begins(options[b"filename"].decode("utf-8", "replace"))

    def _file_begins(self, name: str) -> None:
        self._prove()
        if len(self.files) >= _MOST_FILES:
            raise Refusal(413)
        self._writing = self._begin(str(len(self.files)), name)
        self.files.append((self._name, self._writing))

    def _data(self, data: bytes, start: int, end: int) -> None:
        if self._writing is None:
            self._value = _longer(self._value, data[start:end], _LARGEST_FIELD)
        else:
            self.size += end - start
            self._writing.write(data[start:end])

    def _part_ends(self) -> None:
        if self._writing is None:
            if len(self.fields) >= _MOST_FIELDS:
                raise Refusal(413)
            self.fields.append((self._name, self._value.decode("utf-8", "replace")))

    def _ends(self) -> None:
        self._ended = True

    def _prove(self) -> None:
        if self._visit.csrf == "due":
            prove(self._visit, dict(reversed(self.fields)).get("csrf"))


def _longer(text: bytearray, piece: bytes, most: int) -> bytearray:
    if len(text) + len(piece) > most:
        raise Refusal(413)
    return text + piece
