"""Attackers proved once, and releases attacked once, for tests that audit the same again and again."""

from contextlib import contextmanager

import pytest

from judging import judged
from kakurenbo.attacks.ladder import up_to
from kakurenbo.auditing import audit as auditing
from kakurenbo.auditing.results import Limits
from kakurenbo.cli import audit as command


@contextmanager
def proved_once():
    """Prove the attackers once for each original: the same people and the same seed give the same proof."""
    prove, made = auditing.prove, {}

    def once(original, *, seed, progress, without, practised, **remembering):
        key = original.fingerprint(), seed, tuple(without), practised
        if key not in made:
            asked = {"seed": seed, "progress": progress, "without": without, "practised": practised}
            made[key] = prove(original, **asked, **remembering)
        return made[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(auditing, "prove", once)
        yield


@contextmanager
def audited_once():
    """Let the command line attack each release once, and judge what was found by the limits it is given.

    An original that is read again is taken for the first one, beside which the proofs of attackers are kept.
    """
    made, tables = {}, {}

    def once(original, release, secret, *, seed, max_risk, **asked):
        key = original.fingerprint(), release.fingerprint(), secret is None, seed
        if key not in made:
            first = tables.setdefault(original.fingerprint(), original)
            made[key] = auditing.audit(first, release, secret, seed=seed, progress=asked["progress"])
        known, trusted = asked["knowledge"], asked["trust_pairing"]
        learnt = max_risk if asked["max_learnt"] is None else asked["max_learnt"]
        limits = Limits(max_risk, asked["min_utility"], trusted, learnt, known)
        deciding = tuple(rung.name for rung in up_to(known, original.kind))
        return judged(made[key], limits=limits, deciding=deciding)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(command, "run_audit", once)
        yield
