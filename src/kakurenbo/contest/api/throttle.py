"""How fast one account, and one address, may send files: counted in the memory of the server.

Other limits are kept in the database, since they protect passwords and must outlive a restart. This one only
stops a flood, so it must cost nothing itself: hundreds of teams submit in the last minute before a deadline.
"""

import datetime as dt
import math

from fastapi import Request

from kakurenbo.web.limits import SUBMIT, MemoryAttempts
from kakurenbo.web.refusals import Refusal
from kakurenbo.web.visit import visit_of


def throttle(request: Request, user: str) -> None:
    """Count a file that somebody sends, and refuse it where there were too many within a minute."""
    visit, store = visit_of(request), _store(request)
    now, length = visit.site.clock().timestamp(), SUBMIT.seconds
    window = int(now // length)
    expires = dt.datetime.fromtimestamp((window + 1) * length, dt.UTC)
    asked = {f"address {visit.address}": SUBMIT.by_address, f"account {user}": SUBMIT.by_account}
    counts = {who: store.add(who, window, expires) for who in asked}
    if any(most is not None and counts[who] > most for who, most in asked.items()):
        wait = math.ceil(length - now % length)
        raise Refusal(
            429,
            "Too many tries. Please try again in {n} seconds.",
            n=wait,
            headers={"Retry-After": str(wait)},
        )


def _store(request: Request) -> MemoryAttempts:
    """Return the counts of this process."""
    state = request.app.state
    if not hasattr(state, "sending"):
        state.sending = MemoryAttempts()
    store: MemoryAttempts = state.sending
    return store
