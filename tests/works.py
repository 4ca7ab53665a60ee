"""Work that tests send to other processes, which have to load it from here."""

from dataclasses import dataclass

from kakurenbo.errors import InputError


def content(block):
    """Return what the block holds."""
    return block.by_content()


def crash(block):
    """Fail as nobody expected, with somebody's value."""
    raise ValueError(block.customers[0])


@dataclass(frozen=True)
class Refuse:
    """Refuse every block."""

    code: str

    def __call__(self, block):
        raise InputError("Not today.", code=self.code, column="goods")
