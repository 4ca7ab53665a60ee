import pytest

from sources import Module


@pytest.fixture(scope="package")
def modules(root):
    """The modules of the program, parsed once for all rules and let go after the last of them."""
    package = root / "src" / "kakurenbo"
    return [
        Module.parsed(path.relative_to(package).as_posix(), path.read_text(encoding="utf-8"))
        for path in sorted(package.rglob("*.py"))
    ]
