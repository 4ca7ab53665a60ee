"""Audit a release, and search for a better one.

`kakurenbo.audit` is both this package and the verb: calling it runs an audit, so that
`kb.audit(shop, release)` works whichever of its modules was imported first.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kakurenbo.audit.results import Audit


class _Verb(ModuleType):
    def __call__(self, *arguments: Any, **named: Any) -> Audit:  # noqa: ANN401 - those of `audit.audit`
        """Run an audit; see `kakurenbo.audit.audit.audit`."""
        from kakurenbo.audit.audit import audit  # noqa: PLC0415 - only when called

        return audit(*arguments, **named)


sys.modules[__name__].__class__ = _Verb
