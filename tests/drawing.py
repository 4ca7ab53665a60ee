"""Pictures drawn once: the same specification gives the same picture, and drawing is what a report costs."""

import json
from contextlib import contextmanager
from functools import wraps
from inspect import unwrap

import pytest
import vl_convert


@contextmanager
def drawn_once():
    """Draw every picture once from here on, whatever was drawn before."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("vegalite_to_svg", "vegalite_to_png"):
            patch.setattr(vl_convert, name, _once(unwrap(getattr(vl_convert, name))))
        yield


def _once(draw):
    made = {}

    @wraps(draw)
    def drawn(specification, **options):
        key = json.dumps([specification, options])
        if key not in made:
            made[key] = draw(specification, **options)
        return made[key]

    return drawn
