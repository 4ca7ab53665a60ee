"""The API of a contest, under /api/v1: what the pages do, for programs, with tokens and JSON.

Uploads are the raw body of a PUT, streamed to the disk. Errors are `{"code", "message"}`. What of a result
may be seen is decided by `contest.disclosure`, for pages and programs alike.
"""

from fastapi import APIRouter

from kakurenbo.contest.api.boards import router as boards
from kakurenbo.contest.api.looking import router as looking
from kakurenbo.contest.api.organising import router as organising
from kakurenbo.contest.api.submitting import router as submitting

PREFIX = "/api/v1"
router = APIRouter(prefix=PREFIX)
for part in (looking, boards, submitting, organising):
    router.include_router(part)
