"""Kakurenbo hides people in data, seeks them again, and judges honestly how well they were hidden.

A *release* is data with a secret pairing P. An *attack* maps (what the attacker knows, the released data) to
a guess Q. *Risk* compares Q with P. *Utility* compares the data with its release.

This module is the shop window: names only (in `__init__.pyi`), each loaded when it is first used, so that
`import kakurenbo` costs next to nothing. `methods`, `attacks` and `measures` hold the rest.
"""

import lazy_loader

__version__ = "0.1.0"
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
