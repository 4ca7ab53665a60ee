"""What can be left out of an installation, and the sentence that says what to install.

The core hides, seeks and judges. Drawing reports, searching for plans, reading workbooks and running contests
need libraries that many users never load; each set is an extra of its own. Whoever asks for one that is
missing is told so before any work is done.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Final

from kakurenbo.errors import ParameterError

EXTRAS: Final = {
    "report": ("altair", "vl_convert", "jinja2", "markupsafe"),
    "tune": ("optuna",),
    "xlsx": ("fastexcel",),
    "spark": ("pyspark", "py4j", "pyarrow", "pandas"),
    "contest": (
        "fastapi", "starlette", "uvicorn", "python_multipart", "argon2", "sqlalchemy", "alembic",
        "cryptography",
    ),
    "postgres": ("psycopg",),
}  # fmt: skip
_PURPOSES: Final = {
    "report": "drawing a report or a plot",
    "tune": "searching for a plan",
    "xlsx": "reading an XLSX workbook",
    "spark": "working on a cluster",
    "contest": "running a contest",
    "postgres": "keeping a contest in PostgreSQL",
}


def require(*extras: str) -> None:
    """Refuse to go on where one of these extras is not installed; nothing of them is loaded."""
    missing = [extra for extra in extras if not all(map(_installed, EXTRAS[extra]))]
    if missing:
        purposes = " and ".join(_PURPOSES[extra] for extra in missing)
        raise ParameterError(
            f"This asks for more than the core, {purposes}: pip install 'kakurenbo[{','.join(missing)}]'.",
            code="extra",
        )


def _installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except (ImportError, ValueError):
        return False
